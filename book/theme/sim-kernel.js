// SPDX-License-Identifier: MIT
// The kernel runner: a chapter's kernel at a shape that the reader chooses, one
// warp instruction after the other: the source line, the active lanes, the
// addresses of the last access, counters as they grow, and findings where they
// happen. State and numbers are the engine's; this file shows them.
"use strict";

(function () {
    const LANES = 32, UNTIL = simPlan.UNTIL;
    const { listing, reveal, inside } = simSource;
    const many = n => n.toLocaleString("en");
    const NO_ACCESS = "The addresses of the next load or store " +
        "will appear here.";

    // Words -------------------------------------------------------------------

    const KINDS = { race: "Race", out_of_bounds: "Out of bounds",
        uninitialised: "Read of bytes that nobody wrote",
        use_after_free: "Use after free", misaligned: "Misaligned",
        deadlock: "Deadlock", barrier_misuse: "Barrier misuse",
        budget: "Endless loop?", trap: "Trap", assert: "Assertion",
        illegal: "Illegal instruction", unsupported: "Not simulated" };

    function place(site, kernel) {
        const what = site.atomic ? "atomic" : site.write ? "write" : "read";
        const where = inside(site.file, kernel) ? `line ${site.line}` :
            `${site.file.split("/").pop()}:${site.line}`;
        return `${what} in ${where} by thread (${site.thread.join(", ")})`;
    }

    function finding_text(f, kernel, arrays) {
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

    function step_text(s, kernel, arrays) {
        if (!s) return "Nothing has run yet.";
        const lanes = simLanes(s.mask);
        let text = `Block ${s.block.join(",")}, warp ${s.warp}: ${s.op}, ` +
            (inside(s.file, kernel) ? `line ${s.line}` :
                `${s.file.split("/").pop()}:${s.line}`) +
            `, ${lanes} of 32 lanes.`;
        const a = shown_access(s);
        if (a) text += " " + access_text(a, arrays);
        return text;
    }

    function shown_access(s) {
        return s && s.accesses.find(a => a.space === "global" ||
            a.space === "shared");
    }

    function access_text(a, arrays) {
        const what = a.atomic ? "Atomic on" :
            a.write ? "Store to" : "Load from";
        const name = a.space === "shared" ? "shared memory" : a.array ?
            `${(arrays[a.array - 1] || ["global memory"])[0]}` :
            "global memory";
        return `${what} ${name}, ${a.bytes} bytes per lane.`;
    }

    // Counters ----------------------------------------------------------------

    const ROWS = [
        ["warp instructions", c => c.warp_instructions],
        ["lanes active, of 32", c => c.warp_instructions &&
            (c.lane_instructions / c.warp_instructions).toFixed(1)],
        ["flops", c => c.flops],
        ["global load requests", c => c.global_load_requests],
        ["global load sectors", c => c.global_load_sectors,
            c => per(c.global_load_sectors, c.global_load_requests)],
        ["global store requests", c => c.global_store_requests],
        ["global store sectors", c => c.global_store_sectors,
            c => per(c.global_store_sectors, c.global_store_requests)],
        ["asynchronous copies", c => c.async_copy_requests],
        ["shared load requests", c => c.shared_load_requests],
        ["shared load wavefronts", c => c.shared_load_wavefronts],
        ["shared load conflicts", c => c.shared_load_conflicts],
        ["shared store requests", c => c.shared_store_requests],
        ["shared store conflicts", c => c.shared_store_conflicts],
        ["global atomics", c => c.global_atomics],
        ["barriers", c => c.barriers],
        ["branches that diverge", c => c.divergent_branches]];
    const per = (sectors, requests) => requests ?
        `${(sectors / requests).toFixed(1)} per request` : "";

    function show_counters(ui, counters) {
        for (const [k, [, value, note]] of ROWS.entries()) {
            const cell = ui.counters[k], now = value(counters);
            const text = typeof now === "number" ? many(now) : String(now);
            if (cell.value.textContent === text) {
                cell.row.classList.remove("grew");
                continue;
            }
            cell.row.hidden = false;
            cell.row.classList.add("grew");
            cell.value.textContent = text;
            if (note) cell.note.textContent = note(counters);
        }
    }

    function counter_rows() {
        return ROWS.map(([label], k) => {
            const value = element("span", {}, "0"), note = element("small", {});
            const row = element("div", {}, element("dt", {}, label),
                element("dd", {}, value, " ", note));
            row.hidden = k > 2;
            return { row, value, note };
        });
    }

    // A run -------------------------------------------------------------------

    function add(total, more) {
        for (const key in more) total[key] = (total[key] || 0) + more[key];
        return total;
    }

    class Run {
        constructor(gpu, kernel, shape) {
            this.gpu = gpu;
            this.kernel = kernel;
            this.calls = kernel.shapes[shape].calls;
            this.arrays = kernel.shapes[shape].arrays;
            this.shape = shape;
        }

        async open() {
            this.at = -1;        // of the launcher's calls
            this.before = {};    // counters of launches that are over
            this.findings = [];
            this.over = false;
            this.last = null;
            await this.gpu.call(simPlan.open(this.kernel, this.shape));
            await this.next_launch();
        }

        async next_launch() {
            while (++this.at < this.calls.length) {
                const call = this.calls[this.at];
                const launch = simPlan.launch(call);
                await this.gpu.call([...simPlan.before(call),
                    ...launch ? [["launch", ...launch]] : []]);
                if (launch) return;
            }
            this.over = true;
        }

        async step(n, until) {
            const [stepped, seen] = await this.gpu.call(
                [["step", n, until], ["look"]]);
            if (stepped.step) this.last = stepped.step;
            if (stepped.over) await this.finish();
            else this.see(seen);
            return stepped;
        }

        // What is left of this launch, then the next one.
        async finish() {
            const [report] = await this.gpu.call([["end"]]);
            this.see(report);
            this.before = this.counters;
            this.past = this.findings;
            if (report.fault !== "none") this.over = true;
            else await this.next_launch();
        }

        // Unfollowed, so nothing is marked after it.
        async finish_all() {
            this.last = null;
            while (!this.over) await this.finish();
        }

        see(report) {
            this.counters = add({ ...this.before }, report.counters);
            this.findings = [...this.past || [], ...report.findings];
        }
    }

    // The display -------------------------------------------------------------

    function show_step(ui, run) {
        const s = run.last;
        const old = ui.source.querySelector("[aria-current]");
        if (old) old.removeAttribute("aria-current");
        const item = s && inside(s.file, run.kernel) &&
            ui.source.querySelector(`[data-line="${s.line}"]`);
        if (item) {
            item.setAttribute("aria-current", "true");
            reveal(ui.source, item);
        }
        ui.lanes.forEach((cell, k) => cell.classList.toggle("on",
            Boolean(s && s.mask >>> k & 1)));
        const access = shown_access(s);
        if (!s) {
            ui.where.textContent = run.over ? "" : NO_ACCESS;
            simDraw.access(ui.picture, null);
        }
        if (access) {
            ui.where.textContent = access_text(access, run.arrays) +
                " A number is the lane that asks, + more lanes than one.";
            simDraw.access(ui.picture, access);
        }
    }

    function show_findings(ui, run) {
        const kernel = run.kernel;
        const texts = run.findings.map(f =>
            finding_text(f, kernel, run.arrays)); // counts grow
        if (texts.join() === ui.listed) return;
        ui.listed = texts.join();
        ui.found.replaceChildren(...texts.map(text => element("li", {}, text)));
        ui.found.hidden = !run.findings.length;
        for (const f of run.findings)
            for (const site of [f.at, f.other].filter(Boolean)) {
                const item = inside(site.file, kernel) &&
                    ui.source.querySelector(`[data-line="${site.line}"]`);
                if (item) item.classList.add("found");
            }
    }

    function show(ui, run, words) {
        show_step(ui, run);
        if (run.counters) show_counters(ui, run.counters);
        show_findings(ui, run);
        // The engine lists them by place, so a new one may stand anywhere.
        const fresh = run.findings.find(f => !ui.told.has(sites(f)));
        run.findings.forEach(f => ui.told.add(sites(f)));
        if (fresh) reveal_finding(ui, run, fresh);
        if (fresh && !shown_access(run.last)) { // not those of a step before
            ui.where.textContent = "";
            simDraw.access(ui.picture, null);
        }
        ui.said.textContent = words || [
            fresh && finding_text(fresh, run.kernel, run.arrays),
            run.over ? ended(run) :
                !fresh && step_text(run.last, run.kernel, run.arrays),
        ].filter(Boolean).join(" ");
        ui.box.dataset.state = JSON.stringify({ shown: ++ui.shown,
            over: run.over, line: run.last && run.last.line,
            counters: run.counters || null, findings: run.findings });
        for (const name of ["step", "line", "access", "run", "find", "end"])
            ui.buttons[name].setAttribute("aria-disabled", String(run.over));
    }

    // What makes a finding another one.
    const sites = f => JSON.stringify([f.kind, f.space,
        ...[f.at, f.other].map(site => site &&
            [site.file, site.line, site.write, site.atomic])]);

    // Both lines of a race, if they fit.
    function reveal_finding(ui, run, f) {
        const list = ui.source;
        const [at, other] = [f.at, f.other].map(site => site &&
            inside(site.file, run.kernel) &&
            list.querySelector(`[data-line="${site.line}"]`));
        if (!at) return;
        const middle = other ? (at.offsetTop + other.offsetTop) / 2 : 0;
        const apart = other ? Math.abs(at.offsetTop - other.offsetTop) +
            at.offsetHeight : Infinity;
        if (apart < list.clientHeight)
            list.scrollTop = middle + at.offsetHeight / 2 -
                list.clientHeight / 2;
        else reveal(list, at);
    }

    function ended(run) {
        const n = run.findings.length;
        const executed = many(run.counters.warp_instructions);
        return `The kernel has ended: ${executed} ` +
            `warp instructions, ${n ? n + (n > 1 ? " findings" : " finding") :
                "no finding"}.`;
    }

    // One after the other, however fast the reader presses.
    function in_turn(ui, action) {
        return () => {
            ui.queue = ui.queue.then(action).catch(error => {
                ui.said.textContent = error.message;
            });
            return ui.queue;
        };
    }

    const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ?
        900 : 170; // milliseconds per line

    function play(ui) {
        ui.playing = !ui.playing;
        ui.buttons.run.textContent = ui.playing ? "Pause" : "Run";
        ui.said.setAttribute("aria-live", ui.playing ? "off" : "polite");
        const turn = ++ui.turns; // a pause and another Run end this loop
        if (!ui.playing) return show(ui, ui.run);
        (async function go() {
            while (ui.turns === turn && !ui.run.over) {
                const found = ui.run.findings.length;
                await in_turn(ui, async () => {
                    if (ui.turns !== turn || ui.run.over) return;
                    await ui.run.step(100000, UNTIL.line | UNTIL.finding);
                    show(ui, ui.run);
                })();
                if (ui.run.findings.length > found) break;
                await new Promise(done => setTimeout(done, PACE));
            }
            if (ui.turns === turn) play(ui);
        })();
    }

    const ACTIONS = {
        step: ["Step", "One warp instruction", run => run.step(1, UNTIL.n)],
        line: ["Line", "Until the line or the warp changes",
            run => run.step(100000, UNTIL.line | UNTIL.finding)],
        access: ["Access", "Until a load or store of global or shared memory",
            run => run.step(100000, UNTIL.access | UNTIL.finding)],
        find: ["Finding", "Until something is wrong",
            run => run.step(4000000, UNTIL.finding)],
        end: ["To end", "What is left, at full speed",
            run => run.finish_all()],
    };

    function buttons(ui) {
        const row = element("div", { class: "sim-buttons", role: "group",
            "aria-label": "Execute" });
        ui.buttons = {};
        const add_button = (name, label, title, press) => {
            const button = element("button", { type: "button", title }, label);
            button.onclick = press;
            ui.buttons[name] = button;
            row.append(button);
        };
        for (const name in ACTIONS) {
            const [label, title, act] = ACTIONS[name];
            if (name === "find") add_button("run", "Run",
                "Line after line; press again to pause",
                () => { if (!ui.run.over) play(ui); });
            add_button(name, label, title, () => {
                if (ui.run.over) return;
                if (ui.playing) play(ui);
                in_turn(ui, async () => {
                    if (ui.run.over) return; // an earlier press ended it
                    await act(ui.run);
                    show(ui, ui.run);
                })();
            });
        }
        add_button("reset", "Reset", "Begin again", () => restart(ui));
        return row;
    }

    // A finger finds no title of a button.
    function help(ui) {
        const words = Object.values(ui.buttons).map(button => [
            element("dt", {}, button.textContent),
            element("dd", {}, button.title + ".")]);
        return element("details", { class: "sim-help" },
            element("summary", {}, "What the buttons do"),
            element("dl", {}, ...words.flat()),
            element("p", {}, "The bars below the source are the 32 lanes of " +
                "the warp; those that execute the instruction are filled."));
    }

    function clear(ui) {
        ui.source.replaceWith(ui.source = listing(ui.run.kernel));
        ui.found.replaceChildren();
        ui.found.hidden = true;
        ui.listed = "";
        ui.told = new Set();
        for (const { row, value, note } of ui.counters) {
            value.textContent = "0";
            note.textContent = "";
            row.classList.remove("grew");
        }
        ui.counters.forEach(({ row }, k) => { row.hidden = k > 2; });
    }

    function restart(ui) {
        if (ui.playing) play(ui);
        const kernel = ui.kernels[ui.form.elements.kernel.value];
        const shape = kernel.sizes.map(([dim]) => dim +
            ui.form.elements["size-" + dim].value).join(" ");
        return in_turn(ui, async () => {
            ui.run = new Run(ui.gpu, kernel, shape);
            await ui.run.open();
            clear(ui);
            const { grid, block } = ui.run.calls[ui.run.at];
            const words = a => a.join(" × ").replace(/( × 1)+$/, "");
            show(ui, ui.run, `Ready: ${words(grid)} ` +
                `${words(grid) === "1" ? "block" : "blocks"} of ` +
                `${words(block)} threads.`);
        })();
    }

    function size_choices(ui, kernel) {
        ui.sizes.replaceChildren(...kernel.sizes.map(([dim, list, first]) => {
            const select = element("select", { name: "size-" + dim });
            for (const size of list) {
                const option = element("option", { value: size }, String(size));
                option.selected = size === first;
                select.append(option);
            }
            return element("label", {}, element("span", {}, dim), select);
        }));
    }

    function build(box, kernels) {
        const ui = { box, kernels, queue: Promise.resolve(),
            shown: 0, playing: false, turns: 0, gpu: Simulator.gpu() };
        const choose = element("select", { name: "kernel" });
        kernels.forEach((kernel, k) => choose.append(
            element("option", { value: k }, kernel.title)));
        ui.sizes = element("span", { class: "sim-sizes" });
        ui.form = element("form", { class: "sim-controls" },
            element("label", {}, element("span", {}, "Kernel"), choose),
            ui.sizes);
        ui.source = element("ol");
        ui.lanes = Array.from({ length: LANES }, () => element("i"));
        ui.where = element("p", { class: "sim-where" });
        ui.picture = element("div", { class: "sim-drawn" });
        ui.counters = counter_rows();
        ui.found = element("ul", { class: "sim-found" });
        ui.said = element("p", { class: "sim-said", role: "status" });
        size_choices(ui, kernels[0]);
        ui.form.addEventListener("input", event => {
            if (event.target.name === "kernel")
                size_choices(ui, kernels[event.target.value]);
            restart(ui);
        });
        ui.form.addEventListener("submit", event => event.preventDefault());
        box.replaceChildren(element("p", { class: "sim-title" },
            "Run it, warp by warp"), ui.form, buttons(ui), ui.said, ui.source,
            element("div", { class: "sim-mask", "aria-hidden": "true" },
                ...ui.lanes), ui.where, ui.picture,
            element("dl", { class: "sim-figures" },
                ...ui.counters.map(c => c.row)), ui.found, help(ui));
        return restart(ui);
    }

    globalThis.simLanes = mask => {
        let n = 0;
        for (; mask; mask = (mask & mask - 1) >>> 0) n++;
        return n;
    };

    for (const box of document.querySelectorAll(".sim[data-sim=kernel]")) {
        const button = element("button", { type: "button", class: "sim-start" },
            "Run this chapter’s kernels here");
        button.onclick = async () => {
            button.disabled = true;
            button.textContent = "Loading the simulator …";
            try {
                const [kernels] = await Promise.all([
                    Simulator.kernels(box.dataset.chapter), Simulator.start()]);
                await build(box, kernels);
                box.querySelector(".sim-buttons button").focus();
            } catch (error) {
                button.textContent = error.message;
            }
        };
        box.replaceChildren(button, element("span", { class: "sim-hint" },
            "Line by line or to the end, at sizes you choose, with counters " +
            "and findings."));
    }
})();
