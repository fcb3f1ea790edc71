// SPDX-License-Identifier: MIT
/*
 * evident.c: see evident.h.
 *
 * A kind of finding has a usual next step (finding.c). Where the evidence says
 * what is missing, the step has to be about that, and no other thing: a row of
 * the table per such sentence of the simulated GPU.
 */
#include "evident.h"

#include <string.h>

#include "target.h"

static const struct {
    const char *kind, *detail; /* a part of the finding's */
    const char *advice;
} rows[] = {
    {"illegal", "tensor map lies in local",
     "Pass the map to the kernel as `const __grid_constant__ CUtensorMap map` "
     "(a struct of maps likewise), and take its address there: without "
     "__grid_constant__, &map is the address of a thread's own copy."},
    {"illegal", "tensor map lies in shared",
     "Take the map's address where the copy engine can read it: a parameter "
     "`const __grid_constant__ CUtensorMap map`, or an array in global or "
     "constant memory."},
    {"misaligned", "such a copy needs",
     "Align the array in shared memory, `__shared__ alignas(128)`, and count "
     "what stands before this part of it: each part's size has to be a "
     "multiple of that number, too. Dynamic shared memory begins at a multiple "
     "of 16, and more is not promised: declare it alignas, or round its "
     "address up."},
    {"race", "came between reading the flag and this access",
     "The flag is read in time, but what was written before it was raised may "
     "not be seen yet: call __threadfence() behind the line that reads the "
     "flag (or the ticket), and before this access. If one thread reads it for "
     "the whole block, the fence is that thread's, and a __syncthreads() "
     "follows."},
    {"race", "another lane of the warp has read it",
     "Only the lane that reads the flag knows: put a __syncwarp() between that "
     "line and this access."},
    {"race", "its fence or of its accesses ends at the block",
     "Other blocks need the wide scope on both sides of the flag: "
     "__threadfence() and not __threadfence_block(), atomics without _block."},
    {"race", "volatile is no lock",
     "Take the lock by an atomic (atomicCAS, atomicExch), with a "
     "__threadfence() behind taking it and one before giving it back."},
    {"race", "cudaGridDependencySynchronize",
     "Call cudaGridDependencySynchronize() before the first access to what the "
     "kernel before has written, or still reads."},
    {"race", "wgmma.wait_group has to come first",
     "Wait for the products before that line (wgmma.wait_group; wgmma_wait in "
     "chapter 17), then let the barrier pass that tells the writing thread: "
     "until then wgmma reads these bytes."},
    {"race", "cp.async.bulk.wait_group.read has to come first",
     "The thread that started the copy has to wait for it before these bytes "
     "are written again (cp.async.bulk.wait_group.read; tensor_store_wait in "
     "chapter 17). Behind its wait, a barrier tells the threads that write. Is "
     "the wait there, before that line, and for as few groups as it must be?"},
    {"race", "its bulk copy was not waited for",
     "Wait for the mbarrier that counts this copy's bytes before the access, "
     "with the parity of that round: 0 in the first, 1 in the second, 0 in the "
     "third."},
    {"exited", "wgmma.wait_group has to come before",
     "Wait for all products before the kernel ends (wgmma.wait_group 0; "
     "wgmma_wait<0>() in chapter 17): a wait inside the loop that leaves N "
     "groups under way leaves the last N."},
    {"exited", "cp.async.bulk.wait_group.read has to come before",
     "The thread that started the copy has to wait for it before it ends "
     "(cp.async.bulk.wait_group.read 0; tensor_store_wait<0>() in chapter "
     "17)."},
    {"exited", "needs a cluster barrier before this access",
     "Let the blocks of the cluster meet before one touches another's shared "
     "memory: cluster.sync() before the first such access."},
    {"deadlock", "registers per thread are asked for",
     "The warps of a block share the registers that it was launched with: "
     "registers per thread (__launch_bounds__ decides; ptxas tells) times "
     "threads. Add up what each role has behind its setmaxnreg: inc gets no "
     "more than the others' dec gave back. Ask for less, or give back more."},
    {"deadlock", "bytes that were announced never come",
     "What is announced (expect_tx) has to be what the copies bring, in each "
     "phase: a box counts whole, also where it lies beyond the tensor. Is a "
     "copy left out, or one announced twice?"},
    {"deadlock", "arrivals came",
     "An mbarrier's phase ends when as many arrivals came as its "
     "initialisation says. Count who arrives in a phase, one arrival per call "
     "and thread: is that the number on the line that initialises it, and does "
     "each of them come there in each round, the last one included?"},
    {"deadlock", "all threads have left it",
     "Nobody is left to arrive at this mbarrier, and one still waits: do all "
     "roles make the same number of rounds?"},
    {"deadlock", "the barrier of the cluster",
     "cluster.sync() must be reached by every thread of every block of the "
     "cluster: take it out of the `if`, or the early `return`."},
    {"deadlock", "blocks run at once on this GPU and all wait",
     "A block may wait only for blocks that have begun: launch no more than "
     "the GPU holds at once, or let each block take its number from an atomic "
     "counter and wait for lower numbers alone."},
};

bool evident_advise(struct text *advice, const json_t *f)
{
    const char *kind = finding_str(f, "kind");
    const char *detail = finding_str(f, "detail");

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].kind, kind) == 0 && strstr(detail, rows[i].detail)) {
            text_add(advice, "%s", rows[i].advice);
            return true;
        }
    return false;
}
