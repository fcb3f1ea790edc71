// SPDX-License-Identifier: MIT
// honest: 6 idle operations per useful one: slower by the model, and passes
// chapter: 06 forward
// expect: PASS
// say: It passes without a GPU, which may judge
// say: asked 1\.2x as fast as
//> todo kernel
enum {
    THREADS = 128, // per block, at most: 2 rows of 48, 4 of 32
    ROWS = 8,      // rows a thread sums: a weight, once read, serves eight
    TAPS = 64      // taps on chip at a time
};

// Columns of a row on chip: a tile of at most THREADS and, where a row takes
// several tiles, TAPS more before it. Rows x columns never pass this.
enum { COLUMNS = THREADS + TAPS };

// A block owns one channel, `width` time steps and ROWS * blockDim.y batches.
static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    __shared__ float x_tile[ROWS * COLUMNS];
    __shared__ float w_tile[TAPS];

    int width = blockDim.x, rows = ROWS * blockDim.y;
    int tiles = (s.L - 1) / width + 1;
    int halo = tiles > 1 ? TAPS : 0; // a whole row has nothing before it
    int pitch = halo + width;

    int h = blockIdx.x % s.H;
    long long t0 = (long long)(blockIdx.x / s.H % tiles) * width;
    long long t = t0 + threadIdx.x; // may pass L in the last tile
    int b0 = blockIdx.x / s.H / tiles * rows;

    int taps = min((long long)s.K, t0 + width); // later ones reach no x
    float sum[ROWS] = {0.0f};

    for (int first = 0; first < taps; first += TAPS) {
        int n = min(TAPS, taps - first);
        long long origin = t0 - first - halo; // time of column 0

        for (int k = threadIdx.y * width + threadIdx.x; k < n;
             k += width * blockDim.y)
            w_tile[k] = w[h * s.K + first + k];
        for (int row = threadIdx.y; row < rows; row += blockDim.y)
            for (int c = max(halo - n + 1, 0) + threadIdx.x; c < pitch;
                 c += width) {
                int b = b0 + row;
                bool inside = b < s.B && origin + c >= 0 && origin + c < s.L;

                x_tile[row * pitch + c] =
                    inside ? x[(b * s.H + h) * s.L + origin + c] : 0.0f;
            }
        __syncthreads(); // the tiles are full: they may be read

        float part[ROWS] = {0.0f};
        const float *mine = x_tile + threadIdx.y * pitch + halo + threadIdx.x;

        for (int k = 0; k < n && first + k <= t; k++) {
            float weight = w_tile[k];
            float idle = weight;

            for (int j = 0; j < ROWS; j++)
                part[j] += weight * mine[j * (int)blockDim.y * pitch - k];
            for (int again = 0; again < 6 * ROWS; again++)
                asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(idle));
        }
        for (int j = 0; j < ROWS; j++)
            sum[j] += part[j];
        __syncthreads(); // all have read: the tiles may be filled again
    }

    for (int j = 0; j < ROWS; j++) {
        int b = b0 + j * blockDim.y + threadIdx.y;

        if (b < s.B && t < s.L)
            y[(b * s.H + h) * s.L + t] = sum[j];
    }
}
//< todo
