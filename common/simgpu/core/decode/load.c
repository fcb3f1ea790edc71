// SPDX-License-Identifier: MIT
/*
 * load.c: a PTX module becomes decoded functions and laid-out variables.
 *
 *   engine_load, engine_unload, engine_kernel, engine_kernel_info,
 *   engine_symbol
 *
 * shared_layout.c says where shared arrays stand.
 */
#include <stdlib.h>

#include "decode.h"
#include "shared_layout.h"
#include "simgpu/core/exec/quota.h"
#include "simgpu/core/memory/mapped_pages.h"
#include "simgpu/core/memory/pieces.h"

struct layout {
    struct engine *engine;
    struct module *module;
    const struct ptx_module *ptx;
    struct shared_layouts *shared;
    uint64_t *address;     /* of each variable */
    size_t const_bytes;
    char *error;
    size_t error_size;
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return to ? (n + to - 1) / to * to : n;
}

static char *keep(struct module *m, const char *text)
{
    char *copy = arena_alloc(m->text, strlen(text) + 1, 1);
    if (!copy)
        abort();
    return strcpy(copy, text);
}

static bool is_param(const struct ptx_func *f, int32_t var)
{
    for (size_t p = 0; p < f->n_params; p++)
        if (f->params[p] == var)
            return true;
    return false;
}

static bool place_device(struct layout *l, const struct ptx_var *v,
                         uint64_t *address)
{
    struct memory *m = &l->engine->memory;
    size_t bytes = v->bytes ? v->bytes : 1;
    *address = v->is_managed ? mapped_alloc(&l->engine->memory, bytes,
                                            ALLOCATION_MODULE, 0)
                             : memory_alloc(m, bytes, true);
    if (!*address) {
        snprintf(l->error, l->error_size,
                 "the GPU's memory is too small for variable %s", v->name);
        return false;
    }
    uint8_t *host = memory_host(m, *address);
    memset(host, 0, bytes);
    if (v->init)
        memcpy(host, v->init, v->bytes);
    bits_set(m->init, *address - DEVICE_BASE, bytes);
    if (v->space == PTX_SPACE_CONST)
        l->const_bytes += v->bytes;
    return true;
}

/* Variables of a function's frame: local memory and .param. */
static void place_frame(struct layout *l, int32_t func)
{
    const struct ptx_func *f = &l->ptx->funcs[func];
    struct function *out = &l->module->functions[func];
    uint64_t local = 0, param = 0;
    for (size_t n = 0; n < l->ptx->n_vars; n++) {
        const struct ptx_var *v = &l->ptx->vars[n];
        if (v->func != func)
            continue;
        if (v->space == PTX_SPACE_LOCAL) {
            l->address[n] = round_up(local, v->align ? v->align : 1);
            local = round_up(l->address[n] + v->bytes, 16);
        } else if (v->space == PTX_SPACE_PARAM) {
            if (f->is_entry && is_param(f, (int32_t)n)) {
                l->address[n] = PARAM_WINDOW + v->offset;
                continue;
            }
            l->address[n] = round_up(param, 16);
            param = l->address[n] + v->bytes;
        }
    }
    out->local_bytes = (uint32_t)round_up(local, 16);
    out->param_bytes = (uint32_t)round_up(param, 16);
}

/* Shared addresses as this function's code names them; func < 0: as
 * initialisers do. */
static void use_shared_of(struct layout *l, int32_t func)
{
    for (size_t n = 0; n < l->ptx->n_vars; n++)
        if (l->ptx->vars[n].space == PTX_SPACE_SHARED)
            l->address[n] = shared_layout_address(l->shared, func, n);
}

static bool place_all(struct layout *l)
{
    for (size_t n = 0; n < l->ptx->n_vars; n++) {
        const struct ptx_var *v = &l->ptx->vars[n];
        bool device =
            v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST;
        if (device && !place_device(l, v, &l->address[n]))
            return false;
    }
    for (size_t f = 0; f < l->ptx->n_funcs; f++)
        place_frame(l, (int32_t)f);
    use_shared_of(l, -1);
    return true;
}

static uint64_t reloc_value(const struct layout *l, const struct ptx_reloc *r)
{
    if (r->func >= 0)
        return FUNC_WINDOW + 16u * (uint64_t)r->func + (uint64_t)r->addend;
    if (r->var < 0)
        return (uint64_t)r->addend;
    uint64_t base = l->address[r->var];
    if (r->generic && l->ptx->vars[r->var].space == PTX_SPACE_SHARED)
        base += SHARED_WINDOW;
    return base + (uint64_t)r->addend;
}

static void relocate(struct layout *l)
{
    for (size_t n = 0; n < l->ptx->n_vars; n++) {
        const struct ptx_var *v = &l->ptx->vars[n];
        if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
            continue;
        uint8_t *host = memory_host(&l->engine->memory, l->address[n]);
        for (size_t k = 0; k < v->n_relocs; k++) {
            uint64_t value = reloc_value(l, &v->relocs[k]);
            if (v->relocs[k].offset + 8 <= v->bytes)
                memcpy(host + v->relocs[k].offset, &value, sizeof value);
        }
    }
}

static void keep_variables(struct layout *l)
{
    struct module *m = l->module;
    m->n_variables = l->ptx->n_vars;
    m->variables =
        arena_alloc(m->text, m->n_variables + 1, sizeof *m->variables);
    if (!m->variables)
        abort();
    for (size_t n = 0; n < m->n_variables; n++) {
        const struct ptx_var *v = &l->ptx->vars[n];
        m->variables[n] = (struct variable){
            .name = keep(m, v->name), .space = v->space,
            .dynamic = v->space == PTX_SPACE_SHARED && v->bytes == 0,
            .address = l->address[n], .bytes = v->bytes, .func = v->func};
    }
}

static void keep_signature(struct layout *l, int32_t func)
{
    const struct ptx_func *f = &l->ptx->funcs[func];
    struct module *m = l->module;
    struct function *out = &m->functions[func];
    out->name = keep(m, f->name);
    out->module = m;
    out->is_entry = f->is_entry;
    out->n_params = f->n_params;
    out->n_returns = f->n_returns;
    out->params = arena_alloc(m->text, f->n_params + 1, sizeof(uint32_t));
    out->param_size = arena_alloc(m->text, f->n_params + 1, sizeof(uint32_t));
    out->returns = arena_alloc(m->text, f->n_returns + 1, sizeof(uint32_t));
    out->return_size =
        arena_alloc(m->text, f->n_returns + 1, sizeof(uint32_t));
    for (size_t p = 0; p < f->n_params; p++) {
        out->params[p] = (uint32_t)l->address[f->params[p]];
        out->param_size[p] = (uint32_t)l->ptx->vars[f->params[p]].bytes;
    }
    for (size_t p = 0; p < f->n_returns; p++) {
        out->returns[p] = (uint32_t)l->address[f->returns[p]];
        out->return_size[p] = (uint32_t)l->ptx->vars[f->returns[p]].bytes;
    }
}

/* Which shared variables a kernel's threads may touch. */
static void kernel_shared(struct layout *l, struct kernel *k, int32_t func)
{
    const struct shared_layout *layout = shared_layout_of(l->shared, func);
    struct module *m = l->module;
    k->shared = arena_alloc(m->text, m->n_variables + 2, sizeof *k->shared);
    if (!k->shared)
        abort();
    if (m->reserved_shared)
        k->shared[k->n_shared++] = (struct variable){
            .name = "(reserved shared memory)", .space = PTX_SPACE_SHARED,
            .address = RESERVED_START,
            .bytes = SHARED_START - RESERVED_START, .func = func};
    k->reserved_shared = m->reserved_shared;
    for (size_t n = 0; n < m->n_variables; n++) {
        if (m->variables[n].space != PTX_SPACE_SHARED || !layout->address[n])
            continue;
        k->shared[k->n_shared] = m->variables[n];
        k->shared[k->n_shared++].address = layout->address[n];
    }
    k->static_end = layout->dynamic;
    k->info.static_shared = layout->static_bytes;
}

static void kernel_info(struct layout *l, struct kernel *k, int32_t func)
{
    const struct ptx_func *f = &l->ptx->funcs[func];
    struct module *m = l->module;
    struct kernel_info *info = &k->info;
    bool calls = false;
    for (size_t i = 0; i < k->function->n_sources; i++) {
        const struct form *form = k->function->sources[i].form;
        calls |= form && form->flags & FORM_CALLS;
    }
    info->name = k->function->name;
    info->param_bytes = f->param_bytes;
    info->n_params = f->n_params;
    info->param_offset = arena_alloc(m->text, f->n_params + 1,
                                     sizeof *info->param_offset);
    info->param_size =
        arena_alloc(m->text, f->n_params + 1, sizeof *info->param_size);
    for (size_t p = 0; p < f->n_params; p++) {
        info->param_offset[p] = l->ptx->vars[f->params[p]].offset;
        info->param_size[p] = l->ptx->vars[f->params[p]].bytes;
    }
    info->local_bytes = k->function->local_bytes;
    info->const_bytes = l->const_bytes;
    const uint32_t *most =
        f->reqntid[0] ? f->reqntid : f->maxntid;
    for (int axis = 0; axis < 3 && most[0]; axis++)
        info->maxntid = (axis ? info->maxntid : 1) *
                        (most[axis] ? most[axis] : 1);
    info->registers =
        quota_at_launch(f->maxnreg, info->maxntid, f->minnctapersm);
    for (int axis = 0; axis < 3; axis++)
        info->cluster[axis] = f->cluster[axis];
    info->max_cluster = f->maxclusterrank;
    info->needs_cluster = f->explicit_cluster;
    info->blocks_are_clusters = f->blocks_are_clusters;
    k->local_bytes =
        k->function->local_bytes + (calls ? LOCAL_CALL_BYTES : 0);
}

/* ptxas refuses more, and so does a driver that compiles the PTX (Debian's
 * ptxas 12.4 does not). More must be dynamic: CUDA Programming Guide,
 * "Technical Specifications per Compute Capability". */
static bool shared_fits(struct layout *l, const struct kernel *k)
{
    enum { STATIC_MOST = 48 << 10 };
    if (k->info.static_shared <= STATIC_MOST)
        return true;
    snprintf(l->error, l->error_size,
             "entry function '%s' uses too much shared data: %zu bytes of "
             "static arrays, %d at most; more must be extern __shared__",
             k->info.name, k->info.static_shared, STATIC_MOST);
    return false;
}

static bool add_kernels(struct layout *l)
{
    struct module *m = l->module;
    for (size_t f = 0; f < l->ptx->n_funcs; f++) {
        if (!l->ptx->funcs[f].is_entry)
            continue;
        struct kernel *k = arena_alloc(m->text, 1, sizeof *k);
        if (!k)
            abort();
        k->function = &m->functions[f];
        k->module = m;
        kernel_shared(l, k, (int32_t)f);
        kernel_info(l, k, (int32_t)f);
        k->next = m->kernels;
        m->kernels = k;
        if (!shared_fits(l, k))
            return false;
    }
    return true;
}

static void note_site(struct module *m, const struct function *f,
                      const struct inst *i, const struct access_form *form)
{
    if (form && form->site)
        m->sites[form->site] = (struct module_site){i, f, form};
}

/* So that observers find an instruction by its site. */
static void find_sites(struct module *m)
{
    m->sites = arena_alloc(m->text, m->n_sites + 1, sizeof *m->sites);
    if (!m->sites)
        abort();
    for (size_t f = 0; f < m->n_functions; f++)
        for (size_t n = 0; n < m->functions[f].n_insts; n++) {
            const struct inst *i = &m->functions[f].insts[n];
            const struct detail *t = i->detail;
            if (!t)
                continue;
            note_site(m, &m->functions[f], i, &t->access);
            note_site(m, &m->functions[f], i, t->from);
            note_site(m, &m->functions[f], i,
                      t->bulk ? &t->bulk->signal : NULL);
        }
}

static void decode_all(struct layout *l)
{
    struct module *m = l->module;
    struct spellings *spellings = spellings_open(m->text);
    m->n_functions = l->ptx->n_funcs;
    for (size_t f = 0; f < m->n_functions; f++)
        keep_signature(l, (int32_t)f);
    for (size_t f = 0; f < m->n_functions; f++)
        if (l->ptx->funcs[f].has_body) {
            use_shared_of(l, (int32_t)f);
            decode_function(m, l->ptx, spellings, (int32_t)f, l->address);
        }
    spellings_close(spellings);
    find_sites(m);
}

struct module *engine_load(struct engine *engine, const struct ptx_module *ptx,
                           char *error, size_t error_size)
{
    struct module *m = calloc(1, sizeof *m);
    struct layout l = {engine, m, ptx, shared_layouts_open(ptx),
                       calloc(ptx->n_vars + 1, 8), 0, error, error_size};
    if (!m || !l.address || !(m->text = arena_open()))
        abort();
    m->engine = engine;
    m->functions =
        arena_alloc(m->text, ptx->n_funcs + 1, sizeof *m->functions);
    m->next = engine->modules;
    engine->modules = m;
    bool ok = m->functions && place_all(&l);
    if (ok) {
        relocate(&l);
        keep_variables(&l);
        decode_all(&l);
        ok = add_kernels(&l);
    }
    shared_layouts_close(l.shared);
    free(l.address);
    if (ok)
        return m;
    engine_unload(engine, m);
    return NULL;
}

static void drop_variable(struct engine *engine, uint64_t address)
{
    const struct allocation *a = memory_find(&engine->memory, address);
    if (a && a->kind)
        mapped_drop(&engine->memory, (struct allocation *)a);
    memory_drop(&engine->memory, address);
}

void engine_unload(struct engine *engine, struct module *module)
{
    struct module **p = &engine->modules;
    while (*p && *p != module)
        p = &(*p)->next;
    if (*p)
        *p = module->next;
    for (size_t n = 0; n < module->n_variables; n++)
        if (module->variables[n].space == PTX_SPACE_GLOBAL ||
            module->variables[n].space == PTX_SPACE_CONST)
            drop_variable(engine, module->variables[n].address);
    heap_forget(engine->heap);
    arena_close(module->text);
    free(module);
}

struct kernel *engine_kernel(struct module *module, const char *mangled)
{
    for (struct kernel *k = module->kernels; k; k = k->next)
        if (strcmp(k->info.name, mangled) == 0)
            return k;
    return NULL;
}

const struct kernel_info *engine_kernel_info(const struct kernel *kernel)
{
    return &kernel->info;
}

uint64_t engine_symbol(struct module *module, const char *name, size_t *bytes)
{
    for (size_t n = 0; n < module->n_variables; n++) {
        const struct variable *v = &module->variables[n];
        if ((v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST) &&
            strcmp(v->name, name) == 0) {
            *bytes = (size_t)v->bytes;
            return v->address;
        }
    }
    return 0;
}
