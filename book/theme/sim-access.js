// SPDX-License-Identifier: MIT
// The access explorer: one load or store of a warp, whose stride, offset, width
// and lanes the reader chooses. Every number comes from the engine: a kernel of
// that one instruction is made as PTX and run. The picture is drawn from the
// addresses that the engine reports.
"use strict";

(function () {
    const LANES = 32;
    const MASKS = [["all", 0xffffffff, "all 32"], ["half", 0x0000ffff,
        "the first 16"], ["even", 0x55555555, "every second"],
        ["eight", 0x000000ff, "the first 8"], ["one", 1, "one"]];

    function choice(label, name, options, value) {
        const select = element("select", { name });
        for (const [key, text] of options) {
            const option = element("option", { value: key }, text);
            option.selected = String(key) === String(value);
            select.append(option);
        }
        return element("label", {}, element("span", {}, label), select);
    }

    function slider(label, name, min, max, value) {
        const output = element("output", {}, String(value));
        const input = element("input", { type: "range", name, min, max,
            value });
        input.addEventListener("input", () => { output.value = input.value; });
        return element("label", { class: "sim-slider" },
            element("span", {}, label, output), input);
    }

    // Lanes as buttons in one tab stop; arrow keys move.
    function lane_buttons(changed) {
        const group = element("div", { class: "sim-lanes", role: "group",
            "aria-label": "Active lanes; arrow keys move, Space switches" });
        const buttons = Array.from({ length: LANES }, (_, lane) => {
            const button = element("button", { type: "button",
                "aria-pressed": "true", "aria-label": `Lane ${lane}`,
                tabindex: lane ? -1 : 0 }, String(lane));
            button.onclick = () => {
                button.setAttribute("aria-pressed",
                    button.getAttribute("aria-pressed") !== "true");
                changed();
            };
            return button;
        });
        group.addEventListener("keydown", event => {
            const at = buttons.indexOf(document.activeElement);
            const across = getComputedStyle(group).gridTemplateColumns
                .split(" ").length;
            const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0,
                End: LANES - 1, ArrowDown: at + across,
                ArrowUp: at - across }[event.key];
            if (to === undefined || !buttons[to]) return;
            event.preventDefault();
            buttons[at].tabIndex = -1;
            buttons[to].tabIndex = 0;
            buttons[to].focus();
        });
        group.append(...buttons);
        return { group,
            get mask() {
                return buttons.reduce((m, b, k) => b.getAttribute(
                    "aria-pressed") === "true" ? (m | 1 << k) >>> 0 : m, 0);
            },
            set mask(mask) {
                buttons.forEach((b, k) => b.setAttribute("aria-pressed",
                    String((mask >>> k & 1) === 1)));
            } };
    }

    function figure(label, value, note = "") {
        return element("div", {}, element("dt", {}, label),
            element("dd", {}, element("span", {}, value), " ",
                ...note ? [element("small", {}, note)] : []));
    }

    const many = n => n.toLocaleString("en");
    const ratio = x => Number.isInteger(x) ? String(x) : x.toFixed(1);

    function numbers(ask, counters, access) {
        const kind = `${ask.space}_${ask.write ? "store" : "load"}_`;
        const get = name => counters[kind + name];
        if (ask.space === "shared") {
            const best = get("wavefronts") - get("conflicts");
            return [figure("wavefronts", many(get("wavefronts")),
                `${best} at best`),
                figure("bank conflicts", many(get("conflicts"))),
                figure("words", many(access ? simDraw.count(access) : 0))];
        }
        const sectors = get("sectors"), asked = get("bytes");
        return [figure("sectors", many(sectors),
            `${many(32 * sectors)} bytes move`),
            figure("bytes asked for", many(asked)),
            figure("of what moves, used", sectors ?
                `${ratio(access ? 100 * 4 * simDraw.count(access) /
                    (32 * sectors) : 0)} %` : "none")];
    }

    function sentence(ask, counters, access, findings) {
        const wrong = findings.find(f => f.kind === "misaligned");
        if (wrong) return `Misaligned: an access of ${ask.width} bytes must ` +
            `begin at a multiple of ${ask.width}. The launch ends here.`;
        if (!access) return "No lane is active: the instruction asks for " +
            "nothing.";
        if (ask.space === "shared") {
            const kind = ask.write ? "shared_store_" : "shared_load_";
            const n = counters[kind + "conflicts"];
            return n ? `${n} wavefront${n > 1 ? "s" : ""} more than needed: ` +
                "lanes ask one bank for different words." :
                "No conflict: each bank hands out or takes at most one word " +
                    "per pass.";
        }
        const kind = ask.write ? "store" : "load";
        const sectors = counters[`global_${kind}_sectors`];
        const words = simDraw.count(access);
        const least = Math.ceil(words / 8);
        return sectors <= least ? "As few sectors as these bytes fit in." :
            `${sectors} sectors, where the same bytes would fit in ${least}.`;
    }

    const PARTS = { 16: "halves", 8: "quarters" };
    // The engine's lanes per pass: twice as many where neighbours read one
    // address, so that two passes go as one.
    const parts = access => !access ? "" :
        access.lanes * access.bytes > 128 ? ". Two passes go as one here, " +
            "since neighbours read one address" :
        PARTS[access.lanes] ? `. An access of ${access.bytes} bytes goes by ` +
            `${PARTS[access.lanes]} of the warp` : "";

    function read(form, lanes) {
        const get = name => form.elements[name].value;
        return { space: get("space"), write: get("what") === "store",
            width: Number(get("width")), stride: Number(get("stride")),
            offset: Number(get("offset")), mask: lanes.mask };
    }

    function build(box) {
        const start = JSON.parse(box.dataset.start || "{}");
        const gpu = Simulator.gpu();
        const form = element("form", { class: "sim-controls" });
        const picture = element("div", { class: "sim-drawn" });
        const figures = element("dl", { class: "sim-figures" });
        const said = element("p", { class: "sim-said", role: "status" });
        const drawn = element("p", { class: "sim-where" });
        const lanes = lane_buttons(() => {
            form.elements.mask.value = "own";
            changed();
        });
        form.append(
            choice("Memory", "space", [["global", "global"],
                ["shared", "shared"]], start.space || "global"),
            choice("Access", "what", [["load", "load"], ["store", "store"]],
                start.what || "load"),
            choice("Width", "width", [[4, "4 bytes"], [8, "8 bytes"],
                [16, "16 bytes"]], start.width || 4),
            choice("Lanes", "mask", [...MASKS.map(m => [m[0], m[2]]),
                ["own", "as pressed below"]], "all"),
            slider("Stride, in floats ", "stride", 0, 48, start.stride ?? 1),
            slider("Offset, in floats ", "offset", 0, 32, start.offset ?? 0));
        let asked = 0, timer = 0, rest = 0;

        async function run() {
            const ask = read(form, lanes), mine = ++asked;
            const results = await gpu.call(simProbe(ask));
            if (mine !== asked) return; // the reader has moved on
            const [step, report] = results.slice(-2);
            const access = step.step &&
                step.step.accesses.find(a => a.space === ask.space) || null;
            if (access && ask.space === "shared") {
                // The array's own place in shared memory is not the reader's.
                const first = Math.min(...access.at.filter((_, k) =>
                    access.mask >>> k & 1));
                const lane = access.at.findIndex((a, k) =>
                    access.mask >>> k & 1 && a === first);
                const base = first - 4 * (ask.offset + lane * ask.stride);
                access.at = access.at.map(a => a - base);
            }
            figures.replaceChildren(...numbers(ask, report.counters, access));
            drawn.textContent = ask.space === "shared" ?
                "32 banks; each box is a word that a bank hands out or " +
                    "takes" +
                    parts(access) :
                "Sectors of 32 bytes; each box is 4 bytes, with the lane " +
                "that asks";
            simDraw.access(picture, access);
            clearTimeout(rest); // what is read aloud waits for the hand
            rest = setTimeout(() => {
                said.textContent = sentence(ask, report.counters, access,
                    report.findings);
            }, 350);
            box.dataset.ready = JSON.stringify(report.counters);
        }
        function changed() {
            clearTimeout(timer);
            timer = setTimeout(() => run().catch(error => {
                said.textContent = String(error.message);
            }), 30);
        }
        form.addEventListener("input", event => {
            const mask = MASKS.find(m => m[0] === event.target.value);
            if (event.target.name === "mask" && mask) lanes.mask = mask[1];
            changed();
        });
        form.addEventListener("submit", event => event.preventDefault());
        box.replaceChildren(element("p", { class: "sim-title" },
            "One access of a warp"), form, lanes.group, drawn, picture, figures,
            said);
        changed();
    }

    for (const box of document.querySelectorAll(".sim[data-sim=access]"))
        simStart(box, "Try accesses here", "Choose stride, offset, width and " +
            "lanes; the simulated GPU counts.", () => build(box));
})();
