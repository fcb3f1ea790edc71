// SPDX-License-Identifier: MIT
// The kernels that pages run, from book/kernels/NN.js.
//   all() -> [{chapter, title, source, text, ptx, sizes, shapes}, …]
"use strict";
const fs = require("fs");
const zlib = require("zlib");

module.exports.all = function () {
    const folder = "book/kernels/", out = [];
    for (const file of fs.readdirSync(folder).filter(f => f.endsWith(".js"))) {
        const [, packed] = /= "([^"]*)";/.exec(
            fs.readFileSync(folder + file, "utf8"));
        const list = JSON.parse(zlib.gunzipSync(Buffer.from(packed, "base64")));
        for (const kernel of list)
            out.push({ chapter: file.replace(".js", ""), ...kernel });
    }
    return out;
};

// The shape that a page shows first, and the one of all largest sizes.
module.exports.first = kernel =>
    kernel.sizes.map(([dim, , size]) => dim + size).join(" ");
module.exports.largest = kernel =>
    kernel.sizes.map(([dim, sizes]) => dim + Math.max(...sizes)).join(" ");
