// SPDX-License-Identifier: MIT
/*
 * host_line.c: the program's line that made a call.
 *
 *   dev_print_caller, dev_print_place   see device.h
 *
 * addr2line reads the debug information of the program (nvcc -g), or knows at
 * least the function. Functions of the toolkit's headers, and those that nvcc
 * makes of <<<>>> (a stub, and a function with the kernel's name that calls
 * it), are not the program's.
 */
#include "device.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 8, ROOM = 4096 }; /* addresses; bytes of a line */

/* Starts addr2line; -1: there is none. *child: to be waited for. */
static int ask(char *const argv[], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    int error = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!error)
        return ends[0];
    close(ends[0]);
    return -1;
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* Two lines of addr2line's: the function (mangled), and file:line. stub: the
 * one before was nvcc's stub of a kernel, whose name is part of its own. */
static bool is_programs(const char *function, const char *place, char *stub)
{
    bool wraps = stub[0] && has(stub, function);
    bool is_stub = has(function, "__device_stub__");
    snprintf(stub, ROOM, "%s", is_stub ? function : "");
    return !wraps && !is_stub && !has(place, "/cuda_runtime") &&
           !has(place, "/include/crt/") && !has(function, "cudaMalloc") &&
           !has(function, "cudaLaunch") && strcmp(function, "??") != 0;
}

static void cut(char *line, const char *before)
{
    char *end = strstr(line, before);
    if (end)
        *end = '\0';
}

static void print(const char *function, char *place, const char *what,
                  FILE *out)
{
    char *name = dev_demangle(function);
    cut(place, " (discriminator");
    if (place[0] == '?' || has(place, ":?"))
        fprintf(out, "=========     %sin %s, on a line unknown (build with -g)"
                "\n", what, name);
    else
        fprintf(out, "=========     %sat %s, in %s\n", what, place, name);
    free(name);
}

/* The first of the frames that is the program's. */
static void choose(FILE *answer, const char *what, FILE *out)
{
    static char function[ROOM], place[ROOM], stub[ROOM];
    bool told = false;
    stub[0] = '\0';
    while (fgets(function, sizeof function, answer) &&
           fgets(place, sizeof place, answer)) {
        cut(function, "\n");
        cut(place, "\n");
        if (!told && is_programs(function, place, stub)) {
            print(function, place, what, out);
            told = true;
        }
    }
}

void dev_print_place(const char *caller, const char *what, FILE *out)
{
    char *argv[MOST + 6] = {"addr2line", "-f", "-i", "-e"};
    char *text = strdup(caller ? caller : ""), *at = text, *space;
    int n = 5, status;
    pid_t child;
    while (text && n < MOST + 4 && *at != '/' && (space = strchr(at, ' '))) {
        *space = '\0';
        argv[n++] = at;
        at = space + 1;
    }
    argv[4] = at;
    int fd = text && n > 5 && *at == '/' ? ask(argv, &child) : -1;
    if (fd >= 0) {
        FILE *answer = fdopen(fd, "r");
        if (answer) {
            choose(answer, what, out);
            fclose(answer);
        }
        waitpid(child, &status, 0);
    }
    free(text);
}

void dev_print_caller(const struct dev_api_error *e, FILE *out)
{
    dev_print_place(e->caller, "", out);
    dev_print_place(e->other, "the copy: ", out);
}
