// What those need who read by keyboard, by ear or on paper, and mdBook's templates do not have.
"use strict";

(function () {
    const make = (name, properties, ...children) => {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    };

    // A link past the contents of the book.
    const skip = { className: "skip", href: "#mdbook-content" };
    document.body.prepend(make("a", skip, "Skip to the text"));

    // A corner over the names of rows heads nothing.
    for (const corner of document.querySelectorAll(".content th:empty")) {
        const cell = document.createElement("td");
        cell.style.cssText = corner.style.cssText;
        corner.replaceWith(cell);
    }

    // mdBook's button for the contents is a label: no key reaches it, and it may not say what it says.
    const contents = document.getElementById("mdbook-sidebar-toggle");
    if (contents) {
        Object.assign(contents, { role: "button", tabIndex: 0 });
        contents.addEventListener("keydown", (event) => {
            if (["Enter", " "].includes(event.key)) {
                event.preventDefault();
                contents.click();
            }
        });
    }
    document.getElementById("mdbook-searchbar")?.setAttribute("aria-label", "Search this book");

    // What scrolls by itself does so by keyboard, and has a name: its own, or that of the heading above it.
    // mdBook would take the arrows for “next chapter”.
    const headings = [...document.querySelectorAll(".content :is(h1, h2, h3, h4)")];
    const kinds = { CODE: "Code", SPAN: "Formula" };
    const nameOf = (box) => {
        const above = (heading) => heading.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING;
        const heading = headings.findLast(above)?.textContent ?? document.title;
        return `${kinds[box.tagName] ?? "Table"}: ${heading}`;
    };
    const watch = new ResizeObserver((entries) => {
        for (const { target } of entries) {
            if (target.scrollWidth > target.clientWidth) {
                target.classList.add("tight"); // book.css: then numbers may break
            }
            if (target.scrollWidth > target.clientWidth) {
                target.tabIndex = 0;
                target.role ??= "group";
                target.ariaLabel ??= nameOf(target);
            } else {
                target.removeAttribute("tabindex");
            }
        }
    });
    const boxes = ".content :is(pre > code, .table-wrapper, .display, .drawing)";
    for (const box of document.querySelectorAll(boxes)) {
        watch.observe(box);
        box.addEventListener("keydown", (event) => {
            if (event.target === box && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
                event.stopPropagation();
            }
        });
    }

    // The whole book on paper begins with its title and its contents. What was measured
    // is set smaller.
    if (location.pathname.endsWith("/print.html")) {
        for (const heading of document.querySelectorAll("main > h1[id^=measurements]")) {
            const page = make("section", { className: "measurements" });
            heading.previousElementSibling.replaceWith(page); // mdBook's break
            while (page.nextElementSibling && !page.nextElementSibling.style.breakBefore) {
                page.append(page.nextSibling);
            }
        }
        const names = document.querySelectorAll("#mdbook-sidebar .chapter-item a"); // numbered
        const line = (heading, i) => {
            const link = { href: `#${heading.id}` };
            return make("li", {}, make("a", link, (names[i] ?? heading).textContent));
        };
        const contents = make("ul", {}, ...[...document.querySelectorAll("main h1")].map(line));
        const title = make("h1", {}, document.querySelector(".menu-title").textContent);
        document.querySelector("main").prepend(make("div", { className: "cover" }, title, contents));
    }
})();
