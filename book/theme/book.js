// SPDX-License-Identifier: MIT
// What a page does beyond standing there. Every part works alone; without
// scripts the text is complete. Nothing is fetched: the index of search is a
// script beside the page, read when search is first opened.
"use strict";

const $ = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

function element(tag, attributes = {}, ...children) {
    const e = document.createElement(tag);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    e.append(...children);
    return e;
}

// Light and dark -------------------------------------------------------------

(function () {
    const root = document.documentElement, button = $("button.theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const dark = () => root.dataset.theme ?
        root.dataset.theme === "dark" : system.matches;
    function show() {
        button.textContent = dark() ? "Light" : "Dark";
        button.setAttribute("aria-label",
            dark() ? "Light colours" : "Dark colours");
    }
    button.hidden = false;
    button.onclick = () => {
        root.dataset.theme = dark() ? "light" : "dark";
        try {
            localStorage.setItem("warpbook-theme", root.dataset.theme);
        } catch (e) { /* kept for this page alone */ }
        show();
    };
    system.addEventListener("change", show);
    show();
})();

// Copy -----------------------------------------------------------------------

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch (e) { // no permission, or an old browser
        const area = element("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        if (!done) throw e;
    }
}

for (const listing of all(".listing")) {
    const button = element("button", { type: "button", class: "copy" }, "Copy");
    button.onclick = async () => {
        let said = "Copied";
        await copy($("code", listing).textContent).catch(() => {
            said = "Not copied";
        });
        button.textContent = said;
        button.classList.add("done");
        button.focus();
        setTimeout(() => {
            button.textContent = "Copy";
            button.classList.remove("done");
        }, 1600);
    };
    listing.append(button);
}

// What scrolls sideways can be reached by keyboard ---------------------------

const wide = all(".listing > pre, .listing > div.sourceCode, .table, figure, math");
function reach() {
    for (const box of wide) {
        const scrolls = box.scrollWidth > box.clientWidth;
        if (scrolls) box.tabIndex = 0;
        else box.removeAttribute("tabindex");
        if (box.localName !== "div" && box.localName !== "figure") continue;
        if (scrolls) box.setAttribute("role", "region");
        else box.removeAttribute("role");
        if (scrolls) box.setAttribute("aria-label",
            (box.className === "table" ? "Table " :
                box.localName === "figure" ? "Figure " : "Code ") +
                (wide.indexOf(box) + 1)); // regions need names of their own
        else box.removeAttribute("aria-label");
    }
}
addEventListener("resize", reach);
addEventListener("toggle", reach, true);
reach();

// Notes, answers on paper, the menu ------------------------------------------

for (const mark of all(".note-mark"))
    mark.onclick = () => mark.setAttribute("aria-expanded",
        mark.getAttribute("aria-expanded") === "false");

// On paper no answer stands beside its question: all follow at the end.
function answers_of_page() {
    const section = element("section", { class: "answers" },
        element("h2", {}, "Answers"));
    all("main details:not(.sim-help)").forEach((fold, k) => {
        const summary = $("summary", fold), words = summary.textContent.trim();
        const copies = [...fold.childNodes].filter(node => node !== summary)
            .map(node => node.cloneNode(true));
        const plain = words === "Answer";
        summary.dataset.answer = (plain ? " " : ": answer ") +
            `${k + 1}, at the end`;
        section.append(element("div", {}, element("p", { class: plain ?
            "answer-number" : "answer-head" },
            `${k + 1}.` + (plain ? "" : ` ${words}`)), ...copies));
    });
    for (const copy of all("[id]", section)) copy.removeAttribute("id");
    return section;
}

addEventListener("beforeprint", () => {
    $("main > .answers")?.remove();
    if ($("main details:not(.sim-help)")) $("main").append(answers_of_page());
});
addEventListener("afterprint", () => $("main > .answers")?.remove());

const menu = $(".menu");
document.addEventListener("click", event => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
});
// The keyboard leaves it: what has the focus must not lie behind it.
menu.addEventListener("focusout", ({ relatedTarget: to }) => {
    if (to && !menu.contains(to)) menu.open = false;
});
document.addEventListener("keydown", event => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    $("summary", menu).focus();
});

// Pictures that move -----------------------------------------------------------

// A picture moves while its address ends in #play. Whoever asks for reduced
// motion sees it still until they press the button.
(function () {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const image of all("img.moves")) {
        const button = element("button", { type: "button", class: "motion" });
        const source = image.getAttribute("src");
        const play = on => {
            image.src = on ? source + "#play" : source;
            button.textContent = on ? "Stop" : "Play";
            button.setAttribute("aria-label",
                (on ? "Stop the picture" : "Play the picture"));
        };
        button.onclick = () => play(button.textContent === "Play");
        image.closest("figure").insertBefore(button,
            $("figcaption", image.closest("figure")));
        play(!still);
    }
})();

// Where on the page ----------------------------------------------------------

(function () {
    const links = new Map(all(".toc a").map(a =>
        [decodeURIComponent(a.hash.slice(1)), a]));
    if (!links.size) return;
    const heads = all("main h2");
    function show() {
        const above = heads.filter(h => h.getBoundingClientRect().top < 120);
        const now = above.length ? links.get(above.at(-1).id) : null;
        for (const a of links.values()) {
            if (a === now) a.setAttribute("aria-current", "true");
            else a.removeAttribute("aria-current");
        }
    }
    addEventListener("scroll", show, { passive: true });
    show();
})();

// Search ---------------------------------------------------------------------

const plain = text => text.toLowerCase().replace(/[\u2018\u2019]/g, "'");

const singular = word => word.replace(/s$/, "");

// How much a section says of the phrase: one that is about it (its heading, a
// glossary's entry) or explains it comes before those that mention it.
function score_of(phrase, words, heading, head, body, terms) {
    const one = singular(phrase);
    const about = singular(plain(heading)) === one;
    const explains = terms.split(";").some(t => t && singular(t) === one);
    return 100 * about + 60 * explains + 20 * head.includes(phrase) +
        10 * body.includes(phrase) + Math.min(body.split(phrase).length - 1, 5) +
        words.filter(w => head.includes(w)).length;
}

// Sections that hold every word, the best first.
function find(query) {
    const phrase = plain(query).trim().replace(/\s+/g, " ");
    const words = phrase.split(" ").filter(Boolean);
    if (!words.length) return [];
    const hits = [];
    for (const section of window.bookIndex) {
        const [page, anchor, title, heading, text, terms] = section;
        const head = plain(title + " " + heading), body = plain(text);
        if (!words.every(w => head.includes(w) || body.includes(w))) continue;
        const score = score_of(phrase, words, heading, head, body,
            plain(terms));
        hits.push({ page, anchor, title, heading, text, score,
            term: body.includes(phrase) ? phrase : words[0] });
    }
    return hits.sort((a, b) => b.score - a.score);
}

// The text around the first hit, with the term marked.
function excerpt({ text, term }) {
    const at = plain(text).indexOf(term), small = element("small");
    const begin = at < 60 ? 0 : text.indexOf(" ", at - 55) + 1;
    if (at < 0) small.append(text.slice(0, 150) + " …");
    else small.append((begin ? "… " : "") + text.slice(begin, at),
        element("mark", {}, text.slice(at, at + term.length)),
        text.slice(at + term.length, at + 110) + " …");
    return small;
}

function show_hits(query, list, count) {
    const hits = find(query);
    list.replaceChildren(...hits.slice(0, 30).map(hit => {
        const link = element("a", { href: hit.page + ".html?find=" +
            encodeURIComponent(hit.term) + "#" + hit.anchor });
        link.append(element("strong", {}, hit.anchor ?
            hit.title + " › " + hit.heading : hit.title), excerpt(hit));
        return element("li", {}, link);
    }));
    count.textContent = !query.trim() ?
        "Words or a phrase. Arrow keys choose, Enter opens, Esc closes." :
        hits.length === 1 ? "1 section" : hits.length + " sections";
}

function build_search() {
    const input = element("input", { type: "search", "aria-label": "Search",
        placeholder: "Search the book", autocomplete: "off",
        spellcheck: "false" });
    const close = element("button", { type: "button" }, "Close");
    const list = element("ul", { class: "hits", "aria-label": "Results" });
    const count = element("p", { class: "count", role: "status" });
    const dialog = element("dialog", { "aria-label": "Search" },
        element("div", { class: "search-row" }, input, close), list, count);

    close.onclick = () => dialog.close();
    dialog.onclick = event => {
        if (event.target === dialog) dialog.close();
    };
    input.oninput = () => show_hits(input.value, list, count);
    dialog.onkeydown = event => {
        const links = all("a", list), at = links.indexOf(document.activeElement);
        if (event.key === "Enter" && document.activeElement === input)
            links[0]?.click();
        else if (event.key === "ArrowDown") links[at + 1]?.focus();
        else if (event.key === "ArrowUp" && at >= 0)
            (links[at - 1] || input).focus();
        else return;
        event.preventDefault();
    };
    document.body.append(dialog);
    show_hits("", list, count);
    return dialog;
}

(function () {
    const button = $("button.find");
    let dialog = null;
    function open() {
        if (!dialog) {
            const script = element("script", { src: "search.js" });
            script.onload = () => {
                dialog = dialog || build_search();
                if (!dialog.open) dialog.showModal();
                $("input", dialog).focus();
            };
            document.head.append(script);
        } else if (!dialog.open) {
            dialog.showModal();
            $("input", dialog).select();
        }
    }
    button.hidden = false;
    button.onclick = open;
    document.addEventListener("keydown", event => {
        const typing = event.target.closest("input, textarea");
        const asked = event.key === "/" && !typing && !event.ctrlKey &&
            !event.metaKey && !event.altKey ||
            event.key === "k" && (event.ctrlKey || event.metaKey);
        if (!asked) return;
        event.preventDefault();
        open();
    });
})();

// Coming from search: the first hit below the heading, marked and in view.
function text_below(heading) {
    const walker = document.createTreeWalker($("main"), NodeFilter.SHOW_TEXT);
    const nodes = [];
    let on = !heading;
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement;
        if (heading && heading.contains(node)) on = true;
        else if (heading && on && parent.closest("h2, h3")) break;
        if (on && !parent.closest(".copy, .anchor, .turn, math"))
            nodes.push(node);
    }
    return nodes;
}

(function () {
    const term = plain(new URLSearchParams(location.search).get("find") || "");
    if (!term) return;
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it stands, then */ }
    const nodes = text_below(id && document.getElementById(id));
    // One string, with line breaks as spaces, so that a phrase may span lines
    // and elements.
    const text = plain(nodes.map(n => n.data).join("")).replace(/\s/g, " ");
    let at = text.indexOf(term), end = at + term.length, mark = null;
    if (at < 0) return;
    for (const node of nodes) {
        const from = Math.max(at, 0), to = Math.min(end, node.data.length);
        const length = node.data.length;
        if (from < to) {
            const range = document.createRange(), one = element("mark");
            range.setStart(node, from);
            range.setEnd(node, to);
            range.surroundContents(one);
            mark = mark || one;
        }
        at -= length;
        end -= length;
        if (end <= 0) break;
    }
    const answer = mark.closest("details");
    if (answer) answer.open = true;
    mark.scrollIntoView({ block: "center", behavior: "instant" });
    addEventListener("load", () => mark.scrollIntoView({ block: "center",
        behavior: "instant" }));
})();
