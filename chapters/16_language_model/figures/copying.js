// Blocks of attention, trained while one looks on: loss, scores of their heads, and where these look.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue, value: green } = live.colours;
    const [all, each, slice] = [600, 10, 12]; // steps; between two judgements; milliseconds of a frame
    const models = ["two blocks", "one block", "one block, keys of two tokens"];
    const letters = Array.from({ length: 32 }, (_, i) => String.fromCodePoint(i < 26 ? 65 + i : 97 + i - 26));

    const svg = stage.svg(360, 250, "The loss of every step of the training");
    const plot = stage.chart(svg, { left: 40, top: 36, width: 300, height: 166, names: ["step", "loss (nats a token)"] });
    plot.range([0, all], [0, 4]);
    const line = plot.line({ stroke: "currentColor", "stroke-width": 2 });
    const scores = stage.svg(360, 250, "What is copied, and the scores of the heads");
    const chart = stage.chart(scores, { left: 40, top: 36, width: 300, height: 166, names: ["step", ""] });
    chart.range([0, all], [0, 1]);
    const title = (x, fill, words) => stage.add(scores, "text", { x, y: 26, fill, "font-size": 14 }, words);
    title(40, green, "copied");
    title(102, blue, "previous-token");
    title(222, orange, "induction score");
    const drawn = [[green, 3], [blue, 2], [orange, 2]].map(([stroke, width]) => chart.line({ stroke, "stroke-width": width }));

    // Where each head looks: a column is a query, a row a key.
    const [count, side, gap] = [24, 6, 18];
    const table = stage.svg(2 * (count * side + gap), 2 * (count * side + 30) + 8, "A column is a token that asks, a row one that is asked");
    const heads = [0, 1, 2, 3].map((head) => {
        const [x, y] = [(head % 2) * (count * side + gap), Math.floor(head / 2) * (count * side + 30)];
        const group = stage.add(table, "g", { "aria-hidden": true });
        stage.add(group, "text", { x, y: y + 16, "font-size": 14 }, `block ${1 + Math.floor(head / 2)}, head ${1 + (head % 2)}`);
        stage.add(group, "rect", { x, y: y + 22, width: count * side, height: count * side, fill: "currentColor", "fill-opacity": 0.06 });
        const cells = [];
        for (let query = 0; query < count; query++) {
            for (let key = 0; key <= query; key++) {
                const place = { x: x + side * query, y: y + 22 + side * key, width: side, height: side };
                cells.push([query * count + key, stage.add(group, "rect", { ...place, fill: head < 2 ? blue : orange, "fill-opacity": 0, class: "weight" })]);
            }
        }
        return { group, cells };
    });
    const spelt = live.set(stage.hint(), { class: "shaded" });
    stage.hint("Press Train. Which comes first: the score of block 1, that of block 2, or the copies? Then choose one block.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 3.2em" });
    stage.choice("model", { label: "Model", names: models });

    const fresh = () => ({ losses: [], judged: [] });
    const judge = ({ losses, judged }) => judged.push([losses.length, ...stage.call("induction_judge")]);
    let which = null;
    stage.draw((state) => {
        state.model !== which && Object.assign(state, { ...fresh(), training: false });
        which = state.model;
    });
    stage.training({
        name: "losses", all, slice, fresh,
        start: (state) => {
            stage.call("induction_start", [state.model, state.seed]);
            judge(state);
        },
        step: (state) => {
            state.losses.push(...stage.call("induction_train", [1]));
            state.losses.length % each === 0 && judge(state);
        },
    });

    stage.draw(({ model, seed, losses, judged }) => {
        const trained = losses.length;
        trained > 0 && plot.through(line, losses.map((_, i) => i + 1), losses.map((nats) => Math.min(nats, 4)));
        live.set(line, { visibility: trained > 0 ? "visible" : "hidden" });

        // The better head of the first block and of the last: a score for either, head after head.
        const two = model === 0;
        const best = (scores, block, which) => Math.max(scores[4 * block + which], scores[4 * block + 2 + which]);
        const shares = judged.map(([, right, ...scores]) => [right, two ? best(scores, 0, 0) : 0, best(scores, two ? 1 : 0, 1)]);
        drawn.forEach((path, i) => chart.through(path, judged.map(([step]) => step), shares.map((share) => share[i])));
        live.set(drawn[1], { visibility: two ? "visible" : "hidden" });

        const found = stage.call("induction_look");
        const [text, said] = [found.slice(0, count), found.slice(count, 2 * count)];
        heads.forEach(({ group, cells }, head) => {
            live.set(group, { visibility: head < 2 || two ? "visible" : "hidden" });
            const from = (2 + head * count) * count;
            cells.forEach(([place, cell]) => (head < 2 || two) && live.set(cell, { "fill-opacity": found[2 * count + head * count * count + place].toFixed(3) }));
        });
        spelt.replaceChildren(
            ...text.flatMap((token, i) => {
                const part = document.createElement("span");
                part.textContent = letters[token];
                part.style.background = i > 0 && said[i - 1] === token ? `color-mix(in srgb, ${green} 35%, transparent)` : "none";
                return [part, " "];
            }),
        );
        const [right, , induction] = shares.at(-1);
        const nats = trained ? `: ${losses.at(-1).toFixed(3)} nats a token` : "";
        readout.textContent = `Seed ${seed}, step ${trained}${nats}. Of later copies ${(100 * right).toFixed(1)} % are right (green above: the letters that it foresaw); the induction score is ${induction.toFixed(2)}.`;
        stage.say(readout.textContent);
    });
    stage.start({ model: 0, seed: 0, losses: [], judged: [], training: false });
});
