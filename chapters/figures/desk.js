// The desk, live: one wish is dragged, and weights and context follow.
"use strict";

live.figure((stage) => {
    const things = [
        { name: "cup", key: [1, 0], holds: "coffee" },
        { name: "newspaper", key: [0, 0.5], holds: "news" },
        { name: "sheet", key: [0, 0.25], holds: "a letter" },
        { name: "notebook", key: [0, 0.25], holds: "notes" },
        { name: "book", key: [0, 1], holds: "a novel" },
    ];
    const { weight: orange, key: blue, value: green } = live.colours;
    const percent = (weight) => `${(100 * weight).toFixed(1)} %`;
    const desk = stage.svg(440, 516, "A desk, and a query that can be moved");
    const fixed = stage.add(desk, "g", { "aria-hidden": true });
    const text = (x, y, attributes = {}, words = "") =>
        stage.add(fixed, "text", { x, y, "text-anchor": "middle", ...attributes }, words);

    // Above, the printed drawing's things and keys; below each its score and weight, and a line to the query.
    fixed.append(stage.drawing.querySelector(".things").cloneNode(true));
    const columns = things.map((_, i) => {
        const x = 48 + 86 * i;
        const line = { x1: x, y1: 204, x2: 220 + (x - 220) / 7, y2: 258, stroke: orange };
        return {
            score: text(x, 177),
            weight: text(x, 198, { "font-weight": "bold" }),
            line: stage.add(fixed, "line", line),
        };
    });
    const box = { x: 176, y: 258, width: 88, height: 32, rx: 5 };
    stage.add(fixed, "rect", { ...box, fill: orange, "fill-opacity": 0.15, stroke: orange, "stroke-width": 2 });
    const query = text(220, 279);
    text(170, 279, { "text-anchor": "end", "font-weight": "bold" }, "query");

    // The plane of wishes: 40 to the unit, its origin at the lower left.
    const [left, bottom, unit, end] = [30, 490, 40, 4];
    const [X, Y] = [(red) => left + unit * red, (readable) => bottom - unit * readable];
    const plane = stage.add(desk, "rect", {
        x: left, y: Y(end), width: unit * end, height: unit * end,
        fill: "currentColor", "fill-opacity": 0.05, stroke: "currentColor",
    });
    text(left, Y(end) - 8, { "text-anchor": "start" }, "readable ↑");
    text(X(end), bottom + 20, { "text-anchor": "end" }, "red →");
    for (const { key } of things) {
        stage.add(fixed, "circle", { cx: X(key[0]), cy: Y(key[1]), r: 4, fill: blue, "pointer-events": "none" });
    }
    const ray = { x1: left, y1: bottom, stroke: orange, "stroke-width": 3, "pointer-events": "none" };
    const arrow = stage.add(fixed, "line", ray);
    desk.append(fixed); // over the plane
    const tip = stage.add(desk, "circle", { r: 11, fill: orange, "pointer-events": "none" });

    // The context: of what each thing holds, as much as its weight says.
    text(236, Y(end) - 8, { "text-anchor": "start", "font-weight": "bold" }, "context: a mean of");
    const shares = things.map(({ holds }, i) => {
        const y = Y(end) + 10 + 31 * i;
        text(294, y + 15, { "text-anchor": "end" }, holds);
        return stage.add(fixed, "rect", { x: 302, y, height: 20, fill: green });
    });

    const limit = (number) => Math.min(end, Math.max(0, Math.round(20 * number) / 20));
    stage.drag(desk, plane, tip, {
        label: "query: red to the right, readable upwards",
        at: (x, y) => ({ query: [limit((x - left) / unit), limit((bottom - y) / unit)] }),
        step: (dx, dy) => ({ query: stage.state.query.map((q, i) => limit(q + [dx, dy][i] / 4)) }),
        text: () => [stage.state.query[0], `red ${stage.state.query[0]}, readable ${stage.state.query[1]}`],
    });
    stage.hint("Drag the orange dot, or move it with the arrow keys. What do you get at (2, 2)?");
    stage.button("“my coffee?”", () => ({ query: [4, 0] }));
    stage.button("“to read”", () => ({ query: [0, 4] }));
    stage.button("both", () => ({ query: [2, 2] }));

    stage.draw((state) => {
        const numbers = stage.call("desk", [...state.query, ...things.flatMap(({ key }) => key)]);
        const [scores, weights] = [numbers.slice(0, things.length), numbers.slice(things.length)];
        columns.forEach(({ score, weight, line }, i) => {
            score.textContent = `score ${scores[i].toFixed(2)}`;
            weight.textContent = percent(weights[i]);
            live.set(line, { "stroke-width": 0.7 + 8 * weights[i] });
            live.set(shares[i], { width: 130 * weights[i] });
        });
        const [x, y] = state.query;
        query.textContent = `${x.toFixed(2)}, ${y.toFixed(2)}`;
        live.set(arrow, { x2: X(x), y2: Y(y) });
        live.set(tip, { cx: X(x), cy: Y(y) });
        stage.say(`weights: ${things.map(({ name }, i) => `${name} ${percent(weights[i])}`).join(", ")}`);
    });
    stage.start({ query: [4, 0] });
});
