// SPDX-License-Identifier: MIT
// The simulated GPU in a page. Nothing is loaded before a reader asks for it:
// then the engine (sim-engine.js), which runs in a worker of its own, and the
// chapter's kernels (sim-NN.js). sim-kernel.js and sim-access.js are what a
// reader sees.
//
//   Simulator.start()      -> the worker runs; once per page
//   Simulator.gpu()        -> a GPU of one's own: {call}
//     gpu.call(calls)      -> results of calls of common/simgpu/page/page.h; a
//                             long one keeps the other GPUs waiting
//   Simulator.kernels(NN)  -> a chapter's kernels, as book/kernels/make.sh says
//   simPlan                which calls repeat what a launcher did
"use strict";

const simPlan = {
    CONTENT: { floats: 0, integers: 1, bytes: 2 },
    UNTIL: { n: 0, line: 1, finding: 2, access: 4 },
    CHECKS: { all: 0, counters: 1 },

    // A GPU with the kernel's arrays, as the operator of that shape has them.
    open(kernel, shape, checks = this.CHECKS.all) {
        const calls = [["open", 0, checks]];
        kernel.shapes[shape].arrays.forEach(([, role, type, bytes], k) => {
            const whole = Math.floor(bytes / 4) * 4;
            calls.push(["alloc", bytes]);
            if (role !== "output")
                calls.push(["fill", k + 1, 0, whole, type.startsWith("int") ?
                    this.CONTENT.integers : this.CONTENT.floats, k + 1]);
        });
        calls.push(["load", kernel.ptx]); // its variables come after the arrays
        return calls;
    },

    // One call of the launcher: a memset, or what comes before a launch; and
    // the launch itself, or null.
    before(call) {
        if (call.memset)
            return [["fill", call.memset, call.offset, call.bytes,
                this.CONTENT.bytes, call.value]];
        return [["params", call.params],
            ...call.points.map(point => ["point", ...point]),
            ...call.cluster ? [["cluster", ...call.cluster]] : []];
    },
    launch(call) {
        return call.memset ? null :
            [call.kernel, ...call.grid, ...call.block, call.shared];
    },

    // All of it in one go.
    whole(kernel, shape, checks = this.CHECKS.all) {
        const calls = this.open(kernel, shape, checks);
        for (const call of kernel.shapes[shape].calls) {
            calls.push(...this.before(call));
            if (!call.memset) calls.push(["whole", ...this.launch(call)]);
        }
        return calls;
    },
};

const Simulator = (function () {
    const MUST_BE_0 = new Set(["fill", "set", "params", "point",
        "cluster"]);
    const waiting = new Map();
    let engine = null, worker = null, starting = null, number = 0, gpus = 0;
    globalThis.simKernels = globalThis.simKernels || {};

    function script(name) {
        return new Promise((done, failed) => {
            const element = document.createElement("script");
            element.src = name;
            element.onload = done;
            element.onerror = () => failed(new Error(name + " is missing"));
            document.head.append(element);
        });
    }

    function answered({ data }) {
        const { done, failed } = waiting.get(data.id);
        waiting.delete(data.id);
        if (data.error) failed(new Error(data.error));
        else done(data.results);
    }

    // The worker is gone: the next call starts another, with empty GPUs.
    function lost(event) {
        event.preventDefault();
        worker.terminate();
        starting = null;
        for (const { failed } of waiting.values())
            failed(new Error("The simulator has stopped. Reset " +
                "starts it anew."));
        waiting.clear();
    }

    // From a file, a worker can only be made of text that the page holds.
    async function open() {
        if (typeof DecompressionStream === "undefined")
            throw new Error("This browser is too old to unpack the simulator.");
        if (!engine) await script("sim-engine.js");
        engine = engine || simEngine;
        const url = URL.createObjectURL(new Blob([engine.source],
            { type: "text/javascript" }));
        worker = new Worker(url);
        worker.onmessage = answered;
        worker.onerror = lost;
        worker.postMessage({ packed: engine.packed });
    }

    async function unpack(packed) {
        const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
        const stream = new Blob([bytes]).stream()
            .pipeThrough(new DecompressionStream("gzip"));
        return JSON.parse(await new Response(stream).text());
    }

    const start = () => starting = starting || open().catch(error => {
        starting = null; // the reader may try again
        throw error;
    });

    async function call(gpu, calls) {
        await start();
        const results = await new Promise((done, failed) => {
            waiting.set(++number, { done, failed });
            worker.postMessage({ id: number, gpu, calls });
        });
        results.forEach((result, k) => {
            const wrong = result.error ||
                (MUST_BE_0.has(calls[k][0]) && result !== 0) ||
                (calls[k][0] === "alloc" && result === 0);
            if (wrong) throw new Error(`${calls[k][0]}: ` +
                (result.error || "refused"));
        });
        return results;
    }

    return {
        start,
        gpu() {
            const gpu = ++gpus;
            return { call: calls => call(gpu, calls) };
        },
        async kernels(chapter) {
            if (!simKernels[chapter]) await script(`sim-${chapter}.js`);
            return unpack(simKernels[chapter]);
        },
    };
})();

// The button that opens a display: its engine is loaded first. What fails may be
// tried again.
function simStart(box, label, hint, build) {
    const button = element("button", { type: "button", class: "sim-start" },
        label);
    const said = element("span", { class: "sim-hint", role: "status" }, hint);
    button.onclick = async () => {
        if (button.getAttribute("aria-disabled") === "true") return;
        button.setAttribute("aria-disabled", "true");
        said.textContent = "Loading the simulator …";
        try {
            await Simulator.start();
            await build();
            (box.querySelector(".sim-buttons button") ||
                box.querySelector("select")).focus();
        } catch (error) {
            button.removeAttribute("aria-disabled");
            said.textContent = error.message;
        }
    };
    box.replaceChildren(button, said);
}

if (typeof module !== "undefined") module.exports = { simPlan };
