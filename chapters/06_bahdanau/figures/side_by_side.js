// A sentence is typed: chapter 5's model translates it from one vector, this chapter's looks back at every word.
"use strict";

live.figure(async (stage) => {
    const { weight: orange, key: blue } = live.colours;
    const [about, vector] = await live.parameters("figures/one_vector.js");
    const [second, looks] = await live.parameters("figures/looking.js");
    const [english, french] = [about.source, about.target]; // of both
    for (const [name, { config }, numbers] of [["one_vector", about, vector], ["looking", second, looks]]) {
        const { embedding, hidden } = config.sizes;
        stage.call(name, [english.length, french.length, embedding, hidden], numbers);
    }
    const [left, dot, source, lines, right, height, top] = [116, 152, 190, [290, 366], 374, 23, 30];
    const Sentences = await live.load("theme/live/sentences.js");
    const typed = new Sentences(stage, english, { longest: 32, knows: "They know", near: "nearest", top, height });
    const examples = {
        short: ["the old cat sleeps.", "le vieux chat dort."],
        longer: ["did the queen show him the beautiful garden?", "est-ce que la reine lui a montré le beau jardin?"],
        "cat and horse": ["the black cat does not see the old man's white horse.", "le chat noir ne voit pas le cheval blanc du vieil homme."],
        long: [
            "the famous queen is not going to meet my uncle but she is going to wake up next week.",
            "la reine célèbre ne va pas rencontrer mon oncle mais elle va se réveiller la semaine prochaine.",
        ],
    };

    const translated = (list) => {
        const answer = stage.call("side_by_side", typed.numbers(list));
        const take = (count) => answer.splice(0, count);
        const written = () => take(take(1)[0]).map((number) => french[number]);
        const [one, look] = [written(), written()];
        return { one, look, weights: look.map(() => take(list.length + 1)) }; // the end is read as well
    };
    const kept = new Map(); // the last translations
    const translation = (list) => {
        const key = list.join(" ");
        if (!kept.has(key)) {
            kept.size > 20 && kept.clear();
            kept.set(key, translated(list));
        }
        return kept.get(key);
    };

    // French from one vector; the vector; English; the lines of attention; French with it.
    const svg = stage.svg(490, 400, "The English sentence between two French ones, and what each was written from");
    const drawn = stage.add(svg, "g", { "aria-hidden": true, "pointer-events": "none" });
    const Y = (row) => typed.Y(row);
    const text = (x, y, content, attributes = {}) => stage.add(drawn, "text", { x, y: y + 5, ...attributes }, content);
    const now = () => translation(stage.state.list);
    // The weights before a word was exchanged, if as many words were written then.
    const earlier = () => {
        const { list, before } = stage.state;
        const then = before && before.length === list.length ? translation(before) : null;
        return then && then.look.length === now().look.length ? then : null;
    };
    const says = () => {
        const { list, written } = stage.state;
        const weights = now().weights[written];
        const then = earlier();
        const told = typed.largest(weights, list).map(([i, told]) => `${told}${then ? ` (before: ${(100 * then.weights[written][i]).toFixed(1)} %)` : ""}`);
        return `${now().look[written]} looks at ${told.join(", ")}`;
    };
    stage.draw((state) => {
        state.written = typed.within(state.written, now().look);
        state.read = typed.within(state.read, state.list);
    });
    const { state } = stage;
    typed.column(svg, right - 6, 490 - right + 5, {
        name: "written", label: "French word with attention", colour: orange, list: () => now().look, says,
    });
    typed.column(svg, source - 6, lines[0] - source + 4, {
        name: "read", label: "English word", colour: blue, list: () => state.list, says: () => state.list[state.read],
    });

    stage.hint("Choose a French word on the right: its line shows where the model looked. Choose an English word to exchange it: what either model now writes anew is bold, and where it looked before is dashed.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 7em; white-space: pre-line" });
    const changed = (list, before = null) => ({ list, before, shown: null });
    typed.field(changed);
    const some = typed.group("examples");
    some.append("Sentence ");
    for (const [name, [text]] of Object.entries(examples)) {
        stage.button(name, () => changed(typed.words(text)), some);
    }
    typed.writing("Write them word by word", () => [now().one, now().look]);
    typed.exchange(changed);

    const line = (x1, y1, x2, y2, attributes) => stage.add(drawn, "path", { d: `M${x1} ${y1}L${x2} ${y2}`, fill: "none", ...attributes });
    const fixed = (list, count) => { // every word into the vector, and the vector into every word
        const middle = Y((list.length - 1) / 2);
        const thin = { stroke: "currentColor", "stroke-opacity": 0.35 };
        list.forEach((_, i) => line(source - 8, Y(i), dot, middle, thin));
        Array.from({ length: count }, (_, j) => line(dot, middle, left + 4, Y(j), thin));
        stage.add(drawn, "circle", { cx: dot, cy: middle, r: 7, fill: "currentColor" });
    };
    const looked = (weights, j, attributes) =>
        weights.forEach((weight, i) => weight > 0.01 && line(lines[0], Y(i), lines[1], Y(j), { "stroke-linecap": "round", ...attributes(weight) }));
    stage.draw((state) => {
        const { list, shown, written, before } = state;
        const { one, look, weights } = now();
        const then = before && translation(before);
        const size = top + height * Math.max(one.length, look.length, list.length + 1) + 4;
        live.set(svg, { viewBox: `0 0 490 ${size}`, height: size });
        drawn.replaceChildren();
        text(left, 11, "one vector", { "font-size": 14, "text-anchor": "end" });
        text(source, 11, "English", { "font-size": 14 });
        text(right, 11, "attention", { "font-size": 14 });
        const [first, others] = [one, look].map((list) => list.slice(0, shown ?? list.length));
        const bold = (word, old) => (old && !old.includes(word) ? { "font-weight": "bold" } : {});
        fixed(list, first.length);
        first.forEach((word, j) => text(left, Y(j), word, { "text-anchor": "end", class: "one", ...bold(word, then?.one) }));
        [...list, "⟨end⟩"].forEach((word, i) => text(source, Y(i), word));
        others.forEach((word, j) => text(right, Y(j), word, { class: "look", ...bold(word, then?.look) }));
        others.forEach((_, j) => j !== written && looked(weights[j], j, (weight) => ({ stroke: orange, "stroke-width": 1.5, "stroke-opacity": (0.3 * weight).toFixed(3) })));
        const old = earlier();
        if (written < others.length) {
            old && looked(old.weights[written], written, (weight) => ({ stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": "2 5", "stroke-opacity": weight.toFixed(3), class: "old" }));
            looked(weights[written], written, (weight) => ({ stroke: orange, "stroke-width": 4, "stroke-opacity": weight.toFixed(3), class: "line" }));
        }
        const reference = Object.values(examples).find(([text]) => typed.words(text).join(" ") === list.join(" "));
        const should = reference && shown === null ? [`Right: ${reference[1]}`] : [];
        const looking = written < others.length ? [`${says()}.`] : [];
        const told = [`One vector: ${typed.joined(first)}`, `Attention: ${typed.joined(others)}`];
        readout.textContent = [...told, ...should, ...looking].join("\n");
        stage.say(readout.textContent);
    });
    stage.start({ list: typed.words(examples.longer[0]), before: null, written: 7, read: 2, shown: null });
});
