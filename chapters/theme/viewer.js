// The page of attentions inside a page of the book: its frame is as high as what it holds, and it has
// the colours of the theme. By messages, since of two files from a disk neither may look into the other.
"use strict";

(function () {
    const frames = [...document.querySelectorAll("iframe.viewer")];
    if (frames.length === 0) {
        return;
    }
    const root = document.documentElement;
    const colours = (frame) => {
        const style = getComputedStyle(root);
        const [paper, ink] = ["--bg", "--fg"].map((name) => style.getPropertyValue(name).trim());
        frame.contentWindow.postMessage({ paper, ink, scheme: style.colorScheme }, "*");
    };
    addEventListener("message", ({ source, data }) => {
        const frame = frames.find((one) => one.contentWindow === source);
        if (frame && Number.isFinite(data.height)) {
            frame.style.height = `${data.height + frame.offsetHeight - frame.clientHeight}px`;
            colours(frame);
        }
    });
    new MutationObserver(() => frames.forEach(colours)).observe(root, { attributeFilter: ["class"] });
})();
