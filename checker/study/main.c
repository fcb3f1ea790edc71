// SPDX-License-Identifier: MIT
/*
 * main.c: loads a step of a study and plays one trial; see study.h.
 */
#include "study/study.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *answers;

static void finish(enum study_exit end, const char *words)
{
    fprintf(answers, "%s\n", words);
    fclose(answers);
    exit(end);
}

static const struct {
    const char *op;
    void (*play)(struct play *);
} plays[] = {
    {"study_map", play_map},     {"study_cause", play_cause},
    {"study_tune", play_tune},   {"study_rules", play_rules},
    {"study_tree", play_tree},
};

/* shut.c has seen to it before the step's first code ran. */
static bool files_are_shut(void)
{
    int file = dup(fileno(answers));

    if (file >= 0)
        close(file);
    return file < 0;
}

static void *load(const char *path, const char *symbol)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *found = NULL;

    if (library && !files_are_shut())
        finish(STUDY_EXIT_DATA, "files cannot be kept from the step");
    if (library)
        found = dlsym(library, symbol);
    if (!found)
        finish(STUDY_EXIT_NO_LOAD, dlerror());
    return found;
}

/* What the constants of a sweep's kernels are. */
static void find_kernels(struct play *p, const struct sweep_kernels *list)
{
    p->n_kernels = p->table.n_kernels;
    for (int i = 0; i < p->n_kernels; i++) {
        const struct sweep_kernel *found = NULL;

        for (int k = 0; k < list->n; k++)
            if (strcmp(list->kernel[k].name, p->table.kernel[i]) == 0)
                found = &list->kernel[k];
        if (!found)
            finish(STUDY_EXIT_DATA, "the sweep names a kernel that is no "
                   "candidate");
        p->kernels[i] = (struct study_kernel){
            found->name, found->tile_m, found->tile_n, found->blocks,
            found->splits};
    }
}

static void read_data(struct play *p, const char *kernels, const char *sweep)
{
    static struct sweep_kernels list;
    char error[512];

    if (!kernels_read(kernels, &list, error, sizeof error) ||
        !sweep_read(sweep, &p->sweep, error, sizeof error))
        finish(STUDY_EXIT_DATA, error);
    p->table = sweep_table(&p->sweep);
    find_kernels(p, &list);
    if (atoi(p->sweep.about.multiprocessors) < 1)
        finish(STUDY_EXIT_DATA, "the sweep does not say how many "
               "multiprocessors its GPU has");
    p->gpu = (struct study_gpu){
        .multiprocessors = atoi(p->sweep.about.multiprocessors),
        .flops_per_ms = 1e-3 * atof(p->sweep.about.flops_per_second),
        .bytes_per_ms = 1e-3 * atof(p->sweep.about.bytes_per_second),
        .launch_ms = 0.003};
}

int main(int argc, char **argv)
{
    enum { ANSWERS = 1, STEP, OPERATOR, KERNELS, SWEEP, NUMBERS };
    static struct play play;

    if (argc < NUMBERS || !(answers = fopen(argv[ANSWERS], "w"))) {
        fprintf(stderr, "usage: study ANSWERS STEP.so OPERATOR KERNELS.tsv "
                "SWEEP.tsv NUMBER...\n");
        return 2;
    }
    play.answers = answers;
    read_data(&play, argv[KERNELS], argv[SWEEP]);
    play.step = load(argv[STEP], argv[OPERATOR]);
    for (int i = NUMBERS; i < argc && play.n_numbers < PLAY_NUMBERS; i++)
        play.number[play.n_numbers++] = atof(argv[i]);
    for (size_t i = 0; i < sizeof plays / sizeof *plays; i++)
        if (strcmp(plays[i].op, argv[OPERATOR]) == 0)
            plays[i].play(&play);
    return fclose(answers) == 0 ? STUDY_EXIT_OK : 1;
}
