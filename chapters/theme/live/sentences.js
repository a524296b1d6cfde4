// What figures share that translate a typed sentence: its words and the columns they stand in, the field, a word
// that is exchanged, and translations written word by word. Their state has the words of the sentence (`list`),
// which word of a column is chosen, and how many words are shown so far (`shown`, or null for all).
"use strict";

live.figure(class {
    // `english`: the vocabulary, whose first three are no words. `knows`: “It knows” or “They know”. `near`: the
    // function that orders words by their likeness to one. Words stand `height` apart, from `top` on.
    constructor(stage, english, { longest, knows, near, top, height }) {
        Object.assign(this, { stage, english, longest, knows, near, top, height });
        this.special = 3; // unknown, begin, end
        this.known = new Map(english.map((word, number) => [word, number]));
    }

    // A sentence as the words of the vocabulary; it ends with a mark.
    words(text) {
        const marked = text.toLowerCase().replace(/[’‘]/g, "'").replace(/'s\b/g, " 's ").replace(/[.,?]/g, " $& ");
        const list = marked.split(/\s+/).filter((word) => word);
        return [".", "?"].includes(list.at(-1)) ? list : [...list, "."];
    }

    joined(list) {
        return list.join(" ").replaceAll("' ", "'").replace(/ (['.,?])/g, "$1");
    }

    numbers(list) {
        return list.map((word) => this.known.get(word));
    }

    Y(row) {
        return this.top + this.height * (row + 0.5);
    }

    within(row, list) {
        return Math.min(list.length - 1, Math.max(0, row));
    }

    // A column of words, of which one is chosen: `ring` is around it. `list()` and `says()` are asked anew each time.
    column(svg, x, width, { name, label, colour, list, says }) {
        const { stage, top, height } = this;
        const ring = stage.add(svg, "rect", { x, width, height: height - 2, rx: 4, fill: "none", class: name });
        const area = stage.add(svg, "rect", { x, y: top, width, fill: "none", "pointer-events": "all" });
        const row = (y) => ({ [name]: this.within(Math.floor((y - top) / height), list()) });
        stage.drag(svg, area, ring, {
            label,
            at: (_, y) => row(y),
            step: (_, dy) => ({ [name]: this.within(stage.state[name] - dy, list()) }),
            text: () => [stage.state[name], says()],
        });
        stage.draw((state) => {
            live.set(ring, { y: this.Y(state[name]) - height / 2 + 1, stroke: colour, "stroke-width": 1.5 });
            live.set(area, { height: height * list().length });
        });
        return [area, row];
    }

    // The names of those with the largest weights.
    largest(weights, list) {
        const order = weights.map((_, i) => i).sort((a, b) => weights[b] - weights[a]);
        return order.slice(0, 3).map((i) => [i, `${[...list, "the end"][i]} ${(100 * weights[i]).toFixed(1)} %`]);
    }

    group(name) {
        const span = live.set(document.createElement("span"), { role: "group", class: name });
        this.stage.controls.append(span);
        return span;
    }

    // `changed(list)`: the change of the state. A sentence that cannot be read is refused below the controls.
    field(changed) {
        const { stage, english, special, known } = this;
        const field = live.set(document.createElement("input"), {
            type: "text", maxlength: 240, autocapitalize: "none", autocomplete: "off", spellcheck: "false",
            style: "width: min(46rem, 80vw)",
        });
        const label = document.createElement("label");
        label.append("English ", field);
        stage.controls.append(label);
        const fault = stage.alert(stage.root);
        field.addEventListener("input", () => {
            const list = this.words(field.value);
            const strange = list.find((word) => !(known.get(word) >= special));
            const near = (word) => english.slice(special).filter((other) => other.startsWith(word[0])).slice(0, 5).join(", ");
            fault.textContent =
                strange !== undefined ? `${this.knows} ${english.length - special} words, and “${strange}” is none of them. With ${strange[0]} begin: ${near(strange) || "none"}.`
                : list.length < 2 || list.length > this.longest ? `One to ${this.longest - 1} words, please.` : "";
            live.set(field, { "aria-invalid": fault.textContent !== "" });
            fault.textContent || stage.change(changed(list));
        });
        stage.draw(({ list }) => {
            if (document.activeElement !== field) {
                [field.value, fault.textContent] = [this.joined(list), ""];
                live.set(field, { "aria-invalid": false });
            }
        });
        stage.details(`The words ${this.knows.toLowerCase()}`).append(english.slice(special).sort().join(" "));
    }

    // `lists()`: what is written at the same time; the words of the last one are chosen one after the other.
    writing(text, lists) {
        const still = matchMedia("(prefers-reduced-motion: reduce)");
        let writing = 0; // which of several that were begun
        this.stage.button(text, () => {
            const mine = ++writing;
            const next = () => {
                const { shown } = this.stage.state;
                if (mine !== writing || shown === null) {
                    return false;
                }
                const more = shown + 1 < Math.max(...lists().map((list) => list.length));
                this.stage.change({ shown: more ? shown + 1 : null, written: this.within(shown, lists().at(-1)) });
                return more;
            };
            still.matches || this.stage.repeat(next, 600);
            return still.matches ? { shown: null } : { shown: 0 };
        });
    }

    // Words to put in the place of the one that is chosen (`read`).
    exchange(changed) {
        const { stage, english, special } = this;
        const instead = this.group("instead");
        let offered = null; // for which word there are buttons
        stage.draw(({ list, read }) => {
            const chosen = list[read];
            if (offered === chosen) {
                return;
            }
            offered = chosen;
            const order = stage.call(this.near, this.numbers([chosen]));
            const others = order.filter((other) => other >= special && english[other] !== chosen);
            instead.replaceChildren(`Instead of ${chosen}: `);
            for (const other of others.slice(0, 8)) {
                const change = ({ list, read }) => changed(list.map((old, k) => (k === read ? english[other] : old)), list);
                stage.button(english[other], change, instead);
            }
        });
    }
});
