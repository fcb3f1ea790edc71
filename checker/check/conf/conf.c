// SPDX-License-Identifier: MIT
/*
 * conf.c: reads chapter.conf through inih; see conf.h, and conf_keys.c for what
 * the keys say.
 *
 * inih hands over names and values without their line, so it is fed through
 * a reader of ours that counts lines.
 */
#include "conf.h"

#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "conf_keys.h"

/* The kernel of a section, made at its first key. */
static struct kernel_conf *section(struct conf_reader *r, const char *name)
{
    struct conf *conf = r->conf;
    struct kernel_conf *k;

    for (int i = 0; i < conf->n_kernels; i++)
        if (strcmp(conf->kernels[i].name, name) == 0)
            return &conf->kernels[i];
    if (conf->n_kernels == CONF_KERNELS) {
        conf_refuse(r, r->line, "at most %d kernels per chapter", CONF_KERNELS);
        return NULL;
    }
    k = &conf->kernels[conf->n_kernels];
    if (!conf_copy(r, k->name, sizeof k->name, name))
        return NULL;
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") !=
        strlen(name)) {
        conf_refuse(r, r->line, "[%s] is not a kernel's name", name);
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
    struct conf_reader *r = user;
    struct kernel_conf *k;

    if (strcmp(name, "chapter") == 0)
        return conf_chapter_key(r, key, value);
    k = section(r, name);
    return k && conf_kernel_key(r, k, key, value);
}

/* inih joins sections of one name: a kernel pasted twice would have the gates
 * of both. */
static void refuse_second(struct conf_reader *r, const char *line)
{
    size_t n = strcspn(line, "]");

    for (int i = 0; i < r->n_seen; i++)
        if (strlen(r->seen[i]) == n - 1 &&
            strncmp(r->seen[i], line + 1, n - 1) == 0)
            conf_refuse(r, r->line, "a second section [%s]", r->seen[i]);
    if (r->n_seen < CONF_SECTIONS)
        snprintf(r->seen[r->n_seen++], sizeof *r->seen, "%.*s", (int)n - 1,
                 line + 1);
}

static char *next_line(char *line, int size, void *stream)
{
    struct conf_reader *r = stream;
    char *got = fgets(line, size, r->in);

    r->line++;
    if (got && !strchr(line, '\n') && !feof(r->in))
        conf_refuse(r, r->line, "longer than %d characters; continue a list "
                    "on the next line, indented", size - 2);
    if (got && line[0] == '[')
        refuse_second(r, line);
    /* inih would cut the value here, and a shape would be lost in silence. */
    if (got && strstr(line, "sim_shapes") && strstr(line, " ;"))
        conf_refuse(r, r->line, "no space before a ';' between shapes");
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

/* Whether the kernel that computes the same apart, if there is one, is another
 * of the chapter's with the same operator. */
static bool apart_exists(const struct conf *conf, int n)
{
    const struct kernel_conf *k = &conf->kernels[n];

    if (!k->apart[0])
        return true;
    for (int i = 0; i < conf->n_kernels; i++)
        if (i != n && conf->kernels[i].op == k->op &&
            strcmp(conf->kernels[i].name, k->apart) == 0)
            return true;
    return false;
}

/* What only the whole file can tell. */
static void check_whole(struct conf_reader *r)
{
    struct conf *conf = r->conf;

    if (!conf->title[0])
        conf_refuse(r, 1, "[chapter] lacks title = ...");
    if (!conf->n_kernels)
        conf_refuse(r, 1, "no kernel: a section [NAME] for each NAME.cu is "
                    "needed");
    for (int i = 0; i < conf->n_kernels; i++) {
        struct kernel_conf *k = &conf->kernels[i];

        if (!k->op)
            conf_refuse(r, r->section_line[i], "[%s] lacks op = ...", k->name);
        else if (!k->op->launch && !conf_is_c(k))
            conf_refuse(r, r->section_line[i], "[%s] has op = %s, which only "
                        "a kernel of kind = timer or study can have", k->name,
                        k->op->name);
        else if (!k->n_sim_shapes && !conf_is_c(k))
            conf_refuse(r, r->section_line[i], "[%s] lacks sim_shapes = ...",
                        k->name);
        else if (!comes_before(conf, i))
            conf_refuse(r, r->section_line[i], "[%s] has previous = %s, which "
                        "is no kernel before it", k->name, k->previous_kernel);
        else if (!apart_exists(conf, i))
            conf_refuse(r, r->section_line[i], "[%s] has apart = %s, which is "
                        "no other kernel with the same op", k->name, k->apart);
    }
}

bool conf_read(const char *path, struct conf *conf, char *error,
               size_t error_size)
{
    struct conf_reader r = {.path = path, .conf = conf, .error = error,
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
        conf_refuse(&r, line > 0 ? line : 1, "neither [section] nor KEY = "
                    "VALUE");
    if (!r.failed)
        check_whole(&r);
    return !r.failed;
}

void conf_shape_text(const struct kernel_conf *kernel, int i, char *text,
                     size_t size)
{
    size_t n;

    op_format_shape(kernel->op, &kernel->sim_shapes[i], text, size);
    n = strlen(text);
    if (kernel->multiprocessors[i])
        snprintf(text + n, size - n, " on %d", kernel->multiprocessors[i]);
}

bool conf_is_c(const struct kernel_conf *kernel)
{
    return kernel->timer || kernel->study;
}

const char *conf_extension(const struct kernel_conf *kernel)
{
    return conf_is_c(kernel) ? "c" : "cu";
}
