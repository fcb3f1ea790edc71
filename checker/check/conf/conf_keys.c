// SPDX-License-Identifier: MIT
/*
 * conf_keys.c: see conf_keys.h.
 *
 * Two tables, of the chapter's section and of a kernel's. A kernel's op comes
 * first in its section, because shapes cannot be read without it.
 */
#include "conf_keys.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

bool conf_refuse(struct conf_reader *r, int line, const char *format, ...)
{
    va_list args;
    int n;

    if (r->failed)
        return false;
    r->failed = true;
    n = snprintf(r->error, r->error_size, "%s:%d: ", r->path, line);
    if (n < 0 || (size_t)n >= r->error_size)
        return false;
    va_start(args, format);
    vsnprintf(r->error + n, r->error_size - (size_t)n, format, args);
    va_end(args);
    return false;
}

bool conf_copy(struct conf_reader *r, char *to, size_t size, const char *value)
{
    if (!*value || strlen(value) >= size)
        return conf_refuse(r, r->line, "a value of 1 to %zu characters is "
                           "needed", size - 1);
    strcpy(to, value);
    return true;
}

static bool read_kind(struct conf_reader *r, bool *host, bool *timer,
                      bool *study, const char *value)
{
    *host = strcmp(value, "host") == 0;
    *timer = strcmp(value, "timer") == 0;
    *study = strcmp(value, "study") == 0;
    if (*host || *timer || *study || strcmp(value, "kernel") == 0)
        return true;
    return conf_refuse(r, r->line, "kind is kernel, host, timer or study, not "
                       "\"%s\"", value);
}

static bool read_title(struct conf_reader *r, const char *value)
{
    return conf_copy(r, r->conf->title, sizeof r->conf->title, value);
}

static bool read_chapter_kind(struct conf_reader *r, const char *value)
{
    return read_kind(r, &r->conf->host, &r->conf->timer, &r->conf->study,
                     value);
}

static bool read_previous(struct conf_reader *r, const char *value)
{
    char *end;
    long n = strtol(value, &end, 10);

    if (*value == '\0' || *end != '\0' || n < 1 || n > 99)
        return conf_refuse(r, r->line, "previous is a chapter's number, not "
                           "\"%s\"", value);
    r->conf->previous = (int)n;
    return true;
}

/* "block": a kernel further up in this chapter. "05/weight_grad": another
 * chapter's. */
static bool read_stage_before(struct conf_reader *r, struct kernel_conf *k,
                              const char *value)
{
    const char *slash = strchr(value, '/');
    int n = 0;

    if (!slash)
        return conf_copy(r, k->previous_kernel, sizeof k->previous_kernel,
                         value);
    if (sscanf(value, "%2d%n", &k->previous, &n) != 1 || value + n != slash ||
        k->previous < 1)
        return conf_refuse(r, r->line, "previous is KERNEL or NN/KERNEL, not "
                           "\"%s\"", value);
    return conf_copy(r, k->previous_kernel, sizeof k->previous_kernel,
                     slash + 1);
}

/* The keys of the book's tables: docs/architecture.md. check only looks at
 * how they are written; book/lua reads what they say. */
static bool read_word(struct conf_reader *r, const char *value)
{
    size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-");

    if (n > 0 && !value[n])
        return true;
    return conf_refuse(r, r->line, "one word of a-z, 0-9 and - is needed, not "
                       "\"%s\"", value);
}

/* "long: toeplitz.cu" */
static bool read_measure(struct conf_reader *r, const char *value)
{
    size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz");

    if (n > 0 && strncmp(value + n, ": ", 2) == 0 && strstr(value, ".cu"))
        return true;
    return conf_refuse(r, r->line, "measure is NAME: FILE.cu, not \"%s\"",
                       value);
}

static bool read_label(struct conf_reader *r, struct kernel_conf *k,
                       const char *value)
{
    (void)k;
    return *value || conf_refuse(r, r->line, "a label is text");
}

/* "three paths, 05 over 07: total/step_from/05 >= 2.6" */
static bool read_aim(struct conf_reader *r, const char *value)
{
    const char *colon = strstr(value, ": ");
    char fact[128], sense[3], more;
    double limit;

    if (colon && colon > value &&
        sscanf(colon + 2, "%127s %2s %lf%c", fact, sense, &limit, &more) ==
            3 &&
        (strcmp(sense, "<=") == 0 || strcmp(sense, ">=") == 0))
        return true;
    return conf_refuse(r, r->line, "aim is WORDS: FACT <= LIMIT, or >=, not "
                       "\"%s\"", value);
}

static bool read_arch(struct conf_reader *r, const char *value)
{
    if (strncmp(value, "compute_", 8) != 0 || !isdigit((unsigned char)value[8]))
        return conf_refuse(r, r->line, "arch is a virtual one such as "
                           "compute_75, not \"%s\"", value);
    return conf_copy(r, r->conf->arch, sizeof r->conf->arch, value);
}

static bool read_op(struct conf_reader *r, struct kernel_conf *k,
                    const char *value)
{
    if (k->op)
        return conf_refuse(r, r->line, "[%s] has a second op; its first is %s",
                           k->name, k->op->name);
    k->op = op_find(value);
    if (!k->op)
        return conf_refuse(r, r->line, "no operator \"%s\" in common/op",
                           value);
    const char *defect = op_defect(k->op);
    if (defect)
        return conf_refuse(r, r->line, "operator %s in common/op: %s", value,
                           defect);
    return true;
}

static bool read_kernel_kind(struct conf_reader *r, struct kernel_conf *k,
                             const char *value)
{
    return read_kind(r, &k->host, &k->timer, &k->study, value);
}

static bool read_yes(struct conf_reader *r, const char *key, bool *yes,
                     const char *value)
{
    *yes = strcmp(value, "yes") == 0;
    if (*yes || strcmp(value, "no") == 0)
        return true;
    return conf_refuse(r, r->line, "%s is yes or no, not \"%s\"", key, value);
}

static bool read_deterministic(struct conf_reader *r, struct kernel_conf *k,
                               const char *value)
{
    return read_yes(r, "deterministic", &k->deterministic, value);
}

static bool read_optional(struct conf_reader *r, struct kernel_conf *k,
                          const char *value)
{
    return read_yes(r, "optional", &k->optional, value);
}

static bool read_shape(struct conf_reader *r, const struct kernel_conf *k,
                       const char *text, struct op_shape *shape)
{
    const char *wrong;

    if (!k->op)
        return conf_refuse(r, r->line, "[%s] has no op = ... above its "
                           "shapes, so nobody can tell what they mean",
                           k->name);
    wrong = op_parse_shape(k->op, text, shape);
    return !wrong || conf_refuse(r, r->line, "shape \"%s\": %s", text, wrong);
}

/* "M640 N4 K128 on 4": with so many multiprocessors. What is before stays. */
static bool read_multiprocessors(struct conf_reader *r, char *text, bool first,
                                 int *n)
{
    char *on = strstr(text, " on "), *end;
    long value = on ? strtol(on + 4, &end, 10) : 0;

    *n = 0;
    if (!on)
        return true;
    if (value < 1 || value > 99 || *end)
        return conf_refuse(r, r->line, "SHAPE on N: of 1 to 99 "
                           "multiprocessors, not \"%s\"", on + 4);
    if (first)
        return conf_refuse(r, r->line, "counters are taken at the first "
                           "shape, on the whole GPU");
    *on = '\0';
    *n = (int)value;
    return true;
}

/* "M132 N260 K36 off A C": these arrays do not begin on a boundary. What is
 * before stays. */
static bool read_off(struct conf_reader *r, const struct kernel_conf *k,
                     char *text, unsigned *off)
{
    char *names = strstr(text, " off "), *name;

    *off = 0;
    if (!names || !k->op)
        return true;
    *names = '\0';
    names += strlen(" off ");
    while ((name = strsep(&names, " "))) {
        int i = 0;

        while (i < k->op->n_buffers &&
               strcmp(k->op->buffers[i].name, name) != 0)
            i++;
        if (i == k->op->n_buffers)
            return conf_refuse(r, r->line, "SHAPE off ARRAYS: %s has no "
                               "\"%s\"", k->op->name, name);
        *off |= 1u << i;
    }
    return k->n_sim_shapes > 0 ||
           conf_refuse(r, r->line, "counters are taken at the first shape, "
                       "of arrays on boundaries");
}

static bool read_sim_shapes(struct conf_reader *r, struct kernel_conf *k,
                            const char *value)
{
    char list[512], *rest = list;

    if (!conf_copy(r, list, sizeof list, value))
        return false;
    for (char *text; (text = strsep(&rest, ";"));) {
        text += strspn(text, " \t");
        if (k->n_sim_shapes == CONF_SHAPES)
            return conf_refuse(r, r->line, "at most %d sim_shapes",
                               CONF_SHAPES);
        if (!read_off(r, k, text, &k->off[k->n_sim_shapes]) ||
            !read_multiprocessors(r, text, k->n_sim_shapes == 0,
                                  &k->multiprocessors[k->n_sim_shapes]) ||
            !read_shape(r, k, text, &k->sim_shapes[k->n_sim_shapes]))
            return false;
        k->n_sim_shapes++;
    }
    return true;
}

static bool read_time_shape(struct conf_reader *r, struct kernel_conf *k,
                            const char *value)
{
    k->has_time_shape = true;
    return read_shape(r, k, value, &k->time_shape);
}

static bool read_tile(struct conf_reader *r, struct kernel_conf *k,
                      const char *value)
{
    return read_shape(r, k, value, &k->tile);
}

/* "study: B16384 H128 L48 K48" */
static bool read_peer_shape(struct conf_reader *r, struct kernel_conf *k,
                            const char *value)
{
    struct peer_shape *at = &k->peer_shapes[k->n_peer_shapes];
    size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz");

    if (k->n_peer_shapes == CONF_SHAPES)
        return conf_refuse(r, r->line, "at most %d peer_shapes", CONF_SHAPES);
    if (n == 0 || n >= sizeof at->name || strncmp(value + n, ": ", 2) != 0)
        return conf_refuse(r, r->line, "peer_shape is NAME: SHAPE, with a "
                           "name of a-z, not \"%s\"", value);
    memcpy(at->name, value, n);
    k->n_peer_shapes++;
    return read_shape(r, k, value + n + 2, &at->shape);
}

static bool read_apart(struct conf_reader *r, struct kernel_conf *k,
                       const char *value)
{
    return conf_copy(r, k->apart, sizeof k->apart, value);
}

static bool read_page(struct conf_reader *r, struct kernel_conf *k,
                      const char *value)
{
    char first[64];
    struct op_shape shape;

    if (page_first(value, first, sizeof first))
        return read_shape(r, k, first, &shape);
    return conf_refuse(r, r->line, "page is TITLE: SIZES or TITLE: SIZES: "
                       "EDIT, with a star at one size of each, not \"%s\"",
                       value);
}

static bool read_min_speedup(struct conf_reader *r, struct kernel_conf *k,
                             const char *value)
{
    char *end;

    k->min_speedup = strtod(value, &end);
    if (*value && !*end && k->min_speedup > 0.0 && k->min_speedup < 1e6)
        return true;
    return conf_refuse(r, r->line, "min_speedup is a positive number, not "
                       "\"%s\"", value);
}

static bool read_min_percent(struct conf_reader *r, struct kernel_conf *k,
                             const char *value)
{
    char *end;

    k->min_percent_of_roof = strtod(value, &end);
    if (*value && !*end && k->min_percent_of_roof > 0.0 &&
        k->min_percent_of_roof <= 100.0)
        return true;
    return conf_refuse(r, r->line, "min_percent_of_roof is above 0 and at "
                       "most 100, not \"%s\"", value);
}

/* "M516 N4 K208 on 4": one of the kernel's sim_shapes. */
static bool read_gate_shape(struct conf_reader *r, const struct kernel_conf *k,
                            char *text, struct gate *gate)
{
    struct op_shape shape;
    int n;

    if (!read_multiprocessors(r, text, false, &n) ||
        !read_shape(r, k, text, &shape))
        return false;
    while (gate->at < k->n_sim_shapes &&
           (k->off[gate->at] || k->multiprocessors[gate->at] != n ||
            memcmp(&k->sim_shapes[gate->at], &shape, sizeof shape) != 0))
        gate->at++;
    return gate->at < k->n_sim_shapes ||
           conf_refuse(r, r->line, "a gate is at one of the sim_shapes above "
                       "it, and \"%s\" is none", text);
}

static bool read_gate(struct conf_reader *r, struct kernel_conf *k,
                      const char *value)
{
    char text[160], *at;
    const char *wrong;

    if (k->n_gates == CONF_GATES)
        return conf_refuse(r, r->line, "at most %d gates per kernel",
                           CONF_GATES);
    if (!conf_copy(r, text, sizeof text, value))
        return false;
    at = strstr(text, " at ");
    if (at)
        *at = '\0';
    wrong = gate_parse(text, &k->gates[k->n_gates]);
    if (wrong)
        return conf_refuse(r, r->line, "gate \"%s\": %s", value, wrong);
    if (at && !read_gate_shape(r, k, at + strlen(" at "),
                               &k->gates[k->n_gates]))
        return false;
    k->n_gates++;
    return true;
}

static bool read_time_gate(struct conf_reader *r, struct kernel_conf *k,
                           const char *value)
{
    const char *wrong = gate_parse(value, &k->time_gate);

    if (wrong)
        return conf_refuse(r, r->line, "time_gate \"%s\": %s", value, wrong);
    k->has_time_gate = true;
    return true;
}

static const struct {
    const char *key;
    bool (*read)(struct conf_reader *r, const char *value);
} chapter_keys[] = {
    {"title", read_title},
    {"kind", read_chapter_kind},
    {"previous", read_previous},
    {"arch", read_arch},
    {"ladder", read_word},
    {"study", read_word},
    {"aim", read_aim},
    {"measure", read_measure},
};

static const struct {
    const char *key;
    bool (*read)(struct conf_reader *r, struct kernel_conf *k,
                 const char *value);
} kernel_keys[] = {
    {"op", read_op},
    {"kind", read_kernel_kind},
    {"optional", read_optional},
    {"deterministic", read_deterministic},
    {"sim_shapes", read_sim_shapes},
    {"tile", read_tile},
    {"time_shape", read_time_shape},
    {"min_speedup", read_min_speedup},
    {"min_percent_of_roof", read_min_percent},
    {"previous", read_stage_before},
    {"gate", read_gate},
    {"time_gate", read_time_gate},
    {"peer_shape", read_peer_shape},
    {"apart", read_apart},
    {"label", read_label},
    {"page", read_page},
};

bool conf_chapter_key(struct conf_reader *r, const char *key,
                      const char *value)
{
    for (size_t i = 0; i < sizeof chapter_keys / sizeof *chapter_keys; i++)
        if (strcmp(chapter_keys[i].key, key) == 0)
            return chapter_keys[i].read(r, value);
    return conf_refuse(r, r->line, "no key \"%s\" in [chapter]", key);
}

bool conf_kernel_key(struct conf_reader *r, struct kernel_conf *k,
                     const char *key, const char *value)
{
    for (size_t i = 0; i < sizeof kernel_keys / sizeof *kernel_keys; i++)
        if (strcmp(kernel_keys[i].key, key) == 0)
            return kernel_keys[i].read(r, k, value);
    return conf_refuse(r, r->line, "no key \"%s\" in [%s]", key, k->name);
}
