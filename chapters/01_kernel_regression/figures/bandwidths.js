// Fifty points, or a reader's own: the bandwidth is a slider, the query is dragged, its weights light up.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue } = live.colours;
    const evenly = (count, from, to) => Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
    const course = evenly(161, 0, 5); // places where the curves are drawn
    const given = stage.call("points", course);
    const [fifty, truths] = [{ x: given.slice(0, 50), y: given.slice(50, 100) }, given.slice(100)];
    const numbers = ({ x, y }) => [...x, ...y];

    const svg = stage.svg(440, 390, "Points, their smoothed curve, and the weights of one query");
    const plot = stage.chart(svg, { left: 40, top: 26, width: 390, height: 230, names: ["x", "y"] });
    const truth = plot.line({ stroke: "currentColor", "stroke-width": 1.5, "stroke-dasharray": "6 5" });
    const fit = plot.line({ stroke: blue });
    const rule = plot.line({ stroke: orange, "stroke-width": 1.5, "stroke-dasharray": "4 4" });
    const dots = stage.add(plot.marks, "g", { fill: "currentColor" });
    const bars = stage.add(plot.marks, "g", { fill: orange });
    const strip = { top: 312, height: 68 }; // of the bars
    stage.add(plot.marks, "line", { x1: 40, x2: 430, y1: 380, y2: 380, stroke: "currentColor" });
    const largest = stage.add(plot.marks, "text", { x: 40, y: 308 });
    const handle = stage.add(svg, "circle", { r: 9, fill: orange, "pointer-events": "none" });

    const aside = stage.svg(360, 300, "The leave-one-out error of every bandwidth");
    const errors = stage.chart(aside, {
        left: 52, top: 26, width: 296, height: 230, log: true, names: ["bandwidth h", "leave-one-out error"],
    });
    const curve = errors.line({ stroke: blue });
    const here = stage.add(errors.marks, "circle", { r: 8, fill: blue });

    // A bandwidth is kept as a share of the points' range, so that the slider suits any unit.
    const range = ({ x }) => Math.max(...x) - Math.min(...x);
    const bandwidth = ({ share, points }) => share * (points.own ? range(points) : 5);
    const shares = evenly(36, Math.log(0.004), 0).map(Math.exp);
    let ground = {}; // what axes and error curve were drawn for
    const prepare = ({ points, kernel }) => {
        if (points !== ground.points) {
            const [low, high] = points.own ? [Math.min(...points.x), Math.max(...points.x)] : [0, 5];
            const [bottom, top] = [Math.min(...points.y, ...(points.own ? [] : [0])), Math.max(...points.y)];
            const margin = 0.06 * (top - bottom || 1);
            plot.range([low, high], [bottom - margin, top + margin]);
            ground.places = points.own ? evenly(161, low, high) : course;
            dots.replaceChildren();
            bars.replaceChildren();
            points.x.forEach((x, i) => {
                stage.add(dots, "circle", { cx: plot.X(x), cy: plot.Y(points.y[i]) });
                stage.add(bars, "rect", { x: plot.X(x) - 1.5, width: 3 });
            });
            if (points.own) {
                truth.removeAttribute("d"); // nobody knows it
            } else {
                plot.through(truth, course, truths);
            }
        }
        if (points !== ground.points || kernel !== ground.kernel) {
            const all = shares.map((share) => bandwidth({ share, points }));
            const found = stage.call("errors", [kernel, all.length, ...all, ...numbers(points)]);
            errors.range([all[0], all.at(-1)], [0, 1.1 * Math.max(...found)]);
            errors.through(curve, all, found);
        }
        Object.assign(ground, { points, kernel });
    };

    const steps = 100; // of the arrow keys over the range
    const rounded = (x) => {
        const step = (plot.x[1] - plot.x[0]) / 500;
        return Math.min(plot.x[1], Math.max(plot.x[0], plot.x[0] + step * Math.round((x - plot.x[0]) / step)));
    };
    const kernels = ["Gaussian", "boxcar", "triangular", "Epanechnikov"];
    stage.drag(svg, plot.area, handle, {
        label: "query",
        axis: "x",
        at: (x, y, first) => {
            const place = plot.at(x, y);
            const { points, adds } = stage.state;
            if (!adds) {
                return { query: rounded(place[0]) };
            }
            const more = { ...points, x: [...points.x, place[0]], y: [...points.y, place[1]] };
            return first && points.x.length < most ? { points: more } : {};
        },
        step: (dx) => ({ query: rounded(stage.state.query + (dx * (plot.x[1] - plot.x[0])) / steps) }),
        text: () => [stage.state.query.toFixed(2), `x = ${stage.state.query.toPrecision(3)}`],
    });
    stage.hint("Drag the orange query to the left and right. Then turn h: what is left at either end?");
    const readout = stage.hint();
    const show = (share) => bandwidth({ share, points: stage.state.points }).toPrecision(3);
    stage.slider("share", { label: "bandwidth h", from: shares[0], to: 1, log: true, show });
    stage.choice("kernel", { label: "kernel", names: kernels });
    stage.choice("adds", { label: "a click", names: ["moves the query", "adds a point"] });

    const most = 300; // points
    const read = (text) => {
        const lines = text.split("\n").map((line) => line.trim());
        const rows = lines.map((line, i) => ({ line, i, row: line.split(/[,;\s]+/).map(Number) }));
        const full = rows.filter(({ line }) => line !== "");
        const good = ({ row }) => row.length === 2 && row.every((number) => Number.isFinite(Math.fround(number)));
        const data = full.slice(full.length > 0 && !good(full[0]) ? 1 : 0); // the first line may name the columns
        const bad = data.find((row) => !good(row));
        if (bad) {
            return `Line ${bad.i + 1}: two numbers are expected, not “${bad.line.slice(0, 40)}”.`;
        }
        const [x, y] = [0, 1].map((column) => data.map(({ row }) => row[column]));
        if (data.length > most) {
            return `${data.length} points; at most ${most} are drawn here.`;
        }
        return new Set(x).size < 2 ? "At least two different x are needed." : { x, y, own: true };
    };
    const own = stage.details("Points of your own");
    const text = stage.text(own, "x,y a line", "hour,degrees\n9,14\n10,17\n13,20");
    const fault = stage.alert(own);
    stage.button("Draw them", (state) => {
        const points = text.value.length > 20_000 ? "More than 20,000 characters." : read(text.value);
        fault.textContent = typeof points === "string" ? points : "";
        return typeof points === "string" ? {} : { points, query: (Math.min(...points.x) + Math.max(...points.x)) / 2 };
    }, own);

    stage.draw((state) => {
        prepare(state);
        const { points, kernel, query } = state;
        const h = bandwidth(state);
        const places = ground.places;
        const input = [kernel, h, query, places.length, ...places, ...numbers(points)];
        const [answer, attended, ...rest] = stage.call("regression", input);
        const weights = rest.slice(places.length);
        const [error] = stage.call("errors", [kernel, 1, h, ...numbers(points)]);
        plot.through(fit, places, rest.slice(0, places.length));
        const high = Math.max(...weights);
        weights.forEach((weight, i) => {
            const part = weight / high;
            const height = strip.height * part;
            live.set(dots.children[i], { r: 2.5 + 4 * Math.sqrt(part), fill: part > 0.02 ? orange : "currentColor" });
            live.set(bars.children[i], { y: strip.top + strip.height - height, height });
        });
        largest.textContent = `weights, the largest ${high.toFixed(3)}`;
        live.set(handle, { cx: plot.X(query), cy: plot.Y(answer) });
        live.set(rule, { d: `M${plot.X(query)} 26V256m0 56V380` });
        live.set(here, { cx: errors.X(h), cy: errors.Y(error) });
        const [at, keys] = [query.toPrecision(3), attended.toFixed(1)];
        readout.textContent =
            `x = ${at}: answer ${answer.toFixed(3)}, from ${keys} keys. Leave-one-out error ${error.toFixed(3)}.`;
        stage.say(readout.textContent);
    });
    stage.start({ query: 1.6, share: 0.3 / 5, kernel: 0, adds: 0, points: fifty });
});
