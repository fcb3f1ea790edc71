// SPDX-License-Identifier: MIT
/*
 * explain.c: what CUDA's errors leave out.
 *
 *   dev_explain_refusal   the limit that a launch exceeds
 *   dev_explain_findings  whose memory an address out of bounds is
 *
 * A private device is a child of the program, whose mappings /proc shows: an
 * address in one of them is the host's.
 */
#include "device.h"

#include "../ptx/ptx.h"

#include <driver_types.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* cudaFuncSetAttribute has not been called for the kernel, or for less. */
static void say_shared(const struct device *dev, const struct dev_launch *l,
                       char *to, size_t room)
{
    const struct gpu_model *gpu = dev->config.gpu;
    size_t all = l->dynamic_shared + l->static_shared;
    char own[40] = "";
    if (l->static_shared)
        snprintf(own, sizeof own, ", %zu of them static", l->static_shared);
    if (all > gpu->shared_block_optin)
        snprintf(to, room, "%zu bytes of shared memory per block%s; this GPU "
                 "has at most %zu", all, own, gpu->shared_block_optin);
    else if (l->allowed_shared + l->static_shared > gpu->shared_block)
        snprintf(to, room, "%zu bytes of dynamic shared memory; "
                 "cudaFuncSetAttribute allowed %zu", l->dynamic_shared,
                 l->allowed_shared);
    else
        snprintf(to, room, "%zu bytes of shared memory per block%s; at most "
                 "%zu unless cudaFuncSetAttribute(..., "
                 "cudaFuncAttributeMaxDynamicSharedMemorySize, %zu) allows "
                 "more", all, own, gpu->shared_block, l->dynamic_shared);
}

/* false: they are within the limits of every GPU. */
static bool say_shape(const struct dev_launch *l, char *to, size_t room)
{
    static const uint32_t most_grid[3] = {INT32_MAX, 65535, 65535};
    static const uint32_t most_block[3] = {1024, 1024, 64};
    for (int k = 0; k < 3; k++) {
        char axis = (char)('x' + k);
        if (!l->grid[k] || !l->block[k])
            snprintf(to, room, "%s %c is 0; at least 1",
                     l->grid[k] ? "block" : "grid", axis);
        else if (l->grid[k] > most_grid[k])
            snprintf(to, room, "grid %c is %" PRIu32 "; at most %" PRIu32, axis,
                     l->grid[k], most_grid[k]);
        else if (l->block[k] > most_block[k])
            snprintf(to, room, "block %c is %" PRIu32 "; at most %" PRIu32,
                     axis, l->block[k], most_block[k]);
        else
            continue;
        return true;
    }
    return false;
}

void dev_explain_refusal(const struct device *dev,
                         const struct dev_kernel *kernel, uint64_t resident,
                         struct dev_launch *l)
{
    char *to = l->reason;
    size_t room = sizeof l->reason;
    uint32_t bound = kernel->info->maxntid;
    if (say_shape(l, to, room))
        return;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (threads > 1024)
        snprintf(to, room, "%" PRIu64 " threads per block; at most 1024",
                 threads);
    else if (bound && threads > bound)
        snprintf(to, room, "%" PRIu64 " threads per block; the kernel's "
                 "__launch_bounds__ say at most %" PRIu32, threads, bound);
    else if (l->dynamic_shared > l->allowed_shared)
        say_shared(dev, l, to, room);
    else if (resident && blocks > resident)
        snprintf(to, room, "%" PRIu64 " blocks in a cooperative launch; the "
                 "GPU holds %" PRIu64 " at once", blocks, resident);
    else if (l->error == cudaErrorInvalidClusterSize)
        snprintf(to, room, "clusters: the grid has to be a multiple of the "
                 "cluster, which has at most 8 blocks (16 if the kernel's "
                 "attribute allows it)");
}

/* The line of the program's mappings that has the address. */
static bool find_mapping(uint64_t address, char *line, int room)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)getppid());
    FILE *maps = fopen(path, "r");
    bool found = false;
    while (maps && !found && fgets(line, room, maps)) {
        uint64_t lo, hi;
        found = sscanf(line, "%" SCNx64 "-%" SCNx64, &lo, &hi) == 2 &&
                address >= lo && address < hi;
    }
    if (maps)
        fclose(maps);
    return found;
}

static void explain_global(struct finding *f)
{
    char line[512];
    if (!find_mapping(f->address, line, sizeof line))
        return;
    snprintf(f->detail, sizeof f->detail,
             "that is memory of the host%s: copy it to memory of cudaMalloc, "
             "and pass that pointer",
             strstr(line, "[stack]") ? " (a variable on its stack)" : "");
}

/* What check says in words of its own: "" if there is nothing to add. */
static const char *advice(const struct finding *f)
{
    enum { NULL_PAGE = 4096 };
    bool outside = f->kind == FIND_OUT_OF_BOUNDS;
    if (f->kind == FIND_TRAP)
        return "the code stops itself here: by __trap(), or by grid.sync() in "
               "a kernel that cudaLaunchCooperativeKernel did not launch";
    if (outside && f->space == PTX_SPACE_SHARED && f->array && !f->array_bytes)
        return "the launch gives it no bytes: they are the third argument, "
               "<<<grid, block, bytes>>>";
    if (outside && !f->array && !f->allocation && f->address < NULL_PAGE)
        return "that is a null pointer, or an index from one";
    return "";
}

static void explain(const struct device *dev, struct finding *f)
{
    if (dev->bye && !f->detail[0])
        snprintf(f->detail, sizeof f->detail, "%s", advice(f));
    if (f->kind != FIND_OUT_OF_BOUNDS || f->detail[0] || f->array ||
        f->allocation)
        return;
    if (f->space == PTX_SPACE_LOCAL)
        snprintf(f->detail, sizeof f->detail,
                 "no local variable is there: one of a function that has "
                 "returned, of another thread or of an earlier kernel?");
    else if (dev->bye && f->address)
        explain_global(f);
}

void dev_explain_findings(const struct device *dev,
                          struct launch_report *report)
{
    for (size_t i = 0; i < report->n_findings; i++)
        explain(dev, &report->findings[i]);
}
