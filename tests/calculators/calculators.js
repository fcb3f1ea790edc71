// SPDX-License-Identifier: MIT
// Answers the questions of calculators.c (on stdin, with or without answers) by
// the page's own functions. Arguments: calc.js, gpus.js.
"use strict";
const fs = require("fs");
const path = require("path");

const { gpu_blocks, roofline_place } = require(path.resolve(process.argv[2]));
const window = {};
eval(fs.readFileSync(process.argv[3], "utf8"));

// A double's 64 bits.
const cell = new DataView(new ArrayBuffer(8));
function bits(value) {
    cell.setFloat64(0, value);
    return cell.getBigUint64(0).toString(16).padStart(16, "0");
}

const ANSWERS = {
    blocks(name, threads, registers, shared) {
        const gpu = window.bookGpus.find(g => g.name === name);
        const n = gpu_blocks(gpu, +threads, +registers, +shared);
        return [n.threads, n.slots, n.registers, n.shared, n.blocks];
    },
    roof(flops, bytes, seconds, bandwidth, peak) {
        const r = roofline_place(+flops, +bytes, +seconds,
            { bandwidth: +bandwidth, flops: +peak });
        return [bits(r.intensity), bits(r.bandwidth), bits(r.percent_of_roof),
            r.bound];
    },
};

for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const [, kind, words] = line.match(/^(\w+) ([^:]*):/);
    console.log(`${kind} ${words}: ` + ANSWERS[kind](...words.split("|"))
        .join(" "));
}
