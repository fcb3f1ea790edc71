// SPDX-License-Identifier: MIT
// The engine of the page against the native one, as TAP: every kernel, at its
// first and its largest shape, whole (with every check, and with counters alone)
// and in steps and slices: counters, faults, findings and what the arrays hold
// must be the same, bit for bit; so must the pictures of accesses.
//   equal.js ENGINE.js NATIVE
"use strict";
const { simPlan } = require("../../book/theme/sim.js");
const { simPasses, simTouched, simWavefronts } =
    require("../../book/theme/sim-draw.js");
const { all, first, largest } = require("./kernels.js");
const { natively } = require("./native.js");
const { open } = require("./worker.js");

const [, , engine, native] = process.argv;
const wasm = open(engine);
let count = 0, failed = 0, findings = 0;

function tap(name, wrong) {
    if (wrong) failed++;
    console.log(`${wrong ? "not ok" : "ok"} ${++count} - ${name}`);
    if (wrong) console.log("# " + wrong.replace(/\n/g, "\n# "));
}

// The words of every array.
function read(kernel, shape) {
    return kernel.shapes[shape].arrays.flatMap(([, , , bytes], k) =>
        Array.from({ length: Math.min(bytes, 4096) >> 2 }, (_, i) =>
            ["get", k + 1, 4 * i]));
}

// Stops now and then on the way, then goes to the end.
function stepped(kernel, shape) {
    const calls = simPlan.open(kernel, shape), u = simPlan.UNTIL;
    for (const call of kernel.shapes[shape].calls) {
        calls.push(...simPlan.before(call));
        if (call.memset) continue;
        calls.push(["launch", ...simPlan.launch(call)], ["step", 1, u.n],
            ["step", 100, u.line], ["look"], ["step", 1000, u.access],
            ["run", 500], ["look"], ["step", 77, u.n], ["look"],
            ["step", 3000, u.finding], ["look"], ["run", 100], ["look"],
            ["end"]);
    }
    return calls;
}

function difference(calls, one, other) {
    const k = one.findIndex((value, i) =>
        JSON.stringify(value) !== JSON.stringify(other[i]));
    if (one.length !== other.length || one.length !== calls.length)
        return `${calls.length} calls, ${one.length} and ${other.length} ` +
            "results";
    const error = one.find(value => value && value.error);
    if (error) return error.error;
    return k < 0 ? "" : `${calls[k].join(" ").slice(0, 80)}:\n` +
        JSON.stringify(one[k]) + "\n" + JSON.stringify(other[k]);
}

async function compare(kernel, shape, name, plan) {
    const calls = [...plan, ...read(kernel, shape)];
    const here = await wasm(calls), there = natively(native, calls);
    for (const result of here)
        if (result && result.findings) findings += result.findings.length;
    tap(`${kernel.chapter} ${kernel.title}, ${shape}, ${name}`,
        difference(calls, here, there));
}

// Accesses as simProbe makes them for the explorer: what is drawn is what the
// engine counts.
function asked() {
    const out = [];
    for (const space of ["global", "shared"])
        for (const write of [false, true])
            for (const width of [4, 8, 16])
                for (const stride of [0, 1, 2, 3, 4, 5, 8, 12, 32, 33, 48])
                    for (const mask of [2 ** 32 - 1, 0x55555555, 0x00ff00f1])
                        if (stride * 4 % width === 0)
                            out.push({ space, write, width, stride, mask,
                                offset: width / 4 });
    return out;
}

function misdrawn(ask, step, counters, passes = simPasses) {
    const [access] = step.accesses.filter(a => a.space === ask.space);
    const name = `${ask.space}_${ask.write ? "store" : "load"}_`;
    const sectors = new Set([...simTouched(access).keys()]
        .map(word => Math.floor(word / 8))).size;
    const [drawn, counted] = ask.space === "global" ?
        [[sectors, access.sectors], counters[name + "sectors"]] :
        [[simWavefronts(access, passes), access.wavefronts,
            passes(access).length + counters[name + "conflicts"]],
        counters[name + "wavefronts"]];
    return drawn.every(n => n === counted) ? [] :
        [`${JSON.stringify(ask)}: ${drawn}, counted ${counted}`];
}

async function drawings() {
    globalThis.simPlan = simPlan;
    const { simProbe } = require("../../book/theme/sim-probe.js");
    const wrong = [], whole = [];
    for (const ask of asked()) {
        const [{ step }, { counters }] =
            (await wasm(simProbe(ask))).slice(-2);
        wrong.push(...misdrawn(ask, step, counters));
        // As if every access went by whole warps.
        whole.push(...misdrawn(ask, step, counters,
            access => simPasses({ ...access, lanes: 32 })));
    }
    tap("what is drawn of an access is what the engine counts",
        wrong.slice(0, 5).join("\n"));
    tap("a picture of whole warps would be noticed",
        whole.length > 20 ? "" : `${whole.length}`);
}

// A comparison that a wrong counter passes would be worth nothing.
async function notices(kernel) {
    const shape = first(kernel), calls = simPlan.whole(kernel, shape);
    const other = structuredClone(calls);
    const fill = other.find(call => call[0] === "whole");
    fill[2]++; // a block more
    const wrong = difference(calls, await wasm(calls),
        natively(native, other));
    tap("a launch of one block more is not equal", wrong ? "" : "it is");
}

// Where a kernel's parameters hold pointers depends on no shape; a size that
// record.c took for an address would.
function moving_pointers(kernels) {
    const wrong = [];
    for (const { chapter, title, shapes } of kernels) {
        const places = new Map(); // kernel -> of its pointers
        for (const shape in shapes)
            for (const { kernel, points } of shapes[shape].calls) {
                if (!points) continue;
                const now = points.map(point => point[0]).join();
                if ((places.get(kernel) || now) !== now)
                    wrong.push(`${chapter} ${title}, ${shape}: ${now}`);
                places.set(kernel, now);
            }
    }
    return wrong;
}

function pointers(kernels) {
    tap("pointers of parameters depend on no shape",
        moving_pointers(kernels).join("\n"));
    const other = structuredClone([kernels[0]]);
    Object.values(other[0].shapes)[0].calls[0].points.push([24, 1, 64]);
    tap("one that does is noticed",
        moving_pointers(other).length ? "" : "it is not");
}

// Calls that make no sense are refused, by number or by an error; their
// neighbours that do are not.
async function refuses(kernel) {
    const shape = first(kernel);
    const call = kernel.shapes[shape].calls.find(c => !c.memset);
    const [name, ...grid] = simPlan.launch(call);
    const cases = [
        [["look"], true], [["end"], true], [["step", 1, 0], true],
        [["run", 1], true],
        [["alloc", 64 << 20], 0], [["fill", 1, 0, 1 << 30, 0, 1], 1],
        [["fill", 99, 0, 4, 0, 1], 1], [["fill", 1, 0, 4, 0, 1], 0],
        [["set", 1, 2 ** 31, 1], 1], [["params", "0g"], 1],
        [["load", "no PTX at all"], true], [["load", kernel.ptx], false],
        [["launch", "nobody", ...grid], true],
        [["params", ""], 0], [["launch", name, ...grid], true],
        [["params", call.params], 0], [["point", 4, 1, 0], 1],
        [["point", 4096, 1, 0], 1], [["point", ...call.points[0]], 0],
        [["launch", name, 1, 1, 1, 2048, 1, 1, 0], true],
        [["launch", name, 0, 1, 1, 32, 1, 1, 0], true],
        [["launch", name, 1, 1, 1, 32, 1, 1, 1 << 20], true],
        [["cluster", 1 + grid[0], 1, 1], 0],
        [["launch", name, ...grid], true], // which that does not divide
        [["cluster", 9 * grid[0], 1, 1], 0],
        [["launch", name, 9 * grid[0], ...grid.slice(1)], true],
        [["launch", name, ...grid], false], [["look"], false],
        [["run", 10], false]];
    const before = simPlan.open(kernel, shape).filter(c => c[0] !== "load");
    const calls = [...before, ...cases.map(c => c[0])];
    for (const results of [await wasm(calls), natively(native, calls)]) {
        const wrong = cases.filter(([, want], k) => {
            const got = results[before.length + k];
            return typeof want === "number" ? got !== want :
                ("error" in Object(got)) !== want;
        });
        tap("what makes no sense is refused", wrong.map(([c]) =>
            c.join(" ").slice(0, 60)).join("\n"));
    }
}

async function main() {
    const kernels = all();
    for (const kernel of kernels)
        for (const shape of new Set([first(kernel), largest(kernel)])) {
            await compare(kernel, shape, "whole", simPlan.whole(kernel, shape));
            await compare(kernel, shape, "counters alone",
                simPlan.whole(kernel, shape, simPlan.CHECKS.counters));
            await compare(kernel, shape, "in steps", stepped(kernel, shape));
        }
    pointers(kernels);
    await drawings();
    await notices(kernels[0]);
    await refuses(kernels[0]);
    tap("there are findings among what was compared",
        findings > 5 ? "" : `${findings}`);
    tap("20 kernels and shapes or more", count >= 20 ? "" : String(count));
    console.log("1.." + count);
    process.exitCode = failed ? 1 : 0;
}
main();
