// SPDX-License-Identifier: MIT
/*
 * dims.c: see dims.h.
 *
 * Only the kernel of that launch is looked at: another one of the file may be
 * launched otherwise.
 */
#include "dims.h"

#include <string.h>

#include "code.h"

/* The kernel's text, from its name to the brace in the first column that ends
 * it; "" if it is not there. */
static const char *kernel_of(char *source, const char *name)
{
    long n = (long)strcspn(name, "<(");
    char *at = n ? strstr(source, "__global__") : NULL;

    for (; at; at = strstr(at, "__global__")) {
        char *end = strstr(at, "\n}"), *is = strchr(at, '(');

        if (end)
            *end = '\0';
        while (is && (is - at <= n || strncmp(is - n, name, (size_t)n) != 0 ||
                      code_is_name(is[-1 - n])))
            is = strchr(is + 1, '(');
        if (is)
            return is;
        if (!end)
            break;
        at = end + 1;
    }
    return "";
}

static long long extent(const json_t *launch, const char *of, int axis)
{
    return (long long)json_integer_value(
        json_array_get(json_object_get(launch, of), (size_t)axis));
}

static long long product(const json_t *launch, const char *of)
{
    return extent(launch, of, 0) * extent(launch, of, 1) *
           extent(launch, of, 2);
}

/* An index that is always 0, as the launch has one block or thread there. With
 * sizes as small as this case's that may be meant. */
static void advise_flat(struct text *advice, const json_t *launch,
                        const char *code)
{
    static const struct {
        const char *index, *of;
        int axis;
    } names[] = {{"threadIdx.y", "block", 1},
                 {"threadIdx.z", "block", 2},
                 {"blockIdx.y", "grid", 1},
                 {"blockIdx.z", "grid", 2}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(code, names[i].index) &&
            extent(launch, names[i].of, names[i].axis) == 1) {
            text_add(advice, "The kernel counts with %s, which is 0 in all "
                             "threads here: does the launch give the %s only "
                             "one number, where the kernel wants a dim3 of "
                             "two? ", names[i].index, names[i].of);
            return;
        }
}

bool dims_advise(struct text *advice, const json_t *launch, const char *source)
{
    struct text text = {0};
    bool said = false;

    if (!launch || !source || !file_read(source, &text))
        return false;
    said = product(launch, "block") == 1 && product(launch, "grid") >= 32;
    if (said) {
        text_add(advice, "A block has a single thread here, and the grid %lld "
                         "blocks: are the two exchanged at the launch? It is "
                         "<<<blocks, threads per block, 0, stream>>>.",
                 product(launch, "grid"));
    } else {
        code_blank_hidden(text.s);
        advise_flat(advice, launch,
                    kernel_of(text.s, finding_str(launch, "name")));
    }
    text_free(&text);
    return said;
}
