// SPDX-License-Identifier: MIT
/*
 * ptx.c: reads arbitrary bytes as PTX; if that succeeds, decodes and loads
 * them. Nothing may crash, leak or overflow; an error is a correct result.
 */
#include <stddef.h>
#include <stdint.h>

#include "fuzz.h"
#include "simgpu/core/engine.h"
#include "simgpu/ptx/ptx.h"

static struct engine *engine(void)
{
    static struct engine *opened;

    if (!opened)
        opened = engine_open(
            &(struct engine_config){.gpu = gpu_find("h200"), .workers = 1});
    return opened;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[256];
    struct ptx_module *ptx =
        ptx_read((const char *)data, size, error, sizeof error);

    if (!ptx)
        return 0;
    struct module *module = engine_load(engine(), ptx, error, sizeof error);

    ptx_free(ptx);
    if (module)
        engine_unload(engine(), module);
    return 0;
}
