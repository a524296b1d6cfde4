// The questions of a page can be answered: by a choice, a number or an order. Question, answer and a sentence
// for every wrong answer are in the page as text; what was answered rightly is kept in this browser alone.
"use strict";

(function () {
    const make = (name, properties, ...children) => {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    };
    const kept = (id, value) => {
        try {
            if (value) {
                localStorage.setItem(`attention-course ${id}`, value);
            }
            return localStorage.getItem(`attention-course ${id}`);
        } catch {
            return null; // a browser may refuse to keep anything
        }
    };

    if (location.pathname.endsWith("/print.html")) {
        return;
    }
    const questions = [...document.querySelectorAll(".question")];
    const progress = make("span", { className: "progress" });
    document.querySelector('.content p:has(> a[href^="#question-"])')?.append(" ", progress);
    const count = () => {
        const right = questions.filter((question) => question.matches(".answered")).length;
        progress.textContent = `You have answered ${right} of ${questions.length}.`;
    };

    for (const question of questions) {
        // The right answer comes first, then wrong ones: each as bold text, then its sentence.
        const details = question.querySelector("details");
        const sentences = new Map();
        for (const bold of details.querySelectorAll(":is(p, li) > strong:first-child")) {
            sentences.set(bold.textContent.replace(/^Answer: |[.:]$/g, ""), bold.parentNode);
        }
        const [right] = sentences.keys();
        const list = question.querySelector("ol");
        const reply = make("p", { className: "reply", ariaLive: "polite" });

        const judge = (answer) => {
            const isRight = answer === right;
            const sentence = sentences.get(answer)?.cloneNode(true) ?? make("p", {}, "", " Try another.");
            sentence.firstChild.remove();
            reply.replaceChildren(make("strong", {}, isRight ? "Right." : "No."), ...sentence.childNodes);
            reply.classList.toggle("right", isRight);
            if (isRight) {
                question.classList.add("answered");
                kept(question.id, "right");
                count();
            }
        };
        const form = (...children) => {
            const check = make("button", {}, "Check");
            return make("form", { onsubmit: (event) => event.preventDefault() }, ...children, check);
        };

        if (!list) {
            const field = make("input", { inputMode: "decimal", size: 8, ariaLabel: "Your number" });
            field.addEventListener("keydown", (event) => event.stopPropagation()); // arrows turn mdBook's pages
            const numbers = form(field);
            numbers.addEventListener("submit", () => {
                const given = Number(field.value.trim().replace(",", ".") || NaN);
                // As exact as the number is printed.
                const same = (number) => {
                    const decimals = number.split(".")[1]?.length ?? 0;
                    return Math.abs(given - number) <= (decimals && 0.501 * 10 ** -decimals);
                };
                judge([...sentences.keys()].find(same));
            });
            details.before(numbers);
        } else if (right.includes(",")) {
            const order = () => [...list.children].map((item) => item.value).join(", ");
            const move = (item, by, words) => {
                const button = make("button", { type: "button", ariaLabel: words }, by < 0 ? "↑" : "↓");
                button.onclick = () => {
                    const place = [...list.children].indexOf(item) + by;
                    if (place >= 0 && place < list.children.length) {
                        list.children[place][by < 0 ? "before" : "after"](item);
                        button.focus();
                        reply.replaceChildren(`The order is now ${order()}.`);
                    }
                };
                return button;
            };
            for (const [i, item] of [...list.children].entries()) {
                item.value = i + 1; // its number moves with it
                item.append(" ", move(item, -1, "Move up"), move(item, 1, "Move down"));
            }
            const orders = form();
            orders.addEventListener("submit", () => judge(order()));
            details.before(orders);
        } else {
            for (const [i, item] of [...list.children].entries()) {
                const choose = make("button", { type: "button", ariaPressed: "false" }, ...item.childNodes);
                choose.onclick = () => {
                    list.querySelectorAll("button").forEach((button) => (button.ariaPressed = button === choose));
                    judge(String(i + 1));
                };
                item.append(choose);
            }
        }
        details.before(reply);
        question.classList.toggle("answered", kept(question.id) === "right");
    }
    count();
})();
