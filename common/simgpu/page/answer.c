// SPDX-License-Identifier: MIT
/*
 * answer.c: steps and reports as JSON. Interface: answer.h; the words are those
 * of the device's report.
 */
#include "answer.h"
#include "text.h"

static const char *const space_names[] = {
    [PTX_SPACE_GENERIC] = "generic", [PTX_SPACE_GLOBAL] = "global",
    [PTX_SPACE_SHARED] = "shared",   [PTX_SPACE_LOCAL] = "local",
    [PTX_SPACE_CONST] = "const",     [PTX_SPACE_PARAM] = "param",
};
static const char *const fault_names[] = {
    [FAULT_NONE] = "none",         [FAULT_ADDRESS] = "address",
    [FAULT_MISALIGNED] = "misaligned", [FAULT_ASSERT] = "assert",
    [FAULT_TRAP] = "trap",         [FAULT_BUDGET] = "budget",
    [FAULT_DEADLOCK] = "deadlock", [FAULT_STACK] = "stack",
    [FAULT_BARRIER] = "barrier_misuse", [FAULT_ILLEGAL] = "illegal",
    [FAULT_UNSUPPORTED] = "unsupported",
};
static const char *const kind_names[] = {
    [FIND_OUT_OF_BOUNDS] = "out_of_bounds",
    [FIND_USE_AFTER_FREE] = "use_after_free",
    [FIND_MISALIGNED] = "misaligned", [FIND_UNINITIALISED] = "uninitialised",
    [FIND_RACE] = "race",         [FIND_PROXY] = "proxy",
    [FIND_EXITED] = "exited",     [FIND_WATCHED] = "watched",
    [FIND_DEADLOCK] = "deadlock", [FIND_BARRIER] = "barrier_misuse",
    [FIND_ILLEGAL] = "illegal",   [FIND_ASSERT] = "assert",
    [FIND_TRAP] = "trap",         [FIND_BUDGET] = "budget",
    [FIND_STACK] = "stack",       [FIND_UNSUPPORTED] = "unsupported",
};

static const char *truth(bool b)
{
    return b ? "true" : "false";
}

static void triple(const char *name, const uint32_t v[3])
{
    text_add("\"%s\":[%u,%u,%u],", name, v[0], v[1], v[2]);
}

/* The array that holds the address; NULL: none, or no global memory. */
static const struct allocation *array_of(struct engine *engine,
                                         const struct engine_access *a,
                                         uint64_t address)
{
    const struct allocation *list;
    size_t n = engine_allocations(engine, &list);
    for (size_t k = 0; k < n && a->space == PTX_SPACE_GLOBAL; k++)
        if (address - list[k].address < list[k].bytes)
            return &list[k];
    return NULL;
}

static void access(struct engine *engine, const struct engine_access *a)
{
    const struct allocation *array = NULL;
    for (int lane = 0; lane < 32 && !array; lane++)
        if (a->mask >> lane & 1)
            array = array_of(engine, a, a->address[lane]);
    text_add("{\"space\":\"%s\",\"write\":%s,\"atomic\":%s,\"mask\":%u,"
             "\"bytes\":%u,\"array\":%d,\"at\":[",
             space_names[a->space], truth(a->write), truth(a->atomic), a->mask,
             a->bytes, array ? (int)array->id : 0);
    for (int lane = 0; lane < 32; lane++) {
        int64_t at = a->mask >> lane & 1
                         ? (int64_t)(a->address[lane] -
                                     (array ? array->address : 0))
                         : 0;
        text_add("%s%lld", lane ? "," : "", (long long)at);
    }
    text_add("]}");
}

void answer_step(struct engine *engine, const struct engine_step *s)
{
    text_add("{");
    triple("block", s->block);
    text_add("\"warp\":%u,\"mask\":%u,\"pc\":%u,\"line\":%d,\"function\":",
             s->warp, s->mask, s->pc, s->line);
    text_string(s->function);
    text_add(",\"file\":");
    text_string(s->file);
    text_add(",\"op\":");
    text_string(s->op);
    text_add(",\"accesses\":[");
    for (uint32_t k = 0; k < s->n_accesses; k++) {
        text_add("%s", k ? "," : "");
        access(engine, &s->access[k]);
    }
    text_add("]}");
}

static void site(const struct site *s)
{
    text_add("{");
    triple("thread", s->thread);
    text_add("\"line\":%d,\"write\":%s,\"atomic\":%s,\"file\":", s->line,
             truth(s->write), truth(s->atomic));
    text_string(s->file);
    if (s->call_file) {
        text_add(",\"called\":{\"line\":%d,\"file\":", s->call_line);
        text_string(s->call_file);
        text_add("}");
    }
    text_add("}");
}

static void finding(const struct finding *f)
{
    text_add("{\"kind\":\"%s\",", kind_names[f->kind]);
    triple("block", f->block);
    text_add("\"space\":\"%s\",\"bytes\":%u,\"allocation\":%lld,"
             "\"offset\":%lld,\"array_bytes\":%llu,\"count\":%llu,\"array\":",
             space_names[f->space], f->bytes, (long long)f->allocation,
             (long long)f->offset, (unsigned long long)f->array_bytes,
             (unsigned long long)f->count);
    text_string(f->array);
    text_add(",\"detail\":");
    text_string(f->detail);
    text_add(",\"at\":");
    site(&f->at);
    text_add(",\"other\":");
    if (f->kind == FIND_RACE || f->kind == FIND_PROXY)
        site(&f->other);
    else
        text_add("null");
    text_add("}");
}

void answer_report(const struct launch_report *r)
{
    text_add("{\"counters\":{");
    const char *comma = "";
#define X(name)                                                                \
    text_add("%s\"" #name "\":%llu", comma,                                    \
             (unsigned long long)r->counters.name);                            \
    comma = ",";
    ENGINE_COUNTERS(X)
#undef X
    text_add("},\"fault\":\"%s\",\"memory_errors\":%llu,\"races\":%llu,"
             "\"findings\":[",
             fault_names[r->fault], (unsigned long long)r->memory_errors,
             (unsigned long long)r->races);
    for (size_t k = 0; k < r->n_findings; k++) {
        text_add("%s", k ? "," : "");
        finding(&r->findings[k]);
    }
    text_add("]}");
}
