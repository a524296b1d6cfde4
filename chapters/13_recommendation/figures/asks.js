// What a customer did is taken away, put back and added to: what speaks for a candidate, and what is recommended.
"use strict";

live.figure(async (stage) => {
    const [about, numbers] = await live.parameters("figures/parameters.js");
    const { items, kinds, recipe } = about;
    stage.call("recommender", [items.length, kinds.length, recipe.width, recipe.hidden], numbers);
    const [bought, most, best] = [kinds.indexOf("purchase"), 18, 5];
    const story = "printer A (view), printer B (view), printer B (basket), Salt 1, printer B, tea 3 (view), tea 2, camera C, spice 6 (basket), poster 1 (view)";
    const candidate = "ink for printer B";

    const read = (text) => {
        const [, item, kind] = text.match(/^(.*?)(?: \((\w+)\))?$/);
        return { item: items.indexOf(item), kind: kind ? kinds.indexOf(kind) : bought, told: true };
    };
    const name = ({ item, kind }) => (kind === bought ? items[item] : `${items[item]} (${kinds[kind]})`);
    const percent = (weight) => `${Math.round(100 * weight)}\u00a0%`;

    // A list with a title; its rows are buttons with something behind them.
    const add = (parent, tag, attributes = {}, text = "") => {
        const element = live.set(document.createElement(tag), attributes);
        element.textContent = text;
        parent.append(element);
        return element;
    };
    const list = (className, count, change, behind) => {
        const part = add(stage.drawings, "div", { class: className });
        const title = add(part, "p");
        const rows = add(part, "ol");
        return [title, Array.from({ length: count }, (_, i) => {
            const row = add(rows, "li");
            return { row, button: stage.button("", change(i), row), ...behind(row) };
        })];
    };
    const toggled = (i) => ({ story }) => {
        const next = story.map((action, j) => (i === j ? { ...action, told: !action.told } : action));
        return next.some(({ told }) => told) ? { story: next } : {};
    };
    const [asks, history] = list("weighed", most, toggled, (row) => ({
        bar: add(add(row, "span", { class: "track" }), "span"),
        share: add(row, "span", { class: "share" }),
    }));
    let recommended = [];
    const chosen = (i) => () => ({ asked: recommended[i] });
    const [offers, five] = list("best", best, chosen, (row) => ({ because: add(row, "span") }));
    offers.textContent = "Recommended. Press one to see what speaks for it:";
    stage.hint("Press an action to take it away, or to put it back.");

    // Any thing of the shop, asked about or done something with.
    const label = add(stage.controls, "label", {}, "Any thing: ");
    const select = add(label, "select");
    items.forEach((item, i) => add(select, "option", { value: i }, item));
    select.addEventListener("change", () => stage.change({ thing: Number(select.value) }));
    stage.button("Ask about it", ({ thing }) => ({ asked: thing }));
    const does = kinds.map((kind, number) =>
        stage.button({ view: "View it", basket: "Into the basket", purchase: "Buy it" }[kind],
            ({ thing, story }) => ({ story: [...story, { item: thing, kind: number, told: true }] })),
    );

    stage.draw(({ story, asked, thing }) => {
        const told = story.filter((action) => action.told);
        const answer = stage.call("recommend", [asked], told.flatMap(({ item, kind }) => [item, kind]));
        const [place, weights] = [answer[0], answer.slice(1, told.length + 1)];
        asks.textContent = `What speaks for ${items[asked]}? (place ${place} of ${items.length})`;
        history.forEach(({ row, button, bar, share }, i) => {
            row.hidden = i >= story.length;
            if (row.hidden) {
                return;
            }
            const weight = story[i].told ? weights[told.indexOf(story[i])] : 0;
            button.textContent = name(story[i]);
            live.set(button, { "aria-pressed": story[i].told });
            live.set(bar, { style: `width: ${(100 * weight).toFixed(1)}%` });
            share.textContent = story[i].told ? percent(weight) : "";
        });
        recommended = [];
        five.forEach(({ button, because }, i) => {
            const [item, reason, weight] = answer.slice(told.length + 1 + 3 * i);
            recommended.push(item);
            button.textContent = items[item];
            live.set(button, { "aria-pressed": item === asked });
            because.textContent = `because of ${name(told[reason])}, ${percent(weight)}`;
        });
        select.value = thing;
        does.forEach((button) => (button.disabled = story.length === most));
        const first = weights.indexOf(Math.max(...weights));
        stage.say(`${items[asked]}, place ${place}: ${name(told[first])} speaks for it with ${percent(weights[first])}`);
    });
    const thing = items.indexOf("ink for printer A");
    stage.start({ story: story.split(", ").map(read), asked: items.indexOf(candidate), thing });
});
