// One look after the other: what each estimates, and where the mean of the estimates goes.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue, value: green } = live.colours;
    const names = ["melon", "radish", "apple"];
    const colours = [green, blue, orange];
    const most = 10000;
    const decimal = (number) => number.toFixed(2).replace(/^-(0\.00)$/, "$1").replace("-", "−");
    const three = (numbers) => numbers.map(decimal).join(", ");
    const answer = ({ seed, count, b }) => {
        const all = stage.call("looks", [seed, count, b]);
        const [exact, variance, J, optimal] = [all.slice(0, 3), all[3], all[4], all[5]];
        const estimates = [0, 1, 2].map((i) => all.slice(6 + 3 * i, 9 + 3 * i));
        const look = (n) => ({ label: all[15 + 4 * n], mean: all.slice(16 + 4 * n, 19 + 4 * n) });
        return { exact, variance, J, optimal, estimates, look };
    };

    // The plane of all estimates, whose entries sum to 0, turned as in the printed drawing.
    const svg = stage.svg(400, 306, "What a look at each label estimates, and the mean so far");
    const place = ([melon, radish, apple]) => [
        46 + (29 * (2 * radish - melon - apple)) / Math.sqrt(6),
        116 - (29 * (melon - apple)) / Math.sqrt(2),
    ];
    const plane = stage.add(svg, "g", { "aria-hidden": true });
    const arrow = (colour, width, name) => ({
        shaft: stage.add(plane, "path", { stroke: colour, "stroke-width": width }),
        head: stage.add(plane, "path", { fill: colour }),
        name: stage.add(plane, "text", { fill: colour, "text-anchor": "middle" }, name),
    });
    const draw = ({ shaft, head, name }, to) => {
        const [from, tip] = [place([0, 0, 0]), place(to)];
        const length = Math.hypot(tip[0] - from[0], tip[1] - from[1]);
        const [x, y] = length > 0 ? [(tip[0] - from[0]) / length, (tip[1] - from[1]) / length] : [0, -1];
        const at = (back, aside) => `${tip[0] - back * x - aside * y} ${tip[1] - back * y + aside * x}`;
        live.set(shaft, { d: length > 9 ? `M${from.join(" ")}L${at(9, 0)}` : "" });
        const dot = `M${at(-5, 0)}L${at(0, 5)}L${at(5, 0)}L${at(0, -5)}z`; // of no length
        live.set(head, { d: length > 0 ? `M${at(0, 0)}L${at(11, 5.5)}L${at(11, -5.5)}z` : dot });
        live.set(name, { x: tip[0] + 30 * x, y: tip[1] + 16 * y + 5 });
    };
    const arrows = names.map((name, i) => arrow(colours[i], 2.5, name));
    const gradient = arrow("currentColor", 5, "");
    const trail = stage.add(plane, "path", { fill: "none", stroke: "currentColor", "stroke-opacity": 0.6, class: "trail" });
    const mean = stage.add(plane, "circle", { r: 6, fill: "none", stroke: "currentColor", "stroke-width": 2.5 });

    // The three entries of the mean, look after look.
    const beside = stage.svg(360, 306, "The mean of the estimates after every look");
    const plot = stage.chart(beside, { left: 36, top: 26, width: 300, height: 236, log: true, names: ["looks", "mean of the estimates"] });
    plot.range([1, most], [-6, 8]);
    const dashed = colours.map((stroke) => plot.line({ stroke, "stroke-width": 1.5, "stroke-dasharray": "5 4" }));
    const lines = colours.map((stroke) => plot.line({ stroke }));

    stage.hint("Take looks, then choose a baseline for the same looks: the mean (ring) goes to the gradient (thick arrow) with any of them. How far does it stray on its way?");
    const readout = live.set(stage.hint(), { style: "min-height: 3.2em" });
    const more = (by) => ({ count }) => ({ count: Math.min(most, count + by) });
    stage.button("Look", more(1));
    stage.button("100 looks", more(100));
    stage.button("Other looks", ({ seed }) => ({ seed: seed + 1 }));
    stage.slider("b", { label: "baseline b", from: 0, to: 6, show: decimal });
    stage.button("b = J", (state) => ({ b: answer(state).J }));
    stage.button("the best b", (state) => ({ b: answer(state).optimal }));

    stage.draw((state) => {
        const { exact, variance, estimates, look } = answer(state);
        const { count, b } = state;
        arrows.forEach((arrow, i) => draw(arrow, estimates[i]));
        draw(gradient, exact);
        const steps = Array.from({ length: 400 }, (_, i) => Math.round(most ** (i / 399)));
        const shown = [...new Set([...steps.filter((n) => n <= count), count])].filter((n) => n > 0);
        const means = shown.map((n) => look(n - 1).mean);
        lines.forEach((line, i) => {
            plot.through(dashed[i], [1, most], [exact[i], exact[i]]);
            live.set(line, { visibility: count > 0 ? "visible" : "hidden" });
            if (count > 0) {
                plot.through(line, shown, means.map((mean) => mean[i]));
            }
        });
        live.set(trail, { d: count > 0 ? `M${means.map((mean) => place(mean).join(" ")).join("L")}` : "" });
        live.set(mean, { visibility: count > 0 ? "visible" : "hidden" });
        if (count > 0) {
            const [cx, cy] = place(means.at(-1));
            live.set(mean, { cx, cy });
        }
        const last = count > 0 ? `: the last at the ${names[look(count - 1).label]}; mean ${three(means.at(-1))}` : "";
        readout.textContent = `b = ${decimal(b)}, variance ${decimal(variance)}. Looks: ${count}${last}. Gradient ${three(exact)}.`;
        stage.say(readout.textContent);
    });
    stage.start({ seed: 0, count: 0, b: 0 });
});
