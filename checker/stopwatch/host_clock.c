// SPDX-License-Identifier: MIT
/*
 * host_clock.c: the C library's clocks, replaced for the timer under test.
 *
 *   clock_gettime, gettimeofday, time, clock, timespec_get
 *   nanosleep, usleep, sleep
 *
 * The dynamic linker searches the program before libc, so a timer that reads
 * the wall clock calls these. On a GPU they ask the operating system; with the
 * virtual clock (if libcudart has vclock_now) they return virtual time.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { NS = 1000000000, US = 1000 };
/* An arbitrary date, so that the time does not look unset. */
static const time_t epoch = 1700000000;

static uint64_t (*virtual_now(void))(void)
{
    static void *symbol;
    uint64_t (*now)(void);

    if (!symbol)
        symbol = dlsym(RTLD_DEFAULT, "vclock_now");
    memcpy(&now, &symbol, sizeof now);
    return now;
}

static int sleep_for(uint64_t ns)
{
    void *symbol = dlsym(RTLD_DEFAULT, "vclock_sleep");
    struct timespec t = {(time_t)(ns / NS), (long)(ns % NS)};
    void (*virtual_sleep)(uint64_t);

    memcpy(&virtual_sleep, &symbol, sizeof virtual_sleep);
    if (!virtual_sleep)
        return (int)syscall(SYS_nanosleep, &t, NULL);
    virtual_sleep(ns);
    return 0;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    uint64_t (*now)(void) = virtual_now();
    uint64_t ns;

    if (!now)
        return (int)syscall(SYS_clock_gettime, id, t);
    ns = now();
    *t = (struct timespec){epoch + (time_t)(ns / NS), (long)(ns % NS)};
    return 0;
}

int timespec_get(struct timespec *t, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, t) == 0 ? base
                                                                     : 0;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    struct timespec t;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &t);
    *tv = (struct timeval){t.tv_sec, t.tv_nsec / US};
    return 0;
}

time_t time(time_t *to)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    if (to)
        *to = t.tv_sec;
    return t.tv_sec;
}

/* Waiting for a GPU keeps the processor busy, so on the virtual clock processor
 * time equals wall time. */
clock_t clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (clock_t)(t.tv_sec % 1000000 * CLOCKS_PER_SEC +
                     t.tv_nsec / (NS / CLOCKS_PER_SEC));
}

int nanosleep(const struct timespec *t, struct timespec *rest)
{
    (void)rest;
    if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= NS) {
        errno = EINVAL;
        return -1;
    }
    return sleep_for((uint64_t)t->tv_sec * NS + (uint64_t)t->tv_nsec);
}

int usleep(useconds_t us)
{
    return sleep_for((uint64_t)us * US);
}

unsigned sleep(unsigned seconds)
{
    sleep_for((uint64_t)seconds * NS);
    return 0;
}
