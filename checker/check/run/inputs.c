// SPDX-License-Identifier: MIT
/*
 * inputs.c: see inputs.h. The seal holds for everybody, check included, and
 * needs that nobody has the file mapped for writing: so it is mapped twice.
 */
#include "inputs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fill.h"
#include "shared_file.h"
#include "wire.h"

static bool map(struct inputs *in, int protection, int flags)
{
    void *at = mmap(NULL, in->bytes, protection, flags, in->fd, 0);

    in->map = at == MAP_FAILED ? NULL : at;
    return in->map != NULL;
}

static void unmap(struct inputs *in)
{
    if (in->map)
        munmap(in->map, in->bytes);
    in->map = NULL;
}

static void fill(struct inputs *in, const struct op *op,
                 const struct op_problem *problem)
{
    for (int i = 0; i < op->n_buffers; i++) {
        char *at = in->map + wire_offset(op, &problem->shape, i);

        if (!op_is_read(op, i))
            continue;
        fill_input(op, problem, i, at);
        in->digest[i] = digest_of_array(at, op_bytes(op, i, &problem->shape));
    }
}

static bool seal(const struct inputs *in)
{
    return fcntl(in->fd, F_ADD_SEALS,
                 F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0;
}

bool inputs_make(struct inputs *in, const struct op *op,
                 const struct op_problem *problem)
{
    bool ok;

    *in = (struct inputs){
        .fd = memfd_create("warpbook-inputs", MFD_CLOEXEC | MFD_ALLOW_SEALING),
        .bytes = wire_offset(op, &problem->shape, op->n_buffers)};
    ok = in->fd >= 0 && ftruncate(in->fd, (off_t)in->bytes) == 0 &&
         map(in, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (ok) {
        madvise(in->map, in->bytes, MADV_DONTFORK); /* no other may write */
        madvise(in->map, in->bytes, MADV_HUGEPAGE); /* where that can be had */
        fill(in, op, problem);
    }
    unmap(in);
    ok = ok && seal(in) && map(in, PROT_READ, MAP_PRIVATE);
    for (int i = 0; ok && i < op->n_buffers; i++)
        if (op_is_read(op, i))
            in->given[i] = in->map + wire_offset(op, &problem->shape, i);
    if (!ok)
        inputs_free(in);
    return ok;
}

void inputs_free(struct inputs *in)
{
    unmap(in);
    if (in->fd >= 0)
        close(in->fd);
    *in = (struct inputs){.fd = -1};
}
