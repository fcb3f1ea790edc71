// SPDX-License-Identifier: MIT
/*
 * main.c: bin/profile LOG REPORT TEMPLATE FOLDER, behind `make profile`.
 *
 * REPORT is - on a GPU. Prints both tables, and writes profile.html,
 * trace.json (Perfetto) and speedscope.json into FOLDER. Ends with 1, and
 * writes nothing, if log and report disagree about what ran.
 */
#include "profile/profile.h"

#include <string.h>

int main(int argc, char **argv)
{
    struct profile p;
    const char *wrong;
    char path[4096];

    if (argc != 5) {
        fprintf(stderr, "usage: profile LOG REPORT|- TEMPLATE FOLDER\n");
        return 2;
    }
    p = profile_read(argv[1], strcmp(argv[2], "-") == 0 ? NULL : argv[2]);
    wrong = profile_check(&p);
    if (wrong) {
        fprintf(stderr, "profile: %s\n", wrong);
        profile_give_back(&p);
        return 1;
    }
    profile_symbols(&p);
    profile_tables(&p, stdout);
    snprintf(path, sizeof path, "%s/trace.json", argv[4]);
    profile_trace(&p, path);
    snprintf(path, sizeof path, "%s/speedscope.json", argv[4]);
    profile_speedscope(&p, path);
    snprintf(path, sizeof path, "%s/profile.html", argv[4]);
    profile_page(&p, path, argv[3]);
    profile_give_back(&p);
    return 0;
}
