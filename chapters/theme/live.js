// Live figures: what they share. How one is made is told in live/src/lib.rs.
"use strict";

window.live = (function () {
    let handed = null; // by the script that was loaded last; one is loaded after the other

    // A page in another language finds scripts in the English book, in whose folder its own lies. The path is mdBook's.
    const root = path_to_root + (document.documentElement.lang === "en" ? "" : "../");
    const beside = document.querySelector("figure[data-live]")?.dataset.live.split("figures/")[0] ?? "";
    const places = { theme: root, figures: beside };

    // What a script hands over.
    const load = (named) =>
        new Promise((resolve, reject) => {
            const address = (places[named.split("/")[0]] ?? "") + named;
            const script = document.createElement("script");
            const failed = () => reject(new Error(`${address} cannot be read`));
            Object.assign(script, { src: address, onload: () => resolve(handed), onerror: failed });
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
    const calls = (functions) => (name, ...parts) => {
        const length = parts.reduce((sum, part) => sum + part.length, 0);
        let at = functions.live_input(length);
        for (const part of parts) {
            new Float32Array(functions.memory.buffer, at, part.length).set(part);
            at += part.length * Float32Array.BYTES_PER_ELEMENT;
        }
        const count = functions[`live_${name}`]();
        return Array.from(new Float32Array(functions.memory.buffer, functions.live_output(), count));
    };

    class Stage {
        constructor(figure, call) {
            this.figure = figure;
            this.call = call; // call("desk", numbers, more) → numbers
            this.drawing = figure.querySelector(".drawing");
            this.state = {};
            this.follow = []; // what shows the state: the controls, then the drawing
            this.root = document.createElement("div");
            this.root.className = "live";
            this.drawings = html(this.root, "div", { class: "drawings" });
            this.controls = html(this.root, "div", { class: "controls" });
            this.watch();
            this.heard = html(this.root, "div", { class: "heard", "aria-live": "polite" });
            // mdBook would take the arrows for “next chapter”.
            this.root.addEventListener("keydown", (event) => event.stopPropagation());
        }

        // An empty drawing, above the controls, beside the last one where there is room.
        svg(width, height, label) {
            const box = html(this.drawings, "div", { class: "drawing" });
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

        chart(svg, where) {
            return new Chart(this, svg, where);
        }

        // A line of the figure's own words, below the drawing.
        hint(text = "") {
            const line = Object.assign(document.createElement("p"), { textContent: text });
            this.controls.before(line);
            return line;
        }

        // `handle` is dragged over `area` of `svg`. `at(x, y, first)`: the change of the state at a place of the drawing, where it is first touched or later;
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
            const move = (event, first) => {
                const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
                    svg.getScreenCTM().inverse(),
                );
                this.change(at(x, y, first));
            };
            area.addEventListener("pointerdown", (event) => {
                area.setPointerCapture(event.pointerId);
                handle.focus({ preventScroll: true });
                move(event, true);
                event.preventDefault(); // selects no text
            });
            area.addEventListener("pointermove", (event) => {
                if (area.hasPointerCapture(event.pointerId)) {
                    move(event, false);
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
            const row = html(this.controls, "span", { role: "group", "aria-label": label }, label);
            const buttons = names.map((text, i) => this.button(text, () => ({ [name]: i }), row));
            this.follow.push((state) =>
                buttons.forEach((button, i) => set(button, { "aria-pressed": i === state[name] })),
            );
        }

        // A part that is opened when it is asked for; a field of text in it; and what was wrong with that.
        details(summary) {
            const part = document.createElement("details");
            html(part, "summary", {}, summary);
            this.controls.after(part);
            return part;
        }

        text(part, label, placeholder) {
            return html(part, "textarea", { "aria-label": label, rows: 5, placeholder });
        }

        alert(part) {
            return html(part, "p", { role: "alert" });
        }

        // A line to type in. `fault(text)`: what is wrong with it, or ""; `change(text)`: that of the state, where
        // nothing is; `show(state)`: the line while nobody types.
        field(label, { width, maxlength, fault, change, show }) {
            const row = html(this.controls, "label", {}, `${label} `);
            const input = html(row, "input", {
                type: "text", maxlength, autocapitalize: "none", autocomplete: "off", spellcheck: "false",
                style: `width: min(${width}, 80vw)`,
            });
            const alert = this.alert(this.root);
            const refuse = (reason) => {
                alert.textContent = reason;
                set(input, { "aria-invalid": reason !== "" });
            };
            input.addEventListener("input", () => {
                refuse(fault(input.value));
                alert.textContent || this.change(change(input.value));
            });
            this.draw((state) => {
                if (document.activeElement !== input) {
                    input.value = show(state);
                    refuse("");
                }
            });
        }

        button(text, change, row = this.controls) {
            const button = html(row, "button", { type: "button" }, text);
            button.addEventListener("click", () => this.change(change(this.state)));
            return button;
        }

        // Buttons that train: step by step, for some milliseconds of every frame, while the figure is seen. The state has
        // what came of each step in the list `name`, until these are `all`. `start(state)`: a new model, where that list is
        // another; `step(state)`: one more; `pressed`, `fresh`: what a press and a new model change besides.
        training({ name, all, slice, start, step, pressed = {}, fresh = () => ({}) }) {
            let [running, run] = [false, null];
            const open = (state) => state[name].length < all;
            const frame = () => {
                const { state } = this;
                const until = performance.now() + slice;
                while (state.training && open(state) && performance.now() < until) {
                    step(state);
                }
                running = state.training && open(state);
                this.change(running ? {} : { training: false });
                return running;
            };
            const train = this.button("Train", ({ training }) => ({ training: !training, ...pressed }));
            const few = this.button("10 steps", (state) => {
                for (let i = 0; i < 10 && open(state); i++) {
                    step(state);
                }
                return { training: false, ...pressed };
            });
            this.button("Another seed", ({ seed }) => ({ seed: seed + 1, [name]: [], training: false, ...pressed, ...fresh() }));
            this.draw((state) => {
                const trained = state[name].length;
                if (state[name] !== run) {
                    start(state);
                    run = state[name];
                }
                if (state.training && !running) {
                    running = true;
                    this.repeat(frame);
                }
                train.textContent = state.training ? "Pause" : trained === all ? "Trained" : trained > 0 ? "Train on" : "Train";
                [train, few].forEach((button) => (button.disabled = trained === all));
            });
        }

        // What to do after every change.
        draw(follow) {
            this.follow.push(follow);
        }

        change(change) {
            Object.assign(this.state, change);
            this.follow.forEach((follow) => follow(this.state));
        }

        // Calls `step` until it returns false: at every frame of the screen, or after `pause` milliseconds.
        // While nobody can see the figure it waits.
        repeat(step, pause = 0) {
            const next = () =>
                this.seen() ? step() !== false && wait() : this.resume.push(wait);
            const wait = () => (pause > 0 ? setTimeout(next, pause) : requestAnimationFrame(next));
            wait();
        }

        seen() {
            return this.inView && !document.hidden;
        }

        watch() {
            this.inView = true;
            this.resume = [];
            const look = () => this.seen() && this.resume.splice(0).forEach((goOn) => goOn());
            document.addEventListener("visibilitychange", look);
            new IntersectionObserver((entries) => {
                this.inView = entries.at(-1).isIntersecting;
                look();
            }).observe(this.figure);
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

    // The plane of a chart, with its ticks; `log`: x on a logarithmic scale. What is drawn in `marks` lets the
    // pointer through to `area`.
    class Chart {
        constructor(stage, svg, { left, top, width, height, log, names }) {
            Object.assign(this, { stage, left, top, width, height, log });
            [this.scale, this.back] = log ? [Math.log10, (x) => 10 ** x] : [(x) => x, (x) => x];
            this.area = stage.add(svg, "rect", { x: left, y: top, width, height, fill: "none", "pointer-events": "all" });
            this.axes = stage.add(svg, "g", { "aria-hidden": true, "font-size": 14 });
            this.marks = stage.add(svg, "g", { "aria-hidden": true, "pointer-events": "none" });
            stage.add(svg, "text", { x: left + width, y: top + height + 36, "text-anchor": "end" }, names[0]);
            stage.add(svg, "text", { x: left, y: top - 8 }, names[1]);
        }

        // From where to where the axes go.
        range(x, y) {
            [this.x, this.y] = [x.map(this.scale), y];
            const { left, top, width, height, stage, axes } = this;
            axes.replaceChildren();
            const line = (x1, y1, x2, y2) =>
                stage.add(axes, "line", { x1, y1, x2, y2, stroke: "currentColor", "stroke-opacity": 0.5 });
            line(left, top + height, left + width, top + height);
            line(left, top, left, top + height);
            for (const tick of this.log ? decades(...x) : ticks(...x)) {
                line(this.X(tick), top + height, this.X(tick), top + height + 5);
                stage.add(axes, "text", { x: this.X(tick), y: top + height + 19, "text-anchor": "middle" }, tick);
            }
            for (const tick of ticks(...y)) {
                line(left - 5, this.Y(tick), left, this.Y(tick));
                stage.add(axes, "text", { x: left - 8, y: this.Y(tick) + 5, "text-anchor": "end" }, tick);
            }
        }

        X(x) {
            return this.left + (this.width * (this.scale(x) - this.x[0])) / (this.x[1] - this.x[0]);
        }

        Y(y) {
            return this.top + (this.height * (this.y[1] - y)) / (this.y[1] - this.y[0]);
        }

        // The numbers at a place of the drawing, inside the axes.
        at(x, y) {
            const within = (part) => Math.min(1, Math.max(0, part));
            const across = within((x - this.left) / this.width);
            const up = within((this.top + this.height - y) / this.height);
            return [
                this.back(this.x[0] + across * (this.x[1] - this.x[0])),
                this.y[0] + up * (this.y[1] - this.y[0]),
            ];
        }

        // An empty line, and what it becomes.
        line(attributes) {
            return this.stage.add(this.marks, "path", { fill: "none", "stroke-width": 2.5, ...attributes });
        }

        through(line, xs, ys) {
            const places = xs.map((x, i) => `${this.X(x).toFixed(1)} ${this.Y(ys[i]).toFixed(1)}`);
            set(line, { d: `M${places.join("L")}` });
        }
    }

    // Round numbers, at most six, and powers of ten.
    const ticks = (from, to) => {
        const rough = (to - from) / 6;
        const power = 10 ** Math.floor(Math.log10(rough));
        const step = power * [1, 2, 5, 10].find((step) => step * power >= rough);
        const first = Math.ceil(from / step);
        const count = Math.floor(to / step + 1e-6) - first + 1;
        return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(6)));
    };
    const decades = (from, to) => {
        const first = Math.ceil(Math.log10(from) - 1e-6);
        const count = Math.floor(Math.log10(to) + 1e-6) - first + 1;
        return Array.from({ length: count }, (_, i) => Number((10 ** (first + i)).toPrecision(1)));
    };

    // The bytes that a script hands over.
    const unzipped = async (base64) => {
        const digits = atob(base64);
        const bytes = new Uint8Array(digits.length);
        for (let i = 0; i < bytes.length; i++) {
            bytes[i] = digits.charCodeAt(i);
        }
        const unzip = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Uint8Array(await new Response(unzip).arrayBuffer());
    };

    // A trained model: what its file says of it, and its parameters as `call` takes them.
    const parameters = async (address) => {
        const bytes = await load(address);
        const end = bytes.indexOf(10) + 1;
        const about = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
        return [about, new Float32Array(bytes.slice(end).buffer)]; // a slice begins where numbers may begin
    };

    let compiled = null;
    const mathematics = () =>
        (compiled ??= load("theme/live/mathematics.js")
            .then((bytes) => WebAssembly.instantiate(bytes))
            .then(({ instance }) => calls(instance.exports)));

    let last = Promise.resolve();
    const begin = (figure) => {
        last = last
            .then(async () => {
                const call = await mathematics();
                const setup = await load(figure.dataset.live);
                await setup(new Stage(figure, call));
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
        load,
        parameters,
        figure: (setup) => (handed = setup),
        data: (base64) => (handed = unzipped(base64)),
    };
})();
