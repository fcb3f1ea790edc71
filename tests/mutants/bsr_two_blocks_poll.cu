// SPDX-License-Identifier: MIT
// mutant: two blocks make all four passes; between them all lanes poll
// chapter: 19 passes
// expect: SLOW PREDICTED
enum { BLOCKS = 2, BSR_THREADS = 256, POLL = BSR_THREADS };
#include "../tests/honest/bsr_passes_that_poll.cuh"
