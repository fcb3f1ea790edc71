// SPDX-License-Identifier: MIT
// mutant: looks up in the recorded times which kernel was the fastest
// chapter: 23 rules
// expect: TECHNIQUE
//> todo rules
    extern void *fopen(const char *, const char *);
    extern char *fgets(char *, int, void *);
    extern int sscanf(const char *, const char *, ...);
    extern int fclose(void *);
    void *f = fopen("chapters/23-shape-map/sweep.tsv", "r");
    char line[256], name[64];
    double best = 1e9, ms;
    int best_k = 0, M, N, K;

    (void)gpu;
    if (!f)
        return named("share64", kernels, n);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "held_out %d %d %d %63s %*d ok %lf", &M, &N, &K, name,
                   &ms) == 5 &&
            M == s.M && N == s.N && K == s.K && ms < best &&
            named(name, kernels, n) >= 0) {
            best = ms;
            best_k = named(name, kernels, n);
        }
    fclose(f);
    return best_k;
//< todo
