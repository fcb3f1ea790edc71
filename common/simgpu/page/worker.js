// SPDX-License-Identifier: MIT
// The worker's side of the engine: answers calls of page.h. A message {id, gpu,
// calls: [[name, argument, ...], ...]} is answered by {id, results: [...]}, in
// order; text that is JSON comes back as its value. The first message also has
// `packed`, the module. Each number `gpu` is a GPU of its own.
"use strict";

const TEXT = new Set(["open", "load", "launch", "step", "run", "look",
    "end", "whole"]);

function callOne(engine, name, args) {
    const kinds = args.map(a => typeof a === "string" ? "string" : "number");
    const result = engine.ccall("page_" + name,
        TEXT.has(name) ? "string" : "number", kinds, args);
    return TEXT.has(name) ? JSON.parse(result) : result >>> 0;
}

async function unpack(packed) {
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream()
        .pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

const engines = new Map();
let unpacked = null;

function engineOf(gpu) {
    if (!engines.has(gpu))
        engines.set(gpu, unpacked.then(wasmBinary => makeEngine({ wasmBinary,
            printErr: () => {}, print: () => {} })));
    return engines.get(gpu);
}

if (typeof onmessage !== "undefined") {
    onmessage = async ({ data }) => {
        if (data.packed && !unpacked) unpacked = unpack(data.packed);
        if (!data.calls) return;
        const answer = { id: data.id, results: [] };
        try {
            const engine = await engineOf(data.gpu);
            for (const [name, ...args] of data.calls)
                answer.results.push(callOne(engine, name, args));
        } catch (error) {
            engines.delete(data.gpu); // it may have stopped anywhere
            answer.error = String(error);
        }
        postMessage(answer);
    };
}
