// A GRU learns to add two marked numbers, and shows what its gates do at the marks.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue, value: green } = live.colours;
    const [tokens, units, all, slice] = [20, 16, 1000, 8]; // steps of the training; milliseconds of a frame for it
    const [left, pitch, row] = [92, 19, 7];
    const X = (t) => left + pitch * t;

    const svg = stage.svg(480, 376, "Numbers of which two are marked, the gates of all units, and the answer after every token");
    const fixed = stage.add(svg, "g", { "aria-hidden": true });
    const text = (y, words, fill = "currentColor") => stage.add(fixed, "text", { x: 4, y, "font-size": 14, fill }, words);
    const numbers = { base: 92, height: 60 };
    const gates = 122;
    const answers = { base: 352, height: 90 };
    text(70, "numbers", blue);
    text(108, "mark");
    text(gates + 60, "gates z");
    text(gates + 80, "(full: keep)");
    text(answers.base - 50, "answer", green);
    text(answers.base - 30, "after each");
    const bars = stage.add(fixed, "path", { fill: blue });
    const cells = Array.from({ length: units * tokens }, (_, i) => {
        const [t, unit] = [Math.floor(i / units), i % units];
        const place = { x: X(t) + 0.5, y: gates + row * unit, width: pitch - 1, height: row - 0.5 };
        return stage.add(fixed, "rect", { ...place, fill: orange, class: "gate", "pointer-events": "none" });
    });
    const level = (y) => answers.base - (answers.height * y) / 2; // from 0 to 2
    stage.add(fixed, "path", { d: `M${X(0)} ${level(0)}h${pitch * tokens}M${X(0)} ${level(0)}V${level(2)}`, stroke: "currentColor", "stroke-opacity": 0.5, fill: "none" });
    [0, 1, 2].forEach((y) => stage.add(fixed, "text", { x: X(0) - 6, y: level(y) + 5, "text-anchor": "end", "font-size": 14 }, y));
    const truth = stage.add(fixed, "path", { stroke: "currentColor", "stroke-dasharray": "4 3" });
    const line = stage.add(fixed, "path", { stroke: green, "stroke-width": 2.5, fill: "none" });

    // One mark in each half.
    [0, 1].forEach((half) => {
        const from = (half * tokens) / 2;
        const within = (t) => Math.min(from + tokens / 2 - 1, Math.max(from, Math.floor(t)));
        const moved = (t) => ({ marks: stage.state.marks.map((mark, i) => (i === half ? within(t) : mark)) });
        const handle = stage.add(svg, "path", { fill: "currentColor", "pointer-events": "none" });
        const grip = stage.add(svg, "rect", { x: X(from), y: 20, width: (pitch * tokens) / 2, height: 98, fill: "none", "pointer-events": "all" });
        stage.drag(svg, grip, handle, {
            label: half === 0 ? "first mark" : "second mark",
            axis: "x",
            at: (x) => moved((x - left) / pitch),
            step: (dx, dy) => moved(stage.state.marks[half] + dx + dy),
            text: () => [stage.state.marks[half], `token ${stage.state.marks[half] + 1}, ${stage.state.values[stage.state.marks[half]].toFixed(2)}`],
        });
        stage.draw(({ marks }) => live.set(handle, { d: `M${X(marks[half]) + pitch / 2} 97l8 13h-16z` }));
    });

    stage.hint("Train a GRU of 16 units on sequences of 20, and watch the gates at the marks (▲): there the units write. Then drag a mark.");
    const readout = live.set(stage.hint(), { style: "min-height: 3.2em" });
    stage.training({
        name: "errors", all, slice,
        start: ({ seed }) => stage.call("add_start", [seed]),
        step: ({ errors }) => errors.push(...stage.call("add_train", [1])),
    });
    stage.button("Other numbers", () => ({ values: Array.from({ length: tokens }, () => Math.round(100 * Math.random()) / 100) }));

    stage.draw(({ errors, values, marks, seed }) => {
        const trained = errors.length;
        const told = stage.call("add_read", values.flatMap((value, t) => [value, marks.includes(t) ? 1 : 0]));
        const [answer, z, [marked, elsewhere]] = [told.slice(0, tokens), told.slice(tokens, -2), told.slice(-2)];
        live.set(bars, { d: values.map((value, t) => `M${X(t) + 3} ${numbers.base}h${pitch - 6}v${-numbers.height * value}h${6 - pitch}z`).join("") });
        z.forEach((gate, i) => live.set(cells[i], { "fill-opacity": gate.toFixed(3) }));
        const place = (y, t) => `${X(t + 0.5)} ${level(Math.min(2, Math.max(0, y))).toFixed(1)}`;
        live.set(line, { d: `M${answer.map(place).join("L")}` });
        const sum = values[marks[0]] + values[marks[1]];
        live.set(truth, { d: `M${X(0)} ${level(sum)}h${pitch * tokens}` });
        const error = trained > 0 ? `, error ${errors.at(-1).toFixed(4)}` : "";
        readout.textContent = `Seed ${seed}, step ${trained}${error}. Answer ${answer.at(-1).toFixed(3).replace("-", "−")} for ${sum.toFixed(2)}; mean gate ${marked.toFixed(3)} at the marks, ${elsewhere.toFixed(3)} elsewhere.`;
        stage.say(readout.textContent);
    });
    const values = [0.62, 0.18, 0.85, 0.33, 0.71, 0.08, 0.54, 0.97, 0.26, 0.45, 0.9, 0.12, 0.67, 0.39, 0.78, 0.21, 0.58, 0.03, 0.83, 0.49];
    stage.start({ seed: 0, errors: [], training: false, values, marks: [4, 13] });
});
