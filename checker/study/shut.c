// SPDX-License-Identifier: MIT
/*
 * shut.c: keeps files from a step before any of its code runs; LD_AUDIT of the
 * program `study`.
 *
 * What the step should answer stands in files of the chapter. Constructors and
 * resolvers (ifunc) run while dlopen loads it, and dlopen itself has to open
 * its file. In between lies LA_ACT_CONSISTENT: all files are mapped, and
 * nothing of them has run. From then on the process can open no file, and has
 * none of root's rights, by which it could raise that limit or read another
 * process. `study` refuses to go on where the linker left this out.
 */
#include <link.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool started; /* with its own libraries: the next is the step */

static void shut(void)
{
    struct __user_cap_header_struct self = {
        .version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    struct rlimit no_files = {0, 0};

    if (setrlimit(RLIMIT_NOFILE, &no_files) != 0 ||
        syscall(SYS_capset, &self, none) != 0)
        abort();
}

unsigned int la_version(unsigned int version)
{
    return version;
}

void la_preinit(uintptr_t *cookie)
{
    (void)cookie;
    started = true;
}

void la_activity(uintptr_t *cookie, unsigned int flag)
{
    (void)cookie;
    if (started && flag == LA_ACT_CONSISTENT)
        shut();
}
