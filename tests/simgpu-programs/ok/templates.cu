// SPDX-License-Identifier: MIT
/* templates.cu: C++ as a newcomer from C++ writes it: a buffer that frees
 * itself, kernels over any type and operation, virtual functions, a function
 * pointer, recursion. */
#include "../check.h"

#include <cstring>
#include <utility>
#include <vector>

template <typename T> class Buffer {
public:
    explicit Buffer(const std::vector<T> &from) : n_(from.size())
    {
        CUDA(cudaMalloc(&p_, n_ * sizeof(T)));
        CUDA(cudaMemcpy(p_, from.data(), n_ * sizeof(T),
                        cudaMemcpyHostToDevice));
    }
    Buffer(Buffer &&other) : p_(std::exchange(other.p_, nullptr)), n_(other.n_)
    {
    }
    ~Buffer() { cudaFree(p_); }
    T *get() const { return p_; }
    std::vector<T> read() const
    {
        std::vector<T> to(n_);
        CUDA(cudaMemcpy(to.data(), p_, n_ * sizeof(T),
                        cudaMemcpyDeviceToHost));
        return to;
    }

private:
    T *p_ = nullptr;
    size_t n_;
};

template <typename T> struct Complex {
    T re, im;
    __host__ __device__ Complex operator*(const Complex &o) const
    {
        return {re * o.re - im * o.im, re * o.im + im * o.re};
    }
    __host__ __device__ bool operator==(const Complex &o) const
    {
        return re == o.re && im == o.im;
    }
};

struct Plus {
    template <typename T> __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};
struct Times {
    template <typename T> __host__ __device__ T operator()(T a, T b) const
    {
        return a * b;
    }
};

template <int STRIDE, typename T, typename Op>
__global__ void combine(T *x, const T *y, int n, Op op)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * STRIDE;
#pragma unroll
    for (int k = 0; k < STRIDE; k++)
        if (i + k < n)
            x[i + k] = op(x[i + k], y[i + k]);
}

template <typename T, typename Op> static void check(T a, T b, Op op)
{
    const int n = 777;
    std::vector<T> x(n, a), y(n, b);
    Buffer<T> dx(x), dy(std::move(Buffer<T>(y)));
    combine<4><<<(n + 255) / 256, 64>>>(dx.get(), dy.get(), n, op);
    CUDA(cudaGetLastError());
    for (const T &got : dx.read())
        CHECK(got == op(a, b));
}

struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Box : Square {
    float height;
    __device__ Box(float s, float h) : Square(s), height(h) {}
    __device__ float area() const override
    {
        return 2 * Square::area() + 4 * side * height;
    }
};

static __device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
static __device__ int twice(int n) { return 2 * n; }
static __device__ int (*const functions[])(int) = {fibonacci, twice};

__global__ void dispatch(float *area, int *value)
{
    int i = threadIdx.x;
    Square square(2);
    Box box(1, 3);
    const Shape *shape = i % 2 ? (const Shape *)&box : &square;
    area[i] = shape->area();
    value[i] = functions[i / 16](i % 16);
}

int main()
{
    check(2.5f, 4.0f, Plus());
    check(3, -7, Times());
    check(1.5, 2.5, Times());
    check<short>(300, 5, Plus());
    check(Complex<float>{1, 2}, Complex<float>{3, -1}, Times());

    Buffer<float> area(std::vector<float>(32));
    Buffer<int> value(std::vector<int>(32));
    dispatch<<<1, 32>>>(area.get(), value.get());
    auto areas = area.read();
    auto values = value.read();
    CHECK(areas[0] == 4 && areas[1] == 14);
    CHECK(values[10] == 55 && values[15] == 610 && values[26] == 20);
    return 0;
}
