// SPDX-License-Identifier: MIT
/*
 * nvcc_advice.c: what a beginner can do about the commonest first errors.
 *
 *   nvcc_advice        by the error's message
 *   nvcc_line_advice   by the line it stands at: a launch in two brackets, or a
 *                      type that a function hides
 *
 * The hard idea: C++ lets `struct norm` stand beside a function norm(), but
 * `norm` alone is the function then. nvcc's message speaks of a ";" or of the
 * variable, and never of the name.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "nvcc_words.h"

/* What a beginner can do about the commonest first errors. */
static const struct {
    const char *error;  /* part of nvcc's message */
    const char *advice;
} advices[] = {
    {"identifier \"printf\" is undefined",
     "Write #include <stdio.h> at the top of the file."},
    {"identifier \"fprintf\" is undefined",
     "Write #include <stdio.h> at the top of the file."},
    {"identifier \"stderr\" is undefined",
     "Write #include <stdio.h> at the top of the file."},
    {"identifier \"FLT_M", "Write #include <float.h> at the top of the file."},
    {"identifier \"DBL_M", "Write #include <float.h> at the top of the file."},
    {"identifier \"INT_M", "Write #include <limits.h> at the top of the file."},
    {"identifier \"UINT_MAX", "Write #include <limits.h> at the top of the "
     "file."},
    {"identifier \"uint", "Write #include <stdint.h> at the top of the file."},
    {"identifier \"int64_t", "Write #include <stdint.h> at the top of the "
     "file."},
    {"identifier \"assert\" is undefined",
     "Write #include <assert.h> at the top of the file."},
    {"identifier \"__half", "Write #include <cuda_fp16.h> at the top of the "
     "file."},
    {"identifier \"half", "Write #include <cuda_fp16.h> at the top of the "
     "file."},
    {"identifier \"__nv_bfloat16", "Write #include <cuda_bf16.h> at the top of "
     "the file."},
    {"identifier \"__bfloat162", "Write #include <cuda_bf16.h> at the top of "
     "the file."},
    {"identifier \"__float2bfloat16", "Write #include <cuda_bf16.h> at the top "
     "of the file."},
    {"identifier \"__floats2bfloat162", "Write #include <cuda_bf16.h> at the "
     "top of the file."},
    {"identifier \"__pipeline_", "Write #include "
     "<cuda_pipeline_primitives.h> at the top of the file."},
    {"identifier \"CUDART_", "Write #include <math_constants.h> at the top of "
     "the file."},
    {"identifier \"to_tf32", "Write #include \"op/gemm_tensor.cuh\" at the "
     "top of the file."},
    {"identifier \"mma_", "Write #include \"op/gemm_tensor.cuh\" at the top "
     "of the file."},
    {"identifier \"load_matrices", "Write #include \"op/gemm_tensor.cuh\" at "
     "the top of the file."},
    {"pointer to a complete object type",
     "The headers name this type without saying what it holds. For bf16, write "
     "#include <cuda_bf16.h> at the top of the file."},
    {"must be a class or namespace name",
     "Is an #include missing? Cooperative groups need #include "
     "<cooperative_groups.h>."},
    {"uses too much shared data",
     "Make the array in __shared__ memory smaller, or ask for it at the launch "
     "(extern __shared__, cudaFuncSetAttribute): only that may pass 48 KiB."},
    {"expected a \";\"",
     "Look at the end of the line before, too: it often lacks the \";\"."},
    {"\"cudaMalloc\" matches the argument list",
     "cudaMalloc takes the address of the pointer, &pointer, and a number of "
     "bytes."},
    {"incompatible with parameter of type \"size_t\"",
     "In a launch the third argument is bytes of shared memory, and the stream "
     "comes fourth: <<<blocks, threads, 0, stream>>>."},
    {"calling a __device__ function", "A function that is launched by <<<>>> "
     "is declared __global__; __device__ is for those that kernels call."},
    {"matches these operands", "threadIdx, blockIdx, blockDim and gridDim are "
     "no numbers, but have the parts .x, .y and .z."},
    {"identifier \"threadid", "CUDA's names are threadIdx, blockIdx, blockDim "
     "and gridDim."},
    {"identifier \"blockid", "CUDA's names are threadIdx, blockIdx, blockDim "
     "and gridDim."},
    {"identifier \"blockdim", "CUDA's names are threadIdx, blockIdx, blockDim "
     "and gridDim."},
    {"modifiable lvalue", "What is const cannot be written to: results belong "
     "into the output's array."},
    {"No such file or directory", "Is the name misspelt? The workbook's "
     "headers are in common/op, and written \"op/NAME.h\"."},
    {"variable length array", "The size of a __shared__ array must be known "
     "when it is compiled. Otherwise: extern __shared__ float name[], and its "
     "bytes as the third argument of the launch."},
    {"already been declared in the current scope",
     "A header of C's or CUDA's, or a line above, uses this name already (min, "
     "norm, round, y0 and time are functions, for example). Take another "
     "name."},
    {"different exception specifications",
     "C or CUDA has a function of this name with the same parameters. Take "
     "another name."},
    {"has already been defined",
     "The message names where it is defined already. If that is a header, "
     "take another name; if it is your file, one of the two has to go."},
    {"declaration is incompatible with",
     "The message names where this name is declared already. If you meant a "
     "thing of your own, take another name; if not, write it as it stands "
     "there."},
    {"no instance of function template",
     "Two things lead here. What the call does not show, a template has to be "
     "told in front of it: NAME<true>(...), and in a launch "
     "NAME<true><<<blocks, threads>>>(...). Or the arguments are not those "
     "that it takes: nvcc's words have their types."},
    {"incompatible with parameter of type \"void *\"",
     "Are the arguments in the right order? A copy takes its destination "
     "first."},
};

const char *nvcc_advice(const char *error)
{
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (strstr(error, advices[i].error))
            return advices[i].advice;
    return NULL;
}

/* Functions of C's and CUDA's headers whose names also suit a type. */
static const char *const functions[] = {
    "norm", "index", "time",  "div", "round", "min", "max",   "clock", "fma",
    "y0",   "y1",    "gamma", "abs", "j0",    "j1",  "signal", "exp",  "log",
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The name, as a whole word, in the first n bytes. */
static const char *word(const char *s, size_t n, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i + length <= n; i++)
        if (memcmp(s + i, name, length) == 0 &&
            (i == 0 || !is_word(s[i - 1])) &&
            (i + length == n || !is_word(s[i + length])))
            return s + i;
    return NULL;
}

/* struct NAME {, or class NAME {. */
static bool defines(const char *source, const char *name)
{
    static const char *const kinds[] = {"struct", "class", "enum", "union"};
    char head[64];

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = source;

        snprintf(head, sizeof head, "%s %s", kinds[i], name);
        while ((at = word(at, strlen(at), head))) {
            at += strlen(head);
            if (at[strspn(at, " \n")] == '{')
                return true;
        }
    }
    return false;
}

/* NAME<<A, B>>(...): a shift, with two names or numbers between commas. */
static bool is_narrow_launch(const char *line)
{
    const char *open = strstr(line, "<<"), *close;
    size_t n = strcspn(line, "\n");

    if (!open || open == line || open >= line + n || open[2] == '<' ||
        !is_word(open[-1]))
        return false;
    close = memmem(open, (size_t)(line + n - open), ">>", 2);
    return close && close[2 + (close[2] == '>')] == '(' &&
           memchr(open, ',', (size_t)(close - open));
}

const char *nvcc_line_advice(const char *source, int line)
{
    const char *at = source;

    for (int i = 1; at && i < line; i++)
        if ((at = strchr(at, '\n')))
            at++;
    if (at && is_narrow_launch(at))
        return "A launch is written with three brackets on either side: "
               "kernel<<<blocks, threads, 0, stream>>>(...). << and >> are "
               "shifts.";
    for (size_t i = 0; at && i < sizeof functions / sizeof *functions; i++)
        if (word(at, strcspn(at, "\n"), functions[i]) &&
            defines(source, functions[i]))
            return "A type of yours has the name of a function in C's or "
                   "CUDA's headers, which hides it. Give it another name.";
    return NULL;
}
