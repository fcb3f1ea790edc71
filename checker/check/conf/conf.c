// SPDX-License-Identifier: MIT
/*
 * conf.c: reads chapter.conf through inih; see conf.h.
 *
 * inih hands over names and values without their line, so it is fed through
 * a reader of ours that counts lines. The keys are two tables, of the
 * chapter's section and of a kernel's; a kernel's op comes first in its
 * section, because shapes cannot be read without it.
 */
#include "conf.h"

#include <ctype.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { SECTIONS = CONF_KERNELS + 1, SECTION_BYTES = 32 };

struct reader {
    FILE *in;
    const char *path;
    int line;
    int section_line[CONF_KERNELS];
    char seen[SECTIONS][SECTION_BYTES]; /* their names so far */
    int n_seen;
    struct conf *conf;
    char *error;
    size_t error_size;
    bool failed;
};

/* Keeps the first error; later ones often follow from it. */
static bool refuse(struct reader *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(struct reader *r, int line, const char *format, ...)
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

static bool copy(struct reader *r, char *to, size_t size, const char *value)
{
    if (!*value || strlen(value) >= size)
        return refuse(r, r->line, "a value of 1 to %zu characters is needed",
                      size - 1);
    strcpy(to, value);
    return true;
}

static bool read_kind(struct reader *r, bool *host, bool *timer, bool *study,
                      const char *value)
{
    *host = strcmp(value, "host") == 0;
    *timer = strcmp(value, "timer") == 0;
    *study = strcmp(value, "study") == 0;
    if (*host || *timer || *study || strcmp(value, "kernel") == 0)
        return true;
    return refuse(r, r->line, "kind is kernel, host, timer or study, not "
                  "\"%s\"", value);
}

static bool read_title(struct reader *r, const char *value)
{
    return copy(r, r->conf->title, sizeof r->conf->title, value);
}

static bool read_chapter_kind(struct reader *r, const char *value)
{
    return read_kind(r, &r->conf->host, &r->conf->timer, &r->conf->study,
                     value);
}

static bool read_previous(struct reader *r, const char *value)
{
    char *end;
    long n = strtol(value, &end, 10);

    if (*value == '\0' || *end != '\0' || n < 1 || n > 99)
        return refuse(r, r->line, "previous is a chapter's number, not \"%s\"",
                      value);
    r->conf->previous = (int)n;
    return true;
}

/* "block": a kernel further up in this chapter. "05/weight_grad": another
 * chapter's. */
static bool read_stage_before(struct reader *r, struct kernel_conf *k,
                              const char *value)
{
    const char *slash = strchr(value, '/');
    int n = 0;

    if (!slash)
        return copy(r, k->previous_kernel, sizeof k->previous_kernel, value);
    if (sscanf(value, "%2d%n", &k->previous, &n) != 1 || value + n != slash ||
        k->previous < 1)
        return refuse(r, r->line, "previous is KERNEL or NN/KERNEL, not \"%s\"",
                      value);
    return copy(r, k->previous_kernel, sizeof k->previous_kernel, slash + 1);
}

/* The keys of the book's tables: docs/architecture.md. check only looks at
 * how they are written; book/lua reads what they say. */
static bool read_word(struct reader *r, const char *value)
{
    size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-");

    if (n > 0 && !value[n])
        return true;
    return refuse(r, r->line, "one word of a-z, 0-9 and - is needed, not "
                  "\"%s\"", value);
}

/* "long: toeplitz.cu" */
static bool read_measure(struct reader *r, const char *value)
{
    size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz");

    if (n > 0 && strncmp(value + n, ": ", 2) == 0 && strstr(value, ".cu"))
        return true;
    return refuse(r, r->line, "measure is NAME: FILE.cu, not \"%s\"", value);
}

static bool read_label(struct reader *r, struct kernel_conf *k,
                       const char *value)
{
    (void)k;
    return *value || refuse(r, r->line, "a label is text");
}

/* "three paths, 05 over 07: total/step_from/05 >= 2.6" */
static bool read_aim(struct reader *r, const char *value)
{
    const char *colon = strstr(value, ": ");
    char fact[128], sense[3], more;
    double limit;

    if (colon && colon > value &&
        sscanf(colon + 2, "%127s %2s %lf%c", fact, sense, &limit, &more) ==
            3 &&
        (strcmp(sense, "<=") == 0 || strcmp(sense, ">=") == 0))
        return true;
    return refuse(r, r->line, "aim is WORDS: FACT <= LIMIT, or >=, not \"%s\"",
                  value);
}

static bool read_arch(struct reader *r, const char *value)
{
    if (strncmp(value, "compute_", 8) != 0 || !isdigit((unsigned char)value[8]))
        return refuse(r, r->line,
                      "arch is a virtual one such as compute_75, not \"%s\"",
                      value);
    return copy(r, r->conf->arch, sizeof r->conf->arch, value);
}

static bool read_op(struct reader *r, struct kernel_conf *k, const char *value)
{
    if (k->op)
        return refuse(r, r->line, "[%s] has a second op; its first is %s",
                      k->name, k->op->name);
    k->op = op_find(value);
    if (!k->op)
        return refuse(r, r->line, "no operator \"%s\" in common/op", value);
    const char *defect = op_defect(k->op);
    if (defect)
        return refuse(r, r->line, "operator %s in common/op: %s", value,
                      defect);
    return true;
}

static bool read_kernel_kind(struct reader *r, struct kernel_conf *k,
                             const char *value)
{
    return read_kind(r, &k->host, &k->timer, &k->study, value);
}

static bool read_yes(struct reader *r, const char *key, bool *yes,
                     const char *value)
{
    *yes = strcmp(value, "yes") == 0;
    if (*yes || strcmp(value, "no") == 0)
        return true;
    return refuse(r, r->line, "%s is yes or no, not \"%s\"", key, value);
}

static bool read_deterministic(struct reader *r, struct kernel_conf *k,
                               const char *value)
{
    return read_yes(r, "deterministic", &k->deterministic, value);
}

static bool read_optional(struct reader *r, struct kernel_conf *k,
                          const char *value)
{
    return read_yes(r, "optional", &k->optional, value);
}

static bool read_shape(struct reader *r, const struct kernel_conf *k,
                       const char *text, struct op_shape *shape)
{
    const char *wrong;

    if (!k->op)
        return refuse(r, r->line, "[%s] has no op = ... above its shapes, so "
                      "nobody can tell what they mean", k->name);
    wrong = op_parse_shape(k->op, text, shape);
    return !wrong || refuse(r, r->line, "shape \"%s\": %s", text, wrong);
}

static bool read_sim_shapes(struct reader *r, struct kernel_conf *k,
                            const char *value)
{
    char list[512], *rest = list;

    if (!copy(r, list, sizeof list, value))
        return false;
    for (char *text; (text = strsep(&rest, ";"));) {
        text += strspn(text, " \t");
        if (k->n_sim_shapes == CONF_SHAPES)
            return refuse(r, r->line, "at most %d sim_shapes", CONF_SHAPES);
        if (!read_shape(r, k, text, &k->sim_shapes[k->n_sim_shapes]))
            return false;
        k->n_sim_shapes++;
    }
    return true;
}

static bool read_time_shape(struct reader *r, struct kernel_conf *k,
                            const char *value)
{
    k->has_time_shape = true;
    return read_shape(r, k, value, &k->time_shape);
}

static bool read_tile(struct reader *r, struct kernel_conf *k,
                      const char *value)
{
    return read_shape(r, k, value, &k->tile);
}

/* "study: B16384 H128 L48 K48" */
static bool read_peer_shape(struct reader *r, struct kernel_conf *k,
                            const char *value)
{
    struct peer_shape *at = &k->peer_shapes[k->n_peer_shapes];
    size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz");

    if (k->n_peer_shapes == CONF_SHAPES)
        return refuse(r, r->line, "at most %d peer_shapes", CONF_SHAPES);
    if (n == 0 || n >= sizeof at->name || strncmp(value + n, ": ", 2) != 0)
        return refuse(r, r->line, "peer_shape is NAME: SHAPE, with a name of "
                      "a-z, not \"%s\"", value);
    memcpy(at->name, value, n);
    k->n_peer_shapes++;
    return read_shape(r, k, value + n + 2, &at->shape);
}

static bool read_page(struct reader *r, struct kernel_conf *k,
                      const char *value)
{
    char first[64];
    struct op_shape shape;

    if (page_first(value, first, sizeof first))
        return read_shape(r, k, first, &shape);
    return refuse(r, r->line, "page is TITLE: SIZES or TITLE: SIZES: EDIT, "
                  "with a star at one size of each, not \"%s\"", value);
}

static bool read_min_speedup(struct reader *r, struct kernel_conf *k,
                             const char *value)
{
    char *end;

    k->min_speedup = strtod(value, &end);
    if (*value && !*end && k->min_speedup > 0.0 && k->min_speedup < 1e6)
        return true;
    return refuse(r, r->line, "min_speedup is a positive number, not \"%s\"",
                  value);
}

static bool read_min_percent(struct reader *r, struct kernel_conf *k,
                             const char *value)
{
    char *end;

    k->min_percent_of_roof = strtod(value, &end);
    if (*value && !*end && k->min_percent_of_roof > 0.0 &&
        k->min_percent_of_roof <= 100.0)
        return true;
    return refuse(r, r->line, "min_percent_of_roof is above 0 and at most "
                  "100, not \"%s\"", value);
}

static bool read_gate(struct reader *r, struct kernel_conf *k,
                      const char *value)
{
    const char *wrong;

    if (k->n_gates == CONF_GATES)
        return refuse(r, r->line, "at most %d gates per kernel", CONF_GATES);
    wrong = gate_parse(value, &k->gates[k->n_gates]);
    if (wrong)
        return refuse(r, r->line, "gate \"%s\": %s", value, wrong);
    k->n_gates++;
    return true;
}

static const struct {
    const char *key;
    bool (*read)(struct reader *r, const char *value);
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
    bool (*read)(struct reader *r, struct kernel_conf *k, const char *value);
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
    {"peer_shape", read_peer_shape},
    {"label", read_label},
    {"page", read_page},
};

/* The kernel of a section, made at its first key. */
static struct kernel_conf *section(struct reader *r, const char *name)
{
    struct conf *conf = r->conf;
    struct kernel_conf *k;

    for (int i = 0; i < conf->n_kernels; i++)
        if (strcmp(conf->kernels[i].name, name) == 0)
            return &conf->kernels[i];
    if (conf->n_kernels == CONF_KERNELS) {
        refuse(r, r->line, "at most %d kernels per chapter", CONF_KERNELS);
        return NULL;
    }
    k = &conf->kernels[conf->n_kernels];
    if (!copy(r, k->name, sizeof k->name, name))
        return NULL;
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") !=
        strlen(name)) {
        refuse(r, r->line, "[%s] is not a kernel's name", name);
        return NULL;
    }
    k->host = conf->host;
    k->timer = conf->timer;
    k->study = conf->study;
    r->section_line[conf->n_kernels++] = r->line;
    return k;
}

static int handle(void *user, const char *name, const char *key,
                  const char *value)
{
    struct reader *r = user;
    struct kernel_conf *k;

    if (strcmp(name, "chapter") == 0) {
        for (size_t i = 0; i < sizeof chapter_keys / sizeof *chapter_keys; i++)
            if (strcmp(chapter_keys[i].key, key) == 0)
                return chapter_keys[i].read(r, value);
        return refuse(r, r->line, "no key \"%s\" in [chapter]", key);
    }
    if (!(k = section(r, name)))
        return 0;
    for (size_t i = 0; i < sizeof kernel_keys / sizeof *kernel_keys; i++)
        if (strcmp(kernel_keys[i].key, key) == 0)
            return kernel_keys[i].read(r, k, value);
    return refuse(r, r->line, "no key \"%s\" in [%s]", key, name);
}

/* inih joins sections of one name: a kernel pasted twice would have the gates
 * of both. */
static void refuse_second(struct reader *r, const char *line)
{
    size_t n = strcspn(line, "]");

    for (int i = 0; i < r->n_seen; i++)
        if (strlen(r->seen[i]) == n - 1 &&
            strncmp(r->seen[i], line + 1, n - 1) == 0)
            refuse(r, r->line, "a second section [%s]", r->seen[i]);
    if (r->n_seen < SECTIONS)
        snprintf(r->seen[r->n_seen++], sizeof *r->seen, "%.*s", (int)n - 1,
                 line + 1);
}

static char *next_line(char *line, int size, void *stream)
{
    struct reader *r = stream;
    char *got = fgets(line, size, r->in);

    r->line++;
    if (got && !strchr(line, '\n') && !feof(r->in))
        refuse(r, r->line, "longer than %d characters; continue a list on "
               "the next line, indented", size - 2);
    if (got && line[0] == '[')
        refuse_second(r, line);
    /* inih would cut the value here, and a shape would be lost in silence. */
    if (got && strstr(line, "sim_shapes") && strstr(line, " ;"))
        refuse(r, r->line, "no space before a ';' between shapes");
    return got;
}

/* Whether the kernel before kernel n, where it names one, stands before it. */
static bool comes_before(const struct conf *conf, int n)
{
    const struct kernel_conf *k = &conf->kernels[n];

    if (k->previous || !k->previous_kernel[0])
        return true;
    for (int i = 0; i < n; i++)
        if (strcmp(conf->kernels[i].name, k->previous_kernel) == 0)
            return true;
    return false;
}

/* What only the whole file can tell. */
static void check_whole(struct reader *r)
{
    struct conf *conf = r->conf;

    if (!conf->title[0])
        refuse(r, 1, "[chapter] lacks title = ...");
    if (!conf->n_kernels)
        refuse(r, 1, "no kernel: a section [NAME] for each NAME.cu is needed");
    for (int i = 0; i < conf->n_kernels; i++) {
        struct kernel_conf *k = &conf->kernels[i];

        if (!k->op)
            refuse(r, r->section_line[i], "[%s] lacks op = ...", k->name);
        else if (!k->op->launch && !conf_is_c(k))
            refuse(r, r->section_line[i], "[%s] has op = %s, which only a "
                   "kernel of kind = timer or study can have", k->name,
                   k->op->name);
        else if (!k->n_sim_shapes && !conf_is_c(k))
            refuse(r, r->section_line[i], "[%s] lacks sim_shapes = ...",
                   k->name);
        else if (!comes_before(conf, i))
            refuse(r, r->section_line[i], "[%s] has previous = %s, which is "
                   "no kernel before it", k->name, k->previous_kernel);
    }
}

bool conf_read(const char *path, struct conf *conf, char *error,
               size_t error_size)
{
    struct reader r = {.path = path, .conf = conf, .error = error,
                       .error_size = error_size};
    int line;

    *conf = (struct conf){.arch = "compute_75"};
    r.in = fopen(path, "r");
    if (!r.in) {
        snprintf(error, error_size, "%s: cannot be read", path);
        return false;
    }
    line = ini_parse_stream(next_line, &r, handle, &r);
    fclose(r.in);
    if (line != 0)
        refuse(&r, line > 0 ? line : 1, "neither [section] nor KEY = VALUE");
    if (!r.failed)
        check_whole(&r);
    return !r.failed;
}

bool conf_is_c(const struct kernel_conf *kernel)
{
    return kernel->timer || kernel->study;
}

const char *conf_extension(const struct kernel_conf *kernel)
{
    return conf_is_c(kernel) ? "c" : "cu";
}
