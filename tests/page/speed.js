// SPDX-License-Identifier: MIT
// How fast the page's engine is, in this machine's node: warp instructions per
// second of a processor, with counters alone and with every check, per kernel.
// The best of several: other programs disturb each.
//   speed.js ENGINE.js [SECONDS]
"use strict";
const { simPlan } = require("../../book/theme/sim.js");
const { all, largest } = require("./kernels.js");
const { open } = require("./worker.js");

const SECONDS = Number(process.argv[3] || .04), TIMES = 3;
const BATCH = 100000; // warp instructions between two looks at the clock
const BAR = 10; // million per second, with counters
const seconds_since = begin => process.cpuUsage(begin).user / 1e6;

async function rate(wasm, kernel, shape, checks) {
    const launch = simPlan.whole(kernel, shape, checks);
    const once = launch.filter(call => call[0] === "whole");
    const { counters: first } = (await wasm(launch)).at(-1);
    const times = Math.ceil(BATCH / first.warp_instructions);
    const again = Array.from({ length: times }, () => once).flat();
    let best = 0;
    for (let k = 0; k < TIMES; k++) {
        const begin = process.cpuUsage();
        let instructions = 0;
        while (seconds_since(begin) < SECONDS)
            for (const { counters } of await wasm(again))
                instructions += counters.warp_instructions;
        best = Math.max(best, instructions / seconds_since(begin) / 1e6);
    }
    return best;
}

async function main() {
    const wasm = open(process.argv[2]), { all: every, counters } =
        simPlan.CHECKS;
    let slow = 0, n = 0;
    console.log("million warp instructions per second: counters alone, " +
        "every check");
    for (const kernel of all()) {
        const shape = largest(kernel);
        if (kernel.shapes[shape].calls.filter(c => !c.memset).length > 1)
            continue; // parameters would have to alternate
        const alone = await rate(wasm, kernel, shape, counters);
        const checked = await rate(wasm, kernel, shape, every);
        n++;
        if (alone < BAR) slow++;
        console.log(`${alone.toFixed(1).padStart(5)} ` +
            `${checked.toFixed(1).padStart(5)}  ${kernel.chapter} ` +
            `${kernel.title}, ${shape}`);
    }
    console.log(`${n - slow} of ${n} kernels reach ${BAR} million with ` +
        "counters alone");
}
main();
