// SPDX-License-Identifier: MIT
// A kernel's source in the runner: its lines with their numbers, in the colours
// of the book's listings.
//
//   simSource.listing(kernel)      -> a list; an item per line, data-line
//   simSource.reveal(list, item)   scrolls the list alone
//   simSource.inside(file, kernel) whether a site of the engine is in it
"use strict";

const simSource = (function () {
    const CONTROL = "if|else|for|while|do|return|break|continue|switch|case";
    const TYPES = "int|float|float2|float4|double|unsigned|long|bool|char|" +
        "void|const|static|struct|enum|inline|volatile|template|typename|" +
        "size_t|dim3|cudaError_t|cudaStream_t|__shared__|__global__|" +
        "__device__|__restrict__|__align__|__launch_bounds__";
    const WORDS = new RegExp([
        "(//.*$|/\\*.*?\\*/)", '("(?:[^"\\\\]|\\\\.)*")',
        "\\b(0x[0-9a-f]+u?|\\d[\\d.]*(?:f|u|ll)?)\\b",
        `\\b(${CONTROL})\\b`, `\\b(${TYPES})\\b`, "(^\\s*#\\s*\\w+)",
    ].join("|"), "g");
    const CLASSES = ["co", "st", "dv", "cf", "dt", "pp"];

    function coloured(line) {
        const out = [];
        let at = 0;
        for (const match of line.matchAll(WORDS)) {
            out.push(line.slice(at, match.index));
            const kind = match.slice(1).findIndex(Boolean);
            out.push(element("span", { class: CLASSES[kind] }, match[0]));
            at = match.index + match[0].length;
        }
        out.push(line.slice(at));
        return out;
    }

    // From the first line of code on; numbers are those of the file.
    function listing(kernel) {
        const list = element("ol", { class: "sim-source", tabindex: "0",
            "aria-label": `Source, ${kernel.source}` });
        const lines = kernel.text.replace(/\n$/, "").split("\n");
        const first = lines.findIndex(line => line.startsWith("#include"));
        const from = Math.max(first, 0);
        list.style.setProperty("--first", from);
        lines.slice(from).forEach((line, k) => {
            if (/^\s*\/\/[<>] todo/.test(line)) line = "";
            const item = element("li", { "data-line": from + k + 1 },
                element("code", {}, ...coloured(line), "\n"));
            list.append(item);
        });
        return list;
    }

    // In view without moving the page.
    function reveal(list, item) {
        const above = item.offsetTop - list.scrollTop; // the list is its parent
        const room = list.clientHeight;
        if (above < room * .15 || above > room * .75)
            list.scrollTop = item.offsetTop - room * .4;
    }

    const inside = (file, kernel) => !file || file.endsWith(kernel.source) ||
        kernel.source.endsWith(file.replace(/^\.\//, ""));

    return { listing, reveal, inside };
})();
