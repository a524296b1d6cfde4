// A query and three keys in the plane: four scores, and what a factor on them does to the softmax.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue } = live.colours;
    const most = 4096;
    const minus = (text) => text.replace(/^-(0\.0*)$/, "$1").replace("-", "−");
    const score = (number) => minus(number.toFixed(2));
    const [cosine, general] = [2, 3]; // of the choices
    const answer = ({ kind, turn, vectors }, d) => {
        const [query, keys] = [vectors[3], vectors.slice(0, 3)];
        const all = stage.call("geometry", [kind, turn, Math.sqrt(d), ...query, ...keys.flat()]);
        const pairs = (numbers) => [0, 1, 2].map((i) => numbers.slice(2 * i, 2 * i + 2));
        return {
            scores: all.slice(0, 3), weights: all.slice(3, 6), met: pairs(all.slice(6, 12)),
            growth: pairs(all.slice(12, 18)), entropy: all[18], jacobian: all[19],
        };
    };

    // The plane, from −3 to 3.
    const svg = stage.svg(356, 356, "A query and three keys in the plane, with lines of equal score");
    const [reach, unit, middle] = [3, 57, 178];
    const [X, Y] = [(x) => middle + unit * x, (y) => middle - unit * y];
    const box = { x: X(-reach), y: Y(reach), width: 2 * reach * unit, height: 2 * reach * unit };
    const clip = stage.add(svg, "clipPath", { id: "geometry-plane" });
    stage.add(clip, "rect", box);
    const plane = stage.add(svg, "g", { "aria-hidden": true, "clip-path": "url(#geometry-plane)", "pointer-events": "none" });
    stage.add(plane, "rect", { ...box, fill: "currentColor", "fill-opacity": 0.05 });
    const path = (attributes) => stage.add(plane, "path", { fill: "none", ...attributes });
    path({ d: `M${box.x} ${Y(0)}h${box.width}M${X(0)} ${box.y}v${box.height}`, stroke: "currentColor", "stroke-opacity": 0.3 });
    const level = () => path({ stroke: "currentColor", "stroke-opacity": 0.6, class: "level" });
    const levels = [level(), level(), level()];

    const within = (number) => Math.min(2.8, Math.max(-2.8, Math.round(20 * number) / 20));
    const moved = (i, place) => ({ vectors: stage.state.vectors.map((vector, j) => (i === j ? place.map(within) : vector)) });
    const names = ["1", "2", "3", "q"]; // the query, above the keys
    const arrows = names.map((name, i) => {
        const query = i === 3;
        const colour = query ? orange : blue;
        const before = path({ stroke: blue, "stroke-width": 1.5, "stroke-dasharray": "4 3" }); // W turns it
        const shaft = path({ stroke: colour, "stroke-width": query ? 4.5 : 3 });
        const head = path({ fill: colour });
        const group = stage.add(svg, "g");
        const handle = stage.add(group, "circle", { r: 8, fill: colour, "fill-opacity": 0.35, "pointer-events": "none" });
        const label = stage.add(group, "text", { "text-anchor": "middle", "font-weight": "bold", "aria-hidden": true, "pointer-events": "none" }, name);
        const area = stage.add(group, "circle", { r: 24, fill: "none", "pointer-events": "all" });
        stage.drag(svg, area, handle, {
            label: query ? "query" : `key ${name}`,
            at: (x, y) => moved(i, [(x - middle) / unit, (middle - y) / unit]),
            step: (dx, dy) => moved(i, stage.state.vectors[i].map((at, axis) => at + [dx, dy][axis] / 10)),
            text: () => [stage.state.vectors[i][0], `${stage.state.vectors[i][0]} to the right, ${stage.state.vectors[i][1]} up`],
        });
        return { before, shaft, head, handle, label, area };
    });

    // From the middle to a place, with a head.
    const point = ({ shaft, head, label }, [x, y]) => {
        const length = Math.hypot(x, y) || 1;
        const [along, tip] = [[x / length, -y / length], [X(x), Y(y)]];
        const at = (back, aside) => `${tip[0] - back * along[0] - aside * along[1]} ${tip[1] - back * along[1] + aside * along[0]}`;
        live.set(shaft, { d: `M${X(0)} ${Y(0)}L${at(9, 0)}` });
        live.set(head, { d: `M${at(0, 0)}L${at(11, 5.5)}L${at(11, -5.5)}z` });
        const [right, down] = label.textContent === "q" ? [along[1], -along[0]] : along;
        live.set(label, { x: tip[0] + 17 * right, y: tip[1] + 17 * down + 5 });
    };

    // Scores and weights; below them what the factor does.
    const beside = stage.svg(356, 356, "Scores and weights; entropy and Jacobian for every factor");
    const rows = [0, 1, 2].map((i) => {
        const y = 26 + 30 * i;
        stage.add(beside, "text", { x: 4, y, fill: blue, "font-weight": "bold" }, i + 1);
        const told = stage.add(beside, "text", { x: 24, y });
        stage.add(beside, "rect", { x: 150, y: y - 15, width: 140, height: 20, fill: "currentColor", "fill-opacity": 0.06 });
        const bar = stage.add(beside, "rect", { x: 150, y: y - 15, height: 20, fill: orange });
        return { told, bar, share: stage.add(beside, "text", { x: 298, y }) };
    });
    const plot = stage.chart(beside, { left: 40, top: 140, width: 300, height: 168, log: true, names: ["d", ""] });
    plot.range([1, most], [0, 1.2]);
    const ds = Array.from({ length: 49 }, (_, i) => most ** (i / 48));
    const curves = [
        { of: "entropy", text: "entropy (nats)", x: 40, stroke: blue },
        { of: "jacobian", text: "norm of the Jacobian", x: 340, stroke: orange },
    ].map(({ of, text, x, stroke }) => {
        stage.add(beside, "text", { x, y: 130, fill: stroke, "text-anchor": x === 40 ? "start" : "end" }, text);
        return { of, line: plot.line({ stroke }), dot: stage.add(plot.marks, "circle", { r: 6, fill: stroke }) };
    });

    stage.hint("Drag the query q and the keys. Which key wins by dot, which by cosine? Then raise d: the scores grow by √d, as dot products of d random entries do without the divisor; √d is the cosine’s β.");
    const readout = stage.hint();
    stage.choice("kind", { label: "score", names: ["dot", "scaled dot", "cosine", "general"] });
    stage.slider("turn", { label: "W turns by", from: -180, to: 180, show: (turn) => `${minus(turn.toFixed(0))}°` });
    const turning = stage.controls.lastElementChild;
    stage.slider("d", { label: "× √d, d =", from: 1, to: most, log: true, show: (d) => d.toFixed(d < 100 ? 1 : 0) });

    stage.draw((state) => {
        const { scores, weights, met, growth, entropy, jacobian } = answer(state, state.d);
        turning.style.display = state.kind === general ? "" : "none";
        point(arrows[3], state.vectors[3]);
        met.forEach((key, i) => {
            const arrow = arrows[i];
            point(arrow, key);
            const [x, y] = state.vectors[i];
            live.set(arrow.before, { d: state.kind === general ? `M${X(0)} ${Y(0)}L${X(x)} ${Y(y)}` : "" });
            // Across the growth the score stays; a cosine does until the middle.
            const [across, up] = [-growth[i][1], growth[i][0]];
            const length = Math.hypot(across, up);
            const [dx, dy] = [(9 * across) / length, (9 * up) / length];
            const outward = dx * key[0] + dy * key[1] < 0 ? -1 : 1;
            const ray = state.kind === cosine;
            const from = ray ? [0, 0] : [key[0] - dx, key[1] - dy];
            const to = ray ? [outward * dx, outward * dy] : [key[0] + dx, key[1] + dy];
            live.set(levels[i], { d: length > 0 ? `M${X(from[0])} ${Y(from[1])}L${X(to[0])} ${Y(to[1])}` : "" });
            live.set(rows[i].bar, { width: 140 * weights[i] });
            rows[i].told.textContent = `score ${score(scores[i])}`;
            rows[i].share.textContent = weights[i].toFixed(3);
        });
        arrows.forEach(({ handle, area }, i) => {
            const [cx, cy] = [X(state.vectors[i][0]), Y(state.vectors[i][1])];
            [handle, area].forEach((circle) => live.set(circle, { cx, cy }));
        });
        const all = ds.map((d) => answer(state, d));
        for (const { of, line, dot } of curves) {
            plot.through(line, ds, all.map((one) => one[of]));
            live.set(dot, { cx: plot.X(state.d), cy: plot.Y({ entropy, jacobian }[of]) });
        }
        const norm = jacobian < 1e-3 ? "below 0.001" : jacobian.toFixed(3);
        readout.textContent = `Entropy ${entropy.toFixed(3)} nats; norm of the Jacobian ${norm}.`;
        const told = scores.map((number, i) => `key ${i + 1}: score ${score(number)}, weight ${weights[i].toFixed(3)}`);
        stage.say(`${told.join("; ")}. ${readout.textContent}`);
    });
    stage.start({ kind: 0, turn: 25, d: 1, vectors: [[0.5, 2], [2.6, 0.1], [1.6, 0.8], [0.8, 0.4]] });
});
