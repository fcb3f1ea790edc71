// SPDX-License-Identifier: MIT
/*
 * clocks.c: see clocks.h. The few functions of NVML used here are declared by
 * hand, from its reference manual, because its header is not always there.
 */
#include "harness/clocks.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 }; /* nvmlClockType_t */

struct clocks {
    void *library;
    void *device; /* nvmlDevice_t */
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_pci)(const char *pci, void **device);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*max_clock)(void *device, int type, unsigned *mhz);
    int (*reasons)(void *device, unsigned long long *reasons);
    int (*bus_width)(void *device, unsigned *bits);
};

static bool find_all(struct clocks *c)
{
    const struct {
        const char *name;
        void *to; /* of a function pointer */
    } wanted[] = {
        {"nvmlInit_v2", &c->init},
        {"nvmlShutdown", &c->shutdown},
        {"nvmlDeviceGetHandleByPciBusId_v2", &c->by_pci},
        {"nvmlDeviceGetClockInfo", &c->clock},
        {"nvmlDeviceGetMaxClockInfo", &c->max_clock},
        {"nvmlDeviceGetCurrentClocksThrottleReasons", &c->reasons},
        {"nvmlDeviceGetMemoryBusWidth", &c->bus_width},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(c->library, wanted[i].name);
        if (!symbol)
            return false;
        memcpy(wanted[i].to, &symbol, sizeof symbol);
    }
    return true;
}

struct clocks *clocks_open(const char *pci)
{
    struct clocks *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (c->library && find_all(c) && c->init() == 0) {
        if (c->by_pci(pci, &c->device) == 0)
            return c;
        c->shutdown();
    }
    if (c->library)
        dlclose(c->library);
    free(c);
    return NULL;
}

void clocks_close(struct clocks *c)
{
    if (!c)
        return;
    c->shutdown();
    dlclose(c->library);
    free(c);
}

bool clocks_read(struct clocks *c, struct clock_reading *reading)
{
    unsigned long long reasons = 0;

    if (c->clock(c->device, CLOCK_SM, &reading->sm_mhz) != 0 ||
        c->max_clock(c->device, CLOCK_SM, &reading->sm_max_mhz) != 0 ||
        c->reasons(c->device, &reasons) != 0)
        return false;
    reading->reasons = reasons;
    return true;
}

const char *clocks_trouble(const struct clock_reading *reading)
{
    static const struct {
        uint64_t bit;
        const char *words;
    } causes[] = {
        {0x08, "the hardware slowed the GPU down"},
        {0x20, "the driver slowed the GPU down because it is hot"},
        {0x40, "the GPU slowed down because it is hot"},
        {0x80, "the power supply slowed the GPU down"},
    };

    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (reading->reasons & causes[i].bit)
            return causes[i].words;
    /* Below three quarters of its best, whatever the cause. */
    if (4 * (uint64_t)reading->sm_mhz < 3 * (uint64_t)reading->sm_max_mhz)
        return "the GPU ran below 75 % of its highest clock";
    return NULL;
}

double clocks_bandwidth(struct clocks *c)
{
    const double per_clock = 2; /* both edges, as NVML counts the clock */
    unsigned mhz, bits;

    if (c->max_clock(c->device, CLOCK_MEMORY, &mhz) != 0 ||
        c->bus_width(c->device, &bits) != 0)
        return 0;
    return per_clock * mhz * 1e6 * bits / 8;
}
