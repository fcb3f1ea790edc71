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

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/base/outside.h"
#include "check/base/proc.h"
#include "check/base/sha256.h"
#include "command.h"
#include "depends.h"
#include "explain.h"
#include "nvcc_words.h"

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
    command_key(&b->key, &b->request);
    return depends_list(b->request.source, &b->key);
}

/* The key that the stage would have with machine code, or without. */
static void other_key(const struct build *b, struct text *key)
{
    const char *files = strchr(without_toolkit(text_get(&b->key)) + 1, '\n');
    struct build_request other = b->request;

    other.machine_code = !other.machine_code;
    command_key(key, &other);
    text_add(key, "%s", files + 1);
}

static void path_beside(char path[PATH_BYTES], const struct build *b,
                        const char *extension)
{
    path_set(path, "%s/%s%s", b->request.out, b->request.name, extension);
}

static bool has_key(const struct build *b, const char *was, const char *is)
{
    if (b->request.prebuilt && !b->request.toolkit->found) {
        was = without_toolkit(was);
        is = without_toolkit(is);
    }
    return strncmp(was, is, strlen(is)) == 0 && depends_same(was + strlen(is));
}

/* ptxas has spoken, or can. */
static bool has_words(const struct build *b)
{
    char path[PATH_BYTES];
    struct text log = {0};
    bool has;

    path_beside(path, b, ".log");
    has = file_read(path, &log) && strstr(text_get(&log), "ptxas info");
    text_free(&log);
    path_beside(path, b, ".ptx");
    return has || file_exists(path);
}

/* The simulated GPU takes a stage that has machine code, too; and where nobody
 * can compile, a GPU takes the PTX alone. */
static bool is_fresh(const struct build *b)
{
    const struct build_request *r = &b->request;
    char path[PATH_BYTES];
    struct text old = {0}, other = {0};
    bool same = false;

    path_beside(path, b, ".key");
    if (file_exists(b->result) && file_read(path, &old)) {
        same = has_key(b, text_get(&old), text_get(&b->key));
        if (!same &&
            (!r->machine_code || (r->prebuilt && !r->toolkit->found))) {
            other_key(b, &other);
            same = has_key(b, text_get(&old), text_get(&other));
        }
    }
    text_free(&old);
    text_free(&other);
    return same && (r->machine_code || has_words(b));
}

static const double nvcc_wait = 300.0; /* where the machine is busy */

/* nvcc's parts touch 180 MB for a kernel of ten lines, and a third of their
 * time is Linux's, which hands it out in pages of 4 KiB. Where huge pages go to
 * whoever asks for them, glibc asks (not before 2.35, which ignores the first),
 * and for pieces that hold such pages: cudafe++ takes 0.2 s instead of 0.7 by
 * that on a machine where a page costs much. */
static const char huge_pages[] =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"
    ":glibc.malloc.top_pad=67108864:glibc.malloc.mmap_threshold=1073741824";

static const struct proc_config compilers_limits = {
    .memory_bytes = NVCC_BYTES, .cpu_seconds = NVCC_SECONDS};

static unsigned seconds_left(const struct build *b)
{
    return b->worked < NVCC_SECONDS - 1 ? NVCC_SECONDS - (unsigned)b->worked
                                        : 1;
}

/* ptxas's part, where nvcc did not call it. */
static void plan_assembly(struct build *b)
{
    char ptx[PATH_BYTES], log[PATH_BYTES], tmpdir[PATH_BYTES], sm[32];
    struct proc_config config = compilers_limits;

    if (b->request.machine_code || strstr(text_get(&b->words), "ptxas info"))
        return;
    command_arch(&b->request, sm, sizeof sm);
    path_beside(ptx, b, ".ptx");
    path_set(log, "%s/ptxas-%p", b->request.scratch, (void *)b);
    path_set(tmpdir, "TMPDIR=%s", b->request.scratch);
    config.env[0] = tmpdir;
    config.env[1] = huge_pages;
    config.cpu_seconds = seconds_left(b);
    b->assembly = assembly_new(b->request.toolkit, ptx, sm, log, &config);
    if (b->request.ahead)
        assembly_start(b->assembly);
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
    bool keep = !b->request.machine_code;
    struct command c;
    struct proc_config config = compilers_limits;

    config.argv = c.argv;
    config.output = log;
    config.group = true;
    path_set(b->made, "%s/%s.%ld.tmp", b->request.out, b->request.name,
             (long)getpid());
    path_set(log, "%s.log", b->made);
    path_set(rule, "%s.d", b->made);
    path_set(tmpdir, "TMPDIR=%s", b->request.scratch);
    config.env[0] = tmpdir;
    config.env[1] = huge_pages;
    if (!has_room(b, log))
        return;
    path_set(b->kept, "%s/kept-XXXXXX", b->request.scratch);
    if (keep && !mkdtemp(b->kept)) {
        explain_machine(b, "cannot make a temporary folder\n");
        return;
    }
    command_make(&c, &b->request, b->made, rule, keep ? b->kept : NULL, quick);
    clock_gettime(CLOCK_REALTIME, &b->begun);
    b->pid = proc_start(&config);
    if (b->pid < 0)
        explain_machine(b, "cannot start another process\n");
}

void build_start(struct build *b, const struct build_request *request)
{
    *b = (struct build){.request = *request, .registers = -1,
                        .spill_bytes = -1};
    b->request.machine_code |= request->program;
    path_beside(b->result, b, request->program ? "" : ".so");
    if (!file_exists(request->source)) {
        text_add(&b->words, "there is no %s\n", request->source);
        return;
    }
    if (refuse_special(b) || refuse_contents(b))
        return;
    if (!make_key(b)) {
        explain_machine(b, "cannot read the sources:\n");
        text_add(&b->words, "%s", text_get(&b->key));
        return;
    }
    if (is_fresh(b))
        use_old(b);
    else if (!request->toolkit->found)
        explain_machine(b, "no CUDA toolkit is found (nvcc); `make doctor` "
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

/* It may lie on another disk. */
static bool copy_ptx(const struct build *b)
{
    char path[PATH_BYTES];
    struct text ptx = {0};
    bool ok;

    path_set(path, "%s/%s.ptx", b->kept, b->request.name);
    ok = file_read(path, &ptx);
    path_beside(path, b, ".ptx");
    ok = ok && file_write(path, ptx.s, ptx.n);
    text_free(&ptx);
    return ok;
}

/* Into place under the final names; the key goes last. */
static bool put_in_place(struct build *b)
{
    bool complete = complete_key(b);
    char path[PATH_BYTES];

    path_beside(path, b, ".key");
    unlink(path);
    if (rename(b->made, b->result) != 0 ||
        (!b->request.machine_code && !copy_ptx(b)))
        return false;
    path_beside(path, b, ".log");
    if (!file_write(path, text_get(&b->words), b->words.n))
        return false;
    path_beside(path, b, ".key");
    return !complete || file_write(path, text_get(&b->key), b->key.n);
}

static struct proc_result await_nvcc(struct build *b)
{
    struct proc_result end = proc_wait_work(b->pid, nvcc_wait,
                                            seconds_left(b));
    char log[PATH_BYTES];

    b->pid = 0;
    b->worked += end.worked;
    path_set(log, "%s.log", b->made);
    if (!file_read(log, &b->words))
        text_add(&b->words, "nvcc's words are lost: %s: %s\n", log,
                 strerror(errno));
    unlink(log);
    if (outside_hide(&b->words, b->request.source, b->request.scratch))
        b->advice = "Include files of this folder, of common/ and of the CUDA "
                    "toolkit, and let no #line name another.";
    return end;
}

/* It speaks of a function or a flag that was left out. */
static bool misses_more(const struct build *b)
{
    static const char *const names[] = {
        "assoc_", "beta", "ellint", "cyl_", "expint", "hermite", "laguerre",
        "legendre", "riemann_zeta", "sph_", "--extended-lambda"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(text_get(&b->words), names[i]))
            return true;
    return false;
}

static void finish_nvcc(struct build *b)
{
    struct proc_result end = await_nvcc(b);
    char rule[PATH_BYTES];

    if (end.end == PROC_EXITED && end.code != 0 && !explain_endless(b, &end) &&
        !nvcc_crashed(text_get(&b->words)) && misses_more(b)) {
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
    explain_end(b, &end);
}

void build_finish(struct build *b)
{
    if (b->pid > 0)
        finish_nvcc(b);
    if (!b->ok)
        explain_error(b);
    else
        plan_assembly(b);
    if (b->ok && !b->assembly)
        nvcc_resources(text_get(&b->words), &b->registers, &b->spill_bytes);
}

/* Beside the stage, for the checks to come. */
static void keep_words(const struct build *b)
{
    char path[PATH_BYTES];

    path_beside(path, b, ".log");
    file_write(path, text_get(&b->words), b->words.n);
}

void build_assemble(struct build *b)
{
    struct proc_result end;
    const char *words;

    if (!b->assembly)
        return;
    assembly_want(b->assembly); /* a stage that is not right was dropped */
    words = assembly_await(b->assembly, &end);
    text_add(&b->words, "%s", words);
    if (end.end == PROC_SIGNALLED) { /* as nvcc says it of its parts */
        text_add(&b->words, "nvcc error   : 'ptxas' died due to signal %d \n",
                 end.code);
        end = (struct proc_result){.code = 1};
    }
    assembly_free(b->assembly);
    b->assembly = NULL;
    if (end.end == PROC_EXITED && end.code == 0) {
        nvcc_resources(text_get(&b->words), &b->registers, &b->spill_bytes);
        keep_words(b);
        return;
    }
    b->ok = false;
    explain_end(b, &end);
    explain_error(b);
}

void build_drop(struct build *b)
{
    if (b->assembly)
        assembly_drop(b->assembly);
}

bool build_words(const struct build *b, struct text *words)
{
    struct proc_result end = {.code = 0};
    const char *more = b->assembly ? assembly_await(b->assembly, &end) : "";

    text_add(words, "%s%s", text_get(&b->words), more);
    return end.end == PROC_EXITED && end.code == 0;
}

void build_free(struct build *b)
{
    assembly_free(b->assembly);
    b->assembly = NULL;
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
