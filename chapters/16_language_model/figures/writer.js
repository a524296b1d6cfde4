// The chapter's trained model: where it looks, what may come next, and what it writes.
"use strict";

live.figure(async (stage) => {
    const { weight: orange } = live.colours;
    const [, numbers] = await live.parameters("figures/parameters.js");
    const letters = stage.call("writer", numbers);
    const words = String.fromCodePoint(...letters).trim().split("\n");
    const [longest, heads, rows] = [120, 4, 6];
    const before = "there is a coin in the hall . there is a cup in the attic . anna went to the attic .";
    const asked = "where is the cup ? the cup is in the";
    const carried = "anna took the cup . anna went to the garden .";
    const first = `${before} ${asked}`;
    const cut = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
    const known = (word) => words.indexOf(word) > 0; // the first one begins every text

    // The text, its words shaded by what the last of them looks at.
    const shown = document.createElement("p");
    live.set(shown, { class: "shaded" });
    stage.drawings.before(shown);

    // What may come next: bars of the model, outlines of the world.
    const [left, width, height] = [84, 200, 26];
    const svg = stage.svg(410, rows * height + 30, "The most probable words, and their probabilities in the world");
    stage.add(svg, "text", { x: left, y: 16, "font-size": 14 }, "model (filled), world (outlined)");
    const bars = Array.from({ length: rows }, (_, row) => {
        const y = 26 + height * row;
        return {
            bar: stage.add(svg, "rect", { x: left, y: y + 3, height: height - 6, fill: orange, "fill-opacity": 0.7 }),
            truth: stage.add(svg, "rect", { x: left, y: y + 3, height: height - 6, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
            name: stage.add(svg, "text", { x: left - 10, y: y + 18, "text-anchor": "end", class: "next" }),
            share: stage.add(svg, "text", { x: left + width + 8, y: y + 18, class: "share" }),
        };
    });
    stage.hint("What does it know? Exchange attic, or let Anna carry the cup away: the world knows where it is then, does the model? Write on, and at a temperature of 2.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 3.2em" });
    stage.field("Beginning", {
        width: "56rem",
        maxlength: 600,
        fault: (text) => {
            const list = cut(text);
            const strange = list.find((word) => !known(word));
            return strange ? `“${strange}” is no word of this world. It has: ${words.slice(1).join(" ")}`
                : list.length > longest ? `At most ${longest} words, please: these are ${list.length}.` : "";
        },
        change: (text) => ({ beginning: cut(text), written: [], writing: false }),
        show: ({ beginning }) => beginning.join(" "),
    });
    stage.slider("temperature", { label: "temperature", from: 0, to: 2, show: (t) => t.toFixed(2) });
    stage.slider("top", { label: "top-p", from: 0.05, to: 1, show: (p) => p.toFixed(2) });
    stage.choice("head", { label: "Head", names: ["1·1", "1·2", "1·3", "1·4", "2·1", "2·2", "2·3", "2·4"] });

    // A number from U(0, 1) for every word that is written: the same for the same seed and place (mulberry32).
    const ticket = (seed, place) => {
        let t = (1000 * seed + place + 1) * 0x6d2b79f5;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 8) / 2 ** 24;
    };
    const full = ({ beginning, written }) => beginning.length + written.length >= longest;
    let answer = { drawn: 0 };
    const one = ({ written }) => ({ written: [...written, words[answer.drawn]] });
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    let running = false;
    const next = () => {
        running = stage.state.writing && !full(stage.state);
        stage.change(running ? one(stage.state) : { writing: false });
        return running;
    };
    const single = stage.button("One word", (state) => ({ ...one(state), writing: false }));
    const write = stage.button("Write on", ({ writing }) => ({ writing: !writing }));
    stage.button("Another", ({ seed }) => ({ seed: seed + 1, written: [] }));
    const begins = (text) => () => ({ beginning: cut(text), written: [], writing: false });
    stage.button("Nobody moves it", begins(first));
    stage.button("Anna carries it", begins(`${before} ${carried} ${asked}`));
    stage.draw((state) => {
        const { beginning, written, seed, temperature, top, head } = state;
        const text = [...beginning, ...written];
        const found = stage.call("write_on", [temperature, top, ticket(seed, written.length)], text.map((word) => words.indexOf(word)));
        const [model, world] = [found.slice(1, 1 + words.length), found.slice(1 + words.length, 1 + 2 * words.length)];
        answer = { drawn: found[0] };
        const weights = found.slice(1 + 2 * words.length).slice(head * (text.length + 1), (head + 1) * (text.length + 1));
        shown.replaceChildren(
            ...text.flatMap((word, i) => {
                const part = document.createElement(i < beginning.length ? "span" : "b");
                part.textContent = word;
                part.style.background = `color-mix(in srgb, ${orange} ${(40 * weights[i + 1]).toFixed(1)}%, transparent)`;
                return [part, " "];
            }),
        );
        const order = model.map((_, word) => word).slice(1).sort((a, b) => model[b] - model[a] || world[b] - world[a]);
        bars.forEach(({ bar, truth, name, share }, row) => {
            const word = order[row];
            live.set(bar, { width: width * model[word] });
            live.set(truth, { width: width * world[word], visibility: world[word] > 0 ? "visible" : "hidden" });
            name.textContent = words[word];
            share.textContent = `${(100 * model[word]).toFixed(1)} %`;
        });
        [single, write].forEach((button) => (button.disabled = full(state)));
        write.textContent = state.writing ? "Pause" : "Write on";
        const [best, possible] = [order[0], world.some((p) => p > 0)];
        const truth = possible ? `in the world it has ${(100 * world[best]).toFixed(1)} %` : "the world never says what stands here, so it gives no probability";
        const place = weights.indexOf(Math.max(...weights));
        const looks = place > 0 ? `“${text[place - 1]}”` : "the begin of the text";
        readout.textContent = `Most probable is “${words[best]}” with ${(100 * model[best]).toFixed(1)} %; ${truth}. The head looks at ${looks} most.`;
        stage.say(readout.textContent);
        if (state.writing && !running) {
            running = true;
            if (still.matches) {
                while (next());
            } else {
                stage.repeat(next, 160);
            }
        }
    });
    stage.start({ beginning: cut(first), written: [], seed: 0, temperature: 1, top: 1, head: 4, writing: false });
});
