// SPDX-License-Identifier: MIT
// mistake: prints from the kernel without <stdio.h>
// chapter: 01 add
// expect: BUILD printf
// say: Write #include <stdio.h>
//> todo kernel
    printf("%u\n", threadIdx.x);
//< todo
