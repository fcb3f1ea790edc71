// SPDX-License-Identifier: MIT
// What an access of a warp looks like: sectors of global memory, banks of shared
// memory. The addresses, and how many lanes go together, are the engine's.
//
//   simDraw.access(box, access)   draws into a box, as wide as that is, and
//                                 again when its width changes
//   simDraw.count(access)         how many words it touches
//   simPasses(access)             -> [{first, last, columns}, …]: a pass serves
//                                 those lanes; a column per bank has the lanes
//                                 that each of its words goes to
//   simTouched(access)            word -> the lanes that touch it
//   simWavefronts(access)         what the drawn columns add up to
"use strict";

const SECTOR = 32, WORD = 4, BANKS = 32, LANES = 32;

// Word -> lanes that touch it.
function simTouched(access, mask = access.mask) {
    const map = new Map();
    for (let lane = 0; lane < LANES; lane++) {
        if (!(mask >>> lane & 1)) continue;
        for (let b = 0; b < access.bytes; b += WORD) {
            const word = Math.floor((access.at[lane] + b) / WORD);
            map.set(word, [...(map.get(word) || []), lane]);
        }
    }
    return map;
}

function simPasses(access) {
    const passes = [], lanes = access.lanes;
    for (let first = 0; first < LANES; first += lanes) {
        const group = lanes < LANES ? (1 << lanes) - 1 << first : -1;
        const columns = Array.from({ length: BANKS }, () => []);
        const map = simTouched(access, (access.mask & group) >>> 0);
        for (const [word, those] of [...map].sort((a, b) => a[0] - b[0]))
            columns[((word % BANKS) + BANKS) % BANKS].push(those);
        if (map.size)
            passes.push({ first, last: first + lanes - 1, columns });
    }
    return passes;
}

const simTallest = pass => Math.max(...pass.columns.map(c => c.length));
const simWavefronts = (access, passes = simPasses) =>
    passes(access).reduce((sum, pass) => sum + simTallest(pass), 0);

const simDraw = (function () {
    const MOST = 64; // sectors; a bulk copy has more
    const svg = (tag, attributes, ...children) => {
        const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const key in attributes) e.setAttribute(key, attributes[key]);
        e.append(...children);
        return e;
    };
    const picture = (width, height, label) => svg("svg", { role: "img",
        class: "sim-picture", viewBox: `0 0 ${width} ${height}`,
        "aria-label": label });
    const span = lanes => lanes.length > 1 ? `${lanes[0]}+` : `${lanes[0]}`;

    // Sectors in rows, eight words each; those between, which nobody touches,
    // are left out.
    function sectors(access, narrow) {
        const map = simTouched(access), per = SECTOR / WORD;
        const touched = [...new Set([...map.keys()]
            .map(w => Math.floor(w / per)))].sort((a, b) => a - b);
        const shown = touched.slice(0, MOST), left = touched.length - MOST;
        const across = narrow ? 2 : 4, width = 150, height = 34, cell = 18;
        const rows = Math.max(Math.ceil(shown.length / across), 1);
        const drawn = picture(across * width,
            rows * height + (left > 0 ? 14 : 0),
            `${touched.length} sector${touched.length === 1 ? "" : "s"} ` +
                "of 32 bytes touched");
        shown.forEach((sector, k) => {
            const x = k % across * width, y = Math.floor(k / across) * height;
            drawn.append(svg("text", { x: x + 1, y: y + 9, class: "where" },
                `byte ${(sector * SECTOR).toLocaleString("en")}`));
            for (let w = 0; w < per; w++) {
                const lanes = map.get(sector * per + w);
                drawn.append(svg("rect", { x: x + 1 + w * cell, y: y + 12,
                    width: cell - 1.5, height: 17, rx: 2,
                    class: lanes ? "on" : "off" }));
                if (lanes) drawn.append(svg("text", { class: "lane",
                    x: x + 1 + w * cell + (cell - 1.5) / 2, y: y + 24 },
                    span(lanes)));
            }
        });
        if (left > 0) drawn.append(svg("text", { class: "where", x: 1,
            y: rows * height + 10 }, `and ${left.toLocaleString("en")} more`));
        return drawn;
    }

    // The columns of one pass, from y on. The first word of a bank is free;
    // each further one takes a wavefront more.
    function columns(drawn, pass, y, { cell, height, text }) {
        const foot = y + simTallest(pass) * height;
        pass.columns.forEach((column, bank) => {
            const x = bank * cell;
            if (!column.length) drawn.append(svg("rect", { x: x + 1,
                y: foot - height, width: cell - 2, height: height - 1.5, rx: 2,
                class: "off" }));
            column.forEach((lanes, k) => {
                const top = foot - (k + 1) * height;
                drawn.append(svg("rect", { x: x + 1, y: top, rx: 2,
                    width: cell - 2, height: height - 1.5,
                    class: k ? "more" : "on" }));
                if (text) drawn.append(svg("text", { class: "lane",
                    x: x + cell / 2, y: top + 11 }, span(lanes)));
            });
        });
        return foot;
    }

    // A column per bank, pass after pass.
    function banks(access, narrow) {
        const passes = simPasses(access), heights = passes.map(simTallest);
        const cell = narrow ? 9.5 : 18.75, title = passes.length > 1 ? 14 : 2;
        const height = Math.max(...heights) > 8 ? 5 : 16;
        const all = heights.reduce((sum, n) => sum + n, 0);
        const drawn = picture(BANKS * cell,
            passes.length * (title + 4) + all * height + 14,
            `${all} wavefront${all === 1 ? "" : "s"}: ` + passes.map((p, k) =>
                `${heights[k]} for lanes ${p.first} to ${p.last}`).join(", "));
        let y = 0;
        passes.forEach((pass, k) => {
            if (passes.length > 1) drawn.append(svg("text", { class: "where",
                x: 2, y: y + 10 }, `lanes ${pass.first}–${pass.last}: ` +
                `${heights[k]} wavefront${heights[k] === 1 ? "" : "s"}`));
            y = columns(drawn, pass, y + title,
                { cell, height, text: height > 8 && !narrow }) + 4;
        });
        for (let bank = 0; bank < BANKS; bank += 4)
            drawn.append(svg("text", { class: "where", x: bank * cell + 2,
                y: y + 8 }, String(bank)));
        return drawn;
    }

    const shown = new Map(); // box -> {access, narrow}
    const is_narrow = box => box.clientWidth < 460;
    function draw(box, a) {
        const narrow = is_narrow(box);
        shown.set(box, { access: a, narrow });
        box.replaceChildren(...!a ? [] : [a.space === "shared" && a.lanes ?
            banks(a, narrow) : sectors(a, narrow)]);
    }
    const widths = typeof ResizeObserver === "undefined" ? null :
        new ResizeObserver(list => list.forEach(({ target }) => {
            const { access, narrow } = shown.get(target);
            if (is_narrow(target) !== narrow) draw(target, access);
        }));

    return { count: access => simTouched(access).size,
        access(box, a) {
            if (widths && !shown.has(box)) widths.observe(box);
            draw(box, a);
        } };
})();

if (typeof module !== "undefined")
    module.exports = { simPasses, simWavefronts, simTouched };
