// SPDX-License-Identifier: MIT
/* inline.h: what the units of ok/units_inline.cu share. */
enum { THREADS = 64, UNITS = 2 };

extern __managed__ int notes[UNITS];

void twin_add(int *x);
void twin_note();

/* Each unit that launches it has its own; the linker takes one. */
template <int n> __global__ void add_to(int *x)
{
    __shared__ int tile[THREADS];
    tile[threadIdx.x] = (int)threadIdx.x;
    __syncthreads(); /* the tile is complete */
    x[threadIdx.x] += n + tile[THREADS - 1 - threadIdx.x] -
                      (THREADS - 1 - 2 * (int)threadIdx.x);
}

inline __device__ int table_entry(int i)
{
    const int squares[] = {0, 1, 4, 9, 16};
    return squares[i];
}

inline __device__ int total_of_shared(int value)
{
    __shared__ int box;
    box = value;
    return box;
}

class shape {
public:
    __device__ virtual float area() const = 0;
};

class circle : public shape {
public:
    __device__ explicit circle(float radius);
    __device__ float area() const override;

private:
    float radius;
};

class square : public shape {
public:
    __device__ explicit square(float side);
    __device__ float area() const override;

private:
    float side;
};
