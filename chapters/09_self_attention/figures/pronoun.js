// The chapter's trained model names what “it” stands for in a typed sentence; any word shows where its heads look.
"use strict";

live.figure(async (stage) => {
    const { weight: orange, key: blue } = live.colours;
    const [about, numbers] = await live.parameters("figures/parameters_it.js");
    const { words: known, alike } = about;
    stage.call("resolver", [known.length], numbers);
    const [heads, inBlock, longest] = [8, 4, 28];
    const looking = inBlock * about.head.block + about.head.head;
    const [left, right, cells, side, height, top] = [110, 206, 322, 17, 23, 48];

    const Sentences = await live.load("theme/live/sentences.js");
    class Pronouns extends Sentences {
        words(text) {
            return text.toLowerCase().match(/[^\s.,]+/g) ?? [];
        }

        joined(list) {
            return `${list.join(" ")}.`;
        }

        fault(list) {
            return this.strange(list) || (!list.includes("it") ? "The sentence needs an “it”." : list.length > longest ? `At most ${longest} words, please.` : "");
        }

        others(word) {
            const kind = alike.find((kind) => kind.includes(word)) ?? [];
            const half = kind.indexOf(word) + 6; // endings of the other kind come first
            return kind.map((_, i) => kind[(half + i) % kind.length]).filter((other) => other !== word);
        }
    }
    const typed = new Pronouns(stage, known, { knows: "It knows", top, height });
    const resolved = (list) => {
        const answer = stage.call("resolve", [list.indexOf("it")], typed.numbers(list));
        const n = list.length;
        return {
            answers: [0, 2, 4].map((at) => [known[answer[at]], answer[at + 1]]),
            head: (head, asks) => answer.slice(6 + n * (n * head + asks), 6 + n * (n * head + asks + 1)),
        };
    };
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    const listed = (pairs) => pairs.map(([word, share]) => `${word} ${percent(share)}`).join(", ");

    // The sentence that asks, lines, the sentence that is looked at, and a column for every head.
    const svg = stage.svg(476, 400, "The sentence twice, and the weights between its words");
    const lines = stage.add(svg, "g", { "aria-hidden": true, stroke: orange, "stroke-linecap": "round" });
    const drawn = stage.add(svg, "g", { "aria-hidden": true, "pointer-events": "none" });
    const Y = (row) => typed.Y(row);
    const X = (head) => cells + side * head + 10 * Math.floor(head / inBlock);
    const text = (x, y, content, attributes = {}) => stage.add(drawn, "text", { x, y: y + 5, ...attributes }, content);
    let now = null; // the answer to the state's sentence
    let before = null;
    const looks = ({ list, asks, head }) => {
        const largest = typed.largest(now.head(head, asks), list).map(([, told]) => told);
        return `${list[asks]} looks at ${largest.join(", ")}`;
    };
    stage.draw((state) => {
        const key = state.list.join(" ");
        if (key !== before) {
            [before, now] = [key, resolved(state.list)];
        }
        [state.asks, state.read] = [state.asks, state.read].map((row) => typed.within(row, state.list));
    });
    const { state } = stage;
    const list = () => state.list;
    typed.column(svg, 0, left + 8, { name: "asks", label: "Word that asks", colour: orange, list, says: () => looks(state) });
    typed.column(svg, right - 6, cells - right, { name: "read", label: "Word to exchange", colour: blue, list, says: () => state.list[state.read] });

    stage.hint("Choose a word on the left, by pointer or arrows: the lines are one head's weights. Choose one on the right to exchange it: put wide for tired.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 4.6em" });
    const changed = (list) => ({ list, asks: list.indexOf("it"), read: list.length - 1 });
    typed.field(changed, "Sentence");
    const names = Array.from({ length: heads }, (_, head) => `${1 + Math.floor(head / inBlock)}.${1 + (head % inBlock)}`);
    stage.choice("head", { label: "Lines of head", names });
    const sentence = (text) => changed(typed.words(text));
    const first = "the animal did not cross the street because it was too tired";
    stage.button("The trophy and the suitcase", () => sentence("the trophy did not fit into the suitcase because it was too big"));
    typed.exchange((list) => ({ list }));
    stage.draw((state) => {
        const { list, asks, head } = state;
        const bottom = top + height * list.length;
        live.set(svg, { viewBox: `0 0 476 ${bottom + 8}`, height: bottom + 8 });
        drawn.replaceChildren();
        lines.replaceChildren();
        [0, 1].forEach((block) => text(X(inBlock * block), 36, `block ${block + 1}`, { "font-size": 14 }));
        text(cells, 16, "weights of the heads", { "font-size": 14 });
        text(8, 16, `it = ${listed(now.answers.slice(0, 1))}`, { "font-weight": "bold", class: "named" });
        list.forEach((word, i) => {
            text(left, Y(i), word, { "text-anchor": "end" });
            text(right, Y(i), word);
        });
        now.head(head, asks).forEach((weight, i) => {
            const way = `M${left + 10} ${Y(asks)}L${right - 8} ${Y(i)}`;
            stage.add(lines, "path", { d: way, "stroke-width": 4, "stroke-opacity": weight.toFixed(3), class: "line" });
        });
        Array.from({ length: heads }, (_, other) =>
            now.head(other, asks).forEach((weight, i) => {
                const place = { x: X(other), y: Y(i) - 8, width: side - 1, height: 16 };
                stage.add(drawn, "rect", { ...place, fill: "currentColor", "fill-opacity": 0.06 });
                stage.add(drawn, "rect", { ...place, fill: orange, "fill-opacity": weight.toFixed(3), class: "weight" });
            }),
        );
        stage.add(drawn, "rect", { x: X(head), y: bottom + 2, width: side - 1, height: 3, fill: orange }); // whose lines are drawn
        readout.textContent = `The model answers: it is ${listed(now.answers)}. In head ${names[head]}, ${looks(state)}.`;
        stage.say(readout.textContent);
    });
    stage.start({ ...sentence(first), head: looking });
});
