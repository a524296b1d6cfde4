// A figure, large: by a click on its drawing, or by the button beside its caption. Escape closes it, and the
// focus is where it was. A live figure is for touching, and stays as it is.
"use strict";

(function () {
    if (location.pathname.endsWith("/print.html")) {
        return;
    }
    const make = (name, properties) => Object.assign(document.createElement(name), properties);
    const dialog = make("dialog", { className: "zoom content" });
    const close = make("button", { type: "button", className: "close", textContent: "Close" });
    const stage = make("div", { className: "stage", tabIndex: 0, role: "group", ariaLabel: "The figure" });
    const words = make("p", {});
    dialog.append(close, stage, words);
    document.body.append(dialog);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
    dialog.addEventListener("keydown", (event) => event.stopPropagation()); // mdBook's keys
    dialog.addEventListener("close", () => stage.replaceChildren());

    // As large as the window allows, and never smaller than it was drawn: then it scrolls.
    const fit = (drawing) => {
        const [wide, high] = [0.94 * innerWidth - 32, 0.94 * innerHeight - 150];
        const panels = drawing.matches(".panels");
        for (const svg of panels ? [] : drawing.querySelectorAll("svg")) {
            const { width, height } = svg.viewBox.baseVal;
            const scale = Math.max(1, Math.min(wide / width, high / height));
            svg.style.cssText = `width: ${scale * width}px; max-width: none`;
        }
        drawing.style.width = panels ? `${Math.max(wide, 720)}px` : "";
    };

    for (const figure of document.querySelectorAll(".content figure:not([data-live])")) {
        const [drawing, caption] = [figure.querySelector(".drawing"), figure.querySelector("figcaption")];
        if (!drawing || !caption) {
            continue;
        }
        const number = caption.querySelector(".number").textContent;
        const button = make("button", { type: "button", className: "enlarge", textContent: "⤢", title: "Enlarge" });
        button.ariaLabel = `Enlarge ${number}`;
        caption.append(" ", button);
        button.addEventListener("click", () => {
            const copy = drawing.cloneNode(true);
            copy.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id")); // they are the page's
            fit(copy);
            stage.replaceChildren(copy);
            dialog.ariaLabel = number;
            words.replaceChildren(...caption.cloneNode(true).childNodes);
            words.querySelector(".enlarge").remove();
            dialog.showModal();
            dialog.scrollTop = 0;
        });
        drawing.addEventListener("click", () => {
            if (getSelection().isCollapsed) {
                button.focus({ preventScroll: true });
                button.click();
            }
        });
    }
})();
