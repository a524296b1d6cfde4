// Ten names, labelled by the reader, teach a new layer: on the trained encoder, and on one of random numbers.
"use strict";

live.figure(async (stage) => {
    const { weight: orange, key: blue } = live.colours;
    const encoders = [["pre-trained", orange], ["random numbers", blue]];
    const classes = ["person", "animal"];
    const [few, all, shown, unsure] = [10, 100, 5, -1]; // labels, steps, bars; no label yet
    const codes = (text) => Array.from(text, (letter) => letter.codePointAt(0));

    // A line each: the label, which word is asked, and the text.
    const texts = (await live.load("figures/names.js")).trim().split("\n").map((line) => {
        const [label, asked, text] = line.split("\t");
        return { label: classes.indexOf(label), asked: Number(asked), text, words: text.split(" ") };
    });
    const known = texts.map(({ label }) => label);
    const [about, numbers] = await live.parameters("../11_bert/figures/parameters.js");
    const letters = codes(about.pieces.map((piece) => `${piece}\n`).join(""));
    stage.call("tuning", [letters.length], letters, numbers);
    for (const { asked, text } of texts) {
        stage.call("tune_read", [asked], codes(text));
        await new Promise((resolve) => setTimeout(resolve)); // the page has its turn
    }

    // A text with the word that is asked in bold.
    const name = ({ words, asked }) => words[asked];
    const write = (element, { words, asked }) => {
        const joined = (list) => list.join(" ").replace(/ ([.,]|'s)/g, "$1");
        const bold = document.createElement("strong");
        bold.textContent = name({ words, asked });
        const after = joined(["", ...words.slice(asked + 1)]);
        element.append(`${joined(words.slice(0, asked))} `, bold, after);
    };

    // The ten, each with two buttons.
    const list = live.set(document.createElement("ol"), { class: "labelled" });
    stage.drawings.before(list);
    const rows = texts.slice(0, few).map((text, i) => {
        const row = document.createElement("li");
        const group = live.set(document.createElement("span"), { role: "group", "aria-label": `${name(text)}, text ${i + 1}` });
        const buttons = classes.map((label, k) =>
            stage.button(label, ({ labels }) => relabelled(labels.with(i, k)), group));
        write(row, text);
        row.append(" ", group);
        list.append(row);
        return buttons;
    });
    // Another label is another training.
    const relabelled = (labels) => ({ labels, losses: [], training: false });

    // The losses of both, step by step.
    const svg = stage.svg(360, 300, "The loss of the ten labels after every step, for both encoders");
    const plot = stage.chart(svg, { left: 40, top: 36, width: 300, height: 216, names: ["step", "loss (nats a label)"] });
    plot.range([0, all], [0, 1]);
    const lines = encoders.map(([, stroke], k) => plot.line({ stroke, "stroke-width": 2.5, "stroke-dasharray": k ? "6 4" : "none" }));

    // What they say of unseen texts: all of them in one bar, then the first few one by one.
    const [left, width, height] = [128, 190, 26];
    const bars = (svg, top) =>
        encoders.map(([encoder, fill], k) => {
            const y = top + height * k;
            stage.add(svg, "text", { x: left - 8, y: y + 17, "text-anchor": "end" }, encoder);
            stage.add(svg, "rect", { x: left, y: y + 3, width, height: height - 6, fill: "currentColor", "fill-opacity": 0.06 });
            const bar = stage.add(svg, "rect", { x: left, y: y + 3, height: height - 6, fill });
            const value = stage.add(svg, "text", { x: left + width + 6, y: y + 17, class: "share" });
            return (share) => {
                live.set(bar, { width: width * share });
                value.textContent = `${(100 * share).toFixed(1)} %`;
            };
        });
    const right = stage.svg(390, 88, `Which part of ${texts.length - few} unseen names is right`);
    stage.add(right, "text", { x: 4, y: 20, "font-weight": "bold" }, `right, of ${texts.length - few} unseen names`);
    const shares = bars(right, 28);
    stage.hint("How probable it is that the name in bold is an animal's; the truth stands in brackets.");
    const unseen = live.set(document.createElement("ol"), { class: "unseen" });
    stage.controls.before(unseen);
    const answers = texts.slice(few, few + shown).map((text) => {
        const row = document.createElement("li");
        write(row, text);
        row.append(` (${classes[text.label]})`);
        unseen.append(row);
        const box = document.createElement("div");
        row.append(box);
        box.className = "drawing";
        const svg = stage.add(box, "svg", {
            viewBox: "0 0 390 56", width: 390, height: 56, "font-size": 16, fill: "currentColor",
            role: "group", "aria-label": `How probable it is that ${name(text)} is an animal`,
        });
        return bars(svg, 0);
    });
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 4.6em" });

    // Training, a step at every frame.
    let running = false;
    const step = ({ losses, labels }) => losses.push(stage.call("tune_train", labels));
    const frame = () => {
        const { state } = stage;
        running = state.training && state.losses.length < all;
        running && step(state);
        running &&= state.losses.length < all;
        stage.change(running ? {} : { training: false });
        return running;
    };
    stage.button("Label them for me", () => relabelled(known.slice(0, few)));
    stage.button("The other way round", ({ labels }) => relabelled(labels.map((label) => (label === unsure ? unsure : 1 - label))));
    const train = stage.button("Train", ({ training }) => ({ training: !training }));
    const tens = stage.button("10 steps", (state) => {
        for (let i = 0; i < 10 && state.losses.length < all; i++) {
            step(state);
        }
        return { training: false };
    });

    let run = null; // the losses of the layers that there are
    stage.draw((state) => {
        const { labels, losses, training } = state;
        if (losses !== run) {
            stage.call("tune_start", [0]);
            run = losses;
        }
        if (training && !running) {
            running = true;
            stage.repeat(frame);
        }
        rows.forEach((buttons, i) => buttons.forEach((button, k) => live.set(button, { "aria-pressed": labels[i] === k })));
        const open = labels.filter((label) => label === unsure).length;
        const trained = losses.length;
        train.textContent = training ? "Pause" : trained === all ? "Trained" : trained > 0 ? "Train on" : "Train";
        [train, tens].forEach((button) => (button.disabled = open > 0 || trained === all));
        lines.forEach((line, k) => {
            live.set(line, { visibility: trained > 1 ? "visible" : "hidden" });
            trained > 1 && plot.through(line, losses.map((_, i) => i + 1), losses.map((pair) => pair[k]));
        });
        const answer = stage.call("tune_answer", known.slice(few));
        const of = (k) => answer.slice(k * (texts.length + 1), (k + 1) * (texts.length + 1));
        encoders.forEach((_, k) => {
            const [share, ...animal] = of(k);
            shares[k](share);
            answers.forEach((bars, i) => bars[k](animal[few + i]));
        });
        const percent = (k) => (100 * of(k)[0]).toFixed(1);
        readout.textContent =
            open > 0 ? `Label the name in bold, ${open} ${open === 1 ? "text is" : "texts are"} left.`
            : trained === 0 ? "All ten have a label: press Train."
            : `Step ${trained}: of the unseen names ${percent(0)} % are right on the pre-trained encoder, ${percent(1)} % on random numbers. The losses are ${losses.at(-1).map((nats) => nats.toFixed(3)).join(" and ")}.`;
        stage.say(readout.textContent);
    });
    stage.start({ labels: Array(few).fill(unsure), losses: [], training: false });
});
