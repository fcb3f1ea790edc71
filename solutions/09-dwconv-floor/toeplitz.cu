// SPDX-License-Identifier: MIT
/*
 * toeplitz.cu: long kernels four ways, timed and held to double precision.
 *
 *   toeplitz                  B32, K = L from 256 to 16384, as many channels
 *                             as keep B H L at 18,874,368
 *   toeplitz 768 1536         these lengths
 *
 *   fp32    sums in registers (op/dwconv_long.cuh)
 *   tf32    tensor cores, inputs rounded (toeplitz.cuh): |error| at most
 *           2^-10 sum |terms|
 *   three   tensor cores, three products: held to fp32's own tolerance
 *   fft     cuFFT, where it was built with -DFFT -lcufft
 *
 * Prints lines NAME NUMBER: the median of each in milliseconds, with a cold
 * L2, and the largest |error| / sum |terms| of the cells looked at. (A spectrum
 * mixes a row's cells, so do its errors: the FFT's is over the row's largest
 * sum.) Exits with 1 if an error is too large. Needs a GPU: the simulated one
 * has no tensor cores, and says so.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "toeplitz.cuh"
#include "op/dwconv_long.cuh"
#ifdef FFT
#include "fft.cuh"
#endif

enum {
    BATCH = 32,
    CELLS = 18874368,   // B H L of the shape with L = 768
    SAMPLES = 31,       // launches that are timed
    FLUSH = 256 << 20,  // bytes, several times any L2
    LOOK_ROWS = 12,     // rows whose cells are held to the reference
    LOOK_CELLS = 32     // cells of each
};

enum way { FP32, TF32, THREE, FFT_WAY, WAYS };

static const struct {
    const char *name;
    double most; // |error| / sum |terms|
} ways[WAYS] = {
    {"fp32", 0x1p-19}, // 8 + 2 log2 n units of 2^-24, n = 2^12
    {"tf32", 0x1p-10}, // two roundings to 11 bits
    {"three", 0x1p-19},
    {"fft", 0x1p-19},
};

struct problem {
    struct dwconv_shape shape;
    float *x, *w, *y;                // on the device
    float *host_x, *host_w, *host_y;
    void *flush;
    size_t cells, taps;
#ifdef FFT
    struct fft fft;
#endif
};

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "toeplitz: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

static bool has(struct problem *p, enum way way)
{
    (void)p;
#ifdef FFT
    return true;
#else
    return way != FFT_WAY;
#endif
}

static void launch(struct problem *p, enum way way)
{
    struct dwconv_shape s = p->shape;

    switch (way) {
    case FP32:
        check(dwconv_long_forward(p->x, p->w, p->y, s, 0), "fp32");
        break;
    case TF32:
        check(toeplitz_forward<1>(p->x, p->w, p->y, s, 0), "tf32");
        break;
    case THREE:
        check(toeplitz_forward<3>(p->x, p->w, p->y, s, 0), "three");
        break;
    default:
#ifdef FFT
        check(fft_forward(&p->fft, p->x, p->w, p->y, s), "fft");
#endif
        break;
    }
}

static float *random_cells(size_t n, unsigned long long state)
{
    float *cells = (float *)malloc(n * sizeof *cells);

    for (size_t i = 0; cells && i < n; i++) { // Knuth's MMIX
        state = state * 6364136223846793005u + 1442695040888963407u;
        cells[i] = (float)(state >> 40) * 0x1p-23f - 1.0f;
    }
    return cells;
}

static float *on_device(const float *from, size_t n)
{
    float *to = NULL;

    check(cudaMalloc(&to, n * sizeof *to), "cudaMalloc");
    if (from)
        check(cudaMemcpy(to, from, n * sizeof *to, cudaMemcpyHostToDevice),
              "cudaMemcpy");
    return to;
}

static void make(struct problem *p, int length)
{
    struct dwconv_shape s = {BATCH, CELLS / BATCH / length, length, length};

    p->shape = s;
    p->cells = (size_t)s.B * s.H * s.L;
    p->taps = (size_t)s.H * s.K;
    p->host_x = random_cells(p->cells, 1);
    p->host_w = random_cells(p->taps, 2);
    p->host_y = (float *)malloc(p->cells * sizeof(float));
    if (!p->host_x || !p->host_w || !p->host_y)
        check(cudaErrorMemoryAllocation, "malloc");
    p->x = on_device(p->host_x, p->cells);
    p->w = on_device(p->host_w, p->taps);
    p->y = on_device(NULL, p->cells);
    check(cudaMalloc(&p->flush, FLUSH), "cudaMalloc");
#ifdef FFT
    if (!fft_make(&p->fft, s))
        check(cudaErrorUnknown, "cuFFT");
#endif
}

static void unmake(struct problem *p)
{
#ifdef FFT
    fft_free(&p->fft);
#endif
    free(p->host_x);
    free(p->host_w);
    free(p->host_y);
    cudaFree(p->x);
    cudaFree(p->w);
    cudaFree(p->y);
    cudaFree(p->flush);
}

// |error| / sum |terms| of one cell, and that sum.
static double look(const struct problem *p, size_t row, int t, double *sum)
{
    const float *x = p->host_x + row * p->shape.L;
    const float *w = p->host_w + row % p->shape.H * p->shape.K;
    double value = 0.0;

    *sum = 0.0;
    for (int k = 0; k <= t && k < p->shape.K; k++) {
        value += (double)w[k] * x[t - k];
        *sum += fabs((double)w[k] * x[t - k]);
    }
    return fabs(p->host_y[row * p->shape.L + t] - value);
}

// The largest of the cells looked at, spread over rows and time; the first of
// a row, where all terms but one are zero, is among them.
static double error_of(struct problem *p, enum way way)
{
    size_t rows = (size_t)p->shape.B * p->shape.H;
    double worst = 0.0, sum;

    check(cudaMemset(p->y, 0xff, p->cells * sizeof(float)), "cudaMemset");
    launch(p, way);
    check(cudaMemcpy(p->host_y, p->y, p->cells * sizeof(float),
                     cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < LOOK_ROWS; i++) {
        size_t row = i * (rows - 1) / (LOOK_ROWS - 1);
        double most = 0.0, largest = 0.0;

        for (size_t j = 0; j < LOOK_CELLS; j++) {
            int t = (int)(j * (p->shape.L - 1) / (LOOK_CELLS - 1));
            double error = look(p, row, t, &sum);

            most = sum > most ? sum : most;
            if (way != FFT_WAY)
                error /= sum;
            if (!(error <= largest)) // a NaN stays
                largest = error;
        }
        if (way == FFT_WAY)
            largest /= most;
        if (!(largest <= worst))
            worst = largest;
    }
    return worst;
}

static int by_value(const void *a, const void *b)
{
    float p = *(const float *)a, q = *(const float *)b;

    return (p > q) - (p < q);
}

static float median_ms(struct problem *p, enum way way)
{
    cudaEvent_t from, to;
    float ms[SAMPLES];

    check(cudaEventCreate(&from), "cudaEventCreate");
    check(cudaEventCreate(&to), "cudaEventCreate");
    for (int i = -3; i < SAMPLES; i++) { // three to warm up
        check(cudaMemsetAsync(p->flush, 0, FLUSH), "cudaMemset");
        check(cudaEventRecord(from), "cudaEventRecord");
        launch(p, way);
        check(cudaEventRecord(to), "cudaEventRecord");
        check(cudaEventSynchronize(to), "launch");
        check(cudaEventElapsedTime(&ms[i < 0 ? 0 : i], from, to), "time");
    }
    cudaEventDestroy(from);
    cudaEventDestroy(to);
    qsort(ms, SAMPLES, sizeof *ms, by_value);
    return ms[SAMPLES / 2];
}

static bool one_length(int length)
{
    struct problem p;
    bool right = true;

    make(&p, length);
    for (int i = 0; i < WAYS; i++) {
        if (!has(&p, (enum way)i))
            continue;

        double error = error_of(&p, (enum way)i);

        printf("long_%d_%s_ms %.5g\nlong_%d_%s_error %.3g\n",
               length, ways[i].name, median_ms(&p, (enum way)i),
               length, ways[i].name, error);
        if (!(error <= ways[i].most)) {
            fprintf(stderr, "toeplitz: L %d: %s is off by %g of sum |terms|\n",
                    length, ways[i].name, error);
            right = false;
        }
    }
    unmake(&p);
    return right;
}

int main(int argc, char **argv)
{
    static const int lengths[] = {256,  512,  768,  1024, 1536,
                                  2048, 3072, 4096, 8192, 16384};
    int n = argc > 1 ? argc - 1 : (int)(sizeof lengths / sizeof *lengths);
    bool right = true;

    for (int i = 0; i < n; i++) {
        int length = argc > 1 ? atoi(argv[i + 1]) : lengths[i];

        if (length < 1 || length > CELLS / BATCH) {
            fprintf(stderr, "toeplitz: no such length: %s\n", argv[i + 1]);
            return 2;
        }
        right &= one_length(length);
        fflush(stdout);
    }
    return !right;
}
