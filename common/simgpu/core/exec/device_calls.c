// SPDX-License-Identifier: MIT
/*
 * device_calls.c: the functions that nvcc calls and nobody defines in PTX.
 *
 *   call_printf   vprintf(format, arguments)
 *   call_assert   __assertfail(message, file, line, function, size)
 *
 * Format and arguments are generic addresses in the caller's parameters, a
 * lane each. Conversions go to the host's printf one by one, with a length
 * that fits what the device passed.
 */
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/threads.h"

enum { TEXT_MAX = 1024, LINE_MAX = 4096 };

/* Bytes at a generic address, for reading; NULL after a finding. */
static const uint8_t *bytes_at(struct warp *w, const struct inst *i, int lane,
                               uint64_t address, uint32_t align)
{
    static const struct access_form form = {.space = PTX_SPACE_GENERIC};
    struct access a;
    struct place p;
    access_init(&a, w, i, &form, PTX_SPACE_GENERIC, 1u << lane);
    a.bytes = align;
    a.addr[lane] = address;
    return place_of(&a, lane, &p) ? p.host : NULL;
}

static uint64_t argument(struct warp *w, const struct inst *i, int lane,
                         uint32_t n)
{
    const struct call_info *c = i->detail->call;
    const struct frame *f = w->leaf->frame;
    uint64_t v = 0;
    uint32_t bytes = n < c->n_args ? c->arg_bytes[n] : 0;
    if (bytes && bytes <= sizeof v)
        memcpy(&v,
               f->params + (size_t)lane * f->function->param_bytes + c->arg[n],
               bytes);
    return v;
}

/* A string of the device's memory; stops at its allocation's end. */
static bool read_text(struct warp *w, const struct inst *i, int lane,
                      uint64_t address, char text[TEXT_MAX])
{
    for (size_t n = 0; n + 1 < TEXT_MAX; n++) {
        const uint8_t *p = bytes_at(w, i, lane, address + n, 1);
        if (!p)
            return false;
        text[n] = (char)*p;
        text[n + 1] = 0;
        if (!text[n])
            return true;
    }
    return true;
}

struct printer {
    struct warp *w;
    const struct inst *i;
    int lane;
    uint64_t next;       /* argument's address */
    int32_t taken;       /* arguments, which is what printf returns here */
    char line[LINE_MAX];
    size_t n;
};

static void put(struct printer *p, const char *text, size_t n)
{
    if (n > LINE_MAX - 1 - p->n)
        n = LINE_MAX - 1 - p->n;
    memcpy(p->line + p->n, text, n);
    p->n += n;
}

/* Arguments lie aligned to their size, as in a struct. */
static bool take(struct printer *p, uint32_t bytes, uint64_t *v)
{
    p->next = (p->next + bytes - 1) / bytes * bytes;
    const uint8_t *from = bytes_at(p->w, p->i, p->lane, p->next, bytes);
    if (!from)
        return false;
    *v = 0;
    memcpy(v, from, bytes);
    p->next += bytes;
    p->taken++;
    return true;
}

static bool put_integer(struct printer *p, const char *flags, char type,
                        bool wide, bool is_signed)
{
    char format[64], text[128];
    uint64_t v;
    if (!take(p, wide ? 8 : 4, &v))
        return false;
    if (!wide && is_signed)
        v = (uint64_t)(int64_t)(int32_t)v;
    snprintf(format, sizeof format, "%%%sll%c", flags, type);
    put(p, text, (size_t)snprintf(text, sizeof text, format, v));
    return true;
}

static bool put_double(struct printer *p, const char *flags, char type)
{
    char format[64], text[512];
    uint64_t bits;
    double v;
    if (!take(p, 8, &bits))
        return false;
    memcpy(&v, &bits, sizeof v);
    snprintf(format, sizeof format, "%%%s%c", flags, type);
    int n = snprintf(text, sizeof text, format, v);
    put(p, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
    return true;
}

static bool put_other(struct printer *p, const char *flags, char type)
{
    char format[64], from[TEXT_MAX], text[TEXT_MAX + 64];
    uint64_t v;
    if (!take(p, type == 'c' ? 4 : 8, &v))
        return false;
    if (type == 's' && !read_text(p->w, p->i, p->lane, v, from))
        return false;
    snprintf(format, sizeof format, "%%%s%c", flags, type);
    int n = type == 's'   ? snprintf(text, sizeof text, format, from)
            : type == 'c' ? snprintf(text, sizeof text, format, (int)v)
                          : snprintf(text, sizeof text, format,
                                     (void *)(uintptr_t)v);
    put(p, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
    return true;
}

/* One conversion after '%'. Returns what follows it, NULL on a finding. */
static const char *conversion(struct printer *p, const char *f)
{
    char flags[32];
    size_t n = 0;
    while (*f && strchr("-+ #0123456789.*", *f)) {
        if (*f == '*') {
            uint64_t v;
            if (!take(p, 4, &v))
                return NULL;
            n += (size_t)snprintf(flags + n, sizeof flags - n, "%d",
                                  (int32_t)v);
        } else {
            flags[n++] = *f;
        }
        if (n > sizeof flags - 12)
            n = 0; /* nobody means that many */
        f++;
    }
    flags[n] = 0;
    bool wide = false;
    for (; *f && strchr("hljztL", *f); f++)
        wide |= *f != 'h';
    bool ok = true;
    if (*f && strchr("diuxXo", *f))
        ok = put_integer(p, flags, *f, wide, *f == 'd' || *f == 'i');
    else if (*f && strchr("fFeEgGaA", *f))
        ok = put_double(p, flags, *f);
    else if (*f && strchr("csp", *f))
        ok = put_other(p, flags, *f);
    else
        put(p, f, *f != 0);
    return !ok ? NULL : *f ? f + 1 : f;
}

static void put_result(struct warp *w, const struct inst *i, int lane,
                       int32_t result)
{
    const struct call_info *c = i->detail->call;
    const struct frame *f = w->leaf->frame;
    if (c->n_results && c->result_bytes[0] == sizeof result)
        memcpy(f->params + (size_t)lane * f->function->param_bytes +
                   c->result[0],
               &result, sizeof result);
}

/* Lanes' lines, one after the other. */
struct printed {
    char *text;
    size_t n;
};

static bool print_lane(struct warp *w, const struct inst *i, int lane,
                       struct printed *to)
{
    char format[TEXT_MAX];
    if (!read_text(w, i, lane, argument(w, i, lane, 0), format))
        return false;
    struct printer p = {.w = w, .i = i, .lane = lane,
                        .next = argument(w, i, lane, 1)};
    const char *f = format;
    while (f && *f) {
        if (*f == '%')
            f = conversion(&p, f + 1);
        else
            put(&p, f++, 1);
    }
    if (f && p.n) {
        to->text = own_not_null(realloc(to->text, to->n + p.n));
        memcpy(to->text + to->n, p.line, p.n);
        to->n += p.n;
    }
    put_result(w, i, lane, p.taken);
    return f;
}

/* A lane whose string lies nowhere is a finding, which needs the lock, too. */
bool call_printf(struct warp *w, const struct inst *i, uint32_t mask)
{
    struct run *r = run_of(w);
    struct printed all = {0};
    bool good = true;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        good &= print_lane(w, i, first_lane(rest), &all);
    lock_take(r->out);
    if (r->launch->out && all.n)
        fwrite(all.text, 1, all.n, r->launch->out);
    lock_leave(r->out);
    free(all.text);
    return good;
}

void call_assert(struct warp *w, const struct inst *i, uint32_t mask)
{
    char message[TEXT_MAX];
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int lane = first_lane(rest);
        struct finding x = {0};
        if (!read_text(w, i, lane, argument(w, i, lane, 0), message))
            return;
        snprintf(x.detail, sizeof x.detail, "%.*s",
                 (int)sizeof x.detail - 1, message);
        finding_add(w, i, lane, FIND_ASSERT, &x);
    }
    fault_raise(w, FAULT_ASSERT);
}
