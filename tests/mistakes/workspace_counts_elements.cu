// SPDX-License-Identifier: MIT
// mistake: the workspace query returns elements, not bytes
// chapter: 19 passes
// expect: MEMORY
// say: past the end of the workspace, which has 1 byte [^s]
// say: bias_swish_residual_workspace returns: bytes, not elements
//> todo workspace
    return (size_t)shape.M * shape.N;
//< todo
