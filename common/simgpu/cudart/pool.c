// SPDX-License-Identifier: MIT
/*
 * pool.c: memory pools.
 *
 *   cudaMemPoolCreate, cudaMemPoolDestroy, cudaMemPoolTrimTo
 *   cudaDeviceGetDefaultMemPool, cudaDeviceGetMemPool, cudaDeviceSetMemPool
 *   cudaMemPoolSetAttribute, -GetAttribute, -SetAccess, -GetAccess
 *   rt_pool_*, rt_graph_pool   see runtime.h
 *
 * A pool only counts. Freed memory returns to the device at once, so that its
 * use is found; but the pool reports it as reserved up to its release
 * threshold. Attributes about reuse are stored and have no effect.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>

struct CUmemPoolHandle_st {
    struct CUmemPoolHandle_st *next;
    uint64_t release_threshold;
    int reuse[3];     /* indexed by attribute, from the first */
    uint64_t most;    /* bytes; 0: no limit */
    uint64_t used, used_high, reserved, reserved_high;
    bool destroyed;   /* it goes with its last allocation */
};

struct holding {
    struct holding *next;
    const void *p;
    size_t bytes;
    struct CUmemPoolHandle_st *pool;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUmemPoolHandle_st graph_pool = {
    .release_threshold = UINT64_MAX};
static struct CUmemPoolHandle_st default_pool = {.next = &graph_pool,
                                                 .reuse = {1, 1, 1}};
static struct CUmemPoolHandle_st *current = &default_pool;
static struct holding *holdings;

/* The lock is held, here and in all that take a struct CUmemPoolHandle_st. */
static struct CUmemPoolHandle_st *find(cudaMemPool_t pool)
{
    struct CUmemPoolHandle_st *p = &default_pool;
    while (p && (p != pool || p->destroyed))
        p = p->next;
    return pool ? p : current;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void count(struct CUmemPoolHandle_st *pool)
{
    pool->used_high = larger(pool->used_high, pool->used);
    pool->reserved = larger(pool->reserved, pool->used);
    pool->reserved_high = larger(pool->reserved_high, pool->reserved);
}

/* Keeps so much for later allocations. */
static void trim(struct CUmemPoolHandle_st *pool, uint64_t keep)
{
    uint64_t least = larger(pool->used, keep);
    if (pool->reserved > least)
        pool->reserved = least;
}

static void drop_if_done(struct CUmemPoolHandle_st *pool)
{
    if (!pool->destroyed || pool->used)
        return;
    struct CUmemPoolHandle_st *before = &default_pool;
    while (before->next != pool)
        before = before->next;
    before->next = pool->next;
    free(pool);
}

bool rt_pool_has_room(cudaMemPool_t pool, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const struct CUmemPoolHandle_st *p = find(pool);
    bool room = p && (!p->most || (p->used <= p->most &&
                                   bytes <= p->most - p->used));
    pthread_mutex_unlock(&lock);
    return room;
}

bool rt_pool_hold(cudaMemPool_t pool, void *p, size_t bytes)
{
    struct holding *h = malloc(sizeof *h);
    pthread_mutex_lock(&lock);
    struct CUmemPoolHandle_st *from = find(pool);
    if (h && from) {
        *h = (struct holding){holdings, p, bytes, from};
        holdings = h;
        from->used += bytes;
        count(from);
    }
    pthread_mutex_unlock(&lock);
    if (!from)
        free(h);
    return h && from;
}

static struct holding **holding_of(const void *p)
{
    struct holding **h = &holdings;
    while (*h && (*h)->p != p)
        h = &(*h)->next;
    return h;
}

bool rt_pool_holds(const void *p)
{
    pthread_mutex_lock(&lock);
    bool holds = *holding_of(p) != NULL;
    pthread_mutex_unlock(&lock);
    return holds;
}

void rt_pool_release(const void *p)
{
    pthread_mutex_lock(&lock);
    struct holding **link = holding_of(p), *h = *link;
    if (h) {
        *link = h->next;
        h->pool->used -= h->bytes;
        trim(h->pool, h->pool->release_threshold);
        drop_if_done(h->pool);
    }
    pthread_mutex_unlock(&lock);
    free(h);
}

cudaMemPool_t rt_graph_pool(void)
{
    return &graph_pool;
}

static uint64_t *size_of(struct CUmemPoolHandle_st *p,
                         enum cudaMemPoolAttr attr)
{
    switch (attr) {
    case cudaMemPoolAttrReleaseThreshold: return &p->release_threshold;
    case cudaMemPoolAttrReservedMemCurrent: return &p->reserved;
    case cudaMemPoolAttrReservedMemHigh: return &p->reserved_high;
    case cudaMemPoolAttrUsedMemCurrent: return &p->used;
    case cudaMemPoolAttrUsedMemHigh: return &p->used_high;
    default: return NULL;
    }
}

static int *reuse_of(struct CUmemPoolHandle_st *p, enum cudaMemPoolAttr attr)
{
    return attr >= cudaMemPoolReuseFollowEventDependencies &&
                   attr <= cudaMemPoolReuseAllowInternalDependencies
               ? &p->reuse[attr - cudaMemPoolReuseFollowEventDependencies]
               : NULL;
}

cudaError_t rt_pool_get(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                        void *value)
{
    pthread_mutex_lock(&lock);
    struct CUmemPoolHandle_st *p = pool ? find(pool) : NULL;
    const int *reuse = p && value ? reuse_of(p, attr) : NULL;
    const uint64_t *size = p && value ? size_of(p, attr) : NULL;
    if (reuse)
        *(int *)value = *reuse;
    else if (size)
        *(uint64_t *)value = *size;
    pthread_mutex_unlock(&lock);
    return reuse || size ? cudaSuccess : cudaErrorInvalidValue;
}

/* A high-water mark can only be reset: it starts from what is there now. */
static bool set_size(struct CUmemPoolHandle_st *p, enum cudaMemPoolAttr attr,
                     uint64_t value)
{
    switch (attr) {
    case cudaMemPoolAttrReleaseThreshold:
        p->release_threshold = value;
        return true;
    case cudaMemPoolAttrReservedMemHigh:
        p->reserved_high = value ? p->reserved_high : p->reserved;
        return value == 0;
    case cudaMemPoolAttrUsedMemHigh:
        p->used_high = value ? p->used_high : p->used;
        return value == 0;
    default:
        return false;
    }
}

cudaError_t rt_pool_set(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                        const void *value)
{
    pthread_mutex_lock(&lock);
    struct CUmemPoolHandle_st *p = pool ? find(pool) : NULL;
    int *reuse = p && value ? reuse_of(p, attr) : NULL;
    bool ok = reuse || (p && value &&
                        set_size(p, attr, *(const uint64_t *)value));
    if (reuse)
        *reuse = *(const int *)value;
    pthread_mutex_unlock(&lock);
    return ok ? cudaSuccess : cudaErrorInvalidValue;
}

void rt_pool_trim(cudaMemPool_t pool, size_t keep)
{
    pthread_mutex_lock(&lock);
    struct CUmemPoolHandle_st *p = find(pool);
    if (p)
        trim(p, keep);
    pthread_mutex_unlock(&lock);
}

void rt_pools_reset(void)
{
    pthread_mutex_lock(&lock);
    while (holdings) {
        struct holding *h = holdings;
        holdings = h->next;
        free(h);
    }
    while (default_pool.next != &graph_pool) {
        struct CUmemPoolHandle_st *p = default_pool.next;
        default_pool.next = p->next;
        free(p);
    }
    current = &default_pool;
    default_pool.used = default_pool.reserved = 0;
    graph_pool.used = graph_pool.reserved = 0;
    pthread_mutex_unlock(&lock);
}

/* CUDA's calls ---------------------------------------------------------- */

/* With the lock held. */
static bool is_known(cudaMemPool_t pool)
{
    return pool && pool != &graph_pool && find(pool);
}

static bool is_pool(cudaMemPool_t pool)
{
    pthread_mutex_lock(&lock);
    bool known = is_known(pool);
    pthread_mutex_unlock(&lock);
    return known;
}

/* The largest size that a pool's properties ask for; 0: no limit. */
#if CUDART_VERSION >= 12020
#define MOST_OF(props) ((uint64_t)(props)->maxSize)
#else
#define MOST_OF(props) ((uint64_t)0)
#endif

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool,
                              const struct cudaMemPoolProps *poolProps)
{
    const struct cudaMemPoolProps *p = poolProps;
    if (!memPool || !p || p->allocType != cudaMemAllocationTypePinned)
        return DONE(cudaErrorInvalidValue);
    if (p->location.type != cudaMemLocationTypeDevice ||
        p->handleTypes != cudaMemHandleTypeNone)
        return DONE(rt_fail(cudaErrorNotSupported, "pools of host memory, and "
                            "pools shared with other processes, are not "
                            "simulated"));
    if (p->location.id != 0)
        return DONE(cudaErrorInvalidDevice);
    struct CUmemPoolHandle_st *pool = calloc(1, sizeof *pool);
    if (!pool)
        return DONE(cudaErrorMemoryAllocation);
    *pool = (struct CUmemPoolHandle_st){.reuse = {1, 1, 1},
                                        .most = MOST_OF(p)};
    pthread_mutex_lock(&lock);
    pool->next = default_pool.next;
    default_pool.next = pool;
    pthread_mutex_unlock(&lock);
    *memPool = pool;
    return DONE(cudaSuccess);
}

/* What is allocated from it stays until it is freed. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    pthread_mutex_lock(&lock);
    struct CUmemPoolHandle_st *p = memPool ? find(memPool) : NULL;
    bool own = p && p != &default_pool && p != &graph_pool;
    if (own) {
        current = current == p ? &default_pool : current;
        p->destroyed = true;
        drop_if_done(p);
    }
    pthread_mutex_unlock(&lock);
    return DONE(own ? cudaSuccess : cudaErrorInvalidValue);
}

/* which: the pool, which another thread may be changing. */
static cudaError_t get_pool(cudaMemPool_t *pool, int device,
                            struct CUmemPoolHandle_st *const *which)
{
    if (device != 0)
        return cudaErrorInvalidDevice;
    if (!pool)
        return cudaErrorInvalidValue;
    pthread_mutex_lock(&lock);
    *pool = *which;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    struct CUmemPoolHandle_st *which = &default_pool;
    return DONE(get_pool(memPool, device, &which));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    return DONE(get_pool(memPool, device, &current));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    if (device != 0)
        return DONE(cudaErrorInvalidDevice);
    pthread_mutex_lock(&lock);
    bool known = is_known(memPool);
    if (known)
        current = memPool;
    pthread_mutex_unlock(&lock);
    return DONE(known ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool,
                                    enum cudaMemPoolAttr attr, void *value)
{
    return DONE(is_pool(memPool) ? rt_pool_set(memPool, attr, value)
                                 : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool,
                                    enum cudaMemPoolAttr attr, void *value)
{
    return DONE(is_pool(memPool) ? rt_pool_get(memPool, attr, value)
                                 : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    if (!is_pool(memPool))
        return DONE(cudaErrorInvalidValue);
    rt_pool_trim(memPool, minBytesToKeep);
    return DONE(cudaSuccess);
}

/* There is one device, which always reaches its own memory. */
static bool is_own_access(const struct cudaMemLocation *l)
{
    return l->type == cudaMemLocationTypeDevice && l->id == 0;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool,
                                 const struct cudaMemAccessDesc *descList,
                                 size_t count)
{
    bool ok = is_pool(memPool) && (descList || !count);
    for (size_t i = 0; ok && i < count; i++)
        ok = is_own_access(&descList[i].location) &&
             descList[i].flags == cudaMemAccessFlagsProtReadWrite;
    return DONE(ok ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    if (!flags || !location || !is_pool(memPool))
        return DONE(cudaErrorInvalidValue);
    *flags = is_own_access(location) ? cudaMemAccessFlagsProtReadWrite
                                     : cudaMemAccessFlagsProtNone;
    return DONE(cudaSuccess);
}
