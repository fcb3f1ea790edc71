// SPDX-License-Identifier: MIT
/*
 * options.c: the command line; see options.h.
 */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage_text[] =
    "usage: check [chapter|solution] N [--device auto|gpu|sim] [--seed S]\n"
    "             [--case I] [--shape \"B3 H5 L37 K11\"] [--src DIR]\n"
    "             [--grade] [--json PATH|fd:N] [--gpu KEY] [--run]\n"
    "             [--prebuilt]\n"
    "             [--kernel NAME] [--inspect PATH]\n"
    "             [--patience SECONDS] [--jobs N] [--build DIR] [--root DIR]\n"
    "             [--remember DIR] [--brief] [--draw N]\n"
    "       check --facts verdicts|chapters|holes|FILE.json [--root DIR]\n";

static void usage(const char *wrong, const char *what)
    __attribute__((noreturn));
static void usage(const char *wrong, const char *what)
{
    fprintf(stderr, "check: %s%s%s\n%s", wrong, what ? ": " : "",
            what ? what : "", usage_text);
    exit(2);
}

/* A value that makes no sense: the syntax was right, so usage would not help.
 * Options go by the names of make's variables, which most readers typed. */
static void refuse(const char *wrong, const char *value)
    __attribute__((noreturn));
static void refuse(const char *wrong, const char *value)
{
    fprintf(stderr, "check: %s, not: %s\n", wrong, value);
    exit(2);
}

static uint64_t number(const char *what, const char *text, uint64_t most)
{
    char *end;
    unsigned long long n = strtoull(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || n > most)
        refuse(what, text);
    return n;
}

static enum device_wish device(const char *text)
{
    static const char *const names[] = {"auto", "gpu", "sim"};

    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], text) == 0)
            return (enum device_wish)i;
    refuse("DEVICE (--device) is auto, gpu or sim", text);
}

/* Before the working folder changes. */
static void absolute(char path[PATH_BYTES], const char *text)
{
    char *here = getcwd(NULL, 0);

    if (text[0] == '/' || !here)
        path_set(path, "%s", text);
    else
        path_set(path, "%s/%s", here, text);
    free(here);
}

/* A hand-in's folder has its author's name for it, which the report shows: a
 * line break there would begin a line of its own. */
static void refuse_codes(const char *path)
{
    for (; *path; path++)
        if ((unsigned char)*path < ' ' || *path == 0x7f) {
            fputs("check: SRC= names a folder whose name has a line break, or "
                  "another control code;\n  rename that folder\n", stderr);
            exit(2);
        }
}

/* What stands without a dash: an optional kind, then the number. */
static void read_plain(struct options *o, int n, char **plain)
{
    if (n > 0 && (strcmp(plain[0], "chapter") == 0 ||
                  strcmp(plain[0], "solution") == 0)) {
        o->solution = plain[0][0] == 's';
        plain++;
        n--;
    }
    if (n != 1)
        usage(n ? "one chapter at a time" : "which chapter", NULL);
    o->number = (int)number("a chapter's number is 1 to 99", plain[0],
                            99);
}

enum { MOST_DRAWN = 100000 };

enum { OPT_DEVICE = 1, OPT_SEED, OPT_CASE, OPT_SHAPE, OPT_SRC, OPT_GRADE,
       OPT_JSON, OPT_GPU, OPT_INSPECT, OPT_KERNEL, OPT_RUN, OPT_PREBUILT,
       OPT_PATIENCE, OPT_BUILD, OPT_ROOT, OPT_FACTS, OPT_REMEMBER, OPT_BRIEF,
       OPT_JOBS, OPT_DRAW };

static const struct option longs[] = {
    {"device", required_argument, NULL, OPT_DEVICE},
    {"seed", required_argument, NULL, OPT_SEED},
    {"case", required_argument, NULL, OPT_CASE},
    {"shape", required_argument, NULL, OPT_SHAPE},
    {"src", required_argument, NULL, OPT_SRC},
    {"grade", no_argument, NULL, OPT_GRADE},
    {"json", required_argument, NULL, OPT_JSON},
    {"gpu", required_argument, NULL, OPT_GPU},
    {"inspect", required_argument, NULL, OPT_INSPECT},
    {"kernel", required_argument, NULL, OPT_KERNEL},
    {"run", no_argument, NULL, OPT_RUN},
    {"prebuilt", no_argument, NULL, OPT_PREBUILT},
    {"patience", required_argument, NULL, OPT_PATIENCE},
    {"build", required_argument, NULL, OPT_BUILD},
    {"root", required_argument, NULL, OPT_ROOT},
    {"facts", required_argument, NULL, OPT_FACTS},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"remember", required_argument, NULL, OPT_REMEMBER},
    {"brief", no_argument, NULL, OPT_BRIEF},
    {"draw", required_argument, NULL, OPT_DRAW},
    {NULL, 0, NULL, 0},
};

/* From standard input: a stage can read the command line. */
static const char *secret_seed(void)
{
    static char line[32];

    if (!fgets(line, sizeof line, stdin))
        give_up("SEED (--seed -): there is none on standard input");
    line[strcspn(line, "\n")] = '\0';
    return line;
}

/* A slip in the name of its folder must not make another. */
static void json_path(struct options *o, const char *word)
{
    char folder[PATH_BYTES];
    struct stat st;

    absolute(o->json, word);
    path_set(folder, "%s", o->json);
    *strrchr(folder, '/') = '\0';
    if (folder[0] && (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode)))
        refuse("JSON (--json) is a file in a folder that exists", word);
}

/* "fd:9": open already, for check alone; no stage gets it. */
static void own_descriptor(struct options *o, const char *word)
{
    int fd = (int)number("JSON (--json fd:9) is a descriptor", word + 3, 1023);

    if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
        give_up("JSON (--json %s): %s", word, strerror(errno));
    path_set(o->json, "%s", word);
}

static void read_one(struct options *o, int which)
{
    switch (which) {
    case OPT_DEVICE:
        o->device = device(optarg);
        break;
    case OPT_SEED:
        o->seed = number("SEED (--seed) is a whole number",
                         strcmp(optarg, "-") == 0 ? secret_seed() : optarg,
                         INT64_MAX);
        o->seed_given = true;
        break;
    case OPT_CASE:
        o->only_case = (int)number("CASE (--case) is the number that a report "
                                   "names", optarg, 1 << 20);
        break;
    case OPT_SHAPE:
        o->shape = optarg;
        break;
    case OPT_SRC:
        absolute(o->src, optarg);
        refuse_codes(o->src);
        break;
    case OPT_GRADE:
        o->grade = true;
        break;
    case OPT_JSON:
        if (strncmp(optarg, "fd:", 3) == 0)
            own_descriptor(o, optarg);
        else
            json_path(o, optarg);
        break;
    case OPT_GPU:
        o->gpu = optarg;
        break;
    case OPT_INSPECT:
        o->inspect = optarg;
        break;
    case OPT_KERNEL:
        o->kernel = optarg;
        break;
    case OPT_RUN:
        o->run = true;
        break;
    case OPT_PREBUILT:
        o->prebuilt = true;
        break;
    case OPT_PATIENCE:
        o->patience = (double)number("patience is seconds, not", optarg, 3600);
        break;
    case OPT_BUILD:
        absolute(o->build, optarg);
        break;
    case OPT_ROOT:
        absolute(o->root, optarg);
        break;
    case OPT_JOBS:
        o->jobs = (int)number("jobs is a number of cores, not", optarg, 1024);
        break;
    case OPT_REMEMBER:
        absolute(o->remember, optarg);
        break;
    case OPT_BRIEF:
        o->brief = true;
        break;
    case OPT_DRAW:
        o->draw = (int)number("DRAW (--draw) is a number of sizes", optarg,
                              MOST_DRAWN);
        break;
    case OPT_FACTS:
        o->facts = optarg;
        break;
    default:
        fputs(usage_text, stderr);
        exit(2);
    }
}

void options_read(struct options *o, int argc, char **argv)
{
    int which;

    *o = (struct options){.only_case = -1, .patience = 60.0, .gpu = "",
                            .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    absolute(o->root, ".");
    while ((which = getopt_long(argc, argv, "", longs, NULL)) != -1)
        read_one(o, which);
    if (!o->facts)
        read_plain(o, argc - optind, argv + optind);
}
