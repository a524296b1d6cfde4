// The chapter's trained model names what “it” stands for in a typed sentence; any word shows where its heads look.
"use strict";

live.figure(async (stage) => {
    const { weight: orange, key: blue } = live.colours;
    const [about, numbers] = await live.parameters("figures/parameters_it.js");
    const { words: known, alike } = about;
    stage.call("resolver", [known.length], numbers);
    const number = new Map(known.map((word, i) => [word, i]));
    const special = 3; // unknown, begin, end
    const [heads, inBlock, longest] = [8, 4, 28];
    const looking = inBlock * about.head.block + about.head.head;

    const words = (text) => text.toLowerCase().match(/[^\s.,]+/g) ?? [];
    const resolved = (list) => {
        const answer = stage.call("resolve", [list.indexOf("it")], list.map((word) => number.get(word)));
        const n = list.length;
        return {
            answers: [0, 2, 4].map((at) => [known[answer[at]], answer[at + 1]]),
            head: (head, asks) => answer.slice(6 + n * (n * head + asks), 6 + n * (n * head + asks + 1)),
        };
    };
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    const listed = (pairs) => pairs.map(([word, share]) => `${word} ${percent(share)}`).join(", ");

    // The sentence that asks, lines, the sentence that is looked at, and a column for every head.
    const [left, right, cells, side, height, top] = [110, 206, 322, 17, 23, 48];
    const svg = stage.svg(476, 400, "The sentence twice, and the weights between its words");
    const lines = stage.add(svg, "g", { "aria-hidden": true, stroke: orange, "stroke-linecap": "round" });
    const drawn = stage.add(svg, "g", { "aria-hidden": true, "pointer-events": "none" });
    const Y = (row) => top + height * (row + 0.5);
    const X = (head) => cells + side * head + 10 * Math.floor(head / inBlock);
    const text = (x, y, content, attributes = {}) => stage.add(drawn, "text", { x, y: y + 5, ...attributes }, content);
    const within = (row) => Math.min(stage.state.list.length - 1, Math.max(0, row));
    let now = null; // the answer to the state's sentence
    let before = null;
    const looks = (asks, head) =>
        listed(now.head(head, asks).map((share, i) => [stage.state.list[i], share]).sort((a, b) => b[1] - a[1]).slice(0, 3));
    stage.draw((state) => {
        const key = state.list.join(" ");
        if (key !== before) {
            [before, now] = [key, resolved(state.list)];
        }
        [state.asks, state.read] = [within(state.asks), within(state.read)];
    });
    // A column of words, of which one is chosen.
    const column = (x, width, name, label, colour, says) => {
        const ring = stage.add(svg, "rect", { x, width, height: height - 2, rx: 4, fill: "none", stroke: colour, "stroke-width": 1.5 });
        const area = stage.add(svg, "rect", { x, y: top, width, fill: "none", "pointer-events": "all", "data-column": name });
        stage.drag(svg, area, ring, {
            label,
            at: (_, y) => ({ [name]: within(Math.floor((y - top) / height)) }),
            step: (_, dy) => ({ [name]: within(stage.state[name] - dy) }),
            text: () => [stage.state[name], says(stage.state)],
        });
        stage.draw((state) => {
            live.set(area, { height: height * state.list.length });
            live.set(ring, { y: Y(state[name]) - height / 2 + 1 });
        });
    };
    column(0, left + 8, "asks", "Word that asks", orange, ({ list, asks, head }) => `${list[asks]} looks at ${looks(asks, head)}`);
    column(right - 6, cells - right, "read", "Word to exchange", blue, ({ list, read }) => list[read]);

    stage.hint("Choose a word on the left, by pointer or arrows: the lines are one head's weights. Choose one on the right to exchange it: put wide for tired.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 4.6em" });
    const field = live.set(document.createElement("input"), {
        type: "text", maxlength: 200, autocapitalize: "none", autocomplete: "off", spellcheck: "false",
        style: "width: min(46rem, 80vw)",
    });
    const label = document.createElement("label");
    label.append("Sentence ", field);
    stage.controls.append(label);
    const names = Array.from({ length: heads }, (_, head) => `${1 + Math.floor(head / inBlock)}.${1 + (head % inBlock)}`);
    stage.choice("head", { label: "Lines of head", names });
    const sentence = (text) => {
        const list = words(text);
        return { list, asks: list.indexOf("it"), read: list.length - 1 };
    };
    const first = "the animal did not cross the street because it was too tired";
    stage.button("The trophy and the suitcase", () => sentence("the trophy did not fit into the suitcase because it was too big"));
    const instead = live.set(document.createElement("span"), { role: "group", class: "instead" });
    stage.controls.append(instead);
    const fault = stage.alert(stage.root);
    field.addEventListener("input", () => {
        const list = words(field.value);
        const strange = list.find((word) => !(number.get(word) >= special));
        fault.textContent =
            strange !== undefined ? `It knows ${known.length - special} words, and “${strange}” is none of them.`
            : !list.includes("it") ? "The sentence needs an “it”."
            : list.length > longest ? `At most ${longest} words, please.` : "";
        live.set(field, { "aria-invalid": fault.textContent !== "" });
        fault.textContent || stage.change(sentence(field.value));
    });
    const all = stage.details("The words it knows");
    all.append(known.slice(special).sort().join(" "));

    let offered = null; // for which word there are buttons
    const offer = (word) => {
        if (offered === word) {
            return;
        }
        offered = word;
        const kind = alike.find((kind) => kind.includes(word)) ?? [];
        const half = kind.indexOf(word) + 6; // endings of the other kind come first
        const others = kind.map((_, i) => kind[(half + i) % kind.length]).filter((other) => other !== word);
        instead.replaceChildren(others.length > 0 ? `Instead of ${word}: ` : "");
        others.slice(0, 8).forEach((other) => {
            const exchange = ({ list, read }) => ({ list: list.map((old, i) => (i === read ? other : old)) });
            stage.button(other, exchange, instead);
        });
    };
    stage.draw((state) => {
        const { list, asks, read, head } = state;
        offer(list[read]);
        if (document.activeElement !== field) {
            field.value = `${list.join(" ")}.`;
        }
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
        readout.textContent = `The model answers: it is ${listed(now.answers)}. In head ${names[head]}, ${list[asks]} looks at ${looks(asks, head)}.`;
        stage.say(readout.textContent);
    });
    stage.start({ ...sentence(first), head: looking });
});
