// SPDX-License-Identifier: MIT
/*
 * candidates.c: see candidates.h.
 */
#include "bench/candidates.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/conf/workbook.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Where "NAME = value" begins, as a whole word; NULL: nowhere. */
static const char *find_constant(const char *text, const char *name, size_t n)
{
    for (const char *at = text; (at = strstr(at, name)); at += n)
        if ((at == text || !is_word(at[-1])) &&
            strncmp(at + n, " = ", 3) == 0)
            return at;
    return NULL;
}

/* The first "NAME = old" becomes "NAME = value"; false: there is none. */
static bool set_constant(struct text *source, const char *name,
                         const char *value)
{
    const char *at = find_constant(text_get(source), name, strlen(name));
    struct text edited = {0};
    const char *old;

    if (!at)
        return false;
    old = at + strlen(name) + 3;
    text_add(&edited, "%.*s%s%s", (int)(old - source->s), source->s, value,
             old + strspn(old, "0123456789"));
    text_free(source);
    *source = edited;
    return true;
}

static bool set_constants(struct candidate *c, struct text *source)
{
    char words[sizeof c->is.constants], *rest = words, *word;

    snprintf(words, sizeof words, "%s", c->is.constants);
    while ((word = strsep(&rest, " "))) {
        char *value = strchr(word, '=');

        if (strcmp(word, "-") == 0 || *word == '\0')
            continue;
        if (value)
            *value++ = '\0';
        if (!value || !set_constant(source, word, value)) {
            snprintf(c->reason, sizeof c->reason,
                     "%02d/%s has no constant %s", c->is.chapter, c->is.kernel,
                     word);
            return false;
        }
    }
    return true;
}

/* nvcc, on c->source. */
static void compile(struct candidate *c, const struct toolkit *toolkit, int sm)
{
    struct build_request request = {
        .toolkit = toolkit, .source = c->source, .out = c->folder,
        .name = c->is.name, .arch = c->arch, .sm = sm, .machine_code = true,
        .prebuilt = true, .scratch = c->folder};

    build_start(&c->build, &request);
    c->started = true;
}

/* Where its kernel is, and what it is built for; false: c->reason. */
static bool find_source(struct candidate *c, char path[PATH_BYTES])
{
    static struct conf conf;
    char solution[PATH_BYTES], chapter[PATH_BYTES], error[512];

    if (c->is.chapter == 0) {
        path_set(path, "common/sweep/%s.cu", c->is.kernel);
        snprintf(c->arch, sizeof c->arch, "%s",
                 strstr(c->is.kernel, "_wgmma")    ? "compute_90a"
                 : strstr(c->is.kernel, "_hopper") ? "compute_90"
                                                   : "compute_80");
        return true;
    }
    if (!chapter_folder("solutions", c->is.chapter, solution) ||
        !chapter_folder("chapters", c->is.chapter, chapter)) {
        snprintf(c->reason, sizeof c->reason, "there is no solutions/%02d-*",
                 c->is.chapter);
        return false;
    }
    path_set(path, "%s/chapter.conf", chapter);
    if (!conf_read(path, &conf, error, sizeof error))
        give_up("%s", error);
    snprintf(c->arch, sizeof c->arch, "%s", conf.arch);
    path_set(path, "%s/%s.cu", solution, c->is.kernel);
    return true;
}

void candidate_start(struct candidate *c, const struct op *op,
                     const char *build, const struct toolkit *toolkit, int sm)
{
    char path[PATH_BYTES];
    struct text source = {0};

    if (!find_source(c, path))
        return;
    if (!file_read(path, &source))
        give_up("there is no %s", path);
    path_set(c->folder, "%s/sweep/%s", build, op->name);
    path_set(c->source, "%s/%s.cu", c->folder, c->is.name);
    if (set_constants(c, &source)) {
        if (!dir_make_for(c->source) ||
            !file_write(c->source, source.s, source.n))
            give_up("cannot write %s", c->source);
        compile(c, toolkit, sm);
    }
    text_free(&source);
}

void candidate_finish(struct candidate *c)
{
    struct build *b = &c->build;

    if (!c->started)
        return;
    build_finish(b);
    c->built = b->ok;
    path_set(c->stage, "%s", b->result);
    path_set(c->words, "%s/%s.log", c->folder, c->is.name);
    if (!b->ok)
        snprintf(c->reason, sizeof c->reason, "nvcc refuses it: %.200s",
                 b->first_error);
    build_free(b);
    c->started = false;
}
