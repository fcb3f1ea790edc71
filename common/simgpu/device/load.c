// SPDX-License-Identifier: MIT
/*
 * load.c: a program's device code becomes a module.
 *
 *   reply_load   fat binaries -> PTX -> a module of the engine
 *
 * A program has one fat binary, or, if it was built with -rdc=true, one per
 * unit: its source files, those that it took from libraries, and NVIDIA's
 * device runtime. That runtime is left out: it serves kernels that launch
 * kernels, which are not simulated. A unit without PTX is left out, too, until
 * something of it is missing.
 */
#include "reply.h"

#include "../ptx/fatbin.h"
#include "../ptx/link.h"

#include <driver_types.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNITS = 1024, SOURCE_ROOM = 128 };

struct unit {
    char source[SOURCE_ROOM]; /* "b.cu", or "unit 2 of 3" */
    char *text;               /* NULL: left out */
    size_t length;
    struct ptx_module *ptx;
};

struct load {
    struct device *dev;
    struct reply *reply;
    struct unit *units;
    size_t n;
    size_t without_ptx;   /* of them, the device runtime not counted */
    size_t total;         /* with those that are left out */
};

/* "sm_75" -> 75 */
static uint64_t target_version(const char *target)
{
    const char *digits = target ? strpbrk(target, "0123456789") : NULL;
    return digits ? strtoull(digits, NULL, 10) : 0;
}

/* A name that only the device runtime defines. */
static bool is_device_runtime(const char *text)
{
    return text && strstr(text, "__CNPRT_VERSION_NUMBER__");
}

/* Its PTX may be for newer GPUs alone. */
static bool holds_device_runtime(const uint8_t *data, size_t size)
{
    char why[MAX_MESSAGE];
    size_t n = 0;
    char *text = fatbin_ptx(data, size, INT_MAX, &n, why, sizeof why);
    bool found = is_device_runtime(text);
    free(text);
    return found;
}

static int capability(const struct load *l)
{
    const struct gpu_model *gpu = l->dev->config.gpu;
    return gpu->cc_major * 10 + gpu->cc_minor;
}

/* One fat binary of `total`; the place-th. */
static void add_unit(struct load *l, const uint8_t *data, size_t size,
                     size_t place)
{
    struct unit *u = &l->units[l->n];
    char why[MAX_MESSAGE] = "";
    u->text = fatbin_ptx(data, size, capability(l), &u->length, why,
                         sizeof why);
    if (l->total > 1 && (is_device_runtime(u->text) ||
                         (!u->text && holds_device_runtime(data, size)))) {
        free(u->text);
        return;
    }
    fatbin_source(data, size, u->source, sizeof u->source);
    if (!u->source[0])
        snprintf(u->source, sizeof u->source, "unit %zu of %zu", place + 1,
                 l->total);
    if (u->text) {
        l->n++;
        if (strstr(u->text, "griddepcontrol")) /* launches may overlap */
            engine_streams_apart(l->dev->engine);
    } else if (l->without_ptx++ == 0) {
        const char *unit = l->total > 1 ? u->source : "";
        reply_fail(l->reply, cudaErrorNoKernelImageForDevice, "%s%s%s", unit,
                   *unit ? ": " : "", why);
        snprintf(l->dev->no_ptx, sizeof l->dev->no_ptx, "; %s%s%s", unit,
                 *unit ? ": " : "", why);
    }
}

static bool count_units(struct load *l, const uint8_t *data, size_t size)
{
    for (size_t at = 0, bytes; at < size; at += bytes, l->total++)
        if (!(bytes = fatbin_length(data + at, size - at)))
            break;
    if (l->total == 0) /* fatbin_ptx says why */
        l->total = 1;
    if (l->total > MAX_UNITS)
        reply_fail(l->reply, cudaErrorInvalidPtx,
                   "a program of more than %d units", MAX_UNITS);
    return l->total <= MAX_UNITS;
}

/* Their texts. false: there is none, and the reply says why. */
static bool add_units(struct load *l, const uint8_t *data, size_t size)
{
    if (!count_units(l, data, size))
        return false;
    l->units = calloc(l->total, sizeof *l->units);
    if (!l->units) {
        reply_full(l->reply);
        return false;
    }
    size_t at = 0;
    for (size_t place = 0; place < l->total; place++) {
        size_t bytes = fatbin_length(data + at, size - at);
        add_unit(l, data + at, bytes ? bytes : size - at, place);
        at += bytes;
    }
    if (l->n == 0 && l->without_ptx == 0)
        reply_fail(l->reply, cudaErrorInvalidKernelImage,
                   "the program holds no device code of its own");
    return l->n > 0;
}

static bool read_units(struct load *l)
{
    char why[MAX_MESSAGE] = "";
    for (size_t i = 0; i < l->n; i++) {
        struct unit *u = &l->units[i];
        u->ptx = ptx_read(u->text, u->length, why, sizeof why);
        if (!u->ptx) {
            reply_fail(l->reply, cudaErrorInvalidPtx, "%s%s%s",
                       l->total > 1 ? u->source : "",
                       l->total > 1 ? ": " : "", why);
            return false;
        }
    }
    return true;
}

static void explain(struct load *l, const struct ptx_link_error *e)
{
    const char *in = l->units[e->unit].source;
    const char *other = l->units[e->other].source;
    char *name = dev_demangle(e->name);
    const char *what = name ? name : e->name;
    bool launches = strncmp(e->name, "cuda", 4) == 0 ||
                    strncmp(e->name, "__cudaCDP", 9) == 0 ||
                    strncmp(e->name, "cnp", 3) == 0;
    if (e->kind == PTX_LINK_TWICE)
        reply_fail(l->reply, cudaErrorInvalidPtx, "%s is defined in %s and in "
                   "%s: keep one, and declare it extern in the other, or make "
                   "both static", what, other, in);
    else if (e->kind == PTX_LINK_DIFFERS)
        reply_fail(l->reply, cudaErrorInvalidPtx, "%s: its declaration in %s "
                   "does not match its definition in %s (size, memory or "
                   "parameters)", what, in, other);
    else if (e->kind == PTX_LINK_NO_MEMORY)
        reply_full(l->reply);
    else if (launches)
        reply_fail(l->reply, cudaErrorNotSupported, "%s calls %s: kernels "
                   "that launch kernels (dynamic parallelism) are not "
                   "simulated", in, what);
    else
        reply_fail(l->reply, cudaErrorInvalidPtx, "%s uses %s, which no unit "
                   "of the program defines%s", in, what, l->dev->no_ptx);
    free(name);
}

/* One unit needs no link: a call of what is missing is then a finding of the
 * launch that reaches it. */
static struct ptx_module *link_units(struct load *l)
{
    struct ptx_link_error error;
    if (l->total == 1)
        return l->units[0].ptx;
    const struct ptx_module **list = calloc(l->n, sizeof *list);
    for (size_t i = 0; list && i < l->n; i++)
        list[i] = l->units[i].ptx;
    struct ptx_module *linked =
        list ? ptx_link(list, l->n, engine_provides, &error) : NULL;
    if (!list)
        reply_full(l->reply);
    else if (!linked)
        explain(l, &error);
    free(list);
    return linked;
}

static void add_module(struct load *l, struct ptx_module *ptx)
{
    struct device *dev = l->dev;
    char why[MAX_MESSAGE] = "";
    struct module **grown = realloc(
        dev->modules, (dev->n_modules + 1) * sizeof *dev->modules);
    if (!grown) {
        reply_full(l->reply);
        return;
    }
    dev->modules = grown;
    grown[dev->n_modules] = engine_load(dev->engine, ptx, why, sizeof why);
    if (!grown[dev->n_modules]) {
        reply_fail(l->reply, cudaErrorInvalidPtx, "%s", why);
        return;
    }
    l->reply->head.error = cudaSuccess; /* whatever was left out */
    l->reply->head.data = 0;
    l->reply->data = NULL;
    l->reply->head.a[0] = dev->n_modules++;
    l->reply->head.a[1] = target_version(ptx->target);
}

void reply_load(struct device *dev, const struct simwire_header *m,
                const uint8_t *data, struct reply *reply)
{
    struct load l = {.dev = dev, .reply = reply};
    struct ptx_module *ptx = NULL;
    if (add_units(&l, data, m->data) && read_units(&l))
        ptx = link_units(&l);
    if (ptx)
        add_module(&l, ptx);
    if (ptx && l.total > 1)
        ptx_free(ptx);
    for (size_t i = 0; l.units && i < l.n; i++) {
        if (l.units[i].ptx)
            ptx_free(l.units[i].ptx);
        free(l.units[i].text);
    }
    free(l.units);
}
