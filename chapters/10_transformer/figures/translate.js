// The chapter's trained Transformer translates what is typed; a French word shows where every head looked.
"use strict";

live.figure(async (stage) => {
    const { weight: orange, key: blue } = live.colours;
    const [about, numbers] = await live.parameters("figures/parameters.js");
    const [english, french] = [about.source, about.target];
    stage.call("translator", [english.length, french.length], numbers);
    const [blocks, heads, left, right, cells, side, height, top] = [2, 4, 124, 216, 322, 17, 23, 48];
    const Sentences = await live.load("theme/live/sentences.js");
    const typed = new Sentences(stage, english, { longest: 24, knows: "It knows", near: "alike", top, height });
    const translated = ({ list, width }) => {
        const answer = stage.call("translate", [[1, 4][width], ...typed.numbers(list)]);
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
    const svg = stage.svg(476, 400, "The French sentence, the English one, and the weights between them");
    const lines = stage.add(svg, "g", { "aria-hidden": true, stroke: orange, "stroke-linecap": "round" });
    const drawn = stage.add(svg, "g", { "aria-hidden": true, "pointer-events": "none" });
    const Y = (row) => typed.Y(row);
    const X = (number) => cells + side * number + 10 * Math.floor(number / heads);
    const text = (x, y, content, attributes = {}) => stage.add(drawn, "text", { x, y: y + 5, ...attributes }, content);
    let [now, before] = [null, null]; // the translation of the state, and of what
    stage.draw((state) => {
        const { list, width } = state;
        const key = `${width} ${list.join(" ")}`;
        if (key !== before) {
            [before, now] = [key, translated(state)];
        }
        state.written = typed.within(state.written, now.words);
        state.read = typed.within(state.read, list);
    });
    const looks = (j) => {
        const best = typed.largest(now.mean(j), stage.state.list).map(([, told]) => told);
        return `${now.words[j]} looks at ${best.join(", ")}`;
    };
    const says = () => looks(stage.state.written);
    const writtenColumn = { name: "written", label: "French word", colour: orange, list: () => now.words, says };
    const [area, rowAt] = typed.column(svg, 0, left + 8, writtenColumn);
    const { state } = stage;
    const readColumn = { name: "read", label: "English word", colour: blue, list: () => state.list, says: () => state.list[state.read] };
    typed.column(svg, right - 6, cells - right, readColumn);
    area.addEventListener("pointermove", ({ clientX, clientY, pointerType, movementX, movementY }) => {
        if (pointerType === "mouse" && (movementX || movementY)) { // a page that moves under the mouse chooses nothing
            const { y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
            const { written } = rowAt(y);
            written !== stage.state.written && stage.change({ written });
        }
    });

    stage.hint("Point at a French word, or step there by the arrows: the lines are the mean of the last block's heads. Choose an English word to exchange it.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 4.6em" });
    const changed = (list) => ({ list, shown: null });
    typed.field(changed);
    stage.choice("width", { label: "Search", names: ["greedy", "beam of 4"] });
    typed.writing("Write it word by word", () => [now.words]);
    typed.exchange(changed);
    stage.draw((state) => {
        const { list, shown } = state;
        const count = shown ?? now.words.length;
        const rows = Math.max(now.words.length, list.length + 1);
        live.set(svg, { viewBox: `0 0 476 ${top + height * rows + 4}`, height: top + height * rows + 4 });
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
        const sure = shown === null ? ` Its probability: ${(100 * now.probability).toFixed(1)} %.` : " …";
        readout.textContent = `${typed.joined(now.words.slice(0, count))}${sure} ${state.written < count ? `${looks(state.written)}.` : ""}`;
        stage.say(readout.textContent);
    });
    stage.start({ list: typed.words("the black cat does not see the old man's white horse."), width: 0, written: 2, read: 7, shown: null });
});
