// SPDX-License-Identifier: MIT
/*
 * page.h: the engine as a page of the book calls it, with numbers and text
 * alone: what a script can pass to WebAssembly.
 *
 *   page_open, page_close     a GPU with nothing in its memory
 *   page_load                 PTX -> its kernels
 *   page_alloc, page_fill, page_set   arrays, and what is in them
 *   page_params, page_point   the parameter block of the next launch
 *   page_cluster              how the next launch's blocks are grouped
 *   page_launch               opens a launch
 *   page_step                 executes some warp instructions of it
 *   page_run                  executes many, as fast as it can
 *   page_end                  executes the rest, and closes it
 *   page_look                 counters and findings of the open launch
 *   page_whole                a launch in one go, as page_launch and page_end
 *
 * What returns text returns one JSON object, valid until the next call; one
 * with "error" says why nothing was done. One GPU, one module, one launch at a
 * time. Device memory is MEMORY bytes (page.c): a page runs small shapes.
 */
#ifndef SIMGPU_PAGE_H
#define SIMGPU_PAGE_H

#include <stdint.h>

enum page_checks {
    PAGE_EVERYTHING, /* counters, memory errors and races */
    PAGE_COUNTERS,   /* counters alone, which is faster */
};
/* seed: 0, or a shuffle of blocks and warps; checks: enum page_checks. Opens
 * anew what is open. */
const char *page_open(uint32_t seed, uint32_t checks);
void page_close(void);

/* {"kernels":[{"name":...,"bytes":...,"params":[[offset,size],...]},...]} */
const char *page_load(const char *ptx);

/* The array's number, from 1; its bytes count as never written. 0: no room. */
uint32_t page_alloc(uint32_t bytes);
enum page_content {
    PAGE_FLOATS,   /* fp32 in [-1, 1), multiples of 1/64, drawn from seed */
    PAGE_INTEGERS, /* 32 bits, in [0, 1024), drawn from seed */
    PAGE_BYTES,    /* every byte is seed, as cudaMemset does */
};
/* n_bytes from offset on; a multiple of 4. 0: done. */
int page_fill(uint32_t array, uint32_t offset, uint32_t n_bytes,
              enum page_content content, uint32_t seed);
/* One word of an array. 0: done. */
int page_set(uint32_t array, uint32_t offset, uint32_t value);
/* A word of an array, also one that was never written. */
uint32_t page_get(uint32_t array, uint32_t offset);

/* Two hexadecimal digits per byte. 0: done. */
int page_params(const char *hex);
/* A pointer at `at` in the block: so many bytes into an array. */
int page_point(uint32_t at, uint32_t array, uint32_t offset);

/* Blocks of a cluster along each axis, which divide the grid; 0 or no call: as
 * the kernel says. Of one launch. */
int page_cluster(uint32_t x, uint32_t y, uint32_t z);
const char *page_launch(const char *kernel, uint32_t grid_x, uint32_t grid_y,
                        uint32_t grid_z, uint32_t block_x, uint32_t block_y,
                        uint32_t block_z, uint32_t dynamic_shared);

/* Where page_step stops before it has executed n. */
enum page_until {
    PAGE_N = 0,
    PAGE_LINE = 1,    /* before another line, function, warp or block */
    PAGE_FINDING = 2, /* after an instruction with a new finding */
    PAGE_ACCESS = 4,  /* after a load or store of global or shared memory */
};
/* {"done":n, "over":bool, "stopped":"line|finding|access|", "step":{"block":
 * [x,y,z], "warp":w, "mask":m, "function":s, "pc":n, "file":s, "line":n,
 * "op":s, "accesses":[{"space":"global", "write":bool, "atomic":bool,
 * "mask":m, "bytes":n, "sectors":n or "lanes":per pass, "wavefronts":n,
 * "array":number or 0, "at":[32 offsets in array or space]}]}}: the instruction
 * executed last; "step" is null if there was none. */
const char *page_step(uint32_t n, uint32_t until);
/* About n warp instructions, of which none is shown: {"over":bool}. */
const char *page_run(uint32_t n);

/* {"counters":{...}, "fault":s, "memory_errors":n, "races":n,
 * "findings":[...]}; a finding as the device's report has it
 * (docs/architecture.md). */
const char *page_look(void);
const char *page_end(void);
const char *page_whole(const char *kernel, uint32_t grid_x, uint32_t grid_y,
                       uint32_t grid_z, uint32_t block_x, uint32_t block_y,
                       uint32_t block_z, uint32_t dynamic_shared);

#endif
