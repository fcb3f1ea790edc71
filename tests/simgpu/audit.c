// SPDX-License-Identifier: MIT
/*
 * audit.c: lists instructions of PTX files that the simulated GPU lacks.
 *
 *   simgpu-audit FILE.ptx...   prints "FILE: opcode", each once; exits with 1
 *                              if there are any, 2 if a file cannot be read
 *
 * It asks the decoder, so it also covers code that is never executed.
 */
#include "simgpu/core/exec/control.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/state.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_UNKNOWN = 4096 };

static const char *unknown[MAX_UNKNOWN];
static size_t n_unknown;

static bool is_new(const char *text)
{
    for (size_t i = 0; i < n_unknown; i++)
        if (strcmp(unknown[i], text) == 0)
            return false;
    if (n_unknown < MAX_UNKNOWN)
        unknown[n_unknown++] = strdup(text);
    return true;
}

static void look_at(const char *file, const struct function *f)
{
    for (size_t i = 0; i < f->n_insts; i++) {
        const struct inst *in = &f->insts[i];
        bool missing = in->fn == op_call && in->detail->call->builtin ==
                                                BUILTIN_MISSING;
        if (in->fn != op_unsupported && !missing)
            continue;
        const char *text = in->detail && in->detail->text ? in->detail->text
                                                          : "?";
        if (is_new(text))
            printf("%s: %s (PTX line %d)\n", file, text,
                   finding_source(f, in)->ptx_line);
    }
}

static char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    *n = 0;
    while (f && !feof(f) && !ferror(f)) {
        if (*n == room)
            text = realloc(text, room += 1 << 20);
        if (!text)
            abort();
        *n += fread(text + *n, 1, room - *n, f);
    }
    if (f)
        fclose(f);
    return text;
}

static bool audit(const char *path)
{
    struct engine_config config = {.gpu = gpu_find("h200")};
    struct engine *engine = engine_open(&config);
    char why[512] = "cannot be opened";
    size_t n;
    char *text = read_file(path, &n);
    struct ptx_module *ptx = text ? ptx_read(text, n, why, sizeof why) : NULL;
    struct module *m = ptx ? engine_load(engine, ptx, why, sizeof why) : NULL;
    if (!m)
        fprintf(stderr, "%s: %s\n", path, why);
    for (size_t f = 0; m && f < m->n_functions; f++)
        look_at(path, &m->functions[f]);
    if (ptx)
        ptx_free(ptx);
    free(text);
    engine_close(engine);
    return m != NULL;
}

int main(int argc, char **argv)
{
    bool read = argc > 1;
    for (int i = 1; i < argc; i++)
        read &= audit(argv[i]);
    return !read ? 2 : n_unknown > 0;
}
