// Chapter 1's points under eight estimators: a point or the query is dragged, the curve and all weights follow.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue } = live.colours;
    const places = Array.from({ length: 101 }, (_, i) => i / 20);
    const given = stage.call("points", places);
    const [x, y, truths] = [given.slice(0, 50), given.slice(50, 100), given.slice(100)];
    const best = stage.call("chosen", [...x, ...y]);
    const estimators = [
        { name: "mean" },
        { name: "nearest neighbour" },
        { name: "Nadaraya–Watson", letter: "h", from: 0.05, to: 5 },
        { name: "local line", letter: "h", from: 0.05, to: 5 },
        { name: "linear attention", letter: "β", from: 0.002, to: 1 },
        { name: "delta rule", letter: "β", from: 0.02, to: 1.9 },
        { name: "implicit step", letter: "β", from: 0.02, to: 200 },
        { name: "least squares", letter: "λ", from: 0.001, to: 100 },
    ];
    // The slider is a share of the way from the smallest parameter to the largest, on a logarithmic scale.
    const parameter = ({ kind, share }) => {
        const { from, to } = estimators[kind];
        return from ? from * (to / from) ** share : 1;
    };
    const shareOf = (kind) => {
        const { from, to } = estimators[kind];
        return from ? Math.log(best[kind] / from) / Math.log(to / from) : 0;
    };

    const svg = stage.svg(440, 420, "Points, the curve of an estimator, and what each point counts for one query");
    const plot = stage.chart(svg, { left: 40, top: 26, width: 390, height: 230, names: ["x", "y"] });
    plot.range([0, 5], [-1.5, 6.5]);
    plot.through(plot.line({ stroke: "currentColor", "stroke-width": 1.5, "stroke-dasharray": "6 5" }), places, truths);
    const fit = plot.line({ stroke: blue });
    const rule = plot.line({ stroke: orange, "stroke-width": 1.5, "stroke-dasharray": "4 4" });
    const dots = stage.add(plot.marks, "g", { fill: "currentColor" });
    const bars = stage.add(plot.marks, "g");
    const strip = { middle: 362, height: 44 }; // of the bars, upwards and downwards
    stage.add(plot.marks, "line", { x1: 40, x2: 430, y1: strip.middle, y2: strip.middle, stroke: "currentColor" });
    const largest = stage.add(plot.marks, "text", { x: 40, y: 308 });
    x.forEach((place) => {
        stage.add(dots, "circle", { cx: plot.X(place) });
        stage.add(bars, "rect", { x: plot.X(place) - 1.5, width: 3 });
    });
    const handle = stage.add(svg, "circle", { r: 9, fill: orange, "pointer-events": "none" });

    const clamp = (low, value, high) => Math.min(high, Math.max(low, value));
    const rounded = (place) => clamp(0, Math.round(100 * place) / 100, 5);
    const moved = (values, i, to) => values.map((value, j) => (i === j ? clamp(-1.5, to, 6.5) : value));
    const nearest = ([px, py], values) => x.reduce((found, place, i) => {
        const distance = Math.hypot(plot.X(place) - plot.X(px), plot.Y(values[i]) - plot.Y(py));
        return distance < found[1] ? [i, distance] : found;
    }, [0, Infinity])[0];
    let held = 0; // the point that is dragged
    stage.drag(svg, plot.area, handle, {
        label: "query",
        at: (px, py, first) => {
            const place = plot.at(px, py);
            const { moves, values } = stage.state;
            if (!moves) {
                return { query: rounded(place[0]) };
            }
            held = first ? nearest(place, values) : held;
            return { values: moved(values, held, place[1]) };
        },
        step: (dx) => ({ query: rounded(stage.state.query + dx / 20) }),
        text: () => [stage.state.query.toFixed(2), `x = ${stage.state.query.toPrecision(3)}`],
    });
    stage.hint("Choose the local line and drag the orange query to either end. Which points count less than nothing? Then let a drag move a point.");
    const readout = live.set(stage.hint(), { class: "readout" });
    let shown; // the estimator that the slider belongs to: another one begins with what leave-one-out chooses
    stage.draw((state) => {
        state.share = shown === undefined || shown === state.kind ? state.share : shareOf(state.kind);
        shown = state.kind;
    });
    stage.choice("kind", { label: "estimator", names: estimators.map(({ name }) => name) });
    stage.slider("share", {
        label: "parameter", from: 0, to: 1,
        show: (share) => {
            const { letter } = estimators[stage.state.kind];
            return letter ? `${letter} = ${parameter({ ...stage.state, share }).toPrecision(2)}` : "none";
        },
    });
    stage.choice("moves", { label: "a drag", names: ["moves the query", "moves a point"] });

    stage.draw((state) => {
        const { kind, query, values } = state;
        const p = parameter(state);
        const found = stage.call("estimate", [kind, p, query, places.length, ...places, ...x, ...values]);
        const [answer, curve, weights] = [found[0], found.slice(1, 1 + places.length), found.slice(1 + places.length)];
        plot.through(fit, places, curve);
        const high = Math.max(...weights.map(Math.abs)) || 1;
        weights.forEach((weight, i) => {
            const part = Math.abs(weight) / high;
            const height = strip.height * part;
            const fill = part < 0.02 ? "currentColor" : weight > 0 ? orange : blue;
            live.set(dots.children[i], { cy: plot.Y(values[i]), r: 2.5 + 4 * Math.sqrt(part), fill });
            live.set(bars.children[i], { y: weight > 0 ? strip.middle - height : strip.middle, height, fill });
        });
        const sum = weights.reduce((a, b) => a + b, 0);
        largest.textContent = `weights from ${Math.min(...weights).toFixed(3)} to ${Math.max(...weights).toFixed(3)}, their sum ${sum.toFixed(2)}`;
        live.set(handle, { cx: plot.X(query), cy: clamp(26, plot.Y(answer), 256) });
        live.set(rule, { d: `M${plot.X(query)} 26V256m0 56V410` });
        readout.textContent = `x = ${query.toPrecision(3)}: the ${estimators[kind].name} answers ${answer.toFixed(3)}.`;
        stage.say(readout.textContent);
    });
    stage.start({ kind: 3, share: shareOf(3), query: 4.8, moves: 0, values: y });
});
