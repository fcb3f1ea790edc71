// SPDX-License-Identifier: MIT
/*
 * remedy.c: see remedy.h.
 *
 * A row per counter that chapters have gates on, and per side of its limit. The
 * sentences hold in every chapter. What is special about a step its own file
 * says: its head names the one thing that is new, and a lesson explains it.
 */
#include "remedy.h"

#include <string.h>

enum { MANY, FEW };

#define TENSOR                                                                 \
    "Let mma instructions do the whole product, and the edges, too: fill up "  \
    "with zeros what lies outside of the matrices."
#define ADDRESSES                                                              \
    "On that line, which addresses do threads 0 and 1 use? The index that "    \
    "threadIdx.x is part of should be the one that runs fastest in memory."
#define SIXTEEN                                                                \
    "Move 16 bytes by one access (a float4) where the address is a multiple "  \
    "of 16, and only what remains at the ends of a row by smaller ones."
#define BANKS                                                                  \
    "Work out the banks of the lanes on that line: the index of a word of 4 "  \
    "bytes in shared memory, modulo 32. Pad or permute the array so that no "  \
    "two different words of a warp are in one bank."
#define BOX                                                                    \
    "Let one thread hand whole boxes to the copy engine, by a tensor map, "    \
    "where now every lane moves its part."
#define ASYNC                                                                  \
    "Let all copies from global to shared memory be asynchronous ones "        \
    "(__pipeline_memcpy_async), and not loads followed by stores."
#define TILE                                                                   \
    "Declare a __shared__ array, let the block's threads fill it, wait at "    \
    "__syncthreads(), and read from there."
#define ON_CHIP                                                                \
    "A block can load once what several threads use: into shared memory, "     \
    "where all of them read it, or into registers that serve several outputs."
#define GRAPH                                                                  \
    "Capture a step once (cudaStreamBeginCapture), and from then on launch "   \
    "only the graph."
#define AGAIN                                                                  \
    "Which loads fetch what a line, a round or a block before has fetched? "   \
    "Keep it, in registers or shared memory, or do the work of two loops in "  \
    "one."
#define REGRET                                                                 \
    "List the shapes that lose most, with what was chosen and what was best: " \
    "what do they have in common that your choice does not ask for?"

static const struct {
    const char *counter;
    int too;
    const char *remedy;
} rows[] = {
    {"tf32_tensor_ops_per_flop", FEW, TENSOR},
    {"bf16_tensor_ops_per_flop", FEW, TENSOR},
    {"global_load_sectors_per_request", MANY, ADDRESSES},
    {"global_store_sectors_per_request", MANY, ADDRESSES},
    {"global_load_bytes_over_asked", MANY, ADDRESSES},
    {"global_store_bytes_over_asked", MANY, ADDRESSES},
    {"global_load_bytes_per_request", FEW, SIXTEEN},
    {"global_store_bytes_per_request", FEW, SIXTEEN},
    {"global_load_bytes", FEW,
     "Copy all of the inputs to the GPU, and let the kernel read them there."},
    {"global_store_bytes", FEW,
     "Let the kernel compute the whole result, and copy it back."},
    {"global_load_bytes", MANY,
     "Let a warp that has loaded something use it for several outputs before "
     "it goes on: keep it in registers over a loop."},
    {"warp_instructions_per_flop", MANY,
     "In the innermost loop, count what is no multiply-add. Unroll it, carry "
     "addresses along instead of computing them, and test bounds outside."},
    {"stored_sectors", MANY,
     "Store each result once, when nothing is left to be done to it, and whole "
     "sectors at a time."},
    {"stored_sectors", FEW,
     "Give several blocks the same tile, each a part of k; let each leave its "
     "sums in the workspace, and add them up in a fixed order."},
    {"flops_over_useful", FEW,
     "Let the kernels of the step compute all sums, on the GPU."},
    {"flops_over_useful", MANY,
     "How many rows and columns of a tile hold nothing, at the shape of the "
     "gates? Choose tiles that fit it."},
    {"threads_per_word", MANY,
     "Give each thread several elements, all of them loaded before the first "
     "is stored, and launch so many fewer threads."},
    {"global_load_requests_per_flop", MANY, ON_CHIP},
    {"shared_load_wavefronts_per_flop", MANY,
     "Which different words do the lanes of a warp read at once? Arrange the "
     "lanes so that more of them read the same, and let each value serve more "
     "products."},
    {"threads", FEW,
     "Cut the long loop into parts, and give each part to a thread of its "
     "own."},
    {"threads", MANY,
     "Launch as many blocks as run at a time, and let each take one piece of "
     "work after another."},
    {"blocks_at_work", FEW,
     "Make more, smaller shares: several blocks per tile, each with a part of "
     "the sum; or smaller tiles, where there are many."},
    {"shared_load_wavefronts_per_request", FEW,
     "Let each load bring a warp 8 or 16 bytes per lane, or several matrices "
     "of 8 rows (ldmatrix)."},
    {"bytes_asked_again_per_byte", MANY, TILE},
    {"shared_load_requests", FEW, TILE},
    {"shared_load_requests_per_flop", FEW, TILE},
    {"shared_stores_per_load", FEW, TILE},
    {"async_copy_bytes_over_compulsory", FEW, ASYNC},
    {"loaded_bytes_per_copied", MANY, ASYNC},
    {"async_copy_requests", MANY, BOX},
    {"loads_by_threads", MANY, BOX},
    {"bulk_load_bytes", FEW, BOX},
    {"bulk_store_bytes", FEW, BOX},
    {"global_store_requests", MANY, BOX},
    {"async_waits_ahead_per_wait", FEW,
     "Start the next tile's copies before you wait for this tile's, and leave "
     "them under way: __pipeline_wait_prior(1), with a commit per tile, waits "
     "for all but the newest."},
    {"global_atomics", FEW,
     "Cut the batch into slices, and let each thread add the sum of its slice "
     "to the cell by atomicAdd."},
    {"global_atomics", MANY,
     "Add up on chip first, in a thread's registers, then over a warp or a "
     "block, so that one atomic addition carries many terms."},
    {"atomics", MANY,
     "Give each partial sum a place of its own, in the workspace, and let a "
     "second kernel add them up in a fixed order."},
    {"barriers", MANY,
     "Ask of each barrier who waits for whom. Lanes of a warp can meet by "
     "shuffles or __syncwarp(); a loop over a ring of buffers needs one "
     "barrier per round; what only some warps do only they need wait for."},
    {"loads_by_multipliers", MANY,
     "Let a thread of a warpgroup that never multiplies start all copies; it "
     "waits until a pair of tiles is empty, the others until one is full."},
    {"branches_per_copied", MANY,
     "Ask once per tile whether all of it exists, and if it does, copy it by "
     "code that checks nothing."},
    {"barriers_per_wait", MANY,
     "With one pair of tiles more on chip, the pair that is filled is not the "
     "one that was just read: the barrier behind the next wait then says that "
     "all have read it, and the second barrier can go."},
    {"local_requests", MANY,
     "Let every index of the array be a constant once its loop is unrolled "
     "(#pragma unroll, a length known to the compiler): it then lies in "
     "registers. What does not fit there can wait in shared memory."},
    {"shared_load_conflicts_per_request", MANY, BANKS},
    {"shared_store_conflicts_per_request", MANY, BANKS},
    {"constant_load_replays_per_request", MANY,
     "Keep in constant memory what all lanes of a warp read at the same index. "
     "A table that each lane reads elsewhere belongs in shared memory."},
    {"shared_load_requests_per_flop", MANY,
     "Give each thread several outputs, so that a value that it has read from "
     "shared memory, and holds in a register, serves all of them."},
    {"global_load_bytes_over_compulsory", MANY,
     "Give a block a larger tile: what it loads then serves more outputs, and "
     "fewer blocks load the same."},
    {"bytes_beside_parameters", MANY, AGAIN},
    {"input_reads", MANY, AGAIN},
    {"loaded_over_inputs", MANY, AGAIN},
    {"stored_over_results", MANY,
     "Which values are stored, only to be loaded again? Let the code that "
     "computes them go on to what they are for, while they are in registers or "
     "in shared memory."},
    {"called_over_both", MANY,
     "Let the kernel do that itself, where it has the values at hand."},
    {"graph_launches", FEW, GRAPH},
    {"graph_launches", MANY,
     "Launch the graph of a step once per batch, and no other graph."},
    {"host_launches", MANY, GRAPH},
    {"graph_replays", FEW,
     "Record and instantiate one step, before the loop over the batches, and "
     "launch this same graph once per batch."},
    {"held_out_used", MANY,
     "Fit the tree, its depth too, to the shapes for training alone."},
    {"measured_percent", MANY,
     "Compute the bound first, and measure only where it lies below the best "
     "time so far; begin with the candidates that promise most."},
    {"regret_mean_percent", MANY, REGRET},
};

const char *remedy_of(const char *counter, bool too_low)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((rows[i].too == FEW) == too_low &&
            strcmp(rows[i].counter, counter) == 0)
            return rows[i].remedy;
    return NULL;
}

bool remedy_is_of_tensors(const struct kernel_conf *conf)
{
    for (int i = 0; i < conf->n_gates; i++)
        if (strstr(conf->gates[i].counter, "_tensor_ops_per_flop"))
            return true;
    return false;
}

const char *remedy_of_tensors(const char *counter)
{
    if (strcmp(counter, "warp_instructions_per_flop") == 0)
        return "In the loop over k, count what is neither an mma nor the load "
               "of a fragment: carry addresses along as pointers, and test "
               "bounds only for tiles at an edge.";
    if (strcmp(counter, "shared_load_requests_per_flop") == 0)
        return "Let each load bring a warp more (16 bytes per lane, or "
               "ldmatrix), and let a warp own more rows and columns, so that a "
               "fragment in its registers serves more mma.";
    return NULL;
}

/* A line of a comment that goes on with what the line before says. */
static bool goes_on(const char *line)
{
    size_t word;

    if (strncmp(line, "// ", 3) != 0)
        return false;
    word = strcspn(line + 3, " :\n");
    return line[3 + word] != ':' && strncmp(line + 3, "Since ", 6) != 0;
}

bool remedy_idea(struct text *t, const char *path)
{
    static const char mark[] = "// New: ";
    struct text source = {0};
    const char *at = file_read(path, &source) ? strstr(source.s, mark) : NULL;

    if (at) {
        at += strlen(mark);
        text_add(t, "%.*s", (int)strcspn(at, "\n"), at);
        while (*(at += strcspn(at, "\n")) && goes_on(++at))
            text_add(t, " %.*s", (int)strcspn(at + 3, "\n"), at + 3);
    }
    text_free(&source);
    return at != NULL;
}
