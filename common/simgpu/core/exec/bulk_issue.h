// SPDX-License-Identifier: MIT
/*
 * bulk_issue.h: what all bulk copies do when a lane issues them: plain ones
 * (bulk_copy.c) and those of boxes (tensor_copy.c).
 *
 *   bulk_issue         one lane's, while it is issued
 *   bulk_operand, bulk_address_of   its operands
 *   bulk_begin         an access of the lane's, at an address as the program
 *                      has it
 *   bulk_locate        where that lies
 *   bulk_to_shared     starts the copy, in one block or in several
 *   bulk_to_global     starts it, in the lane's present group
 *   bulk_raise         an access to some of the bytes at a place
 *   bulk_reduce        of a copy that combines: element by element
 *
 * What these are given as `like` says what the copy is: its data, its source,
 * and its target's pieces: in global memory, or in shared memory from the place
 * on that the lane named. It remains the caller's.
 */
#ifndef SIMGPU_BULK_ISSUE_H
#define SIMGPU_BULK_ISSUE_H

#include "simgpu/core/access/bulk.h"
#include "simgpu/core/access/place.h"

/* bytes: from the lowest byte of the target in shared memory to the highest. */
struct bulk_issue {
    struct warp *w;
    const struct inst *i;
    const struct bulk_info *info;
    int lane;
    uint32_t bytes;
};

uint64_t bulk_operand(const struct bulk_issue *s, uint32_t at, bool wide);
uint64_t bulk_address_of(const struct bulk_issue *s,
                         const struct bulk_address *a);
void bulk_begin(struct access *a, const struct bulk_issue *s,
                const struct access_form *form, uint64_t address,
                uint32_t bytes);
/* From then on a has its address there; false after a finding. */
bool bulk_locate(struct access *a, int lane, struct place *p);
/* false: the launch has ended. */
bool bulk_to_shared(const struct bulk_issue *s, const struct bulk *like);
bool bulk_to_global(const struct bulk_issue *s, const struct bulk *like);
/* stamp: as in access.stamps; 0: now. */
void bulk_raise(const struct access *a, const struct bulk_pieces *pieces,
                uint64_t base, uint8_t part, uint32_t stamp);
void bulk_reduce(const struct bulk *x, uint8_t *to, const uint8_t *from,
                 uint32_t bytes);

#endif
