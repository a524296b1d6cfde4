// The chapter's trained Transformer translates what is typed; a French word shows where every head looked.
"use strict";

live.figure(async (stage) => {
    const { weight: orange, key: blue } = live.colours;
    const [about, numbers] = await live.parameters("figures/parameters.js");
    const [english, french] = [about.source, about.target];
    stage.call("translator", [english.length, french.length], numbers);
    const known = new Map(english.map((word, number) => [word, number]));
    const special = 3; // unknown, begin, end
    const [blocks, heads, longest] = [2, 4, 24];

    // A sentence as the words of the vocabulary; it ends with a mark.
    const words = (text) => {
        const marked = text.toLowerCase().replace(/[’‘]/g, "'").replace(/'s\b/g, " 's ").replace(/[.,?]/g, " $& ");
        const list = marked.split(/\s+/).filter((word) => word);
        return [".", "?"].includes(list.at(-1)) ? list : [...list, "."];
    };
    const joined = (list) => list.join(" ").replaceAll("' ", "'").replace(/ (['.,])/g, "$1");
    const translated = ({ list, width }) => {
        const sentence = list.map((word) => known.get(word));
        const answer = stage.call("translate", [[1, 4][width], ...sentence]);
        const [count, read] = [answer[1], list.length + 1]; // the end is read as well
        const [first, own] = [2 + count, 2 + count + count * read];
        const row = (from, j) => answer.slice(from + j * read, from + (j + 1) * read);
        return {
            probability: Math.exp(answer[0]),
            words: answer.slice(2, first).map((number) => french[number]),
            mean: (j) => row(first, j),
            head: (number, j) => row(own + number * (count + 1) * read, j),
        };
    };

    // French, lines, English, and a column for every head.
    const [left, right, cells, side, height, top] = [124, 216, 322, 17, 23, 48];
    const svg = stage.svg(476, 400, "The French sentence, the English one, and the weights between them");
    const lines = stage.add(svg, "g", { "aria-hidden": true, stroke: orange, "stroke-linecap": "round" });
    const drawn = stage.add(svg, "g", { "aria-hidden": true, "pointer-events": "none" });
    const Y = (row) => top + height * (row + 0.5);
    const X = (number) => cells + side * number + 10 * Math.floor(number / heads);
    const text = (x, y, content, attributes = {}) => stage.add(drawn, "text", { x, y: y + 5, ...attributes }, content);
    const within = (row, list) => Math.min(list.length - 1, Math.max(0, row));
    // A column of words, of which one is chosen.
    const column = (x, width, name, label, list, says) => {
        const ring = stage.add(svg, "rect", { x, width, height: height - 2, rx: 4, fill: "none", class: name });
        const area = stage.add(svg, "rect", { x, y: top, width, fill: "none", "pointer-events": "all" });
        const row = (y) => ({ [name]: within(Math.floor((y - top) / height), list()) });
        stage.drag(svg, area, ring, {
            label,
            at: (_, y) => row(y),
            step: (_, dy) => ({ [name]: within(stage.state[name] - dy, list()) }),
            text: () => [stage.state[name], says()],
        });
        return [ring, area, row];
    };
    let [now, before] = [null, null]; // the translation of the state, and of what
    stage.draw((state) => {
        const { list, width } = state;
        const key = `${width} ${list.join(" ")}`;
        if (key !== before) {
            [before, now] = [key, translated(state)];
        }
        state.written = within(state.written, now.words);
        state.read = within(state.read, list);
    });
    const looks = (j) => {
        const order = now.mean(j).map((weight, i) => [weight, [...stage.state.list, "the end"][i]]);
        const best = order.sort((a, b) => b[0] - a[0]).slice(0, 3);
        return `${now.words[j]} looks at ${best.map(([weight, word]) => `${word} ${(100 * weight).toFixed(1)} %`).join(", ")}`;
    };
    const [ring, area, rowAt] = column(0, left + 8, "written", "French word", () => now.words, () => looks(stage.state.written));
    const [readRing, readArea] = column(right - 6, cells - right, "read", "English word", () => stage.state.list, () => stage.state.list[stage.state.read]);
    area.addEventListener("pointermove", ({ clientX, clientY, pointerType, movementX, movementY }) => {
        if (pointerType === "mouse" && (movementX || movementY)) { // a page that moves under the mouse chooses nothing
            const { y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
            const { written } = rowAt(y);
            written !== stage.state.written && stage.change({ written });
        }
    });

    stage.hint("Point at a French word, or step there by the arrows: the lines are the mean of the last block's heads. Choose an English word to exchange it.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 4.6em" });
    const field = live.set(document.createElement("input"), {
        type: "text", maxlength: 160, autocapitalize: "none", autocomplete: "off", spellcheck: "false",
        style: "width: min(46rem, 80vw)",
    });
    const label = document.createElement("label");
    label.append("English ", field);
    stage.controls.append(label);
    stage.choice("width", { label: "Search", names: ["greedy", "beam of 4"] });
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    let writing = 0; // which of several that were begun
    stage.button("Write it word by word", () => {
        const mine = ++writing;
        const next = () => {
            const { shown } = stage.state;
            if (mine !== writing || shown === null) {
                return false;
            }
            const more = shown + 1 < now.words.length;
            stage.change({ shown: more ? shown + 1 : null, written: within(shown, now.words) });
            return more;
        };
        still.matches || stage.repeat(next, 600);
        return still.matches ? { shown: null } : { shown: 0 };
    });
    const instead = live.set(document.createElement("span"), { role: "group", class: "instead" });
    stage.controls.append(instead);
    const fault = stage.alert(stage.root);
    const sentence = (list) => ({ list, shown: null });
    field.addEventListener("input", () => {
        const list = words(field.value);
        const strange = list.find((word) => !(known.get(word) >= special));
        const near = (word) => english.slice(special).filter((other) => other.startsWith(word[0])).slice(0, 5).join(", ");
        fault.textContent =
            strange !== undefined ? `It knows 540 words, and “${strange}” is none of them. With ${strange[0]} begin: ${near(strange) || "none"}.`
            : list.length < 2 || list.length > longest ? `One to ${longest - 1} words, please.` : "";
        live.set(field, { "aria-invalid": fault.textContent !== "" });
        fault.textContent || stage.change(sentence(list));
    });
    const all = stage.details("The words it knows");
    all.append(english.slice(special).sort().join(" "));

    let offered = null; // for which word there are buttons
    const offer = (list, i) => {
        if (offered === list[i]) {
            return;
        }
        offered = list[i];
        const near = stage.call("alike", [known.get(list[i])]).filter((other) => other >= special && english[other] !== list[i]);
        instead.replaceChildren(`Instead of ${list[i]}: `);
        near.slice(0, 8).forEach((other) => {
            const exchange = ({ list, read }) => sentence(list.map((word, k) => (k === read ? english[other] : word)));
            stage.button(english[other], exchange, instead);
        });
    };
    stage.draw((state) => {
        const { list, shown } = state;
        offer(list, state.read);
        if (document.activeElement !== field) {
            field.value = joined(list);
        }
        const count = shown ?? now.words.length;
        const rows = Math.max(now.words.length, list.length + 1);
        live.set(svg, { viewBox: `0 0 476 ${top + height * rows + 4}`, height: top + height * rows + 4 });
        live.set(area, { height: height * now.words.length });
        live.set(readArea, { height: height * list.length });
        live.set(ring, { y: Y(state.written) - height / 2 + 1, stroke: orange, "stroke-width": 1.5 });
        live.set(readRing, { y: Y(state.read) - height / 2 + 1, stroke: blue, "stroke-width": 1.5 });
        drawn.replaceChildren();
        lines.replaceChildren();
        Array.from({ length: blocks }, (_, b) => text(X(heads * b), 36, `block ${b + 1}`, { "font-size": 14 }));
        text(cells, 16, "weights of the heads", { "font-size": 14 });
        now.words.slice(0, count).forEach((word, j) => text(left, Y(j), word, { "text-anchor": "end", class: "french" }));
        [...list, "⟨end⟩"].forEach((word, i) => text(right, Y(i), word));
        if (state.written < count) {
            now.mean(state.written).forEach((weight, i) => {
                const way = `M${left + 10} ${Y(state.written)}L${right - 8} ${Y(i)}`;
                stage.add(lines, "path", { d: way, "stroke-width": 4, "stroke-opacity": weight.toFixed(3), class: "line" });
            });
            Array.from({ length: blocks * heads }, (_, number) =>
                now.head(number, state.written).forEach((weight, i) => {
                    const place = { x: X(number), y: Y(i) - 8, width: side - 1, height: 16 };
                    stage.add(drawn, "rect", { ...place, fill: "currentColor", "fill-opacity": 0.06 });
                    stage.add(drawn, "rect", { ...place, fill: orange, "fill-opacity": weight.toFixed(3), class: "weight" });
                }),
            );
        }
        const sure = shown === null ? ` Its probability: ${(100 * now.probability).toFixed(1)} %.` : "";
        readout.textContent = `${joined(now.words.slice(0, count))}${sure} ${state.written < count ? `${looks(state.written)}.` : ""}`;
        stage.say(readout.textContent);
    });
    stage.start({ list: words("the black cat does not see the old man's white horse."), width: 0, written: 2, read: 7, shown: null });
});
