// Local attention: the predicted position and the window's width are dragged over a sentence.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue } = live.colours;
    const words = ["the", "old", "man", "'s", "white", "horse", "is", "tired", "."];
    const horse = 5; // what cheval translates
    const parts = [4, 7, 5, 10, 18, 55, 5, 5, 3]; // of a softmax over the whole sentence; made up
    const scores = parts.map(Math.log);
    const m = words.length;
    const minus = (text) => text.replace(/^-(0\.0*)$/, "$1").replace("-", "−");
    const answer = ({ p, D }) => {
        const all = stage.call("window", [p, D, horse, ...scores]);
        const [first, end, pull, sum] = all;
        return { first, end, pull, sum, before: all.slice(4, 4 + m), after: all.slice(4 + m, 4 + 2 * m), curve: all.slice(4 + 2 * m) };
    };

    const svg = stage.svg(480, 320, "A window over nine words, the Gaussian in it, and the weights before and after");
    const [left, pitch, base, height] = [76, 46, 226, 150];
    const X = (position) => left + pitch * position;
    const fixed = stage.add(svg, "g", { "aria-hidden": true, "pointer-events": "none" });
    const text = (x, y, words, attributes = {}) => stage.add(fixed, "text", { x, y, "text-anchor": "middle", ...attributes }, words);
    const area = live.set(stage.add(svg, "rect"), { x: 0, y: 20, width: 480, height: base - 20, fill: "none", "pointer-events": "all" });
    svg.insertBefore(area, fixed);
    const shade = stage.add(fixed, "rect", { y: base - height, height, fill: blue, "fill-opacity": 0.08 });
    stage.add(fixed, "path", { d: `M${X(0) - 24} ${base}H${X(m - 1) + 24}`, stroke: "currentColor", "stroke-width": 1.5 });
    text(26, base + 42, "softmax", { "font-size": 14 });
    text(26, base + 64, "weight", { "font-size": 14, fill: orange });
    const columns = words.map((word, j) => {
        text(X(j), base + 20, word, j === horse ? { "font-weight": "bold" } : {});
        const bar = { x: X(j) - 14, width: 28 };
        return {
            before: stage.add(fixed, "rect", { ...bar, fill: "none", stroke: "currentColor", "stroke-width": 1.2, "stroke-dasharray": "4 3" }),
            after: stage.add(fixed, "rect", { ...bar, fill: orange, "fill-opacity": 0.75 }),
            told: text(X(j), base + 42, "", { "font-size": 14, class: "before" }),
            weight: text(X(j), base + 64, "", { "font-size": 14, class: "after" }),
        };
    });
    const bell = stage.add(fixed, "path", { fill: "none", stroke: blue, "stroke-width": 2 });
    const middle = stage.add(fixed, "path", { stroke: blue, "stroke-width": 1.5, "stroke-dasharray": "3 3" });
    const shaft = stage.add(fixed, "path", { stroke: orange, "stroke-width": 4 });
    const head = stage.add(fixed, "path", { fill: orange });

    const within = (number, from, to) => Math.min(to, Math.max(from, number));
    const center = stage.add(svg, "circle", { r: 9, cy: 56, fill: blue, "pointer-events": "none" });
    const name = stage.add(svg, "text", { y: 36, "text-anchor": "middle", "aria-hidden": true, "pointer-events": "none" });
    const position = (p) => ({ p: within(Math.round(20 * p) / 20, 0, m) });
    stage.drag(svg, area, center, {
        label: "position p",
        axis: "x",
        at: (x) => position((x - left) / pitch),
        step: (dx, dy) => position(stage.state.p + (dx + dy) / 10),
        text: () => [stage.state.p, `p = ${stage.state.p.toFixed(2)}`],
    });
    const edge = stage.add(svg, "path", { fill: blue, "pointer-events": "none" });
    const reach = stage.add(svg, "text", { y: base + 88, "text-anchor": "middle", "aria-hidden": true, "pointer-events": "none" });
    const grip = stage.add(svg, "circle", { r: 24, cy: base - 8, fill: "none", "pointer-events": "all" });
    const width = (D) => ({ D: within(Math.round(D), 1, 5) });
    stage.drag(svg, grip, edge, {
        label: "width D",
        axis: "x",
        at: (x) => width(Math.abs((x - left) / pitch - stage.state.p)),
        step: (dx, dy) => width(stage.state.D + dx + dy),
        text: () => [stage.state.D, `D = ${stage.state.D}`],
    });

    stage.hint("Cheval is written, and horse deserves more weight. Drag p to the left until horse no longer pulls it; then the window’s edge (▲), until horse does again.");
    const readout = live.set(stage.hint(), { style: "min-height: 3.2em" });

    stage.draw((state) => {
        const { p, D } = state;
        const { first, end, pull, sum, before, after, curve } = answer(state);
        const [from, to] = [within(p - D, -0.5, m - 0.5), within(p + D, -0.5, m - 0.5)];
        live.set(shade, { x: X(from), width: pitch * (to - from) });
        columns.forEach((column, j) => {
            const seen = first <= j && j < end;
            live.set(column.before, { y: base - height * before[j], height: height * before[j] });
            live.set(column.after, { y: base - height * after[j], height: height * after[j] });
            column.told.textContent = seen ? before[j].toFixed(2) : "–";
            column.weight.textContent = seen ? after[j].toFixed(2) : "–";
        });
        const places = curve.map((part, i) => [X(p + D * ((2 * i) / (curve.length - 1) - 1)), base - height * part]);
        const shown = places.filter(([x]) => x >= X(-0.5) && x <= X(m - 0.5));
        live.set(bell, { d: `M${shown.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` });
        live.set(middle, { d: `M${X(p)} ${base}V62` });
        live.set(center, { cx: X(p) });
        live.set(name, { x: within(X(p), 30, 440) });
        name.textContent = `p = ${p.toFixed(2)}`;
        // The arrow, from the position towards the word that pulls it.
        const tip = X(p) + 200 * pull;
        const back = Math.sign(pull) * Math.min(11, Math.abs(tip - X(p)));
        live.set(shaft, { d: pull ? `M${X(p)} 56H${tip - 0.8 * back}` : "" });
        live.set(head, { d: pull ? `M${tip} 56l${-back} 6.5v-13z` : "" });
        const right = within(X(p + D), 16, 464);
        live.set(edge, { d: `M${right} ${base - 14}l9 16h-18z` });
        live.set(grip, { cx: right });
        live.set(reach, { x: within(right, 40, 440) });
        reach.textContent = `p + D, D = ${D}`;
        const window = `Words ${first} to ${end - 1}, together ${sum.toFixed(2)}.`;
        const seen = first <= horse && horse < end;
        const direction = pull > 0 ? "to the right" : pull < 0 ? "to the left" : "nowhere: it is there";
        const pulls = `Its derivative with respect to p is ${minus(pull.toFixed(3))}: p is pulled ${direction}.`;
        readout.textContent = `${window} ${seen ? `Horse has ${after[horse].toFixed(2)}. ${pulls}` : "Horse is out of sight, and no gradient moves p towards it."}`;
        stage.say(readout.textContent);
    });
    stage.start({ p: 3.6, D: 3 });
});
