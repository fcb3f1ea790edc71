// SPDX-License-Identifier: MIT
// mutant: tiles of 32 x 32 occupy as many blocks, and none shares its k
// chapter: 15 split
// expect: TECHNIQUE stored_sectors 8192 >= 12000 MISSED
// say: It writes 8192 sectors
// from: 15 registers
// edit: s/BM = 128/BM = 32/
// edit: s/BN = 256/BN = 32/
// edit: s/TM = 8,/TM = 4,/
// edit: s/TN = 16,/TN = 8,/
