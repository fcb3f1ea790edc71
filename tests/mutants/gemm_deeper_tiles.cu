// SPDX-License-Identifier: MIT
// mutant: tiles twice as deep have half the barriers, and two per pair as before
// chapter: 15 stages
// expect: TECHNIQUE barriers_per_wait 2 <= 1.5 MISSED
// say: Its warps come to 2 barriers for each wait
// from: 15 copies
// edit: s/BK = 8,  /BK = 16, /
