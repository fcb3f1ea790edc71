// SPDX-License-Identifier: MIT
/*
 * probe.c: see probe.h. The driver library is loaded at run time; the calls
 * used are declared by hand from the driver API's manual.
 */
#include "harness/probe.h"

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SECONDS = 30, /* a machine with many GPUs takes several to wake up */
    MULTIPROCESSORS = 16, CC_MAJOR = 75, CC_MINOR = 76, /* CUdevice_attribute */
};

struct driver {
    int (*init)(unsigned flags);
    int (*version)(int *version);
    int (*count)(int *n);
    int (*get)(int *device, int ordinal);
    int (*name)(char *name, int size, int device);
    int (*pci)(char *pci, int size, int device);
    int (*attribute)(int *value, int which, int device);
    int (*memory)(size_t *bytes, int device);
};

static bool find_all(void *library, struct driver *d)
{
    const struct {
        const char *name;
        void *to; /* of a function pointer */
    } wanted[] = {
        {"cuInit", &d->init},
        {"cuDriverGetVersion", &d->version},
        {"cuDeviceGetCount", &d->count},
        {"cuDeviceGet", &d->get},
        {"cuDeviceGetName", &d->name},
        {"cuDeviceGetPCIBusId", &d->pci},
        {"cuDeviceGetAttribute", &d->attribute},
        {"cuDeviceTotalMem_v2", &d->memory},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(library, wanted[i].name);
        if (!symbol)
            return false;
        memcpy(wanted[i].to, &symbol, sizeof symbol);
    }
    return true;
}

static void refuse(struct probe *p, const char *why)
{
    snprintf(p->why, sizeof p->why, "%s", why);
}

static void ask(struct probe *p)
{
    struct driver d;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    int n = 0, device, error;

    if (!library || !find_all(library, &d)) {
        refuse(p, "no NVIDIA driver (libcuda.so.1) is installed");
        return;
    }
    error = d.init(0);
    if (error == 0)
        error = d.count(&n);
    if (error != 0) {
        snprintf(p->why, sizeof p->why,
                 "the NVIDIA driver does not start (cuInit: error %d)", error);
        return;
    }
    if (n < 1 || d.get(&device, 0) != 0) {
        refuse(p, "the driver sees no GPU");
        return;
    }
    d.version(&p->driver);
    d.name(p->name, sizeof p->name, device);
    d.pci(p->pci, sizeof p->pci, device);
    d.attribute(&p->cc_major, CC_MAJOR, device);
    d.attribute(&p->cc_minor, CC_MINOR, device);
    d.attribute(&p->sms, MULTIPROCESSORS, device);
    d.memory(&p->memory_bytes, device);
    p->usable = true;
}

/* The child's answer, whole and in time. */
static bool receive(int fd, struct probe *p)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};

    return poll(&wait, 1, SECONDS * 1000) == 1 &&
           read(fd, p, sizeof *p) == (ssize_t)sizeof *p;
}

void probe_gpu(struct probe *p)
{
    int ends[2];
    pid_t pid;

    memset(p, 0, sizeof *p);
    refuse(p, "the driver could not be asked");
    if (pipe(ends) != 0)
        return;
    pid = fork();
    if (pid == 0) {
        struct probe answer = {.usable = false};
        ask(&answer);
        ssize_t sent = write(ends[1], &answer, sizeof answer);
        _exit(sent == (ssize_t)sizeof answer ? 0 : 1);
    }
    close(ends[1]);
    if (pid > 0 && !receive(ends[0], p)) {
        memset(p, 0, sizeof *p);
        refuse(p, "the NVIDIA driver crashed or did not answer");
    }
    close(ends[0]);
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}
