// SPDX-License-Identifier: MIT
/*
 * symbols.c: frames of the host's stack as functions and lines.
 *
 *   profile_symbols
 *
 * addr2line (binutils, which come with the compiler) is asked once per frame
 * that differs. Without it, or without debug information, a frame stays
 * MODULE+OFFSET.
 */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

enum { KNOWN = 1024, TEXT = 512 };

static struct {
    char frame[TEXT], said[TEXT];
} known[KNOWN];
static int n_known;

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void ask(const char *frame, char *said)
{
    const char *plus = strrchr(frame, '+');
    char command[2 * TEXT], function[TEXT / 4], where[TEXT / 4];
    FILE *pipe;

    snprintf(said, TEXT, "%s", last_part(frame));
    if (!plus || strchr(frame, '\''))
        return;
    snprintf(command, sizeof command,
             "addr2line -C -f -e '%.*s' %s 2>/dev/null", (int)(plus - frame),
             frame, plus + 1);
    pipe = popen(command, "r");
    if (!pipe)
        return;
    if (fgets(function, sizeof function, pipe) &&
        fgets(where, sizeof where, pipe) && function[0] != '?') {
        function[strcspn(function, "\n")] = '\0';
        where[strcspn(where, " \n")] = '\0';
        snprintf(said, TEXT, "%s %s", function, last_part(where));
    }
    pclose(pipe);
}

static const char *symbol(const char *frame)
{
    int i = 0;

    while (i < n_known && strcmp(known[i].frame, frame) != 0)
        i++;
    if (i == KNOWN)
        return last_part(frame);
    if (i == n_known) {
        snprintf(known[i].frame, TEXT, "%s", frame);
        ask(frame, known[i].said);
        n_known++;
    }
    return known[i].said;
}

void profile_symbols(struct profile *p)
{
    for (size_t i = 0; i < p->n; i++) {
        char *frames = p->events[i].frames, *frame, *rest = frames;
        char path[8 * TEXT] = "";

        if (!frames)
            continue;
        while ((frame = strsep(&rest, " ")))
            if (*frame && strlen(path) + TEXT + 2 < sizeof path) {
                if (*path)
                    strcat(path, ";");
                strcat(path, symbol(frame));
            }
        p->events[i].frames = strdup(path);
        free(frames);
    }
}
