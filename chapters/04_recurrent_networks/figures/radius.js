// The spectral radius is turned, and the gradient of 100 steps follows.
"use strict";

live.figure((stage) => {
    const { key: blue } = live.colours;
    const [low, high] = [-34, 14]; // powers of ten
    const superscript = (power) => String(power).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
    const number = (norm) => {
        if (norm >= 0.01 && norm < 1000) {
            return norm.toPrecision(2);
        }
        const [factor, power] = norm.toExponential(1).split("e");
        return norm > 0 ? `${factor}·10${superscript(Number(power))}` : "below 10⁻³⁸";
    };

    const svg = stage.svg(480, 320, "The norm of the gradient, one to a hundred steps back");
    const plot = stage.chart(svg, { left: 44, top: 34, width: 420, height: 236, names: ["steps back", "power of ten of the gradient’s norm"] });
    plot.range([0, 100], [low, high]);
    stage.add(plot.marks, "path", { d: `M${plot.X(0)} ${plot.Y(0)}H${plot.X(100)}`, stroke: "currentColor" });
    const bars = stage.add(plot.marks, "path", { stroke: blue, "stroke-width": 3 });

    stage.hint("Find the radius at which the gradient neither vanishes nor explodes. How near must it be for 10 steps, how near for 100? (16 units, random tokens; the printed figure has 64.)");
    const readout = stage.hint();
    stage.slider("radius", { label: "spectral radius", from: 0.5, to: 1.5, show: (radius) => radius.toFixed(3) });

    stage.draw(({ radius }) => {
        const norms = stage.call("radius", [radius]);
        const top = (norm) => plot.Y(Math.min(high, Math.max(low, Math.log10(norm))));
        const bar = (norm, i) => `M${plot.X(i + 0.5).toFixed(1)} ${plot.Y(0)}V${top(norm).toFixed(1)}`;
        live.set(bars, { d: norms.map(bar).join("") });
        const told = [10, 50, 100].map((back) => `${back} steps back ${number(norms[back - 1])}`);
        readout.textContent = `Radius ${radius.toFixed(3)}: ${told.join(", ")}.`;
        stage.say(readout.textContent);
    });
    stage.start({ radius: 1 });
});
