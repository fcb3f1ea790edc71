// SPDX-License-Identifier: MIT
/*
 * conv2d.c: the image model's convolutions and both gradients on the GPU beside
 * those in double, at sizes that the model does not have: both strides, with
 * few and with many channels, images that are smaller or larger than a tile.
 *
 *   conv2d KERNELS.so      exits with 1, and says where, if a number differs
 *
 * Arrays hold small integers, so all sums are exact: the same in fp32.
 */
#include <stdlib.h>

#include "train/ops.h"

enum { MOST = 1 << 20 }; /* numbers of an array */

static const struct train_conv2d shapes[] = {
    {2, 1, 5, 9, 1},    {3, 20, 35, 7, 2},  {2, 33, 9, 6, 1},
    {1, 17, 40, 40, 1}, {1, 18, 33, 35, 2}, {2, 3, 4, 1, 2},
    {2, 16, 16, 8, 1},  {40, 16, 3, 4, 2},  {300, 2, 9, 3, 2},
};

static float *some(size_t n, unsigned seed)
{
    float *a = malloc(n * sizeof *a);

    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (float)(int)(seed >> 24 & 7) - 3;
    }
    return a;
}

static const struct train_ops *ops[2];

/* Both have the same inputs; one array is the result. */
struct array {
    void *of[2];
    size_t n;
};

static struct array array_of(size_t n, unsigned seed)
{
    struct array a = {.n = n};
    float *from = some(n, seed);

    for (int i = 0; i < 2; i++) {
        a.of[i] = ops[i]->take(n);
        ops[i]->put(a.of[i], from, n);
    }
    free(from);
    return a;
}

static void give_back(struct array *a)
{
    for (int i = 0; i < 2; i++)
        ops[i]->give_back(a->of[i]);
}

static int same(const char *what, const struct array *a,
                const struct train_conv2d *s)
{
    static double got[2][MOST];

    for (int i = 0; i < 2; i++)
        ops[i]->fetch(got[i], a->of[i], a->n);
    for (size_t i = 0; i < a->n; i++)
        if (!(got[0][i] == got[1][i])) {
            printf("%s, B%d in %d out %d side %d stride %d: [%zu] is %g, "
                   "not %g\n", what, s->B, s->in, s->out, s->side, s->stride,
                   i, got[0][i], got[1][i]);
            return 0;
        }
    return 1;
}

static int all_agree(struct train_conv2d s)
{
    int side = (s.side - 1) / s.stride + 1, good = 1;
    struct array x = array_of((size_t)s.B * s.in * s.side * s.side, 1);
    struct array w = array_of((size_t)s.out * s.in * 9, 2);
    struct array y = array_of((size_t)s.B * s.out * side * side, 3);

    for (int i = 0; i < 2; i++)
        ops[i]->conv2d(x.of[i], w.of[i], y.of[i], s);
    good &= same("y", &y, &s);
    give_back(&y);
    y = array_of(y.n, 4); /* sums of sums would be large */
    for (int i = 0; i < 2; i++) {
        ops[i]->conv2d_weight_grad(y.of[i], x.of[i], w.of[i], s);
        ops[i]->wait();
    }
    good &= same("dw", &w, &s);
    give_back(&w);
    w = array_of(w.n, 5);
    for (int i = 0; i < 2; i++)
        ops[i]->conv2d_input_grad(y.of[i], w.of[i], x.of[i], s);
    good &= same("dx", &x, &s);
    give_back(&x);
    give_back(&w);
    give_back(&y);
    return good;
}

int main(int argc, char **argv)
{
    struct train_stages stages = {.given = argv[argc - 1], .conv = 9};
    int good = 1;

    ops[0] = train_ops_device(&stages);
    ops[1] = train_ops_reference();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        good &= all_agree(shapes[i]);
    return !good;
}
