// Live figures: what they share. How one is made is told in live/src/lib.rs.
"use strict";

window.live = (function () {
    const waiting = []; // for the mathematics
    let setup = null; // what the script that was loaded last wants to do with its figure

    const load = (address) =>
        new Promise((resolve, reject) => {
            const script = document.createElement("script");
            const failed = () => reject(new Error(`${address} cannot be read`));
            Object.assign(script, { src: address, onload: resolve, onerror: failed });
            document.head.append(script);
        });

    const set = (element, attributes) => {
        for (const [name, value] of Object.entries(attributes)) {
            element.setAttribute(name, value);
        }
        return element;
    };

    const html = (parent, name, attributes = {}, text = "") => {
        const element = set(document.createElement(name), attributes);
        element.textContent = text;
        parent.append(element);
        return element;
    };

    // `functions`: what the crate exports. Memory may move when it grows, so it is asked for anew each time.
    const calls = (functions) => (name, numbers) => {
        const at = functions.live_input(numbers.length);
        new Float32Array(functions.memory.buffer, at, numbers.length).set(numbers);
        const length = functions[`live_${name}`]();
        return Array.from(new Float32Array(functions.memory.buffer, functions.live_output(), length));
    };

    class Stage {
        constructor(figure, call) {
            this.figure = figure;
            this.call = call; // call("desk", numbers) → numbers
            this.drawing = figure.querySelector(".drawing");
            this.state = {};
            this.follow = []; // what shows the state: the controls, then the drawing
            this.root = document.createElement("div");
            this.root.className = "live";
            this.controls = html(this.root, "div", { class: "controls" });
            this.heard = html(this.root, "div", { class: "heard", "aria-live": "polite" });
            // mdBook would take the arrows for “next chapter”.
            this.root.addEventListener("keydown", (event) => event.stopPropagation());
        }

        // An empty drawing, above the controls.
        svg(width, height, label) {
            const box = document.createElement("div");
            box.className = "drawing";
            this.controls.before(box);
            return this.add(box, "svg", {
                viewBox: `0 0 ${width} ${height}`, width, height,
                role: "group", "aria-label": label, "font-size": 16, fill: "currentColor",
            });
        }

        add(parent, name, attributes = {}, text = "") {
            const element = set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
            element.textContent = text;
            parent.append(element);
            return element;
        }

        // A line of the figure's own words, below the drawing.
        hint(text) {
            this.controls.before(Object.assign(document.createElement("p"), { textContent: text }));
        }

        // `handle` is dragged over `area` of `svg`. `at(x, y)`: the change of the state at a place of the drawing;
        // `step(dx, dy)`: by the arrow keys, right and up being +1; `text()`: a number and words for those who listen.
        drag(svg, area, handle, { label, at, step, text, axis }) {
            area.classList.add("area");
            set(handle, { tabindex: 0, role: "slider", "aria-label": label });
            if (axis === "x") {
                svg.style.touchAction = "pan-y"; // up and down a finger scrolls the page
            } else {
                // In Chromium a part of a drawing has no touch-action of its own.
                area.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
            }
            const move = (event) => {
                const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
                    svg.getScreenCTM().inverse(),
                );
                this.change(at(x, y));
            };
            area.addEventListener("pointerdown", (event) => {
                area.setPointerCapture(event.pointerId);
                handle.focus({ preventScroll: true });
                move(event);
                event.preventDefault(); // selects no text
            });
            area.addEventListener("pointermove", (event) => {
                if (area.hasPointerCapture(event.pointerId)) {
                    move(event);
                }
            });
            const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
            handle.addEventListener("keydown", (event) => {
                if (event.key in arrows) {
                    event.preventDefault();
                    this.change(step(...arrows[event.key]));
                }
            });
            this.follow.push(() => {
                const [now, words] = text();
                set(handle, { "aria-valuenow": now, "aria-valuetext": words });
            });
        }

        // A number of the state on a scale from `from` to `to`, a logarithmic one if `log`.
        slider(name, { label, from, to, log, show }) {
            const [there, back] = log ? [Math.log, Math.exp] : [(x) => x, (x) => x];
            const row = html(this.controls, "label", {}, `${label} `);
            const step = (there(to) - there(from)) / 200;
            const input = html(row, "input", { type: "range", min: there(from), max: there(to), step });
            const output = html(row, "output");
            input.addEventListener("input", () => this.change({ [name]: back(input.valueAsNumber) }));
            this.follow.push((state) => {
                input.value = there(state[name]);
                output.textContent = show(state[name]);
                set(input, { "aria-valuetext": output.textContent });
            });
        }

        // One of several names; the state holds its index.
        choice(name, { label, names }) {
            const row = html(this.controls, "span", { role: "group", "aria-label": label });
            const buttons = names.map((text, i) => this.button(text, () => ({ [name]: i }), row));
            this.follow.push((state) =>
                buttons.forEach((button, i) => set(button, { "aria-pressed": i === state[name] })),
            );
        }

        button(text, change, row = this.controls) {
            const button = html(row, "button", { type: "button" }, text);
            button.addEventListener("click", () => this.change(change(this.state)));
            return button;
        }

        // What to do after every change.
        draw(follow) {
            this.follow.push(follow);
        }

        change(change) {
            Object.assign(this.state, change);
            this.follow.forEach((follow) => follow(this.state));
        }

        // For those who listen, when the state has come to rest.
        say(words) {
            clearTimeout(this.saying);
            this.saying = setTimeout(() => (this.heard.textContent = words), 600);
        }

        // Puts the figure in place of its drawing. `state` is also what “Reset” returns to.
        start(state) {
            this.button("Reset", () => structuredClone(state));
            this.change(structuredClone(state));
            clearTimeout(this.saying); // nobody has asked yet
            this.drawing.after(this.root);
            this.figure.classList.add("alive");
        }
    }

    let compiled = null;
    const mathematics = () =>
        (compiled ??= new Promise((resolve, reject) => {
            waiting.push(resolve);
            load(`${path_to_root}theme/live/mathematics.js`).catch(reject); // the path is mdBook's
        }).then(async (base64) => {
            const bytes = Uint8Array.from(atob(base64), (digit) => digit.charCodeAt(0));
            return calls((await WebAssembly.instantiate(bytes)).instance.exports);
        }));

    let last = Promise.resolve(); // one figure after the other: each script says `live.figure` once
    const begin = (figure) => {
        last = last
            .then(async () => {
                const call = await mathematics();
                await load(figure.dataset.live);
                setup(new Stage(figure, call));
            })
            .catch((reason) => console.error(`${figure.id} stays as it is printed:`, reason));
    };

    const near = new IntersectionObserver(
        (entries) => {
            for (const { isIntersecting, target } of entries) {
                if (isIntersecting) {
                    near.unobserve(target);
                    begin(target);
                }
            }
        },
        { rootMargin: "400px" },
    );
    // The page of the whole book is for paper.
    if (!location.pathname.endsWith("/print.html")) {
        document.querySelectorAll("figure[data-live]").forEach((figure) => near.observe(figure));
    }

    return {
        set,
        colours: { weight: "#D55E00", key: "#0072B2", value: "#009E73" },
        figure: (function_) => (setup = function_),
        mathematics: (base64) => waiting.forEach((resolve) => resolve(base64)),
    };
})();
