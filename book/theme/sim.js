// SPDX-License-Identifier: MIT
// The simulated GPU in a page. Nothing is loaded before a reader asks for it:
// then the engine (sim-engine.js), which runs in a worker of its own, and the
// chapter's kernels (sim-NN.js). sim-kernel.js and sim-access.js are what a
// reader sees.
//
//   Simulator.start()      -> the worker runs; once per page
//   Simulator.gpu()        -> a GPU of one's own: {call}
//     gpu.call(calls)      -> results of calls of common/simgpu/page/page.h
//   Simulator.kernels(NN)  -> a chapter's kernels, as book/kernels/make.sh says
//   simPlan                which calls repeat what a launcher did
"use strict";

const simPlan = {
    CONTENT: { floats: 0, integers: 1, bytes: 2 },
    UNTIL: { n: 0, line: 1, finding: 2, access: 4 },

    // A GPU with the kernel's arrays, as the operator of that shape has them.
    open(kernel, shape, seed = 0) {
        const calls = [["open", seed]];
        kernel.shapes[shape].arrays.forEach(([, role, type, bytes], k) => {
            const whole = Math.floor(bytes / 4) * 4;
            calls.push(["alloc", bytes]);
            if (role !== "output")
                calls.push(["fill", k + 1, 0, whole, type.startsWith("int") ?
                    this.CONTENT.integers : this.CONTENT.floats, k + 1]);
        });
        calls.push(["load", kernel.ptx]); // its variables come after the arrays
        return calls;
    },

    // One call of the launcher: a memset, or what comes before a launch; and
    // the launch itself, or null.
    before(call) {
        if (call.memset)
            return [["fill", call.memset, call.offset, call.bytes,
                this.CONTENT.bytes, call.value]];
        return [["params", call.params],
            ...call.points.map(point => ["point", ...point])];
    },
    launch(call) {
        return call.memset ? null :
            [call.kernel, ...call.grid, ...call.block, call.shared];
    },

    // All of it in one go.
    whole(kernel, shape) {
        const calls = this.open(kernel, shape);
        for (const call of kernel.shapes[shape].calls) {
            calls.push(...this.before(call));
            if (!call.memset) calls.push(["whole", ...this.launch(call)]);
        }
        return calls;
    },
};

const Simulator = (function () {
    const MUST_BE_0 = new Set(["fill", "set", "params", "point"]);
    const waiting = new Map();
    let worker = null, starting = null, number = 0, gpus = 0;
    globalThis.simKernels = globalThis.simKernels || {};

    function script(name) {
        return new Promise((done, failed) => {
            const element = document.createElement("script");
            element.src = name;
            element.onload = done;
            element.onerror = () => failed(new Error(name + " is missing"));
            document.head.append(element);
        });
    }

    // From a file, a worker can only be made of text that the page holds.
    async function open() {
        await script("sim-engine.js");
        const url = URL.createObjectURL(new Blob([simEngine.source],
            { type: "text/javascript" }));
        worker = new Worker(url);
        worker.onmessage = ({ data }) => {
            const { done, failed } = waiting.get(data.id);
            waiting.delete(data.id);
            if (data.error) failed(new Error(data.error));
            else done(data.results);
        };
        worker.postMessage({ packed: simEngine.packed });
        delete globalThis.simEngine;
    }

    async function unpack(packed) {
        const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
        const stream = new Blob([bytes]).stream()
            .pipeThrough(new DecompressionStream("gzip"));
        return JSON.parse(await new Response(stream).text());
    }

    const start = () => starting = starting || open();

    async function call(gpu, calls) {
        await start();
        const results = await new Promise((done, failed) => {
            waiting.set(++number, { done, failed });
            worker.postMessage({ id: number, gpu, calls });
        });
        results.forEach((result, k) => {
            const wrong = result.error ||
                (MUST_BE_0.has(calls[k][0]) && result !== 0) ||
                (calls[k][0] === "alloc" && result === 0);
            if (wrong) throw new Error(`${calls[k][0]}: ` +
                (result.error || "refused"));
        });
        return results;
    }

    return {
        start,
        gpu() {
            const gpu = ++gpus;
            return { call: calls => call(gpu, calls) };
        },
        async kernels(chapter) {
            if (!simKernels[chapter]) await script(`sim-${chapter}.js`);
            return unpack(simKernels[chapter]);
        },
    };
})();

// What both displays draw ----------------------------------------------------

const simDraw = (function () {
    const SECTOR = 32, WORD = 4, BANKS = 32, LANES = 32;
    const svg = (tag, attributes, ...children) => {
        const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const key in attributes) e.setAttribute(key, attributes[key]);
        e.append(...children);
        return e;
    };

    // Word -> lanes that touch it.
    function words(access) {
        const map = new Map();
        for (let lane = 0; lane < LANES; lane++) {
            if (!(access.mask >>> lane & 1)) continue;
            for (let b = 0; b < access.bytes; b += WORD) {
                const word = Math.floor((access.at[lane] + b) / WORD);
                map.set(word, [...(map.get(word) || []), lane]);
            }
        }
        return map;
    }

    function span(lanes) {
        return lanes.length > 1 ? `${lanes[0]}+` : `${lanes[0]}`;
    }

    // Sectors in rows, eight words each; those between, which nobody touches,
    // are left out.
    function sectors(access, narrow) {
        const map = words(access), per = SECTOR / WORD;
        const touched = [...new Set([...map.keys()]
            .map(w => Math.floor(w / per)))].sort((a, b) => a - b);
        const across = narrow ? 2 : 4, width = 150, height = 34, cell = 18;
        const rows = Math.ceil(touched.length / across);
        const picture = svg("svg", { class: "sim-picture", role: "img",
            viewBox: `0 0 ${across * width} ${Math.max(rows, 1) * height}`,
            "aria-label": `${touched.length} sectors of 32 bytes touched` });
        touched.forEach((sector, k) => {
            const x = k % across * width, y = Math.floor(k / across) * height;
            picture.append(svg("text", { x: x + 1, y: y + 9, class: "where" },
                `byte ${(sector * SECTOR).toLocaleString("en")}`));
            for (let w = 0; w < per; w++) {
                const lanes = map.get(sector * per + w);
                picture.append(svg("rect", { x: x + 1 + w * cell, y: y + 12,
                    width: cell - 1.5, height: 17, rx: 2,
                    class: lanes ? "on" : "off" }));
                if (lanes) picture.append(svg("text", { class: "lane",
                    x: x + 1 + w * cell + (cell - 1.5) / 2, y: y + 24 },
                    span(lanes)));
            }
        });
        return picture;
    }

    // A column per bank: the distinct words that it must hand out. What stands
    // above its fair share takes more passes.
    function banks(access, narrow) {
        const map = words(access);
        const columns = Array.from({ length: BANKS }, () => []);
        for (const [word, lanes] of [...map].sort((a, b) => a[0] - b[0]))
            columns[((word % BANKS) + BANKS) % BANKS].push(lanes);
        const share = Math.max(1, Math.ceil(map.size / BANKS));
        const tallest = Math.max(1, ...columns.map(c => c.length));
        const cell = narrow ? 9.5 : 18.75, height = tallest > 8 ? 5 : 16;
        const top = tallest * height + 4;
        const picture = svg("svg", { class: "sim-picture", role: "img",
            viewBox: `0 0 ${BANKS * cell} ${top + 16}`,
            "aria-label": `the fullest of 32 banks holds ${tallest} of the ` +
                "words" });
        columns.forEach((column, bank) => {
            const x = bank * cell;
            picture.append(svg("rect", { x: x + 1, y: top - height - 2,
                width: cell - 2, height: height - 1.5, rx: 2, class: "off" }));
            column.forEach((lanes, k) => {
                const y = top - (k + 1) * height - 2;
                picture.append(svg("rect", { x: x + 1, y, width: cell - 2,
                    height: height - 1.5, rx: 2,
                    class: k < share ? "on" : "more" }));
                if (height > 8 && !narrow) picture.append(svg("text",
                    { class: "lane", x: x + cell / 2, y: y + 11 },
                    span(lanes)));
            });
            if (bank % 4 === 0) picture.append(svg("text", { class: "where",
                x: x + 2, y: top + 11 }, String(bank)));
        });
        return picture;
    }

    // Into a box, as wide as that is, and again when that changes.
    const shown = new Map(); // box -> {access, narrow}
    const is_narrow = box => box.clientWidth < 460;
    function draw(box, a) {
        const narrow = is_narrow(box);
        shown.set(box, { access: a, narrow });
        box.replaceChildren(...!a ? [] : [a.space === "shared" ?
            banks(a, narrow) : sectors(a, narrow)]);
    }
    const widths = typeof ResizeObserver === "undefined" ? null :
        new ResizeObserver(list => list.forEach(({ target }) => {
            const { access, narrow } = shown.get(target);
            if (is_narrow(target) !== narrow) draw(target, access);
        }));

    return { count: access => words(access).size,
        access(box, a) {
            if (widths && !shown.has(box)) widths.observe(box);
            draw(box, a);
        } };
})();

if (typeof module !== "undefined") module.exports = { simPlan };
