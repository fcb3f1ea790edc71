// SPDX-License-Identifier: MIT
// A run of a kernel, from the first call of its launcher to the last. State and
// numbers are the engine's.
//
//   new SimRun(gpu, kernel, shape, checked)
//   open()               its arrays, and its first launch
//   step(n, until)       follows up to n warp instructions
//   find(told), rest(told)   until something is wrong; to the end
//   cancel()             ends find or rest soon, between two instructions
//   counters, findings, last, over, cancelled   what there is by now
//
// The worker does one call at a time, so find and rest ask for a slice at a time,
// of about SLICE milliseconds; told() is called after each. Only so can a run be
// cancelled, and the page's other displays have their turn.
"use strict";

class SimRun {
    static SLICE = 60;

    constructor(gpu, kernel, shape, checked) {
        this.gpu = gpu;
        this.kernel = kernel;
        this.shape = shape;
        this.checked = checked;
        this.calls = kernel.shapes[shape].calls;
        this.arrays = kernel.shapes[shape].arrays;
    }

    async open() {
        this.at = -1;        // of the launcher's calls
        this.before = {};    // counters of launches that are over,
        this.past = [];      // and findings
        this.counters = null;
        this.findings = [];
        this.over = false;
        this.last = null;
        const { all, counters } = simPlan.CHECKS;
        await this.gpu.call(simPlan.open(this.kernel, this.shape,
            this.checked ? all : counters));
        await this.next_launch();
    }

    async next_launch() {
        while (++this.at < this.calls.length) {
            const call = this.calls[this.at], launch = simPlan.launch(call);
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

    // A launch is over: the next one.
    async finish() {
        const [report] = await this.gpu.call([["end"]]);
        this.see(report);
        this.before = this.counters;
        this.past = this.findings;
        if (report.fault !== "none") this.over = true;
        else await this.next_launch();
    }

    see(report) {
        const add = (to, more) => {
            for (const key in more) to[key] = (to[key] || 0) + more[key];
            return to;
        };
        this.counters = add({ ...this.before }, report.counters);
        this.findings = [...this.past, ...report.findings];
    }

    cancel() {
        this.cancelled = true;
    }

    // one(n): n instructions, and whether that was all. n follows the clock.
    async slices(n, one, told) {
        this.cancelled = false;
        for (;;) {
            const begin = performance.now();
            if (await one(Math.round(n)) || this.over || this.cancelled) return;
            const spent = Math.max(performance.now() - begin, 1);
            n *= Math.min(Math.max(SimRun.SLICE / spent, .25), 4);
            told();
        }
    }

    find(told) {
        return this.slices(10000, async n => {
            const known = this.findings.length;
            const { stopped } = await this.step(n, simPlan.UNTIL.finding);
            return stopped !== "" || this.findings.length > known;
        }, told);
    }

    // Unfollowed, so nothing is marked after it.
    rest(told) {
        return this.slices(100000, async n => {
            const [{ over }, seen] = await this.gpu.call([["run", n], ["look"]]);
            this.last = null;
            if (over) await this.finish();
            else this.see(seen);
        }, told);
    }
}

if (typeof module !== "undefined") module.exports = { SimRun };
