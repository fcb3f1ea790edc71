// SPDX-License-Identifier: MIT
/*
 * reply.h: what a message of libcudart is answered with; the files that do.
 *
 *   client.c         reply_fail and kin; what has no file of its own
 *   code_calls.c     modules, kernels, variables, launches
 *   memory_calls.c   memory
 *
 * Each reply_OPERATION does the message m, whose data has m->data bytes, and
 * fills in the reply. Nothing in a message is believed.
 */
#ifndef SIMGPU_REPLY_H
#define SIMGPU_REPLY_H

#include "device.h"

enum { MAX_MESSAGE = 512 };

struct reply {
    struct simwire_header head;
    const void *text, *data;
    void *owned;              /* freed after sending */
    int descriptor;           /* sent behind it; 0: none */
    char message[MAX_MESSAGE]; /* data of an error */
};

typedef void reply_to(struct device *dev, const struct simwire_header *m,
                      const uint8_t *data, struct reply *reply);

reply_to reply_load, reply_kernel, reply_symbol, reply_launch, reply_shared;
reply_to reply_alloc, reply_share, reply_map, reply_free, reply_write,
    reply_read, reply_copy, reply_fill, reply_locate, reply_heap,
    reply_memory;

/* The answer is an error, and why. */
__attribute__((format(printf, 3, 4))) void
reply_fail(struct reply *reply, int error, const char *format, ...);
void reply_full(struct reply *reply); /* out of this machine's memory */
/* The message is work of its stream. */
void reply_begin(struct device *dev, const struct simwire_header *m,
                 const char *what);
/* A name that arrived as bytes: NUL-terminated into name. */
bool reply_name(const struct simwire_header *m, const uint8_t *data,
                char name[SIMWIRE_MAX_NAME]);

#endif
