// SPDX-License-Identifier: MIT
// The worker's side of the engine: waits for the module, then answers calls of
// page.h. A message {id, calls: [[name, argument, ...], ...]} is answered by
// {id, results: [...]}, in order; text that is JSON comes back as its value.
"use strict";

const TEXT = new Set(["open", "load", "launch", "step", "look", "end", "whole"]);

function callOne(engine, name, args) {
    const kinds = args.map(a => typeof a === "string" ? "string" : "number");
    const result = engine.ccall("page_" + name,
        TEXT.has(name) ? "string" : "number", kinds, args);
    return TEXT.has(name) ? JSON.parse(result) : result >>> 0;
}

async function openEngine(packed) {
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream()
        .pipeThrough(new DecompressionStream("gzip"));
    const wasmBinary = new Uint8Array(await new Response(stream).arrayBuffer());
    return makeEngine({ wasmBinary, printErr: () => {}, print: () => {} });
}

if (typeof onmessage !== "undefined") {
    let engine = null;
    onmessage = async ({ data }) => {
        engine = engine || openEngine(data.packed);
        if (!data.calls) return;
        const answer = { id: data.id, results: [] };
        try {
            const here = await engine;
            for (const [name, ...args] of data.calls)
                answer.results.push(callOne(here, name, args));
        } catch (error) {
            answer.error = String(error);
        }
        postMessage(answer);
    };
}
