// SPDX-License-Identifier: MIT
/*
 * answer.c: steps and reports as JSON. Interface: answer.h; the words are those
 * of the device's report.
 */
#include "answer.h"

#include "simgpu/core/words.h"
#include "text.h"

static void number(const char *key, int64_t n)
{
    text_key(key);
    text_number(n);
}

static void string(const char *key, const char *s)
{
    text_key(key);
    text_string(s);
}

static void truth(const char *key, bool b)
{
    text_key(key);
    text_truth(b);
}

static void triple(const char *key, const uint32_t v[3])
{
    text_key(key);
    text_array();
    for (int axis = 0; axis < 3; axis++)
        text_number(v[axis]);
    text_array_end();
}

/* What it costs, in the words of a page. */
static void cost(const struct engine_access *a)
{
    struct engine_cost c = engine_access_cost(a);
    if (c.sectors)
        number("sectors", c.sectors);
    if (c.lanes) {
        number("lanes", c.lanes);
        number("wavefronts", c.wavefronts);
    }
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
    text_object();
    string("space", engine_space_word(a->space));
    truth("write", a->write);
    truth("atomic", a->atomic);
    number("mask", a->mask);
    number("bytes", a->bytes);
    cost(a);
    number("array", array ? (int64_t)array->id : 0);
    text_key("at");
    text_array();
    for (int lane = 0; lane < 32; lane++)
        text_number(a->mask >> lane & 1
                        ? (int64_t)(a->address[lane] -
                                    (array ? array->address : 0))
                        : 0);
    text_array_end();
    text_object_end();
}

void answer_step(struct engine *engine, const struct engine_step *s)
{
    text_object();
    triple("block", s->block);
    number("warp", s->warp);
    number("mask", s->mask);
    number("pc", s->pc);
    number("line", s->line);
    string("function", s->function);
    string("file", s->file);
    string("op", s->op);
    text_key("accesses");
    text_array();
    for (uint32_t k = 0; k < s->n_accesses; k++)
        access(engine, &s->access[k]);
    text_array_end();
    text_object_end();
}

static void site(const char *key, const struct site *s)
{
    text_key(key);
    text_object();
    triple("thread", s->thread);
    number("line", s->line);
    truth("write", s->write);
    truth("atomic", s->atomic);
    string("file", s->file);
    if (s->call_file) {
        text_key("called");
        text_object();
        number("line", s->call_line);
        string("file", s->call_file);
        text_object_end();
    }
    text_object_end();
}

static void finding(const struct finding *f)
{
    text_object();
    string("kind", engine_finding_word(f->kind));
    triple("block", f->block);
    string("space", engine_space_word(f->space));
    number("bytes", f->bytes);
    number("allocation", (int64_t)f->allocation);
    number("offset", (int64_t)f->offset);
    number("array_bytes", (int64_t)f->array_bytes);
    number("count", (int64_t)f->count);
    string("array", f->array);
    string("detail", f->detail);
    site("at", &f->at);
    if (finding_has_other(f->kind))
        site("other", &f->other);
    else
        string("other", NULL);
    text_object_end();
}

void answer_report(const struct launch_report *r)
{
    text_object();
    text_key("counters");
    text_object();
#define X(name) number(#name, (int64_t)r->counters.name);
    ENGINE_COUNTERS(X)
#undef X
    text_object_end();
    string("fault", engine_fault_word(r->fault));
    number("memory_errors", (int64_t)r->memory_errors);
    number("races", (int64_t)r->races);
    text_key("findings");
    text_array();
    for (size_t k = 0; k < r->n_findings; k++)
        finding(&r->findings[k]);
    text_array_end();
    text_object_end();
}
