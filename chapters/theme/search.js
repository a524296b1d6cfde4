// The labels of drawings are left out of what the search quotes: they would run together.
//
// Chinese terms in the search: mdBook's index is English, and drops every word that has no Latin
// letter. When the index is loaded, the Chinese words of the pages are added to it, and of each
// word every end, so that 注意力 finds 软注意力; and a Chinese word in a query is left as it is.
"use strict";

(function () {
    if (!window.elasticlunr) {
        return; // a build without search
    }
    const chinese = /\p{Script=Han}+/gu;
    const holdsChinese = (text) => /\p{Script=Han}/u.test(text);

    const trimmer = elasticlunr.trimmer;
    const gentleTrimmer = (token) => (holdsChinese(token) ? token : trimmer(token));
    gentleTrimmer.label = "trimmer"; // the index asks for its functions by name
    elasticlunr.Pipeline.registeredFunctions.trimmer = gentleTrimmer;

    const load = elasticlunr.Index.load;
    elasticlunr.Index.load = function (serialised) {
        const index = load.call(this, serialised);
        for (const [ref, page] of Object.entries(index.documentStore.docs)) {
            for (const field of index.getFields()) {
                const words = new Set();
                for (const [word] of (page[field] || "").matchAll(chinese)) {
                    for (let i = 0; i < word.length; i++) {
                        words.add(word.slice(i));
                    }
                }
                for (const word of words) {
                    index.index[field].addToken(word, { ref, tf: 1 });
                }
            }
            page.body = (page.body || "").replace(/\u2063[^\u2063]*\u2063/g, " ");
        }
        return index;
    };
    // A page that is opened with a query may have searched already: again, with these words in the index. The same
    // word is not looked for twice, so another one comes between.
    if (window.search.index) {
        const [bar, script] = ["#mdbook-searchbar", "#mdbook-search-index"].map((id) => document.querySelector(id));
        for (const word of ["?", bar.value]) {
            bar.value = word;
            script.onload();
        }
    }
})();
