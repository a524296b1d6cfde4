// The smallest Transformer, trained while one looks on: loss, weights, and what it writes.
"use strict";

live.figure((stage) => {
    const { weight: orange, key: blue } = live.colours;
    const [all, slice] = [1000, 8]; // steps of the training; milliseconds of every frame that are spent on it
    const letters = "abcdefghij";
    const numbers = (list) => Array.from(list, (letter) => letters.indexOf(letter));
    const text = (parent, x, y, attributes = {}, words = "") =>
        stage.add(parent, "text", { x, y, "text-anchor": "middle", ...attributes }, words);

    // The loss of every step.
    const svg = stage.svg(360, 300, "The loss of every step of the training");
    const plot = stage.chart(svg, { left: 40, top: 36, width: 300, height: 216, names: ["step", "loss (nats a letter)"] });
    plot.range([0, all], [0, 4]);
    const line = plot.line({ stroke: blue, "stroke-width": 2 });

    // Where it looks: a column for every letter that is written, a row for every letter that is read, and the end.
    const table = stage.svg(360, 300, "A column is a letter that is written, a row one that is read");
    const weights = stage.add(table, "g", { "aria-hidden": true });
    const [side, from, top] = [25, 60, 62];
    const title = text(weights, from - 12, 24, { "text-anchor": "start" });
    const cells = stage.add(weights, "g", { class: "cells" });
    const matrix = (read, written, values) => {
        cells.replaceChildren();
        Array.from(read, (letter, i) => text(cells, from - 14, top + side * i + 18, {}, letter));
        Array.from(written, (letter, j) => {
            const x = from + side * j;
            text(cells, x + side / 2, top - 8, {}, letter);
            Array.from(read, (_, i) => {
                const place = { x, y: top + side * i, width: side - 1, height: side - 1 };
                stage.add(cells, "rect", { ...place, fill: "currentColor", "fill-opacity": 0.06 });
                const weight = values[j * read.length + i].toFixed(3);
                stage.add(cells, "rect", { ...place, fill: orange, "fill-opacity": weight, class: "weight" });
            });
        });
    };

    stage.hint("Press Train: at which step is the diagonal there? Then let it turn a word of yours: badge, cabbage.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 3.2em" }); // two lines on a phone
    const field = live.set(document.createElement("input"), {
        type: "text", size: 9, maxlength: 8, autocapitalize: "none", autocomplete: "off", spellcheck: "false",
    });

    stage.training({
        name: "losses", all, slice, pressed: { shown: null },
        start: ({ seed }) => stage.call("copy_start", [seed]),
        step: ({ losses }) => losses.push(...stage.call("copy_train", [1])),
    });

    // Writing: letter by letter, or all at once for those who want no motion.
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    const written = ({ list }) => {
        const answer = stage.call("copy_write", numbers(list));
        const count = answer.length / (list.length + 2); // a letter, and a weight for each letter read and the end
        const words = answer.slice(0, count).map((number) => letters[number]);
        return { words: words.join(""), values: answer.slice(count) };
    };
    let writing = 0; // which of several that were begun
    const begin = () => {
        const mine = ++writing;
        const next = () => {
            const { shown } = stage.state;
            if (mine !== writing || shown === null || shown >= written(stage.state).words.length) {
                return false;
            }
            stage.change({ shown: shown + 1 });
            return true;
        };
        next() && stage.repeat(next, 500);
    };
    const row = document.createElement("label");
    row.append("Letters a–j ", field);
    stage.controls.append(row);
    const write = stage.button("Write it backwards", () => ({ training: false, shown: still.matches ? Infinity : 0 }));
    write.addEventListener("click", begin);
    const fault = stage.alert(stage.root);
    field.addEventListener("input", () => {
        const list = field.value.trim().toLowerCase();
        const good = /^[a-j]{3,8}$/.test(list);
        fault.textContent = good ? "" : "Three to eight letters from a to j.";
        live.set(field, { "aria-invalid": !good });
        write.disabled = !good;
        if (good) {
            stage.change({ list, shown: null });
        }
    });
    field.addEventListener("keydown", (event) => event.key === "Enter" && write.click());

    stage.draw((state) => {
        const { losses, list, shown, seed } = state;
        const trained = losses.length;
        const steps = losses.map((_, i) => i + 1);
        if (trained > 0) {
            plot.through(line, steps, losses.map((nats) => Math.min(nats, 4)));
        }
        live.set(line, { visibility: trained > 0 ? "visible" : "hidden" });
        if (document.activeElement !== field) {
            field.value = list;
        }
        const backwards = Array.from(list).reverse().join("");
        const { words, values } = written(state);
        if (shown === null) {
            title.textContent = "where it looks, the letters dictated";
            matrix(`${list}.`, backwards, stage.call("copy_look", numbers(list)));
        } else {
            title.textContent = "where it looks, on its own";
            matrix(`${list}.`, words.slice(0, Math.min(shown, 9)), values);
        }
        const now = shown === null ? words : words.slice(0, shown);
        const verdict = now === backwards ? ", which is right" : "";
        const nats = trained ? `: ${losses.at(-1).toFixed(3)} nats a letter` : "";
        readout.textContent = `Seed ${seed}, step ${trained}${nats}. From ${list} it writes ${now || "nothing"}${verdict}.`;
        stage.say(readout.textContent);
    });
    stage.start({ seed: 0, losses: [], training: false, list: "abcdefgh", shown: null });
});
