// Words that ask each other: each is dragged in the plane, and scores, weights and outputs follow.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue, value: green } = live.colours;
    const names = ["river", "bank", "money"];
    const colours = [blue, "currentColor", green];
    const sentences = [[0, 1], [2, 1], [0, 1, 2]]; // words, in their order
    const decimal = (number) => number.toFixed(2).replace(/^-(0\.00)$/, "$1").replace("-", "−");
    const pair = ([water, money]) => `${decimal(water)}, ${decimal(money)}`;

    // The plane, from −2 to 4.
    const svg = stage.svg(356, 372, "Three words in the plane of water and money, and what becomes of them");
    const [low, high, left, bottom, unit] = [-2, 4, 10, 350, 55];
    const [X, Y] = [(water) => left + unit * (water - low), (money) => bottom - unit * (money - low)];
    const fixed = stage.add(svg, "g", { "aria-hidden": true });
    const side = unit * (high - low);
    stage.add(fixed, "rect", { x: left, y: Y(high), width: side, height: side, fill: "currentColor", "fill-opacity": 0.05 });
    const axis = (d) => stage.add(fixed, "path", { d, stroke: "currentColor", "stroke-opacity": 0.5 });
    axis(`M${left} ${Y(0)}H${X(high)}`);
    axis(`M${X(0)} ${bottom}V${Y(high)}`);
    for (const tick of [-1, 1, 2, 3]) {
        axis(`M${X(tick)} ${Y(0)}v5`);
        axis(`M${X(0)} ${Y(tick)}h-5`);
        stage.add(fixed, "text", { x: X(tick), y: Y(0) + 19, "text-anchor": "middle", "font-size": 14 }, tick);
        stage.add(fixed, "text", { x: X(0) - 9, y: Y(tick) + 5, "text-anchor": "end", "font-size": 14 }, tick);
    }
    stage.add(fixed, "text", { x: X(high), y: Y(0) - 8, "text-anchor": "end" }, "water");
    stage.add(fixed, "text", { x: X(0) + 8, y: Y(high) + 14 }, "money");
    const clip = stage.add(stage.add(svg, "clipPath", { id: "river-bank-plane" }), "rect");
    live.set(clip, { x: left, y: Y(high), width: side, height: side });
    const moves = stage.add(svg, "g", { "aria-hidden": true, "clip-path": "url(#river-bank-plane)", "pointer-events": "none" });

    const within = (number) => Math.min(3, Math.max(-1, Math.round(20 * number) / 20));
    const moved = (i, place) => ({ words: stage.state.words.map((word, j) => (i === j ? place.map(within) : word)) });
    const words = names.map((name, i) => {
        const line = stage.add(moves, "line", { x1: X(0), y1: Y(0), stroke: colours[i], "stroke-width": 3 });
        const way = stage.add(moves, "line", { stroke: orange, "stroke-width": 2.5, "stroke-dasharray": "6 4" });
        const end = stage.add(moves, "circle", { r: 5, fill: orange });
        const group = stage.add(svg, "g");
        const handle = stage.add(group, "circle", { r: 9, fill: colours[i], "pointer-events": "none" });
        const label = stage.add(group, "text", { "font-weight": "bold", "aria-hidden": true, "pointer-events": "none" }, name);
        const area = stage.add(group, "circle", { r: 24, fill: "none", "pointer-events": "all" });
        stage.drag(svg, area, handle, {
            label: `${name}: water to the right, money upwards`,
            at: (x, y) => moved(i, [low + (x - left) / unit, low + (bottom - y) / unit]),
            step: (dx, dy) => moved(i, stage.state.words[i].map((at, axis) => at + [dx, dy][axis] / 4)),
            text: () => [stage.state.words[i][0], `water ${stage.state.words[i][0]}, money ${stage.state.words[i][1]}`],
        });
        return { parts: [line, way, end, group], line, way, end, handle, label, area };
    });

    const table = document.createElement("table");
    const box = document.createElement("div");
    box.append(table);
    stage.drawings.append(box);
    const caption = document.createElement("caption");
    caption.textContent = "score → weight";
    caption.style.textAlign = "left";
    const row = (kind, cells, strong) => {
        const tr = document.createElement("tr");
        cells.forEach((text, i) => {
            const cell = document.createElement(kind === "th" || i === 0 ? "th" : "td");
            cell.textContent = text;
            cell.style.cssText = `padding: 0.2rem 0.5rem; font-size: 1.25rem; text-align: ${i === 0 ? "left" : "right"}; white-space: nowrap`;
            cell.style.fontWeight = kind === "th" || strong ? "bold" : "normal";
            tr.append(cell);
        });
        table.append(tr);
    };

    stage.hint("Drag a word. Matrices and heads are those that this page chooses further down: from there on an output is added to its word.");
    stage.choice("sentence", { label: "sentence", names: sentences.map((some) => some.map((i) => names[i]).join(" ")) });
    stage.choice("layer", { label: "layer", names: ["no matrices", "three matrices", "two heads"] });
    stage.choice("masked", { label: "a word sees", names: ["all words", "none after it"] });

    stage.draw((state) => {
        const some = sentences[state.sentence];
        const n = some.length;
        const answer = stage.call("bank", [state.layer, state.masked, ...some.flatMap((i) => state.words[i])]);
        const take = (count) => answer.splice(0, count);
        const heads = Array.from({ length: state.layer === 2 ? 2 : 1 }, () => [take(n * n), take(n * n)]);
        const vectors = () => some.map(() => take(2));
        const [outputs, becomes] = [vectors(), vectors()];

        table.replaceChildren(caption);
        heads.forEach(([scores, weights], h) => {
            const about = heads.length > 1 ? `head ${h + 1}` : "";
            row("th", [about, ...some.map((i) => `${names[i]} asks`)]);
            some.forEach((i, key) => {
                const cells = some.map((_, query) => {
                    const at = query * n + key;
                    const hidden = state.masked === 1 && key > query;
                    return hidden ? "–" : `${decimal(scores[at])} → ${decimal(weights[at])}`;
                });
                row("td", [names[i], ...cells]);
            });
        });
        row("td", ["output", ...outputs.map(pair)]);
        row("td", ["becomes", ...becomes.map(pair)], true);

        words.forEach(({ parts, line, way, end, handle, label, area }, i) => {
            const at = some.indexOf(i);
            parts.forEach((part) => (part.style.display = at < 0 ? "none" : ""));
            if (at < 0) {
                return;
            }
            const [x, y] = [X(state.words[i][0]), Y(state.words[i][1])];
            const [x2, y2] = [X(becomes[at][0]), Y(becomes[at][1])];
            live.set(line, { x2: x, y2: y });
            live.set(way, { x1: x, y1: y, x2, y2 });
            live.set(end, { cx: x2, cy: y2 });
            live.set(handle, { cx: x, cy: y });
            live.set(area, { cx: x, cy: y });
            live.set(label, { x: x + 13, y: y - 10 });
        });
        stage.say(`becomes: ${some.map((i, at) => `${names[i]} ${pair(becomes[at])}`).join("; ")}`);
    });
    stage.start({ words: [[2, 0], [1, 1], [0, 2]], sentence: 0, layer: 0, masked: 0 });
});
