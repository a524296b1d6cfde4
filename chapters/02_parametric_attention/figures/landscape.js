// The landscape of the loss: a dot on it is the width w, and the fit follows.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue } = live.colours;
    const [least, most] = [0.1, 300];
    const places = Array.from({ length: 161 }, (_, i) => i / 32);
    const widths = Array.from({ length: 81 }, (_, i) => least * (most / least) ** (i / 80));
    const given = stage.call("points", places);
    const [x, y, truths] = [given.slice(0, 50), given.slice(50, 100), given.slice(100)];
    const [start, rate] = [0.36906734, 0.5]; // the textbook's

    const svg = stage.svg(440, 320, "The loss of every width, and the width that is chosen");
    const map = stage.chart(svg, { left: 40, top: 26, width: 390, height: 250, log: true, names: ["width w", "loss"] });
    const losses = [0, 1].map((itself) => stage.call("landscape", [itself, widths.length, ...widths, ...x, ...y]));
    map.range([least, most], [0, 1.05 * Math.max(...losses.flat())]);
    const curves = [blue, orange].map((stroke) => map.line({ stroke }));
    curves.forEach((curve, itself) => map.through(curve, widths, losses[itself]));
    for (let w = start, step = 0; step <= 5; step++) {
        const [loss, , next] = stage.call("descent", [0, w, rate, ...x, ...y]);
        stage.add(map.marks, "circle", { cx: map.X(w), cy: map.Y(loss), r: 5, fill: live.colours.value });
        w = next;
    }
    const handle = stage.add(svg, "circle", { r: 9, "pointer-events": "none" });

    const beside = stage.svg(360, 320, "The fifty points and the fit");
    const plot = stage.chart(beside, { left: 36, top: 26, width: 314, height: 250, names: ["x", "y"] });
    plot.range([0, 5], [-0.5, Math.max(...y) + 0.3]);
    plot.through(plot.line({ stroke: "currentColor", "stroke-width": 1.5, "stroke-dasharray": "6 5" }), places, truths);
    const fit = plot.line({});
    x.forEach((x, i) => stage.add(plot.marks, "circle", { cx: plot.X(x), cy: plot.Y(y[i]), r: 3, fill: "currentColor" }));

    const limit = (w) => Math.min(most, Math.max(least, w));
    const descent = ({ itself, w }) => stage.call("descent", [itself, w, rate, ...x, ...y]);
    stage.drag(svg, map.area, handle, {
        label: "width w",
        axis: "x",
        at: (x, y) => ({ w: map.at(x, y)[0] }),
        step: (dx) => ({ w: limit(stage.state.w * 1.04 ** dx) }),
        text: () => [stage.state.w.toPrecision(3), `w = ${stage.state.w.toPrecision(3)}`],
    });
    stage.hint("Drag the dot into the valley. Then let each point see itself: where does the slope lead?");
    const readout = stage.hint();
    stage.slider("w", { label: "width w", from: least, to: most, log: true, show: (w) => w.toPrecision(3) });
    stage.choice("itself", { label: "each point sees", names: ["the others", "itself, too"] });
    stage.button("One step of descent, η = ½", (state) => ({ w: limit(Math.abs(descent(state)[2])) }));

    stage.draw((state) => {
        const { w, itself } = state;
        const [loss, slope] = descent(state);
        const input = [0, 1 / w, 0, places.length, ...places, ...x, ...y]; // a Gaussian of bandwidth 1/w
        plot.through(fit, places, stage.call("regression", input).slice(2, 2 + places.length));
        const colour = [blue, orange][itself];
        live.set(fit, { stroke: colour });
        live.set(handle, { cx: map.X(w), cy: map.Y(loss), fill: colour });
        curves.forEach((curve, i) => live.set(curve, { "stroke-width": i === itself ? 4 : 1.5 }));
        readout.textContent = `w = ${w.toPrecision(3)}: loss ${loss.toFixed(2)}, slope ${slope.toFixed(2).replace("-", "−")}.`;
        stage.say(readout.textContent);
    });
    stage.start({ w: start, itself: 0 });
});
