// SPDX-License-Identifier: MIT
/* disagreeing.cu: of bug/units_disagree.cu. */
__constant__ float weights[2];
