// SPDX-License-Identifier: MIT
/*
 * build.c: compiles stages, once per change; see build.h.
 *
 * The key is not a digest but the list itself: toolkit, command line, and
 * the SHA-256 of every file that may be included or that nvcc read (depends.c).
 * It holds no path outside the workbook unless the source names one itself, so
 * that a build can be carried to another machine and still be found fresh.
 */
#include "build.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/base/proc.h"
#include "check/base/sha256.h"
#include "depends.h"
#include "nvcc_words.h"

enum { ARGS = 40 };

/* nvcc needs seconds and some hundred megabytes for a kernel. Templates or
 * macros that grow without end would take all there is. */
enum { NVCC_SECONDS = 60 };                  /* of a processor */
static const double nvcc_wait = 300.0;       /* where the machine is busy */
static const size_t nvcc_bytes = (size_t)4 << 30;

/* The real architecture that ARCH's PTX is also compiled for. */
static void real_arch(const struct build_request *r, char *sm, size_t size)
{
    const char *number = r->arch + strlen("compute_");
    bool special = !isdigit((unsigned char)number[strlen(number) - 1]);

    if (special || atoi(number) > r->sm)
        snprintf(sm, size, "sm_%s", number);
    else
        snprintf(sm, size, "sm_%d", r->sm);
}

/* A launcher without `return` would return whatever lies in a register. CUDA
 * 11 leaves it to the host's compiler to see that. */
static const char missing_return[] = "-diag-error";
static const char missing_return_host[] = "-Werror=return-type";

/* C++17's <cmath> also brings Bessel functions and their like, a third of
 * nvcc's time for a kernel that never calls one. Its guard leaves them out; a
 * source that does not compile so is compiled as it stands. */
static const char without_bessel[] = "-D_GLIBCXX_BITS_SPECFUN_H=1";

struct command {
    const char *argv[ARGS];
    char gencode[96];
    int n;
};

static void add(struct command *c, const char *arg)
{
    c->argv[c->n++] = arg;
    c->argv[c->n] = NULL;
}

static void make_command(struct command *c, const struct build_request *r,
                         const char *out, const char *rule, bool quick)
{
    static const char *const always[] = {
        "-cudart", "shared", "-lineinfo", "-Xptxas", "-v", "-I", "common/op",
        "-I", "common", missing_return, "940", "-Xcompiler",
        missing_return_host,
    };
    static const char *const stage[] = {
        "-shared", "-Xcompiler", "-fPIC,-fvisibility=hidden",
    };
    char sm[32];

    c->n = 0;
    real_arch(r, sm, sizeof sm);
    snprintf(c->gencode, sizeof c->gencode, "arch=%s,code=[%s,%s]", r->arch,
             r->arch, sm);
    add(c, r->toolkit->nvcc);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        add(c, always[i]);
    for (size_t i = 0; !r->program && i < sizeof stage / sizeof *stage; i++)
        add(c, stage[i]);
    if (quick)
        add(c, without_bessel);
    add(c, "-gencode");
    add(c, c->gencode);
    add(c, "-MMD");
    if (rule) {
        add(c, "-MF");
        add(c, rule);
    }
    add(c, "-o");
    add(c, out);
    add(c, r->source);
}

/* The source, or a header beside it, is a pipe, a device or a folder. */
static bool refuse_special(struct build *b)
{
    char bad[PATH_BYTES];

    if (!depends_special(b->request.source, bad))
        return false;
    text_add(&b->words, "%s is no file of text: a pipe, a device or a "
             "folder\n", bad);
    return true;
}

static bool has_mark(const struct text *t, unsigned char a, unsigned char b)
{
    return t->n > 1 && (unsigned char)t->s[0] == a &&
           (unsigned char)t->s[1] == b;
}

/* What an editor, or a slip of the hand, makes of a source: nvcc would say a
 * page about it, or nothing at all. */
static bool refuse_contents(struct build *b)
{
    const char *source = b->request.source;
    struct text all = {0};

    if (!file_read(source, &all)) {
        text_add(&b->words, "cannot read %s: %s\n", source, strerror(errno));
        b->machines_fault = true;
        b->advice = "Make the file readable: chmod u+r with its name.";
    } else if (strspn(text_get(&all), " \t\r\n") == all.n) {
        text_add(&b->words, "%s is empty\n", source);
        b->advice = "Was it saved? `make reset` and the chapter's number "
                    "brings the starter back.";
    } else if (has_mark(&all, 0xff, 0xfe) || has_mark(&all, 0xfe, 0xff)) {
        text_add(&b->words, "%s is text in UTF-16, which nvcc cannot read\n",
                 source);
        b->advice = "Save it as UTF-8: your editor's \"Save as\" has a "
                    "choice of encodings.";
    } else if (memchr(all.s, '\0', all.n)) {
        text_add(&b->words, "%s holds bytes of value 0, so it is no text\n",
                 source);
        b->advice = "Is it the right file, and did the editor save it as "
                    "UTF-8?";
    }
    text_free(&all);
    return b->words.n > 0;
}

/* Everything but the first line, which names the toolkit. */
static const char *without_toolkit(const char *key)
{
    const char *end = strchr(key, '\n');

    return end ? end : key;
}

static bool make_key(struct build *b)
{
    struct command c;

    make_command(&c, &b->request, "", NULL, true);
    text_add(&b->key, "toolkit %s\n", b->request.toolkit->version);
    for (int i = 1; i < c.n - 2; i++) /* without nvcc's path and the result */
        text_add(&b->key, "%s ", c.argv[i]);
    text_add(&b->key, "\n");
    return depends_list(b->request.source, &b->key);
}

static void path_beside(char path[PATH_BYTES], const struct build *b,
                        const char *extension)
{
    path_set(path, "%s/%s%s", b->request.out, b->request.name, extension);
}

static bool is_fresh(const struct build *b)
{
    char path[PATH_BYTES];
    struct text old = {0};
    const char *was, *is = text_get(&b->key);
    bool same;

    path_beside(path, b, ".key");
    same = file_exists(b->result) && file_read(path, &old);
    was = text_get(&old);
    if (b->request.prebuilt && !b->request.toolkit->found) {
        was = without_toolkit(was);
        is = without_toolkit(is);
    }
    same = same && strncmp(was, is, strlen(is)) == 0 &&
           depends_same(was + strlen(is));
    text_free(&old);
    return same;
}

static void blame_machine(struct build *b, const char *words)
{
    b->machines_fault = true;
    text_add(&b->words, "%s", words);
}

static void use_old(struct build *b)
{
    char path[PATH_BYTES];

    path_beside(path, b, ".log");
    file_read(path, &b->words);
    b->ok = b->cached = true;
}

/* nvcc on a full disk may fail without a word. A probe of a page, in the place
 * of its log, tells first. */
static bool has_room(struct build *b, const char *log)
{
    static const char page[4096];

    if (dir_make_for(log) && file_write(log, page, sizeof page))
        return true;
    text_add(&b->words, "cannot write in %s: %s\n", b->request.out,
             strerror(errno));
    unlink(log);
    b->machines_fault = true;
    return false;
}

static void run_nvcc(struct build *b, bool quick)
{
    char log[PATH_BYTES], rule[PATH_BYTES], tmpdir[PATH_BYTES];
    struct command c;
    struct proc_config config = {.argv = c.argv, .output = log, .group = true,
                                 .memory_bytes = nvcc_bytes,
                                 .cpu_seconds = NVCC_SECONDS};

    path_set(b->made, "%s/%s.%ld.tmp", b->request.out, b->request.name,
             (long)getpid());
    path_set(log, "%s.log", b->made);
    path_set(rule, "%s.d", b->made);
    path_set(tmpdir, "TMPDIR=%s", b->request.scratch);
    config.env[0] = tmpdir;
    if (!has_room(b, log))
        return;
    make_command(&c, &b->request, b->made, rule, quick);
    clock_gettime(CLOCK_REALTIME, &b->begun);
    b->pid = proc_start(&config);
    if (b->pid < 0)
        blame_machine(b, "cannot start another process\n");
}

void build_start(struct build *b, const struct build_request *request)
{
    *b = (struct build){.request = *request, .registers = -1,
                        .spill_bytes = -1};
    path_beside(b->result, b, request->program ? "" : ".so");
    if (!file_exists(request->source)) {
        text_add(&b->words, "there is no %s\n", request->source);
        return;
    }
    if (refuse_special(b) || refuse_contents(b))
        return;
    if (!make_key(b)) {
        blame_machine(b, "cannot read the sources:\n");
        text_add(&b->words, "%s", text_get(&b->key));
        return;
    }
    if (is_fresh(b))
        use_old(b);
    else if (!request->toolkit->found)
        blame_machine(b, "no CUDA toolkit is found (nvcc); `make doctor` "
                         "says how to get one\n");
    else
        run_nvcc(b, true);
}

/* The rest of the key: what nvcc read. False: it cannot be known, and the next
 * check compiles again. */
static bool complete_key(struct build *b)
{
    char rule[PATH_BYTES];
    bool ok;

    path_set(rule, "%s.d", b->made);
    ok = depends_read(rule, b->request.toolkit, &b->begun, &b->key);
    unlink(rule);
    return ok;
}

/* Into place under the final names; the key goes last. */
static bool put_in_place(struct build *b)
{
    bool complete = complete_key(b);
    char path[PATH_BYTES];

    path_beside(path, b, ".key");
    unlink(path);
    if (rename(b->made, b->result) != 0)
        return false;
    path_beside(path, b, ".log");
    if (!file_write(path, text_get(&b->words), b->words.n))
        return false;
    path_beside(path, b, ".key");
    return !complete || file_write(path, text_get(&b->key), b->key.n);
}

static struct proc_result await_nvcc(struct build *b)
{
    struct proc_result end = proc_wait(b->pid, nvcc_wait, NULL);
    char log[PATH_BYTES];

    b->pid = 0;
    path_set(log, "%s.log", b->made);
    if (!file_read(log, &b->words))
        text_add(&b->words, "nvcc's words are lost: %s: %s\n", log,
                 strerror(errno));
    unlink(log);
    return end;
}

/* A part of nvcc passed its limits. */
static bool is_endless(const struct build *b, const struct proc_result *end)
{
    static const char *const last_words[] = {
        "died due to signal", "memory exhausted", "out of memory"};
    bool endless = end->end == PROC_TIMED_OUT;

    for (size_t i = 0; i < sizeof last_words / sizeof *last_words; i++)
        endless |= end->end == PROC_EXITED && end->code != 0 &&
                   strstr(text_get(&b->words), last_words[i]) != NULL;
    return endless;
}

/* It speaks of one of the functions that were left out. */
static bool misses_bessel(const struct build *b)
{
    static const char *const names[] = {
        "assoc_", "beta", "ellint", "cyl_", "expint", "hermite", "laguerre",
        "legendre", "riemann_zeta", "sph_"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(text_get(&b->words), names[i]))
            return true;
    return false;
}

/* A toolkit that is too old is the machine's fault, a typing error is not. */
static void judge_arch(struct build *b)
{
    int wanted = atoi(b->request.arch + strlen("compute_"));

    if (!strstr(text_get(&b->words), "Unsupported gpu architecture"))
        return;
    b->unknown_arch = wanted <= toolkit_sm(b->request.toolkit, INT_MAX);
    b->machines_fault = !b->unknown_arch;
    text_add(&b->words, "chapter.conf says arch = %s\n", b->request.arch);
}

/* No source, however wrong, may do that to a compiler. */
static void blame_crash(struct build *b)
{
    blame_machine(b, "A part of nvcc crashed: a defect of the CUDA toolkit\n");
    b->advice = "Write the newest lines another way, or use another release "
                "of the CUDA toolkit.";
}

static void finish_nvcc(struct build *b)
{
    struct proc_result end = await_nvcc(b);
    char rule[PATH_BYTES];

    if (end.end == PROC_EXITED && end.code != 0 && !is_endless(b, &end) &&
        !nvcc_crashed(text_get(&b->words)) && misses_bessel(b)) {
        text_free(&b->words);
        run_nvcc(b, false);
        if (b->pid <= 0)
            return;
        end = await_nvcc(b);
    }
    if (end.end == PROC_EXITED && end.code == 0) {
        b->ok = put_in_place(b);
        if (b->ok)
            return;
        text_add(&b->words, "cannot write %s: %s\n", b->result,
                 strerror(errno));
        b->machines_fault = true;
    }
    unlink(b->made);
    path_set(rule, "%s.d", b->made);
    unlink(rule);
    if (nvcc_crashed(text_get(&b->words)))
        blame_crash(b);
    else if (is_endless(b, &end))
        text_add(&b->words, "nvcc was stopped: it may use %d seconds and %zu "
                 "GiB. Does a template or a macro grow without end?\n",
                 NVCC_SECONDS, nvcc_bytes >> 30);
    else if (end.end != PROC_EXITED)
        blame_machine(b, "nvcc was ended by a signal (out of memory?)\n");
    if (!b->words.n)
        blame_machine(b, "nvcc failed without a word: is the disk full?\n");
    if (nvcc_blames_disk(text_get(&b->words)))
        b->machines_fault = true;
    judge_arch(b);
}

static void find_ptxas_error(struct build *b)
{
    struct text source = {0};

    if (file_read(b->request.source, &source) &&
        nvcc_ptxas_error(text_get(&b->words), text_get(&source),
                         &b->first_line, b->first_error,
                         sizeof b->first_error))
        path_set(b->first_file, "%s", b->request.source);
    else
        b->first_error[0] = '\0';
    text_free(&source);
}

/* An error deep in a header, of a template that the source uses: its line is
 * the source's, and the templates in between tell a beginner nothing. */
static void find_origin(struct build *b)
{
    const char *source = b->request.source;
    struct text cut = {0}, error = {0};
    int line;

    if (strcmp(b->first_file, source) == 0 ||
        !nvcc_origin(text_get(&b->words), source, &line))
        return;
    text_add(&error, "%s (in %s)", b->first_error,
             b->first_file);
    snprintf(b->first_error, sizeof b->first_error, "%s", error.s);
    path_set(b->first_file, "%s", source);
    b->first_line = line;
    nvcc_cut(text_get(&b->words), source, &cut);
    text_free(&b->words);
    text_free(&error);
    b->words = cut;
}

void build_finish(struct build *b)
{
    if (b->pid > 0)
        finish_nvcc(b);
    if (b->ok)
        nvcc_resources(text_get(&b->words), &b->registers, &b->spill_bytes);
    else if (nvcc_first_error(text_get(&b->words), b->first_file,
                              sizeof b->first_file, &b->first_line,
                              b->first_error, sizeof b->first_error))
        find_origin(b);
    else
        find_ptxas_error(b);
}

void build_free(struct build *b)
{
    text_free(&b->words);
    text_free(&b->key);
}

void source_sum(const char *const *paths, int n, char sum[65])
{
    struct sha256 s;
    bool ok = n > 0;

    sha256_begin(&s);
    for (int i = 0; ok && i < n; i++)
        ok = sha256_file(&s, paths[i]);
    sum[0] = '\0';
    if (ok)
        sha256_end(&s, sum);
}
