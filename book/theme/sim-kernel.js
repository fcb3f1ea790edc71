// SPDX-License-Identifier: MIT
// The kernel runner: a chapter's kernel at a shape that the reader chooses, one
// warp instruction after the other: the source line, the active lanes, the
// addresses of the last access, counters as they grow, and findings where they
// happen. sim-run.js runs it; this file shows it and takes the reader's presses.
"use strict";

(function () {
    const LANES = 32, UNTIL = simPlan.UNTIL;
    const SOON = 400; // milliseconds; what lasts longer is said aloud
    const { listing, reveal, inside } = simSource;
    const many = n => n.toLocaleString("en");
    const SECTORS_SHOWN =
        " A number is the lane that asks, + more lanes than one.";
    const BANKS_SHOWN = " A column is a bank, with its number below; a " +
        "number within is the lane that asks, + more lanes than one.";
    const STOPPED = "The simulator has stopped. Reset starts it anew.";
    const NO_ACCESS = "The addresses of the next load or store " +
        "will appear here.";

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

    // The display -------------------------------------------------------------

    const line_in = (ui, site) => inside(site.file, ui.run.kernel) &&
        ui.source.querySelector(`[data-line="${site.line}"]`);

    function draw_access(ui, access) {
        ui.where.textContent = access ? simWords.access(access, ui.run) +
            (access.space === "shared" ? BANKS_SHOWN : SECTORS_SHOWN) : "";
        simDraw.access(ui.picture, access);
    }

    function show_step(ui, run) {
        const s = run.last, item = s && line_in(ui, s);
        const old = ui.source.querySelector("[aria-current]");
        if (old) old.removeAttribute("aria-current");
        if (item) {
            item.setAttribute("aria-current", "true");
            reveal(ui.source, item);
        }
        ui.lanes.forEach((cell, k) => cell.classList.toggle("on",
            Boolean(s && s.mask >>> k & 1)));
        const access = simWords.shown(s);
        if (access || !s) draw_access(ui, access || null);
        if (!s && !run.over) ui.where.textContent = NO_ACCESS;
    }

    function show_findings(ui, run) {
        const texts = run.findings.map(f => simWords.finding(f, run));
        if (texts.join() === ui.listed) return; // counts grow
        ui.listed = texts.join();
        ui.found.replaceChildren(...texts.map(text => element("li", {}, text)));
        ui.found.hidden = !run.findings.length;
        for (const f of run.findings)
            for (const site of [f.at, f.other].filter(Boolean)) {
                const item = line_in(ui, site);
                if (item) item.classList.add("found");
            }
    }

    function show(ui, words) {
        const run = ui.run;
        show_step(ui, run);
        if (run.counters) show_counters(ui, run.counters);
        show_findings(ui, run);
        // The engine lists them by place, so a new one may stand anywhere.
        const fresh = run.findings.find(f => !ui.told.has(sites(f)));
        run.findings.forEach(f => ui.told.add(sites(f)));
        if (fresh) reveal_finding(ui, fresh);
        if (fresh && !simWords.shown(run.last)) // not those of a step before
            draw_access(ui, null);
        ui.said.textContent = words || [
            fresh && simWords.finding(fresh, run),
            run.over ? simWords.ended(run) :
                !fresh && simWords.step(run.last, run),
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
    function reveal_finding(ui, f) {
        const list = ui.source;
        const [at, other] = [f.at, f.other].map(s => s && line_in(ui, s));
        if (!at) return;
        const middle = other ? (at.offsetTop + other.offsetTop) / 2 : 0;
        const apart = other ? Math.abs(at.offsetTop - other.offsetTop) +
            at.offsetHeight : Infinity;
        if (apart < list.clientHeight)
            list.scrollTop = middle + at.offsetHeight / 2 -
                list.clientHeight / 2;
        else reveal(list, at);
    }

    // What the reader asks for --------------------------------------------------

    // One after the other, however fast the reader presses. What a cancel or a
    // reset finds waiting is dropped. Resolves to false if the action failed. A
    // worker that took the place of a lost one has no launch.
    function in_turn(ui, action) {
        const turn = ui.turn;
        ui.queue = ui.queue.then(() => turn === ui.turn ? action() : null)
            .then(() => true, error => {
                ui.said.textContent = /no launch is open/.test(error.message) ?
                    STOPPED : error.message;
                return false;
            });
        return ui.queue;
    }

    function busy(ui, on) {
        ui.busy = on;
        ui.buttons.cancel.setAttribute("aria-disabled", String(!on));
        ui.figures.setAttribute("aria-busy", String(on));
    }

    // To the end, or to a finding: in slices, between which counters grow.
    function far(ui, act) {
        if (ui.playing) pause(ui);
        in_turn(ui, async () => {
            const run = ui.run, begin = performance.now();
            let told = false;
            if (run.over) return; // an earlier press ended it
            busy(ui, true);
            try {
                await act(run, () => {
                    show_counters(ui, run.counters);
                    if (told || performance.now() - begin < SOON) return;
                    told = true;
                    ui.said.textContent = "Running. Cancel or Escape stops it.";
                });
            } finally {
                busy(ui, false);
            }
            if (run !== ui.run) return;
            const stopped = run.cancelled && !run.over;
            show(ui, stopped && simWords.cancelled(run));
        });
    }

    function near(ui, act) {
        if (ui.playing) pause(ui);
        in_turn(ui, async () => {
            if (ui.run.over) return;
            await act(ui.run);
            show(ui);
        });
    }

    function cancel(ui) {
        if (ui.playing) return pause(ui);
        if (!ui.busy || ui.opening) return; // a reset has cancelled it already
        ui.turn++;
        ui.run.cancel();
    }

    const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ?
        900 : 170; // milliseconds per line

    function playing(ui, on) {
        ui.playing = on;
        ui.plays++; // a pause and another Run end the loop before
        ui.buttons.run.textContent = on ? "Pause" : "Run";
        ui.said.setAttribute("aria-live", on ? "off" : "polite");
    }

    function pause(ui) {
        playing(ui, false);
        show(ui);
    }

    async function play(ui) {
        playing(ui, true);
        const mine = ui.plays, goes_on = () => ui.plays === mine;
        while (goes_on() && !ui.run.over) {
            const found = ui.run.findings.length;
            const went_well = await in_turn(ui, async () => {
                if (!goes_on() || ui.run.over) return;
                await ui.run.step(100000, UNTIL.line | UNTIL.finding);
                if (goes_on()) show(ui);
            });
            if (!went_well && goes_on()) playing(ui, false); // its words stay
            if (ui.run.findings.length > found) break;
            await new Promise(done => setTimeout(done, PACE));
        }
        if (goes_on()) pause(ui);
    }

    const BUTTONS = {
        step: ["Step", "One warp instruction",
            ui => near(ui, run => run.step(1, UNTIL.n))],
        line: ["Line", "Until the line or the warp changes",
            ui => near(ui, run =>
                run.step(100000, UNTIL.line | UNTIL.finding))],
        access: ["Access", "Until a load or store of global or shared memory",
            ui => near(ui, run =>
                run.step(100000, UNTIL.access | UNTIL.finding))],
        run: ["Run", "Line after line; press again to pause",
            ui => ui.playing ? pause(ui) : play(ui)],
        find: ["Finding", "Until something is wrong",
            ui => far(ui, (run, told) => run.find(told))],
        end: ["To end", "What is left, at full speed",
            ui => far(ui, (run, told) => run.rest(told))],
        cancel: ["Cancel", "Stops Finding and To end on their way; so does " +
            "Escape"],
        reset: ["Reset", "Begin again"],
    };

    function buttons(ui) {
        const row = element("div", { class: "sim-buttons", role: "group",
            "aria-label": "Execute" });
        ui.buttons = {};
        for (const name in BUTTONS) {
            const [label, title, press] = BUTTONS[name];
            const button = element("button", { type: "button", title }, label);
            button.onclick = name === "cancel" ? () => cancel(ui) :
                name === "reset" ? () => restart(ui) :
                    () => { if (ui.run && !ui.run.over) press(ui); };
            ui.buttons[name] = button;
            row.append(button);
        }
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
                "the warp; those that execute the instruction are filled. " +
                "Counters alone, without a look for errors and races, are " +
                "faster."));
    }

    function clear(ui) {
        ui.source.replaceWith(ui.source = listing(ui.run.kernel));
        ui.found.replaceChildren();
        ui.found.hidden = true;
        ui.listed = "";
        ui.told = new Set();
        ui.counters.forEach(({ row, value, note }, k) => {
            value.textContent = "0";
            note.textContent = "";
            row.classList.remove("grew");
            row.hidden = k > 2;
        });
    }

    function restart(ui) {
        if (ui.playing) playing(ui, false);
        if (ui.run) ui.run.cancel();
        ui.turn++;
        const form = ui.form.elements, kernel = ui.kernels[form.kernel.value];
        const shape = kernel.sizes.map(([dim]) => dim +
            form["size-" + dim].value).join(" ");
        const run = new SimRun(ui.gpu, kernel, shape, form.checks.checked);
        ui.opening = true; // no cancel may drop what follows
        return in_turn(ui, async () => {
            try {
                await run.open();
            } finally {
                ui.opening = false;
            }
            ui.run = run;
            clear(ui);
            show(ui, simWords.ready(run));
        });
    }

    // What a kernel is run with ------------------------------------------------

    function size_choices(ui, kernel) {
        ui.sizes.replaceChildren(...kernel.sizes.map(([dim, list, first]) => {
            const select = element("select", { name: "size-" + dim });
            for (const size of list) {
                const option = element("option", { value: size }, many(size));
                option.selected = size === first;
                select.append(option);
            }
            return element("label", {}, element("span", {}, dim), select);
        }));
    }

    function controls(ui) {
        const choose = element("select", { name: "kernel" });
        const checks = element("input", { type: "checkbox", name: "checks" });
        checks.defaultChecked = true;
        ui.kernels.forEach((kernel, k) => choose.append(
            element("option", { value: k }, kernel.title)));
        ui.sizes = element("span", { class: "sim-sizes" });
        ui.form = element("form", { class: "sim-controls", autocomplete: "off" },
            element("label", {}, element("span", {}, "Kernel"), choose),
            ui.sizes, element("label", { class: "sim-checks" }, checks,
                "Look for errors and races"));
        size_choices(ui, ui.kernels[0]);
        ui.form.addEventListener("input", event => {
            if (event.target.name === "kernel")
                size_choices(ui, ui.kernels[event.target.value]);
            restart(ui);
        });
        ui.form.addEventListener("submit", event => event.preventDefault());
        return ui.form;
    }

    function escapes(ui) {
        document.addEventListener("keydown", event => {
            if (event.key !== "Escape" || !(ui.busy || ui.playing) ||
                document.querySelector("dialog[open]")) return;
            event.preventDefault();
            cancel(ui);
        });
    }

    function build(box, kernels) {
        const ui = { box, kernels, queue: Promise.resolve(), turn: 0,
            shown: 0, playing: false, plays: 0, busy: false,
            opening: false, run: null, gpu: Simulator.gpu() };
        ui.source = element("ol");
        ui.lanes = Array.from({ length: LANES }, () => element("i"));
        ui.where = element("p", { class: "sim-where" });
        ui.picture = element("div", { class: "sim-drawn" });
        ui.counters = counter_rows();
        ui.figures = element("dl", { class: "sim-figures" },
            ...ui.counters.map(c => c.row));
        ui.found = element("ul", { class: "sim-found" });
        ui.said = element("p", { class: "sim-said", role: "status" });
        box.replaceChildren(element("p", { class: "sim-title" },
            "Run it, warp by warp"), controls(ui), buttons(ui), ui.said,
            ui.source, element("div", { class: "sim-mask",
                "aria-hidden": "true" }, ...ui.lanes), ui.where, ui.picture,
            ui.figures, ui.found, help(ui));
        busy(ui, false);
        escapes(ui);
        return restart(ui);
    }

    for (const box of document.querySelectorAll(".sim[data-sim=kernel]"))
        simStart(box, "Run this chapter’s kernels here",
            "Line by line or to the end, at sizes you choose, with counters " +
            "and findings.", async () => build(box,
                await Simulator.kernels(box.dataset.chapter)));
})();
