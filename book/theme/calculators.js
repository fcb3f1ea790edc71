// SPDX-License-Identifier: MIT
// The calculators that a reader moves: occupancy and the roofline. A page that
// has one loads this, calc.js (what they compute) and gpus.js (the cards).
"use strict";

(function () {

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes, ...children) {
    const e = document.createElementNS(SVG, tag);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    e.append(...children);
    return e;
}

const digits = (value, n = 3) => Number(value.toPrecision(n))
    .toLocaleString("en", { maximumSignificantDigits: n });
let fields = 0;

// A label, a slider and the number beside it; `log` sliders move by factors. A
// number up to `most` may be typed where the slider ends before; `whole` ones
// have no fractions.
function field(label, { min, max, step, value, log, whole, most = max },
    changed) {
    const id = "calc-" + ++fields;
    const to = log ? Math.log2 : x => x, from = log ? x => 2 ** x : x => x;
    const slider = element("input", { type: "range", min: to(min), max: to(max),
        step: log ? "any" : step, value: to(value), "aria-label": label });
    const box = element("input", { type: "number", id, min, max: most,
        step: whole ? 1 : "any", value: Number(value.toPrecision(4)),
        inputmode: "decimal" });
    let now = value;
    function set(next) {
        if (!Number.isFinite(next) || next <= 0 && min > 0) return;
        now = Math.min(Math.max(whole ? Math.round(next) : next, min), most);
        changed();
    }
    const step_of = () => log ? (Math.log2(max) - Math.log2(min)) / 100 : step;
    slider.addEventListener("input", () => {
        const next = from(Number(slider.value));
        set(log ? Number(next.toPrecision(3)) : next);
        box.value = now;
    });
    // "any" leaves the arrow keys with a step of the browser's choice.
    slider.addEventListener("keydown", event => {
        const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1,
            ArrowDown: -1 }[event.key];
        if (!way || !log) return;
        event.preventDefault();
        slider.value = Number(slider.value) + way * step_of();
        slider.dispatchEvent(new Event("input"));
    });
    box.addEventListener("input", () => {
        if (box.value === "") return;
        set(Number(box.value));
        slider.value = to(now);
    });
    box.addEventListener("change", () => {
        box.value = Number(now.toPrecision(4));
    });
    return {
        get value() { return now; },
        set end(end) {
            slider.max = to(end);
            slider.value = to(now);
        },
        show(next) {
            now = next;
            box.value = Number(next.toPrecision(4));
            slider.value = to(next);
        },
        node: element("div", { class: "field" },
            element("label", { for: id }, label), slider, box),
    };
}

function choice(label, names, changed) {
    const id = "calc-" + ++fields, select = element("select", { id });
    names.forEach((name, i) => select.append(element("option",
        { value: i }, name)));
    select.addEventListener("change", changed);
    return { get value() { return Number(select.value); },
        node: element("div", { class: "field" },
            element("label", { for: id }, label), select) };
}

// What a reader hears after a pause; what changes at each step is silent.
function speaker() {
    const node = element("p", { class: "verdict", role: "status" });
    let timer = 0;
    return { node, say(text) {
        clearTimeout(timer);
        if (!node.textContent) node.textContent = text;
        else timer = setTimeout(() => { node.textContent = text; }, 150);
    } };
}

function frame(place, title, controls, picture, verdict) {
    place.replaceChildren(element("p", { class: "calc-title" }, title),
        element("div", { class: "controls" }, ...controls), picture, verdict);
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", title);
}

// Occupancy ------------------------------------------------------------------

const LIMITS = [["threads", "threads"], ["slots", "block slots"],
    ["registers", "registers"], ["shared", "shared memory"]];

// A square per warp that fits; those of one block in one shade.
function warps_drawn(most, warps, blocks) {
    const COLUMNS = 16, CELL = 20, rows = Math.ceil(most / COLUMNS);
    const svg = draw("svg", { viewBox: `0 0 ${COLUMNS * CELL} ${rows * CELL}`,
        "aria-hidden": "true", class: "warps" });
    for (let i = 0; i < most; i++) {
        const block = Math.floor(i / warps);
        svg.append(draw("rect", { x: i % COLUMNS * CELL + 2,
            y: Math.floor(i / COLUMNS) * CELL + 2, width: CELL - 4,
            height: CELL - 4, rx: 3, class: block >= blocks ? "free" :
                block % 2 ? "odd" : "even" }));
    }
    return svg;
}

const KIB = 1024;
const number = n => n.toLocaleString("en");

// Why not even one block fits, or "".
function obstacle(gpu, threads, registers, shared, n) {
    const warps = Math.ceil(threads / WARP);
    const taken = warps * round_up(registers * WARP, REGISTER_UNIT);
    return [
        shared > gpu.shared_block_optin && "A block may have at most " +
            `${number(gpu.shared_block_optin / KIB)} KiB of shared memory on ` +
            "this card.",
        threads > MOST_THREADS &&
            `A block has at most ${number(MOST_THREADS)} threads.`,
        registers > MOST_REGISTERS &&
            `A thread has at most ${MOST_REGISTERS} registers.`,
    ].filter(Boolean).join(" ") || (n.blocks ? "" : [
        !n.registers && `${warps} warps of ${registers} registers per thread ` +
            `take ${number(taken)} registers; a multiprocessor has ` +
            number(gpu.registers_sm) + (taken > gpu.registers_sm ? "." :
                ", and no warp lies in two schedulers' parts."),
        !n.shared && `With the ${gpu.shared_reserved / KIB} KiB that the ` +
            "system takes, a block's shared memory is more than the " +
            `${number(gpu.shared_sm / KIB)} KiB of a multiprocessor.`,
        !n.threads && `A multiprocessor holds ${number(gpu.max_threads_sm)} ` +
            "threads.",
    ].filter(Boolean).join(" "));
}

function limits_table(n) {
    return element("table", {}, element("tbody", {},
        ...LIMITS.map(([key, name]) => element("tr",
            n[key] === n.blocks ? { class: "binds" } : {},
            element("th", { scope: "row" }, name), element("td", {},
                n[key] + (n[key] === 1 ? " block" : " blocks"))))));
}

function occupancy(place, start) {
    const picture = element("div", { class: "drawn" }), said = speaker();
    const most_shared = Math.max(...window.bookGpus.map(g =>
        g.shared_block_optin)) / KIB;
    const card = choice("Card", window.bookGpus.map(g => g.name), show);
    const threads = field("Threads per block",
        { min: 32, max: 1024, step: 32, value: start.threads, whole: true },
        show);
    const registers = field("Registers per thread",
        { min: 16, max: 255, step: 1, value: start.registers, whole: true },
        show);
    const shared = field("Shared memory per block, KiB",
        { min: 0, max: most_shared, step: 1, value: start.shared / KIB }, show);

    function show() {
        const gpu = window.bookGpus[card.value];
        const asked = [threads.value, registers.value,
            Math.round(shared.value * KIB)];
        const n = gpu_blocks(gpu, ...asked);
        const why = obstacle(gpu, ...asked, n);
        const warps = Math.ceil(threads.value / WARP);
        const most = Math.floor(gpu.max_threads_sm / WARP);
        shared.end = Math.floor(gpu.shared_block_optin / KIB);
        picture.replaceChildren(warps_drawn(most, warps, n.blocks),
            ...why ? [] : [limits_table(n)]);
        const binds = LIMITS.filter(([key]) => n[key] === n.blocks)
            .map(([, name]) => name).join(" and ");
        said.say(why ? "No block fits on this card. " + why :
            `${n.blocks} ${n.blocks === 1 ? "block" : "blocks"}, ` +
            `${n.blocks * warps} of ${most} warps: ` +
            `${Math.round(100 * n.blocks * warps / most)} %. ` +
            `The limit: ${binds}.`);
    }
    frame(place, "Occupancy of one multiprocessor", [card.node, threads.node,
        registers.node, shared.node], picture, said.node);
    show();
}

// The roofline ---------------------------------------------------------------

const PEAKS = [["fp32", "fp32"], ["tf32_tensor", "tf32 tensor cores"],
    ["bf16_tensor", "bf16 tensor cores"]];

function plot(roofs, point) {
    const WIDTH = 336, HEIGHT = 200, LEFT = 8, FOOT = HEIGHT - 22;
    const xs = [1 / 16, 4096];
    const ys = [roofs.bandwidth * xs[0], roofs.flops * 2]; // the whole slope
    const within = (v, low, high) => Math.min(Math.max(v, low), high);
    const ratio = (v, [low, high]) =>
        Math.log(within(v, low, high) / low) / Math.log(high / low);
    const x = v => LEFT + (WIDTH - 2 * LEFT) * ratio(v, xs);
    const y = v => FOOT - (FOOT - 18) * ratio(v, ys);
    const ridge = roofs.flops / roofs.bandwidth;
    const text = (at_x, at_y, anchor, words) => draw("text",
        { x: at_x, y: at_y, "text-anchor": anchor }, words);
    const left = point.intensity < xs[1] / 40;
    return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "roofs",
        "aria-hidden": "true" },
        draw("path", { class: "axis",
            d: `M${LEFT} 14V${FOOT}H${WIDTH - LEFT}` }),
        draw("path", { class: "roof", d: `M${x(xs[0])} ` +
            `${y(xs[0] * roofs.bandwidth)}L${x(ridge)} ${y(roofs.flops)}` +
            `H${WIDTH - LEFT}` }),
        draw("path", { class: "reach", d: `M${x(point.intensity)} ` +
            `${y(point.most)}V${y(point.reached)}` }),
        draw("circle", { cx: x(point.intensity), cy: y(point.reached), r: 6 }),
        text(x(point.intensity) + (left ? 11 : -11), y(point.reached) + 5,
            left ? "start" : "end", digits(point.reached / 1e12) + " TFLOP/s"),
        text(WIDTH - LEFT, y(roofs.flops) - 6, "end",
            digits(roofs.flops / 1e12) + " TFLOP/s"),
        text(WIDTH - LEFT, HEIGHT - 6, "end", "operations per byte"),
        text(x(ridge), FOOT + 15, "middle", digits(ridge)));
}

function roofline(place, start) {
    const picture = element("div", { class: "drawn" }), said = speaker();
    const card = choice("Card", window.bookGpus.map(g => g.name), set_roofs);
    const pipe = choice("Arithmetic", PEAKS.map(p => p[1]), set_roofs);
    let warning = "";
    const peak = field("Peak, TFLOP/s",
        { min: .1, max: 4000, value: 1, log: true }, () => {
            warning = "";
            show();
        });
    const bandwidth = field("Bandwidth, GB/s",
        { min: 10, max: 20000, value: 10, log: true }, show);
    const bytes = field("Bytes moved, MB",
        { min: .01, max: 1e5, value: start.bytes / 1e6, log: true }, show);
    const flops = field("Operations, GFLOP",
        { min: .001, max: 1e5, value: start.flops / 1e9, log: true }, show);
    const time = field("Time, ms",
        { min: .001, max: 1e4, value: start.time_ms, log: true }, show);

    function set_roofs() {
        const gpu = window.bookGpus[card.value];
        const flops_per_second = gpu.peak[PEAKS[pipe.value][0]];
        if (flops_per_second) peak.show(flops_per_second / 1e12);
        bandwidth.show(gpu.bandwidth / 1e9);
        warning = flops_per_second ? "" : "This card's tensor cores, if " +
            "it has any, do not take this type; the peak is the one before. ";
        show();
    }
    function show() {
        const roofs = { bandwidth: bandwidth.value * 1e9,
            flops: peak.value * 1e12 };
        const f = flops.value * 1e9, b = bytes.value * 1e6;
        const seconds = time.value / 1e3;
        const at = roofline_place(f, b, seconds, roofs);
        picture.replaceChildren(plot(roofs, { intensity: at.intensity,
            reached: f / seconds,
            most: Math.min(roofs.flops, at.intensity * roofs.bandwidth) }));
        const least = Math.max(b / roofs.bandwidth, f / roofs.flops) * 1e3;
        said.say(warning + `${digits(at.intensity)} operations per byte: ` +
            `${at.bound === "memory" ? "memory" : "arithmetic"} decides. ` +
            `The least time is ${digits(least)} ms; ${digits(time.value)} ms ` +
            `is ${digits(at.percent_of_roof)} % of the roof` +
            (at.percent_of_roof > 100 ? ": a cache served bytes, a count is " +
                "wrong, or this roof is too low." : "."));
    }
    frame(place, "A kernel under its two ceilings", [card.node, pipe.node,
        flops.node, bytes.node, time.node, peak.node, bandwidth.node], picture,
        said.node);
    set_roofs();
}

const KINDS = { occupancy, roofline };
for (const place of all(".calculator"))
    KINDS[place.dataset.kind](place, JSON.parse(place.dataset.start));

})();
