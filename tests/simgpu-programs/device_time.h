// SPDX-License-Identifier: MIT
/*
 * device_time.h: how much processor time the simulated GPU has taken so far, in
 * seconds, with all its threads. Unlike a clock it does not depend on what else
 * the machine does.
 *
 *   device_seconds()
 *
 * The device is the program's child; /proc knows what it has used.
 */
#ifndef DEVICE_TIME_H
#define DEVICE_TIME_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <unistd.h>

/* What the process has used, if it is a device of this program's; else -1. */
static double used_by(const char *pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%.16s/stat", pid);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    long parent, user = 0, system = 0;
    if (f)
        fclose(f);
    text[n] = 0;
    const char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (!name || !end || strncmp(name, "(simgpu-device)", 15) != 0 ||
        sscanf(end + 1, " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld",
               &parent, &user, &system) != 3 || parent != (long)getpid())
        return -1;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double device_seconds()
{
    double used = -1;
    DIR *all = opendir("/proc");
    for (dirent *one; all && used < 0 && (one = readdir(all));)
        if (*one->d_name >= '1' && *one->d_name <= '9')
            used = used_by(one->d_name);
    if (all)
        closedir(all);
    if (used < 0) {
        printf("there is no device among this program's children\n");
        exit(1);
    }
    return used;
}

#endif
