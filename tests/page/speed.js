// SPDX-License-Identifier: MIT
// How fast the page's engine is, in this machine's node: warp instructions per
// second, with counters and every check, as a page runs them.
//   speed.js ENGINE.js
"use strict";
const { simPlan } = require("../../book/theme/sim.js");
const { all, largest } = require("./kernels.js");
const { open } = require("./worker.js");

const SECONDS = 0.1; // of a processor, per kernel
const seconds_since = begin => process.cpuUsage(begin).user / 1e6;

async function main() {
    const wasm = open(process.argv[2]);
    for (const kernel of all()) {
        const shape = largest(kernel);
        const launch = simPlan.whole(kernel, shape);
        const again = launch.filter(call => call[0] === "whole");
        if (again.length > 1) continue; // parameters would have to alternate
        let reports = await wasm(launch), instructions = 0;
        const begin = process.cpuUsage(); // others may use the processors
        while (seconds_since(begin) < SECONDS) {
            reports = await wasm(again);
            for (const report of reports)
                instructions += report.counters.warp_instructions;
        }
        const seconds = seconds_since(begin);
        const rate = (instructions / seconds / 1e6).toFixed(1);
        console.log(`${rate} million warp ` +
            `instructions per second: ${kernel.chapter} ${kernel.title}, ` +
            shape);
    }
}
main();
