// SPDX-License-Identifier: MIT
// Calls of page.h, done by the native program.
//   natively(PROGRAM, calls) -> results
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const { spawnSync } = require("child_process");

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "page-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true, force: true }));

module.exports.natively = function (program, calls) {
    const text = calls.map((call, k) => {
        if (call[0] !== "load") return call.join("\t");
        const file = path.join(scratch, `${k}.ptx`);
        fs.writeFileSync(file, call[1]);
        return "load\t" + file;
    }).join("\n");
    const run = spawnSync(program, { input: text, encoding: "utf8",
        maxBuffer: 1 << 28 });
    if (run.status) throw new Error(`${program}: ${run.stderr}`);
    return run.stdout.trim().split("\n").map(line => JSON.parse(line));
};
