// SPDX-License-Identifier: MIT
// One load or store of a warp, as calls of common/simgpu/page/page.h.
//
//   simProbe({space, write, width, stride, offset, mask}) -> calls, of which the
//       last two are a step, up to the access, and the end. stride and offset
//       count floats; width, bytes per lane
"use strict";

const simProbe = (function () {
    const { CHECKS, CONTENT, UNTIL } = simPlan;
    const THREADS = 32, ARRAY = 16384, SHARED = 8192;
    const WIDTHS = { 4: "b32", 8: "v2.b32", 16: "v4.b32" };

    // One access at base + offset + lane * stride, for the lanes of a mask.
    function ptx({ space, write, width }) {
        const registers = ["%r4", "%r5", "%r6", "%r7"].slice(0, width / 4);
        const values = width === 4 ? registers[0] :
            `{${registers.join(", ")}}`;
        const op = `${write ? "st" : "ld"}.${space}.${WIDTHS[width]}`;
        return `.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 tile[];
.visible .entry access(.param .u64 p, .param .u32 stride, .param .u32 offset,
    .param .u32 mask)
{
.reg .pred %p<3>;
.reg .b32 %r<10>;
.reg .b64 %rd<6>;
ld.param.u64 %rd1, [p];
ld.param.u32 %r1, [stride];
ld.param.u32 %r2, [offset];
ld.param.u32 %r3, [mask];
mov.u32 %r8, %tid.x;
mad.lo.u32 %r9, %r8, %r1, %r2;
shr.u32 %r3, %r3, %r8;
and.b32 %r3, %r3, 1;
setp.eq.u32 %p1, %r3, 0;
@%p1 bra END;
${registers.map(r => `mov.u32 ${r}, %r8;`).join("\n")}
${space === "shared" ? "mov.u64 %rd2, tile;" : "cvta.to.global.u64 %rd2, %rd1;"}
cvt.u64.u32 %rd3, %r9;
add.s64 %rd4, %rd2, %rd3;
${write ? `${op} [%rd4], ${values};` : `${op} ${values}, [%rd4];`}
END:
ret;
}
`;
    }

    function hex(...words) {
        return words.map(w => [0, 8, 16, 24].map(s =>
            (w >>> s & 255).toString(16).padStart(2, "0")).join("")).join("");
    }

    function calls(ask) {
        return [["open", 0, CHECKS.all], ["load", ptx(ask)], ["alloc", ARRAY],
            ["fill", 1, 0, ARRAY, CONTENT.floats, 1],
            ["params", hex(0, 0, ask.stride * 4, ask.offset * 4, ask.mask)],
            ["point", 0, 1, 0],
            ["launch", "access", 1, 1, 1, THREADS, 1, 1, SHARED],
            ["step", 1000, UNTIL.access], ["end"]];
    }

    return calls;
})();

if (typeof module !== "undefined") module.exports = { simProbe };
