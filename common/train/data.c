// SPDX-License-Identifier: MIT
/*
 * data.c: generators of a time series and of images, and the reader of
 * Fashion-MNIST.
 *
 *   data_series, data_images, data_fashion, data_shuffle, data_give_back
 */
#include "train/data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train/net.h"

static struct data_set set_of(int n, int input_size, int target_size)
{
    struct data_set d = {n, input_size, target_size, NULL, NULL};

    d.inputs = calloc((size_t)n * input_size, sizeof *d.inputs);
    d.targets = calloc((size_t)n * target_size, sizeof *d.targets);
    if (!d.inputs || !d.targets) {
        fprintf(stderr, "train: no memory for %d examples\n", n);
        exit(1);
    }
    return d;
}

void data_give_back(struct data_set *d)
{
    free(d->inputs);
    free(d->targets);
    *d = (struct data_set){0};
}

/* About normal: the sum of twelve uniform numbers has the variance 1. */
static double normal(uint64_t *state)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += net_random(state);
    return sum;
}

/* Hour t of a household. */
struct household {
    double phase, level, swing, second, third, week, drift;
};

static struct household household_of(uint64_t *state)
{
    struct household h = {.phase = 24 * net_random(state)};

    h.level = 0.3 * normal(state);
    h.swing = 0.7 + 0.6 * net_random(state);
    h.second = 0.4 * net_random(state);
    h.third = 0.2 * net_random(state);
    h.week = 0.3 * net_random(state);
    h.drift = 0.002 * normal(state);
    return h;
}

static double load_of(const struct household *h, int t)
{
    const double day = 2 * acos(-1.0) / 24;
    double hour = t + h->phase;

    return h->level + h->drift * t + h->swing * sin(day * hour) +
           h->second * sin(2 * day * hour + 1) +
           h->third * sin(3 * day * hour + 2) + h->week * sin(day / 7 * hour);
}

struct data_set data_series(int n, int length, uint64_t seed)
{
    struct data_set d = set_of(n, length, length);

    for (int i = 0; i < n; i++) {
        struct household h = household_of(&seed);
        double before = 0;

        for (int t = 0; t <= length; t++) {
            double value = load_of(&h, t) + 0.05 * normal(&seed);

            if (t > 0) {
                d.inputs[(size_t)i * length + t - 1] = (float)before;
                d.targets[(size_t)i * length + t - 1] = (float)value;
            }
            before = value;
        }
    }
    return d;
}

/* Whether class k's shape, centred at 0 with radius 1, covers (x, y). */
static int covers(int k, double x, double y)
{
    double r = sqrt(x * x + y * y), line = 0.3;

    switch (k) {
    case 0: return r < 1 && r > 0.6;
    case 1: return fabs(x) < line && fabs(y) < 1;
    case 2: return fabs(y) < line && fabs(x) < 1;
    case 3: return (fabs(x) < line || fabs(y) < line) && r < 1;
    case 4: return fabs(x - y) < line && r < 1;
    case 5: return fabs(x + y) < line && r < 1;
    case 6: return (fabs(x - y) < line || fabs(x + y) < line) && r < 1;
    case 7: return r < 0.9;
    case 8: return fabs(y) > 0.5 && fabs(y) < 1 && fabs(x) < 1;
    default: return fabs(x) > 0.5 && fabs(x) < 1 && fabs(y) < 1;
    }
}

static void draw(float *image, int side, int k, uint64_t *state)
{
    double radius = side * (0.22 + 0.12 * net_random(state));
    double room = side - 2 * radius;
    double cx = radius + room * net_random(state);
    double cy = radius + room * net_random(state);
    double light = 0.5 + 0.5 * net_random(state);

    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int in = covers(k, (x + 0.5 - cx) / radius,
                            (y + 0.5 - cy) / radius);

            image[y * side + x] = (float)(in * light + 0.1 * normal(state));
        }
}

struct data_set data_images(int n, int side, uint64_t seed)
{
    struct data_set d = set_of(n, side * side, 1);

    for (int i = 0; i < n; i++) {
        int k = (int)(TRAIN_CLASSES * net_random(&seed));

        d.targets[i] = (float)k;
        draw(d.inputs + (size_t)i * d.input_size, side, k, &seed);
    }
    return d;
}

/* A file of the IDX format, packed by gzip: `skip` bytes, then the bytes. */
static int read_packed(const char *name, int skip, float *to, size_t bytes,
                       double scale)
{
    const char *folder = getenv("TRAIN_FASHION");
    char command[1024];
    FILE *file;
    int whole = 1;

    if (!folder)
        folder = "/usr/share/datasets/fashion-mnist";
    snprintf(command, sizeof command, "gzip -dc '%s/%s' 2>/dev/null", folder,
             name);
    file = popen(command, "r");
    if (!file)
        return 0;
    for (int i = 0; i < skip; i++)
        whole &= getc(file) != EOF;
    for (size_t i = 0; i < bytes && whole; i++) {
        int byte = getc(file);

        whole = byte != EOF;
        to[i] = (float)(byte * scale);
    }
    pclose(file);
    return whole;
}

struct data_set data_fashion(int n, const char *part)
{
    enum { SIDE = 28, IMAGE_HEADER = 16, LABEL_HEADER = 8 };
    struct data_set d = set_of(n, SIDE * SIDE, 1);
    char images[64], labels[64];

    snprintf(images, sizeof images, "%s-images-idx3-ubyte.gz", part);
    snprintf(labels, sizeof labels, "%s-labels-idx1-ubyte.gz", part);
    if (!read_packed(images, IMAGE_HEADER, d.inputs,
                     (size_t)n * d.input_size, 1.0 / 255) ||
        !read_packed(labels, LABEL_HEADER, d.targets, (size_t)n, 1))
        data_give_back(&d);
    return d;
}

static void exchange(float *array, size_t size, int i, int j)
{
    float *a = array + (size_t)i * size, *b = array + (size_t)j * size;

    for (size_t k = 0; k < size; k++) {
        float was = a[k];

        a[k] = b[k];
        b[k] = was;
    }
}

void data_shuffle(struct data_set *d, uint64_t seed)
{
    for (int i = d->n - 1; i > 0; i--) {
        int j = (int)((i + 1) * net_random(&seed));

        exchange(d->inputs, (size_t)d->input_size, i, j);
        exchange(d->targets, (size_t)d->target_size, i, j);
    }
}
