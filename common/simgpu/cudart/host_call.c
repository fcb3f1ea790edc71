// SPDX-License-Identifier: MIT
/*
 * host_call.c: host functions on streams.
 *
 *   rt_call_host, rt_in_host_call   see runtime.h
 *
 * As a rule the stream's work ends soon, and the calling thread runs the
 * function before it goes on, which keeps programs repeatable. Behind a kernel
 * that waits for the host, it gets a ticket, and a thread of its own, which
 * asks the device until its turn comes; the stream's later work waits until it
 * has told the device that the function has returned.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>

struct waiting {
    struct rt_call call;
    uint64_t on, ticket;
};

static cudaError_t ask(uint64_t on, enum simwire_host what, uint64_t *ticket)
{
    struct simwire_header m = {.op = OP_HOST, .stream = on,
                               .a = {what, *ticket}};
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    if (what == HOST_NEW)
        *ticket = m.a[0];
    return error;
}

static _Thread_local bool calling;

bool rt_in_host_call(void)
{
    return calling;
}

/* A function is left out after a fault; a callback is told. */
static void call(const struct rt_call *c, cudaError_t error)
{
    calling = true;
    if (c->callback)
        c->callback(c->stream, error, c->data);
    else if (!error)
        c->call(c->data);
    calling = false;
}

static void *wait_and_call(void *argument)
{
    struct waiting *w = argument;
    call(&w->call, ask(w->on, HOST_TURN, &w->ticket));
    ask(w->on, HOST_DONE, &w->ticket);
    free(w);
    return NULL;
}

static cudaError_t call_later(const struct rt_call *c, uint64_t on)
{
    pthread_t thread;
    struct waiting *w = malloc(sizeof *w);
    if (!w)
        return cudaErrorMemoryAllocation;
    *w = (struct waiting){*c, on, 0};
    cudaError_t error = ask(on, HOST_NEW, &w->ticket);
    if (error) {
        free(w);
        return error;
    }
    if (pthread_create(&thread, NULL, wait_and_call, w) == 0)
        pthread_detach(thread);
    else
        wait_and_call(w);
    return cudaSuccess;
}

cudaError_t rt_call_host(const struct rt_call *c, uint64_t on)
{
    cudaError_t error = rt_query(on);
    if (error == cudaErrorNotReady)
        return call_later(c, on);
    call(c, error);
    return error;
}
