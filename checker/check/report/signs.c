// SPDX-License-Identifier: MIT
/*
 * signs.c: the table of signs, in the order in which they matter; see signs.h.
 */
#include "signs.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "excess.h"

static const struct sign signs[] = {
    {"tf32_tensor_ops_per_flop", FEW, NAN,
     "Tensor cores do %s of its useful flops in tf32: the rest, if any, is "
     "done lane by lane.", 16, NULL, NULL},
    {"bf16_tensor_ops_per_flop", FEW, NAN,
     "Tensor cores do %s of its useful flops in bf16: the rest, if any, is "
     "done in another type, or lane by lane.", 16, NULL, NULL},
    {"global_load_sectors_per_request", MANY, NAN,
     "A warp's load touches %s sectors of 32 bytes, where 4 would hold 32 "
     "floats: neighbouring lanes read addresses that lie far apart.", 5,
     "load_sectors", "sectors that it loads"},
    {"global_store_sectors_per_request", MANY, NAN,
     "A warp's store touches %s sectors of 32 bytes, where 4 would hold 32 "
     "floats: neighbouring lanes write addresses that lie far apart.", 5,
     "store_sectors", "sectors that it stores"},
    {"global_load_bytes_over_asked", MANY, 4.0,
     "It fetches %s times the bytes that its loads ask for: a sector has 32 "
     "bytes, and neighbouring lanes do not share it.", 5, "load_sectors",
     "sectors that it loads"},
    {"global_store_bytes_over_asked", MANY, 4.0,
     "It touches %s times the bytes that it stores: a sector has 32 bytes, and "
     "neighbouring lanes do not share it.", 5, "store_sectors",
     "sectors that it stores"},
    {"global_load_bytes", FEW, NAN,
     "Kernels load only %s bytes: not all of the inputs.", 1, NULL, NULL},
    {"global_store_bytes", FEW, NAN,
     "Kernels store only %s bytes: not all of the result comes from the GPU.",
     1, NULL, NULL},
    {"global_load_bytes", MANY, NAN,
     "Its lanes ask for %s bytes of global memory: several of them load the "
     "same floats, each for itself.", 6, "load_sectors",
     "sectors that it loads"},
    {"global_load_bytes_per_request", FEW, NAN,
     "A warp's load asks for %s bytes; with 16 bytes per lane it asks for 512.",
     3, "loads", "loads"},
    {"global_store_bytes_per_request", FEW, NAN,
     "A warp's store writes %s bytes; with 16 bytes per lane it writes 512.", 3,
     "stores", "stores"},
    {"warp_instructions_per_flop", MANY, NAN,
     "It issues %s instructions per useful flop; a multiply-add of 32 lanes is "
     "1/64 = 0.0156. The rest are the loop's, or addresses.", 3, NULL, NULL},
    {"stored_sectors", MANY, NAN,
     "It writes %s sectors, more than the result has: an array goes to memory "
     "and back, or a sector is written in parts.", 20, "store_sectors",
     "sectors that it stores"},
    {"stored_sectors", FEW, NAN,
     "It writes %s sectors, the result's and hardly more: blocks that share a "
     "tile, each with a part of k, would have to leave their sums somewhere.",
     15, NULL, NULL},
    {"flops_over_useful", FEW, NAN,
     "Its kernels compute %s times what the result needs: the rest is done on "
     "the host.", 24, NULL, NULL},
    {"flops_over_useful", MANY, NAN,
     "It computes %s times what the result needs: work done twice, or tiles "
     "far larger than what they hold.", 16, NULL, NULL},
    {"threads_per_word", MANY, NAN,
     "%s threads per 4 bytes that must move: give a thread several values to "
     "work on at once, and launch fewer threads.", 3, NULL, NULL},
    {"global_load_requests_per_flop", MANY, NAN,
     "It makes %s global loads per useful flop: several threads load the same "
     "floats, each for itself.", 12, "loads", "loads"},
    {"shared_load_wavefronts_per_flop", MANY, NAN,
     "Its shared loads take %s wavefronts per useful flop: a warp's lanes want "
     "more different floats than they could share.", 14, "shared_loads",
     "shared loads"},
    {"threads", FEW, NAN,
     "It launches %s threads, so most of the GPU has nothing to do: more "
     "blocks could share the work.", 15, NULL, NULL},
    {"blocks_at_work", FEW, NAN,
     "One of the blocks has so much of the work that, in equal shares, it "
     "would occupy only %s of them: the others end early.", 15, NULL, NULL},
    {"bytes_asked_again_per_byte", MANY, NAN,
     "Of the bytes that a warp loads from global memory %s are what another of "
     "its lanes asks for, too: its threads fetch their own operands, and share "
     "no tile.", 12, NULL, NULL},
    {"loads_by_multipliers", MANY, NAN,
     "Warps that multiply start %s bulk copies themselves: while they wait for "
     "room on chip, their tensor cores have nothing to do.", 17, NULL, NULL},
    {"threads", MANY, NAN,
     "It launches %s threads, more than run at a time: the last blocks have "
     "the GPU for themselves.", 15, NULL, NULL},
    {"shared_load_wavefronts_per_request", FEW, NAN,
     "A shared load brings a warp %s wavefronts, each up to 128 bytes: its "
     "fragments come word by word.", 16, "shared_loads", "shared loads"},
    {"shared_load_requests", FEW, NAN,
     "Nothing is read from shared memory: every value comes from global "
     "memory, each time that it is needed.", 6, "loads", "loads"},
    {"async_copy_bytes_over_compulsory", FEW, NAN,
     "Asynchronous copies bring in %s of the bytes that must move; other loads "
     "pass through registers, and a warp waits for them.", 9,
     "load_sectors", "sectors that plain loads fetch"},
    {"async_copy_bytes_over_compulsory", MANY, NAN,
     "Asynchronous copies bring in %s times the bytes that must move: several "
     "blocks copy the same floats.", 15, NULL, NULL},
    {"loaded_bytes_per_copied", MANY, NAN,
     "Its threads load %s bytes through registers for each byte that is copied "
     "asynchronously: their warps wait for those as before.", 15,
     "load_sectors", "sectors that plain loads fetch"},
    {"async_copy_requests", MANY, NAN,
     "Its warps make %s requests for asynchronous copies, each with addresses "
     "of its lanes: the copy engine takes a box per instruction.", 17, NULL,
     NULL},
    {"loads_by_threads", MANY, NAN,
     "Its warps load %s times from global memory, in one way or another: what "
     "the copy engine brings is not what they work with.", 17, "load_sectors",
     "sectors that threads load"},
    {"bulk_load_bytes", FEW, NAN,
     "The copy engine brings in %s bytes: the rest of A and B, or all, is "
     "copied by threads.", 17, "load_sectors", "sectors that threads load"},
    {"bulk_store_bytes", FEW, NAN,
     "The copy engine stores %s bytes: the rest of C, or all, is stored by "
     "threads, and their tensor cores wait.", 17, "store_sectors",
     "sectors that threads store"},
    {"global_store_requests", MANY, NAN,
     "Its warps store %s times: the copy engine could take C from shared "
     "memory, while the next tile is multiplied.", 17, "store_sectors",
     "sectors that it stores"},
    {"async_waits_ahead_per_wait", FEW, NAN,
     "The share of its waits that leave the next tile's copies under way is "
     "%s: at the others a warp waits for every copy, and does no work.", 9,
     "async_waits", "waits"},
    {"global_atomics", FEW, NAN,
     "It makes %s atomic additions, a warp's counted once: here the batch is "
     "cut into slices, and each slice adds its sum to the cell.", 8, NULL,
     NULL},
    {"global_atomics", MANY, NAN,
     "It makes %s atomic additions, a warp's counted once: more sums could "
     "meet on chip before they meet in global memory.", 8, "atomics",
     "atomics"},
    {"atomics", MANY, NAN,
     "It makes %s atomic additions, a warp's counted once: they add in no "
     "fixed order, so the last bits differ from run to run.", 8, "atomics",
     "atomics"},
    {"barriers", MANY, NAN,
     "Its warps come to %s barriers: at each, all of a block wait for its "
     "slowest. A warp's lanes can meet by shuffles, with none.", 8,
     "barriers", "barriers"},
    {"branches_per_copied", MANY, NAN,
     "Its warps come to %s branches per 32 bytes that are copied: each copy "
     "asks whether it lies inside the matrices, where nearly all do.", 15,
     NULL, NULL},
    {"barriers_per_wait", MANY, NAN,
     "Its warps come to %s barriers for each wait that brings copies: one "
     "would say both that a tile is there and that another may be filled.", 15,
     "barriers", "barriers"},
    {"local_requests", MANY, 0.5,
     "%s accesses go to local memory, off chip: an array of yours, spilled "
     "registers, or what printf is given.", 7, "local_requests",
     "local accesses"},
    {"shared_load_conflicts_per_request", MANY, 0.25,
     "A shared load waits %s extra wavefronts: lanes meet in one bank.", 6,
     "shared_load_conflicts", "extra wavefronts"},
    {"shared_store_conflicts_per_request", MANY, 0.25,
     "A shared store waits %s extra wavefronts: lanes meet in one bank.", 6,
     "shared_store_conflicts", "extra wavefronts"},
    {"constant_load_replays_per_request", MANY, 3.0,
     "A load of constants takes %s further turns: the constant cache gives a "
     "warp one address at a time, and its lanes ask for several.", 6,
     "constant_replays", "further turns"},
    {"global_bytes_over_compulsory", MANY, 2.0,
     "It moves %s times the bytes that must move: the same inputs are loaded "
     "again and again.", 6, "global_sectors", "sectors that it moves"},
    {"bytes_beside_parameters", MANY, NAN,
     "Without what it loads of the small inputs, which all rows share, it "
     "moves %s times the bytes that must move: an array is loaded again, or "
     "goes to memory and back.", 21, "global_sectors", "sectors that it moves"},
    {"input_reads", MANY, NAN,
     "It loads its large inputs %s times over: what was loaded before is "
     "loaded again.", 21, "load_sectors", "sectors that it loads"},
    {"global_load_bytes_over_compulsory", MANY, NAN,
     "It loads %s times the bytes that must move in all: several blocks load "
     "the same inputs.", 12, "load_sectors", "sectors that it loads"},
    {EXCESS_LOADS, MANY, NAN,
     "It loads %s times the bytes of its inputs: what was loaded before is "
     "loaded again.", 6, "load_sectors", "sectors that it loads"},
    {EXCESS_STORES, MANY, NAN,
     "It stores %s times the bytes of its results: what is stored is loaded "
     "again for what follows.", 19, "store_sectors",
     "sectors that it stores"},
    {EXCESS_ATOMICS, MANY, NAN,
     "Its atomics read, and write again, %s times the bytes of its results: "
     "each one goes to memory by itself.", 8, "atomics", "atomics"},
    {EXCESS_CALLS, MANY, NAN,
     "Copies and memsets of the launcher move %s times the bytes of its inputs "
     "and results.", 19, NULL, NULL},
    {"lanes_per_instruction", FEW, 20.0,
     "Only %s of 32 lanes work in the average instruction.", 7, "issued",
     "instructions"},
    {"shared_load_requests_per_flop", MANY, 0.01,
     "It makes %s shared loads per useful flop: what is on chip is fetched "
     "again for every output.", 7, "shared_loads", "shared loads"},
    {"shared_load_requests_per_flop", FEW, NAN,
     "It makes %s shared loads per useful flop: too few to feed the product, "
     "so most values come from global memory, again and again.", 12, "loads",
     "loads"},
    {"shared_stores_per_load", FEW, NAN,
     "It makes %s shared stores per global load: most of what it loads serves "
     "one thread alone, and is not shared.", 12, "loads", "loads"},
    {"graph_launches", FEW, NAN,
     "Graphs launch %s of its kernels: the host launches each kernel itself, "
     "step after step, instead of replaying what it has recorded.", 24, NULL,
     NULL},
    {"graph_launches", MANY, NAN,
     "Graphs launch %s kernels, more than all steps have: some of them do "
     "nothing for the result.", 24, NULL, NULL},
    {"host_launches", MANY, NAN,
     "The host itself launches %s kernels, beside those that graphs launch.",
     24, NULL, NULL},
    {"graph_replays", FEW, NAN,
     "Replays launch %s of its kernels: a graph is recorded for work that runs "
     "only once, which costs more than launching it.", 24, NULL, NULL},
    {"held_out_used", MANY, NAN,
     "Other times of the held-out shapes lead to another tree (%s): it was "
     "fitted to what it is graded by.", 23, NULL, NULL},
    {"measured_percent", MANY, NAN,
     "It measures %s % of the candidates: a bound by the model, above the "
     "best time so far, says which of them cannot win.", 23, NULL, NULL},
    {"regret_mean_percent", MANY, NAN,
     "What it chooses takes %s % longer than the best kernel does, on average "
     "over shapes that it has not seen.", 23, NULL, NULL},
};

enum { SIGNS = sizeof signs / sizeof *signs };

/* What a lane does is no measure of a kernel that tensor cores work for. */
static const struct sign tensor_signs[] = {
    {"warp_instructions_per_flop", MANY, NAN,
     "It issues %s instructions per useful flop; an mma of 16 x 8 x 8 does "
     "2048 of them, 1/2048 = 0.000488. The rest copy tiles, load fragments, or "
     "work out addresses.", 16, NULL, NULL},
    {"shared_load_requests_per_flop", MANY, NAN,
     "Its warps make %s shared loads per useful flop: a load brings few bytes, "
     "or a fragment serves few mma.", 16, "shared_loads", "shared loads"},
};

enum { TENSOR_SIGNS = sizeof tensor_signs / sizeof *tensor_signs };

/* What `make trace` draws of a count, so that a missed gate's line need not be
 * looked at by thought alone. Of the other counts a picture says little. */
static const struct {
    const char *count; /* a sign's `line` */
    const char *drawn;
} drawings[] = {
    {"load_sectors", "which addresses the lanes of a warp load"},
    {"store_sectors", "which addresses the lanes of a warp store to"},
    {"shared_load_conflicts", "which lanes meet in a bank when they load"},
    {"shared_store_conflicts", "which lanes meet in a bank when they store"},
};

const struct sign *signs_at(int i)
{
    return i < SIGNS ? &signs[i] : NULL;
}

const struct sign *signs_named(const char *counter, enum too too)
{
    for (int i = 0; i < SIGNS; i++)
        if (signs[i].too == too && strcmp(signs[i].counter, counter) == 0)
            return &signs[i];
    return NULL;
}

const struct sign *signs_of_tensors(const char *counter, enum too too)
{
    for (int i = 0; i < TENSOR_SIGNS; i++)
        if (tensor_signs[i].too == too &&
            strcmp(tensor_signs[i].counter, counter) == 0)
            return &tensor_signs[i];
    return NULL;
}

const char *signs_drawing(const struct sign *sign)
{
    for (size_t i = 0; sign->line && i < sizeof drawings / sizeof *drawings;
         i++)
        if (strcmp(sign->line, drawings[i].count) == 0)
            return drawings[i].drawn;
    return NULL;
}
