// SPDX-License-Identifier: MIT
/*
 * seal.c: see seal.h.
 *
 * The hard idea: a filter sees numbers alone. A call that names a process must
 * name this one, and a call that chooses who gets a signal later is refused.
 * kill(0, ...) is refused, too: a stage can join check's process group.
 *
 * SIGKILL to itself ends a stage by SIGSYS, so that SIGKILL is the system's
 * word alone: where it comes from nobody could tell afterwards.
 */
#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define NATIVE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define NATIVE AUDIT_ARCH_AARCH64
#else
#define NATIVE 0 /* no filter is known: none is made */
#endif

enum {
    MOST = 96,            /* instructions */
    OTHER_ABI = 1 << 30,  /* x86's third way of numbering calls */
    SET_OWN = 0x8901,     /* FIOSETOWN and SIOCSPGRP, the same everywhere */
    SET_GROUP = 0x8902,
};

struct program {
    struct sock_filter at[MOST];
    unsigned short n;
};

static void add(struct program *p, uint16_t code, uint32_t k, uint8_t yes,
                uint8_t no)
{
    p->at[p->n++] = (struct sock_filter){code, yes, no, k};
}

static void load(struct program *p, size_t offset)
{
    add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The lower half: these arguments are 32 bits wide. Both are little-endian. */
static void load_argument(struct program *p, int i)
{
    load(p, offsetof(struct seccomp_data, args) + (size_t)i * sizeof(uint64_t));
}

static void answer(struct program *p, uint32_t how)
{
    add(p, BPF_RET | BPF_K, how, 0, 0);
}

static const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

/* Call nr only if argument i is one of two numbers. The number of the call is
 * loaded before, and if it is another one, afterwards. */
static void only(struct program *p, uint32_t nr, int i, uint32_t a, uint32_t b)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 5);
    load_argument(p, i);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, a, 1, 0);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, b, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, refused);
}

/* Call nr, which sends signal argument i to process argument 0, only to one of
 * two numbers. */
static void own_signal(struct program *p, uint32_t nr, int i, uint32_t a,
                       uint32_t b)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 8);
    load_argument(p, 0);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, a, 1, 0);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, b, 0, 3);
    load_argument(p, i);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, SIGKILL, 2, 0);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, refused);
    answer(p, SECCOMP_RET_KILL_PROCESS);
}

/* Call nr unless argument i is one of three. */
static void never(struct program *p, uint32_t nr, int i, uint32_t a, uint32_t b,
                  uint32_t c)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 6);
    load_argument(p, i);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, a, 3, 0);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, b, 2, 0);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, c, 1, 0);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, refused);
}

void seal_process(void)
{
    struct program p = {.n = 0};
    struct sock_fprog filter = {.filter = p.at};
    uint32_t me = (uint32_t)getpid();

    if (NATIVE == 0)
        return;
    load(&p, offsetof(struct seccomp_data, arch));
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0);
    answer(&p, refused);
    load(&p, offsetof(struct seccomp_data, nr));
    add(&p, BPF_JMP | BPF_JGE | BPF_K, OTHER_ABI, 0, 1);
    answer(&p, refused);
    own_signal(&p, SYS_kill, 1, me, -me); /* -me: its own group */
    own_signal(&p, SYS_tgkill, 2, me, me);
    own_signal(&p, SYS_tkill, 1, me, me);
    own_signal(&p, SYS_rt_sigqueueinfo, 1, me, me);
    own_signal(&p, SYS_rt_tgsigqueueinfo, 2, me, me);
    only(&p, SYS_prlimit64, 0, me, 0);
    never(&p, SYS_fcntl, 1, F_SETOWN, F_SETOWN_EX, F_SETSIG);
    never(&p, SYS_ioctl, 1, SET_OWN, SET_GROUP, SET_GROUP);
#ifdef SYS_pidfd_send_signal
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_send_signal, 0, 1);
    answer(&p, refused);
#endif
    answer(&p, SECCOMP_RET_ALLOW);
    filter.len = p.n;
    /* Without this only root may have a filter. */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}
