// SPDX-License-Identifier: MIT
/*
 * cover.c: part of the engine's library that notes which lines a test executes.
 * A device ends by _exit(), which would lose what gcov has counted.
 */
#include <sys/syscall.h>
#include <unistd.h>

void __gcov_dump(void);

void _exit(int status)
{
    __gcov_dump();
    for (;;)
        syscall(SYS_exit_group, status);
}
