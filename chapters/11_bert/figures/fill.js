// The chapter's trained BERT fills the mask; any piece of the text can be masked.
"use strict";

live.figure(async (stage) => {
    const { weight: orange } = live.colours;
    const [about, numbers] = await live.parameters("figures/parameters.js");
    const pieces = about.pieces;
    const codes = (text) => Array.from(text, (letter) => letter.codePointAt(0));
    const letters = codes(pieces.map((piece) => `${piece}\n`).join(""));
    stage.call("filler", [letters.length], letters, numbers);
    const [special, longest] = [5, 62]; // marks of the vocabulary; positions, without those of a text's two ends

    // Words and marks, each cut into pieces of the vocabulary; `null` for a word that cannot be cut.
    const cut = (text) =>
        (text.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []).map((word) => {
            const found = stage.call("cut", codes(word));
            return { word, pieces: found.length > 0 ? found : null };
        });
    const first = "lucy has a gentle black puppy. she takes the puppy for a walk.";

    // Pieces to press, and bars of what may stand there.
    const shown = document.createElement("div");
    live.set(shown, { class: "pieces", role: "group", "aria-label": "Press a piece to mask it" });
    stage.drawings.before(shown);
    const [left, width, height] = [110, 220, 26];
    const svg = stage.svg(410, 5 * height + 8, "The five most probable pieces");
    const bars = [0, 1, 2, 3, 4].map((row) => {
        const y = 4 + height * row;
        stage.add(svg, "rect", { x: left, y: y + 3, width, height: height - 6, fill: "currentColor", "fill-opacity": 0.06 });
        return {
            bar: stage.add(svg, "rect", { x: left, y: y + 3, height: height - 6, fill: orange }),
            name: stage.add(svg, "text", { x: left - 10, y: y + 18, "text-anchor": "end", class: "piece" }),
            share: stage.add(svg, "text", { x: left + width + 8, y: y + 18, class: "share" }),
        };
    });
    stage.hint("Press any word to mask it. Then put bruno for lucy and look again at the start of the second sentence.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 3.2em" });
    stage.field("Text", {
        width: "56rem",
        maxlength: 240,
        fault: (text) => {
            const words = cut(text);
            const strange = words.find((word) => word.pieces === null);
            const count = words.reduce((sum, word) => sum + (word.pieces ?? []).length, 0);
            return strange ? `“${strange.word}” cannot be cut into the pieces that it knows.`
                : count === 0 || count > longest ? `One to ${longest} pieces, please: these are ${count}.` : "";
        },
        change: (text) => ({ text }),
        show: ({ text }) => text,
    });
    const within = (place, list) => Math.min(list.length - 1, Math.max(0, place));
    // Another name in place of this one, wherever it stands.
    const exchange = (from, to) => ({ text, hidden }) => ({ text: text.replace(new RegExp(`\\b${from}\\b`, "g"), to), hidden });
    const names = [["lucy", "bruno"], ["bruno", "lucy"]].map(([from, to]) => {
        const button = stage.button(`${to} for ${from}`, exchange(from, to));
        return [from, button];
    });
    stage.button("Mask the next", ({ hidden }) => ({ hidden: (hidden + 1) % list.length }));
    let [list, before] = [[], null]; // the pieces, and of which text
    stage.draw((state) => {
        if (state.text !== before) {
            before = state.text;
            list = cut(state.text).flatMap((word) => word.pieces);
            const held = shown.contains(document.activeElement);
            shown.replaceChildren();
            list.forEach((piece, place) => stage.button(pieces[piece], () => ({ hidden: place }), shown));
            held && shown.children[within(state.hidden, list)].focus();
        }
        state.hidden = within(state.hidden, list);
        Array.from(shown.children, (button, place) => live.set(button, { "aria-pressed": place === state.hidden }));
        names.forEach(([from, button]) => (button.hidden = !new RegExp(`\\b${from}\\b`).test(state.text)));
        const answer = stage.call("fill", [state.hidden], list);
        bars.forEach(({ bar, name, share }, row) => {
            const [piece, probability] = answer.slice(2 * row, 2 * row + 2);
            live.set(bar, { width: width * probability });
            name.textContent = pieces[piece];
            share.textContent = `${(100 * probability).toFixed(1)} %`;
        });
        const original = pieces[list[state.hidden]];
        readout.textContent = `Masked is “${original}”, which gets ${(100 * answer[10]).toFixed(1)} %; first comes “${pieces[answer[0]]}” with ${(100 * answer[1]).toFixed(1)} %.`;
        stage.say(readout.textContent);
    });
    stage.start({ text: first, hidden: 7 });
});
