// SPDX-License-Identifier: MIT
// The packed engine in node, as a page starts it: its worker's text in a context
// of its own. open(FILE) -> calls => results.
"use strict";
const fs = require("fs");
const vm = require("vm");

module.exports.open = function (file) {
    const page = vm.createContext({ globalThis: {} });
    vm.runInContext(fs.readFileSync(file, "utf8"), page);
    const { source, packed } = page.globalThis.simEngine;
    const waiting = new Map();
    let number = 0;
    const inside = { console, atob, Blob, Response, DecompressionStream,
        WebAssembly, TextDecoder, setTimeout, performance, URL,
        location: { href: "blob:here" }, importScripts() {}, onmessage: null,
        postMessage: answer => waiting.get(answer.id)(answer) };
    inside.self = inside;
    vm.createContext(inside);
    vm.runInContext(source, inside);
    return async calls => {
        const id = ++number;
        const answer = new Promise(done => waiting.set(id, done));
        inside.onmessage({ data: { id, calls, packed } });
        const { results, error } = await answer;
        if (error) throw new Error(error);
        return results;
    };
};
