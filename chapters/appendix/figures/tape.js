// A tape, node by node: forwards the values are written, backwards the shares of the gradient are handed on.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue } = live.colours;
    // A node: its name, the nodes it is made of.
    const expressions = [
        { title: "L = 2 w · w", w: 3, nodes: [["w", []], ["a = 2 w", [0]], ["L = a · w", [1, 0]]] },
        {
            title: "the loss with two neighbours",
            w: 1,
            nodes: [
                ["w", []], ["u", []], ["y", []], ["w u", [0, 1]], ["square", [3]], ["transpose", [4]],
                ["s = −½ ·", [5]], ["α = softmax s", [6]], ["f = y α", [2, 7]], ["L = (f − 2)²", [8]],
            ],
        },
    ];
    const data = ["u", "y"];
    const decimal = (number) => String(Number(number.toFixed(3))).replace(/^-/, "−");
    const list = (numbers) => numbers.map(decimal).join(", ");
    const answer = ({ expression, w }) => {
        const all = stage.call("tape", [expression, w]);
        const take = (count) => all.splice(0, count);
        const values = Array.from({ length: take(1)[0] }, () => take(take(1)[0]));
        const shares = [];
        while (all.length > 0) {
            const [from, to] = take(2);
            shares.push({ from, to, share: take(values[to].length), sum: take(values[to].length) });
        }
        return { values, shares };
    };

    const svg = stage.svg(480, 364, "The tape: a row is a node, with its value and what it has received of the gradient");
    const [top, pitch] = [56, 32];
    const Y = (node) => top + pitch * node;
    const columns = { name: 34, value: 170, gradient: 300 };
    const title = (x, text, fill = "currentColor") => stage.add(svg, "text", { x, y: 22, "font-size": 14, fill }, text);
    title(columns.name, "node");
    title(columns.value, "value", blue);
    title(columns.gradient, "gradient", orange);
    const rows = stage.add(svg, "g", { class: "rows" });
    const arcs = stage.add(svg, "g", { "aria-hidden": true, fill: "none" });
    const arc = (from, to, attributes) => {
        const [y1, y2] = [Y(from), Y(to)];
        const bulge = 430 + 7 * Math.abs(from - to);
        stage.add(arcs, "path", { d: `M428 ${y1}C${bulge} ${y1} ${bulge} ${y2} 428 ${y2}`, ...attributes });
        stage.add(arcs, "path", { d: `M428 ${y2}l9 -5v10z`, fill: attributes.stroke, "fill-opacity": attributes["stroke-opacity"] ?? 1 });
    };

    stage.hint("Press on: first every node is written, then every node hands its gradient to the nodes it was made of. Where do two shares meet, and what becomes of the values?");
    const readout = live.set(stage.hint(), { style: "min-height: 3.2em" });
    const choices = expressions.map(({ title, w }, i) => stage.button(title, () => ({ expression: i, w, step: 0 })));
    const last = ({ expression }) => 2 * expressions[expression].nodes.length;
    const next = stage.button("", ({ step }) => ({ step: step + 1 }));
    const back = stage.button("One back", ({ step }) => ({ step: step - 1 }));
    stage.slider("w", { label: "w", from: 0.5, to: 3.5, show: (w) => w.toFixed(2) });

    stage.draw((state) => {
        const { expression, step } = state;
        const { nodes } = expressions[expression];
        const n = nodes.length;
        const { values, shares } = answer(state);
        const written = Math.min(step, n);
        const passed = step > n ? 2 * n - step : n; // the node that was passed last, if any
        const handed = shares.filter(({ from }) => from >= passed);
        const now = shares.filter(({ from }) => from === passed);
        const received = nodes.map((_, i) => handed.findLast(({ to }) => to === i)?.sum);
        if (step > n) {
            received[n - 1] = [1]; // the loss in itself
        }
        const height = Y(n) - 8;
        live.set(svg, { viewBox: `0 0 480 ${height}`, height });
        rows.replaceChildren();
        arcs.replaceChildren();
        nodes.slice(0, written).forEach(([name, parents], i) => {
            const gone = i >= passed;
            const current = step > n ? i === passed : i === written - 1;
            stage.add(rows, "rect", {
                x: 4, y: Y(i) - 14, width: 414, height: pitch - 4, rx: 4, fill: "currentColor", "fill-opacity": 0.05,
                stroke: step > n ? orange : blue, "stroke-width": current ? 2 : 0,
            });
            const cell = (x, text, attributes) => stage.add(rows, "text", { x, y: Y(i) + 5, ...attributes }, text);
            cell(12, i, { "font-size": 14, "fill-opacity": 0.7 });
            cell(columns.name, name, { "font-style": "italic" });
            cell(columns.value, gone ? "freed" : list(values[i]), { class: "value", "fill-opacity": gone ? 0.55 : 1 });
            const none = data.includes(name) ? "–" : "";
            cell(columns.gradient, received[i] ? list(received[i]) : none, { class: "gradient" });
            parents.forEach((parent) => arc(parent, i, { stroke: "currentColor", "stroke-opacity": 0.3, "stroke-width": 1.5 }));
        });
        now.forEach(({ from, to }) => arc(from, to, { stroke: orange, "stroke-width": 3 }));

        const label = (i) => nodes[i][0].split(" = ")[0];
        const told = () => {
            if (step === 0) {
                return "An empty tape.";
            }
            if (step <= n) {
                return `Node ${step - 1} is written: ${label(step - 1)} is ${list(values[step - 1])}.`;
            }
            if (now.length > 0) {
                const [start, gives] = [passed === n - 1 ? "Begin with 1. " : "", now.map(({ to, share }) => `${list(share)} to ${label(to)}`)];
                return `${start}Node ${passed}, ${label(passed)}, hands back ${gives.join(" and ")}.`;
            }
            return passed > 0 ? `Node ${passed}, ${label(passed)}, is data: nobody asks for its gradient.` : `Node 0, w, is an input: its gradient is the answer, ${list(received[0])}.`;
        };
        readout.textContent = told();
        next.textContent = step < n ? "Write a node" : "Hand back";
        next.disabled = step === last(state);
        back.disabled = step === 0;
        choices.forEach((button, i) => live.set(button, { "aria-pressed": i === expression }));
        stage.say(readout.textContent);
    });
    stage.start({ expression: 0, w: expressions[0].w, step: 0 });
});
