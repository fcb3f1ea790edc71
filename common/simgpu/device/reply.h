// SPDX-License-Identifier: MIT
/*
 * reply.h: the handlers of libcudart's messages.
 *
 *   client.c         reply_fail and other helpers; streams, events, the rest
 *   load.c           modules
 *   code_calls.c     kernels, variables, launches
 *   memory_calls.c   memory
 *
 * Each reply_OPERATION executes the message m, whose data has m->data bytes,
 * and fills in the reply. It must check everything in the message.
 */
#ifndef SIMGPU_REPLY_H
#define SIMGPU_REPLY_H

#include "device.h"

enum { MAX_MESSAGE = 512 };

struct reply {
    struct simwire_header head;
    const void *text, *data;
    void *owned;              /* freed after sending */
    int descriptor;           /* sent after the reply; 0: none */
    char message[MAX_MESSAGE]; /* data of an error */
};

typedef void reply_to(struct device *dev, const struct simwire_header *m,
                      const uint8_t *data, struct reply *reply);

reply_to reply_load, reply_kernel, reply_symbol, reply_launch,
    reply_dynamic_shared;
reply_to reply_alloc, reply_alloc_mapped, reply_map, reply_free, reply_write,
    reply_read, reply_copy, reply_fill, reply_locate, reply_heap,
    reply_memory;

/* Answers with an error and its reason. */
__attribute__((format(printf, 3, 4))) void
reply_fail(struct reply *reply, int error, const char *format, ...);
void reply_full(struct reply *reply); /* out of this machine's memory */
/* The work that follows belongs to the message's stream; what: for reports. */
void reply_begin(struct device *dev, const struct simwire_header *m,
                 const char *what);
/* Copies a name from the message's data, NUL-terminated; false: too long. */
bool reply_name(const struct simwire_header *m, const uint8_t *data,
                char name[SIMWIRE_MAX_NAME]);

#endif
