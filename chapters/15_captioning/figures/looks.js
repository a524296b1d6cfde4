// A scene that is built thing by thing: what the chapter's model writes of it, and where it looked for every word.
"use strict";

live.figure(async (stage) => {
    const [about, numbers] = await live.parameters("figures/parameters.js");
    const { channels, embedding, hidden, score } = about.config;
    const letters = stage.call("captioner", [...channels, embedding, hidden, score], numbers);
    const words = String.fromCharCode(...letters).split("\n");
    const [colours, shapes] = [words.slice(3, 9), words.slice(9, 14)];
    const [side, places, widths] = [32, 8, [6, 10]]; // pixels and places in a row; small and large
    const first = [[0, 5, 4, 16, 10], [4, 0, 17, 11, 6]];
    const name = ([shape, colour, , , width]) => `${width === widths[0] ? "small" : "large"} ${colours[colour]} ${shapes[shape]}`;
    const spelt = (numbers) => numbers.map((number) => words[number]).join(" ");

    // The picture twice: to be changed, and under the weights.
    const [pixel, left, right, top] = [7, 4, 250, 26];
    const box = pixel * side;
    const svg = stage.svg(right + box + 4, top + box + 4, "The picture, and the picture under the weights of a word");
    const frame = (x) => ({ x, y: top, width: box, height: box });
    const panel = (x) => {
        const title = stage.add(svg, "text", { x, y: 18, "aria-hidden": true });
        return [title, stage.add(svg, "image", { ...frame(x), style: "image-rendering: pixelated", "aria-hidden": true })];
    };
    const [[title, picture], [asked, shaded]] = [panel(left), panel(right)];
    title.textContent = "the picture";
    const place = box / places;
    const shades = Array.from({ length: places * places }, (_, i) =>
        stage.add(svg, "rect", { x: right + place * (i % places), y: top + place * Math.floor(i / places), width: place, height: place, fill: "#808080", class: "shade", "shape-rendering": "crispEdges", "aria-hidden": true }),
    );
    const area = stage.add(svg, "rect", { ...frame(left), fill: "none", "pointer-events": "all" });
    const handle = stage.add(svg, "rect", { fill: "none", stroke: "#111111", "stroke-width": 2, "stroke-dasharray": "4 3", "pointer-events": "none", style: "color: #111111" });
    const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
    const painted = (pixels) => {
        const bytes = pixels.flatMap((word) => [word >> 16, (word >> 8) & 255, word & 255, 255]);
        canvas.getContext("2d").putImageData(new ImageData(Uint8ClampedArray.from(bytes), side), 0, 0);
        return canvas.toDataURL();
    };

    // The chosen thing with other numbers, inside the picture.
    const changed = ({ things, chosen }, change) => {
        const [shape, colour, x, y, width] = Object.assign([...things[chosen]], change);
        const inside = (at) => Math.min(side - width, Math.max(0, Math.round(at)));
        return { things: things.with(chosen, [shape, colour, inside(x), inside(y), width]) };
    };
    let grip = [0, 0]; // from the pointer to the thing's corner
    stage.drag(svg, area, handle, {
        label: "the chosen thing",
        at: (across, down, touched) => {
            const at = [(across - left) / pixel, (down - top) / pixel];
            if (touched) {
                const { things } = stage.state;
                const away = ([, , x, y, width]) => Math.max(Math.abs(at[0] - x - width / 2), Math.abs(at[1] - y - width / 2));
                const chosen = things.reduce((near, thing, i) => (away(thing) < away(things[near]) ? i : near), 0);
                grip = [2, 3].map((i) => things[chosen][i] - at[i - 2]);
                return { chosen };
            }
            return changed(stage.state, { 2: at[0] + grip[0], 3: at[1] + grip[1] });
        },
        step: (dx, dy) => {
            const [, , x, y] = stage.state.things[stage.state.chosen];
            return changed(stage.state, { 2: x + dx, 3: y - dy });
        },
        text: () => {
            const { things, chosen } = stage.state;
            const [, , x, y] = things[chosen];
            return [x, `${name(things[chosen])}, column ${x + 1}, row ${y + 1}`];
        },
    });

    const caption = document.createElement("div");
    live.set(caption, { class: "pieces", role: "group", "aria-label": "The model’s caption: press a word" });
    stage.drawings.after(caption);
    stage.hint("Drag a thing, or make another one of it. Press a word of the caption to see where the model looked before it wrote it.");
    const readout = live.set(stage.hint(), { class: "readout", style: "min-height: 4.2em" });

    // Rows of buttons: which thing, and what it is.
    const row = (label) => {
        const row = live.set(document.createElement("span"), { role: "group", "aria-label": label });
        row.textContent = label;
        stage.controls.append(row);
        return row;
    };
    const whose = row("Thing: ");
    const buttons = [0, 1, 2, 3].map((chosen) => stage.button("", () => ({ chosen }), whose));
    const parts = [
        ["Size: ", ["small", "large"], (i) => ({ 4: widths[i] }), (thing) => widths.indexOf(thing[4])],
        ["Colour: ", colours, (i) => ({ 1: i }), (thing) => thing[1]],
        ["Shape: ", shapes, (i) => ({ 0: i }), (thing) => thing[0]],
    ].map(([label, names, change, which]) => {
        const group = row(label);
        const all = names.map((text, i) => stage.button(text, (state) => changed(state, change(i)), group));
        return (thing) => all.forEach((button, i) => live.set(button, { "aria-pressed": i === which(thing) }));
    });
    // Where nothing lies.
    const free = (things) => {
        const apart = ([, , x, y, width], u, v) => u + widths[0] < x || x + width < u || v + widths[0] < y || y + width < v;
        const at = Array.from({ length: 49 }, (_, i) => [4 * (i % 7) + 1, 4 * Math.floor(i / 7) + 1]);
        return at.find(([u, v]) => things.every((thing) => apart(thing, u, v))) ?? [13, 13];
    };
    const more = stage.button("Add a thing", ({ things }) => ({ things: [...things, [1, 2, ...free(things), widths[0]]], chosen: things.length }));
    const fewer = stage.button("Take it away", ({ things, chosen }) => ({ things: things.filter((_, i) => i !== chosen), chosen: 0 }));
    stage.button("Another scene", ({ seed }) => {
        const numbers = stage.call("scene", [seed]);
        const things = Array.from({ length: numbers.length / 5 }, (_, i) => numbers.slice(5 * i, 5 * i + 5));
        return { things, chosen: 0, seed: seed + 1 };
    });
    stage.button("Next word", ({ word }) => ({ word: (word + 1) % caption.children.length }));

    let [seen, before] = [null, null]; // the answer, and of which things
    const look = (things) => {
        const answer = stage.call("see", things.flat());
        const cut = (count) => answer.splice(0, count);
        const [pixels, [clear]] = [cut(side * side), cut(1)];
        const [truth, said] = [0, 1].map(() => cut(cut(1)[0]));
        const looks = said.map(() => [cut(places * places), cut(things.length)]);
        seen = { clear, truth: spelt(truth), said, looks };
        live.set(picture, { href: painted(pixels) });
        live.set(shaded, { href: picture.getAttribute("href") });
        caption.replaceChildren();
        said.forEach((number, word) => stage.button(words[number], () => ({ word }), caption));
    };
    stage.draw((state) => {
        const { things, chosen } = state;
        if (before !== JSON.stringify(things)) {
            before = JSON.stringify(things);
            look(things);
        }
        state.word = Math.min(state.word, seen.said.length - 1);
        const [, , x, y, width] = things[chosen];
        live.set(handle, { x: left + pixel * x - 3, y: top + pixel * y - 3, width: pixel * width + 6, height: pixel * width + 6 });
        buttons.forEach((button, i) => {
            button.hidden = i >= things.length;
            button.textContent = button.hidden ? "" : name(things[i]);
            live.set(button, { "aria-pressed": i === chosen });
        });
        parts.forEach((show) => show(things[chosen]));
        [more.disabled, fewer.disabled] = [things.length === 4, things.length === 2];
        Array.from(caption.children, (button, i) => live.set(button, { "aria-pressed": i === state.word }));
        const [weights, shares] = seen.looks[state.word];
        const largest = Math.max(...weights);
        shades.forEach((shade, i) => live.set(shade, { "fill-opacity": (0.8 * (1 - weights[i] / largest)).toFixed(3) }));
        const word = words[seen.said[state.word]];
        asked.textContent = `where it looks for “${word}”`;
        const on = things.map((thing, i) => `${Math.round(100 * shares[i])} %${i === 0 ? " of the weight" : ""} on the ${name(thing)}`);
        const said = spelt(seen.said);
        const judged =
            !seen.clear ? "Here the grammar has no clear caption: two things touch, are alike, or lie askew."
            : said === seen.truth ? "Its caption is right."
            : `The right caption: ${seen.truth}.`;
        readout.textContent = `${judged} “${word}”: ${on.join(", ")}.`;
        stage.say(`${said}. ${readout.textContent}`);
    });
    stage.start({ things: first, chosen: 0, word: 3, seed: 1 });
});
