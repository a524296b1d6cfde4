// What figures share in which a sentence is typed: its words and the columns they stand in, the field, a word
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
        const area = stage.add(svg, "rect", { x, y: top, width, fill: "none", "pointer-events": "all", "data-column": name });
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

    // What is wrong with a sentence, or "".
    fault(list) {
        return this.strange(list) || (list.length < 2 || list.length > this.longest ? `One to ${this.longest - 1} words, please.` : "");
    }

    // A word that is not known, and some that are; or "".
    strange(list) {
        const { english, special, known } = this;
        const strange = list.find((word) => !(known.get(word) >= special));
        if (strange === undefined) {
            return "";
        }
        const near = english.slice(special).filter((other) => other.startsWith(strange[0])).slice(0, 5).join(", ");
        return `${this.knows} ${english.length - special} words, and “${strange}” is none of them. With ${strange[0]} begin: ${near || "none"}.`;
    }

    // `changed(list)`: the change of the state. A sentence that cannot be read is refused below the controls.
    field(changed, label = "English") {
        const { stage, english, special } = this;
        stage.field(label, {
            width: "46rem",
            maxlength: 240,
            fault: (text) => this.fault(this.words(text)),
            change: (text) => changed(this.words(text)),
            show: ({ list }) => this.joined(list),
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

    // Known words by their likeness to one, itself left out.
    others(word) {
        const order = this.stage.call(this.near, this.numbers([word]));
        return order.filter((other) => other >= this.special).map((other) => this.english[other]).filter((other) => other !== word);
    }

    // Words to put in the place of the one that is chosen (`read`).
    exchange(changed) {
        const { stage } = this;
        const instead = this.group("instead");
        let offered = null; // for which word there are buttons
        stage.draw(({ list, read }) => {
            const chosen = list[read];
            if (offered === chosen) {
                return;
            }
            offered = chosen;
            const others = this.others(chosen).slice(0, 8);
            instead.replaceChildren(others.length > 0 ? `Instead of ${chosen}: ` : "");
            for (const other of others) {
                const change = ({ list, read }) => changed(list.map((old, k) => (k === read ? other : old)), list);
                stage.button(other, change, instead);
            }
        });
    }
});
