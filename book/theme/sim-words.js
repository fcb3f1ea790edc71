// SPDX-License-Identifier: MIT
// The runner's sentences: what was executed, what was found, how it ended.
//
//   simWords.step(step, run)        the instruction executed last
//   simWords.access(access, run)    what it touched
//   simWords.finding(finding, run)
//   simWords.ready(run), simWords.ended(run), simWords.cancelled(run)
//   simWords.shown(step)            the access that is drawn, if any
"use strict";

const simWords = (function () {
    const { inside } = simSource;
    const many = n => n.toLocaleString("en");
    const KINDS = { race: "Race", out_of_bounds: "Out of bounds",
        uninitialised: "Read of bytes that nobody wrote",
        use_after_free: "Use after free", misaligned: "Misaligned",
        deadlock: "Deadlock", barrier_misuse: "Barrier misuse",
        shuffle: "Shuffle from a lane that gives nothing",
        budget: "Endless loop?", trap: "Trap", assert: "Assertion",
        equal_writes: "Note: equal writes, no finding",
        parted_warps: "Note: warps at different barriers",
        illegal: "Illegal instruction", unsupported: "Not simulated" };

    const line_of = ({ file, line }, kernel) => inside(file, kernel) ?
        `line ${line}` : `${file.split("/").pop()}:${line}`;

    function place(site, kernel) {
        const what = site.atomic ? "atomic" : site.write ? "write" : "read";
        return `${what} in ${line_of(site, kernel)} by thread ` +
            `(${site.thread.join(", ")})`;
    }

    function finding(f, { kernel, arrays }) {
        const name = f.allocation ? (arrays[f.allocation - 1] || [])[0] :
            f.array && f.array.replace(/^.*?(\d+)(\w+?)E?$/, "$2");
        let text = `${KINDS[f.kind] || f.kind}: ` + place(f.at, kernel);
        if (f.other) text += `, and ${place(f.other, kernel)}, which no ` +
            "barrier orders";
        if (name && f.array_bytes) text += `; ${f.space} array ` +
            `${f.allocation ? name : ""}`.trim() +
            `, byte ${many(f.offset)} of ${many(f.array_bytes)}`;
        text += `; block (${f.block.join(", ")})`;
        if (f.count > 1) text += `; ${many(f.count)} times`;
        return (text + (f.detail ? `; ${f.detail}` : "") + ".")
            .replace(/ array ,/, " memory,");
    }

    const shown = s => s && s.accesses.find(a => a.space === "global" ||
        a.space === "shared");

    function access(a, { arrays }) {
        const what = a.atomic ? "Atomic on" :
            a.write ? "Store to" : "Load from";
        const name = a.space === "shared" ? "shared memory" : a.array ?
            `${(arrays[a.array - 1] || ["global memory"])[0]}` :
            "global memory";
        return `${what} ${name}, ${many(a.bytes)} bytes per lane.`;
    }

    function step(s, run) {
        if (!s) return "Nothing has run yet.";
        const a = shown(s);
        return `Block ${s.block.join(",")}, warp ${s.warp}: ${s.op}, ` +
            `${line_of(s, run.kernel)}, ${simLanes(s.mask)} of 32 lanes.` +
            (a ? " " + access(a, run) : "");
    }

    const instructions = run =>
        `${many(run.counters.warp_instructions)} warp instructions`;

    function ready(run) {
        const { grid, block } = run.calls[run.at];
        const words = a => a.join(" × ").replace(/( × 1)+$/, "");
        return `Ready: ${words(grid)} ` +
            `${words(grid) === "1" ? "block" : "blocks"} of ` +
            `${words(block)} threads.`;
    }

    function ended(run) {
        const n = run.findings.filter(
            f => !(KINDS[f.kind] || "").startsWith("Note")).length;
        const found = n ? n + (n > 1 ? " findings" : " finding") :
            run.checked ? "no finding" : "counters alone";
        return `The kernel has ended: ${instructions(run)}, ${found}.`;
    }

    const cancelled = run => `Cancelled after ${instructions(run)}. Step and ` +
        "Run go on from here; Reset begins again.";

    return { step, access, finding, ready, ended, cancelled, shown };
})();

function simLanes(mask) {
    let n = 0;
    for (; mask; mask = (mask & mask - 1) >>> 0) n++;
    return n;
}
