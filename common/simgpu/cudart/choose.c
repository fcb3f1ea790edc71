// SPDX-License-Identifier: MIT
/*
 * choose.c: device selection (there is one device), and old or rare names.
 *
 *   cudaChooseDevice, cudaSetValidDevices
 *   cudaDeviceGetPCIBusId, cudaDeviceGetByPCIBusId
 *   cudaDeviceGetSharedMemConfig, -SetSharedMemConfig, cudaFuncSet-
 *   cudaCtxResetPersistingL2Cache
 *   cudaGetFuncBySymbol, cudaFuncGetName
 *   cudaThreadSynchronize, cudaThreadExit   names of CUDA 3
 */
#include "runtime.h"

#include <stdio.h>
#include <strings.h>

static const char bus_id[] = "0000:01:00.0";

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    if (!device || !prop)
        return DONE(cudaErrorInvalidValue);
    *device = 0;
    return DONE(cudaSuccess);
}

cudaError_t cudaSetValidDevices(int *device_arr, int len)
{
    for (int i = 0; device_arr && i < len; i++)
        if (device_arr[i] != 0)
            return DONE(cudaErrorInvalidDevice);
    return DONE(len < 0 || (len > 0 && !device_arr) ? cudaErrorInvalidValue
                                                    : cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    if (!pciBusId || len < (int)sizeof bus_id)
        return DONE(cudaErrorInvalidValue);
    if (device != 0)
        return DONE(cudaErrorInvalidDevice);
    snprintf(pciBusId, (size_t)len, "%s", bus_id);
    return DONE(cudaSuccess);
}

/* Accepts both documented forms: with the PCI domain or without. */
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
    unsigned domain = 0, bus, slot, function = 0;
    if (!device || !pciBusId ||
        (sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
         (domain = 0,
          sscanf(pciBusId, "%x:%x.%x", &bus, &slot, &function) < 2)))
        return DONE(cudaErrorInvalidValue);
    *device = 0;
    return DONE(domain == 0 && bus == 1 && slot == 0 && function == 0
                    ? cudaSuccess : cudaErrorInvalidDevice);
}

/* No GPU since sm_37 offers banks of 8 bytes. */
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
    if (!pConfig)
        return DONE(cudaErrorInvalidValue);
    *pConfig = cudaSharedMemBankSizeFourByte;
    return DONE(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return DONE(cudaSuccess);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func,
                                       enum cudaSharedMemConfig config)
{
    struct rt_kernel *kernel;
    (void)config;
    return DONE(rt_find_kernel(func, &kernel));
}

/* No part of L2 is ever set aside. */
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return DONE(cudaSuccess);
}

/* Declared without the header's types, which old toolkits lack. A function's
 * handle is our struct rt_kernel, which launches accept. */
cudaError_t rt_func_by_symbol(void **function, const void *symbol)
    __asm__("cudaGetFuncBySymbol");
cudaError_t rt_func_name(const char **name, const void *function)
    __asm__("cudaFuncGetName");

cudaError_t rt_func_by_symbol(void **function, const void *symbol)
{
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(symbol, &kernel);
    if (!error)
        *function = kernel;
    return rt_done("cudaGetFuncBySymbol", error);
}

cudaError_t rt_func_name(const char **name, const void *function)
{
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(function, &kernel);
    if (!error)
        *name = kernel->name;
    return rt_done("cudaFuncGetName", error);
}

cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}
