// A story whose lines are taken away and put back: where every hop looks, and what is answered.
"use strict";

live.figure(async (stage) => {
    const [about, numbers] = await live.parameters("figures/parameters.js");
    const { words, memory, width, hops } = about;
    stage.call("memory_network", [words.length, memory, width, hops], numbers);
    const ids = (text) => text.split(" ").map((word) => words.indexOf(word));
    const story = [
        "anna took the apple",
        "paul went to the hall",
        "anna went to the garden",
        "paul got the cup",
        "anna walked to the kitchen",
        "paul ran to the attic",
        "anna left the apple",
        "anna went to the cellar",
    ];
    const questions = [
        "where is the apple",
        "where is the cup",
        "where is anna",
        "is paul in the hall",
        "how many things does anna carry",
        "where was the apple before the kitchen",
    ];
    const [left, column, row, top] = [228, 62, 30, 34];
    const svg = stage.svg(left + hops * column + 8, top + story.length * row + 44, "The weight of every sentence in every hop");
    const heads = Array.from({ length: hops }, (_, hop) =>
        stage.add(svg, "text", { x: left + (hop + 0.5) * column, y: 22, "text-anchor": "middle", fill: "currentColor" }, `hop ${hop + 1}`),
    );
    live.set(heads[0], { "font-size": 15 });
    const lines = story.map((text, i) => {
        const y = top + i * row;
        const group = stage.add(svg, "g", { "aria-hidden": true, style: "cursor: pointer" });
        const name = stage.add(group, "text", { x: 8, y: y + 20, fill: "currentColor", "font-size": 15 }, text);
        const cells = heads.map((_, hop) => ({
            box: stage.add(group, "rect", { x: left + hop * column, y, width: column - 3, height: row - 3, fill: live.colours.weight, stroke: "currentColor", "stroke-width": 0.5 }),
            label: stage.add(group, "text", { x: left + (hop + 0.5) * column, y: y + 19, "text-anchor": "middle", fill: "currentColor", "font-size": 15 }, ""),
        }));
        group.addEventListener("click", () => stage.change(toggled(i)(stage.state)));
        return { name, cells };
    });
    const said = stage.add(svg, "text", { x: 8, y: top + story.length * row + 28, fill: "currentColor", "font-weight": "bold", "font-size": 15 }, "");

    const toggled = (i) => ({ told }) => {
        const next = told.map((is, j) => (i === j ? !is : is));
        return next.some((is) => is) ? { told: next } : {};
    };
    stage.hint("Take a line away, or put it back: the question is answered again from what is left.");
    const buttons = story.map((text, i) => stage.button(text, toggled(i)));
    stage.choice("question", { label: "Ask: ", names: questions.map((text) => `${text}?`) });

    stage.draw(({ told, question }) => {
        const kept = story.map((_, i) => i).filter((i) => told[i]);
        const texts = [questions[question], ...kept.map((i) => story[i])].map(ids);
        const [word, sure, ...weights] = stage.call("memory", texts.flatMap((text) => [text.length, ...text]));
        lines.forEach(({ name, cells }, i) => {
            const at = kept.indexOf(i);
            live.set(buttons[i], { "aria-pressed": at >= 0 });
            live.set(name, { "fill-opacity": at < 0 ? 0.35 : 1, "text-decoration": at < 0 ? "line-through" : "none" });
            cells.forEach(({ box, label }, hop) => {
                const weight = at < 0 ? 0 : weights[hop * kept.length + at];
                live.set(box, { "fill-opacity": 0.85 * weight });
                label.textContent = at < 0 ? "" : `${Math.round(100 * weight)}`;
            });
        });
        said.textContent = `${questions[question]}? ${words[word]} (${Math.round(100 * sure)} %)`;
        stage.say(said.textContent);
    });
    stage.start({ told: story.map(() => true), question: 0 });
});
