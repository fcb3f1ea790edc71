// SPDX-License-Identifier: MIT
/*
 * link.c: joins the modules of a program that was built with -rdc=true.
 *
 *   ptx_link
 *
 * First every name with a linkage is entered into one table, where the
 * strongest definition wins. Then the kernels and the variables in device
 * memory get their places in the new module, and whatever their code and their
 * initial values refer to gets one as it is met. Operands are copied, not
 * changed in place, because several may share their elements (branch targets).
 */
#include "link.h"

#include <setjmp.h>
#include <string.h>

#include "arena.h"
#include "names.h"

struct symbol { /* the best definition so far */
    size_t unit;
    int32_t index;
    uint8_t linkage;
    bool is_func;
};

enum { NO_PLACE = -1, SEEKING = -2 };

struct unit {
    const struct ptx_module *from;
    int32_t *func, *var;  /* their places in the new module, or NO_PLACE */
    int32_t first_loc, first_file;
};

struct origin {
    size_t unit;
    int32_t index;
};

struct linker {
    struct unit *units;
    size_t n_units;
    struct ptx_module *to;
    struct arena *arena;
    struct names names;   /* bindings: into symbols */
    struct symbol *symbols;
    size_t n_symbols;
    struct origin *funcs, *vars; /* of the new module's */
    bool (*provided)(const char *name);
    struct ptx_link_error *error;
    jmp_buf failed;
};

_Noreturn static void fail(struct linker *l, enum ptx_link_kind kind,
                           const char *name, size_t unit, size_t other)
{
    *l->error = (struct ptx_link_error){kind, name, unit, other};
    longjmp(l->failed, 1);
}

static void *take(struct linker *l, size_t count, size_t size)
{
    void *p = arena_alloc(l->arena, count + 1, size);
    if (!p)
        fail(l, PTX_LINK_NO_MEMORY, "", 0, 0);
    return p;
}

/* Names ----------------------------------------------------------------- */

static struct name *name_of(struct linker *l, const char *text)
{
    struct name *name = names_intern(&l->names, text, strlen(text));
    if (!name)
        fail(l, PTX_LINK_NO_MEMORY, "", 0, 0);
    return name;
}

static size_t bytes_of(const struct linker *l, const struct symbol *s)
{
    return s->is_func ? 0 : l->units[s->unit].from->vars[s->index].bytes;
}

static bool is_stronger(const struct linker *l, const struct symbol *s,
                        const struct symbol *than)
{
    if (s->linkage == PTX_COMMON && than->linkage == PTX_COMMON)
        return bytes_of(l, s) > bytes_of(l, than);
    return s->linkage > than->linkage;
}

static void enter(struct linker *l, const char *text, struct symbol fresh)
{
    struct name *name = name_of(l, text);
    const struct binding *b = names_here(&l->names, name);
    if (!b) {
        if (!names_bind(&l->names, name, BIND_VAR, (int32_t)l->n_symbols))
            fail(l, PTX_LINK_NO_MEMORY, "", 0, 0);
        l->symbols[l->n_symbols++] = fresh;
        return;
    }
    struct symbol *old = &l->symbols[b->index];
    if (old->is_func != fresh.is_func)
        fail(l, PTX_LINK_DIFFERS, text, fresh.unit, old->unit);
    if (old->linkage == PTX_VISIBLE && fresh.linkage == PTX_VISIBLE)
        fail(l, PTX_LINK_TWICE, text, fresh.unit, old->unit);
    if (is_stronger(l, &fresh, old))
        *old = fresh;
}

/* extern __shared__ x[]: the launch's dynamic memory, defined nowhere. */
static bool is_dynamic(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_SHARED && v->bytes == 0;
}

static bool is_joined(const struct ptx_var *v)
{
    return v->func < 0 && v->linkage != PTX_LOCAL && !is_dynamic(v);
}

static void enter_unit(struct linker *l, size_t unit)
{
    const struct ptx_module *m = l->units[unit].from;
    for (size_t n = 0; n < m->n_funcs; n++) {
        const struct ptx_func *f = &m->funcs[n];
        bool defined = f->has_body || f->alias >= 0;
        if (f->linkage != PTX_LOCAL)
            enter(l, f->name, (struct symbol){
                      unit, (int32_t)n,
                      defined ? f->linkage : (uint8_t)PTX_EXTERN, true});
    }
    for (size_t n = 0; n < m->n_vars; n++)
        if (is_joined(&m->vars[n]))
            enter(l, m->vars[n].name,
                  (struct symbol){unit, (int32_t)n, m->vars[n].linkage,
                                  false});
}

static const struct symbol *find(struct linker *l, const char *text)
{
    return &l->symbols[names_here(&l->names, name_of(l, text))->index];
}

/* Places ---------------------------------------------------------------- */

static bool same_sizes(const struct ptx_module *a, const int32_t *list_a,
                       size_t n_a, const struct ptx_module *b,
                       const int32_t *list_b, size_t n_b)
{
    bool same = n_a == n_b;
    for (size_t i = 0; same && i < n_a; i++)
        same = a->vars[list_a[i]].bytes == b->vars[list_b[i]].bytes;
    return same;
}

static void funcs_agree(struct linker *l, size_t unit, int32_t index,
                        const struct symbol *s)
{
    const struct ptx_module *ma = l->units[unit].from;
    const struct ptx_module *mb = l->units[s->unit].from;
    const struct ptx_func *a = &ma->funcs[index], *b = &mb->funcs[s->index];
    if (!same_sizes(ma, a->params, a->n_params, mb, b->params, b->n_params) ||
        !same_sizes(ma, a->returns, a->n_returns, mb, b->returns,
                    b->n_returns))
        fail(l, PTX_LINK_DIFFERS, a->name, unit, s->unit);
}

static int32_t add_func(struct linker *l, size_t unit, int32_t index)
{
    int32_t place = (int32_t)l->to->n_funcs++;
    l->funcs[place] = (struct origin){unit, index};
    return place;
}

/* A function's place in the new module; it gets one if it has none. Units may
 * send each other round in circles: a stands for b here, b for a there. */
static int32_t place_func(struct linker *l, size_t unit, int32_t index)
{
    const struct ptx_func *f = &l->units[unit].from->funcs[index];
    int32_t *place = &l->units[unit].func[index];
    const struct symbol *s = f->linkage != PTX_LOCAL ? find(l, f->name) : NULL;
    if (*place >= 0)
        return *place;
    bool defined = f->has_body || f->alias >= 0 ||
                   (s && s->linkage > PTX_EXTERN);
    if (*place == SEEKING || (!defined && !l->provided(f->name)))
        fail(l, PTX_LINK_UNDEFINED, f->name, unit, unit);
    *place = SEEKING;
    if (s && (s->unit != unit || s->index != index)) {
        funcs_agree(l, unit, index, s);
        *place = place_func(l, s->unit, s->index);
    } else {
        *place = f->alias >= 0 ? place_func(l, unit, f->alias)
                               : add_func(l, unit, index);
    }
    return *place;
}

static void vars_agree(struct linker *l, size_t unit, int32_t index,
                       const struct symbol *s)
{
    const struct ptx_var *a = &l->units[unit].from->vars[index];
    const struct ptx_var *b = &l->units[s->unit].from->vars[s->index];
    bool sized = a->bytes && s->linkage != PTX_COMMON; /* extern x[] is not */
    if (a->space != b->space || (sized && a->bytes != b->bytes))
        fail(l, PTX_LINK_DIFFERS, a->name, unit, s->unit);
}

/* The same for a variable. */
static int32_t place_var(struct linker *l, size_t unit, int32_t index)
{
    const struct ptx_var *v = &l->units[unit].from->vars[index];
    int32_t *place = &l->units[unit].var[index];
    const struct symbol *s = is_joined(v) ? find(l, v->name) : NULL;
    if (*place >= 0)
        return *place;
    if (s && s->linkage == PTX_EXTERN)
        fail(l, PTX_LINK_UNDEFINED, v->name, unit, unit);
    if (s && (s->unit != unit || s->index != index)) {
        vars_agree(l, unit, index, s);
        *place = place_var(l, s->unit, s->index);
    } else {
        *place = (int32_t)l->to->n_vars++;
        l->vars[*place] = (struct origin){unit, index};
    }
    return *place;
}

/* Contents -------------------------------------------------------------- */

static void copy_operands(struct linker *l, size_t unit,
                          struct ptx_operand **operands, size_t n)
{
    const struct ptx_operand *from = *operands;
    struct ptx_operand *to = take(l, n, sizeof *to);
    for (size_t i = 0; i < n; i++) {
        to[i] = from[i];
        if (to[i].kind == PTX_VAR)
            to[i].index = place_var(l, unit, from[i].index);
        else if (to[i].kind == PTX_FUNC)
            to[i].index = place_func(l, unit, from[i].index);
        if (to[i].n_elems)
            copy_operands(l, unit, &to[i].elems, to[i].n_elems);
    }
    *operands = to;
}

static int32_t *copy_list(struct linker *l, size_t unit, const int32_t *vars,
                          size_t n)
{
    int32_t *to = take(l, n, sizeof *to);
    for (size_t i = 0; i < n; i++)
        to[i] = place_var(l, unit, vars[i]);
    return to;
}

static void copy_func(struct linker *l, size_t place)
{
    size_t unit = l->funcs[place].unit;
    int32_t index = l->funcs[place].index;
    const struct unit *u = &l->units[unit];
    struct ptx_func *f = &l->to->funcs[place];
    *f = u->from->funcs[index];
    f->params = copy_list(l, unit, f->params, f->n_params);
    f->returns = copy_list(l, unit, f->returns, f->n_returns);
    struct ptx_inst *insts = take(l, f->n_insts, sizeof *insts);
    for (size_t i = 0; i < f->n_insts; i++) {
        insts[i] = f->insts[i];
        insts[i].loc += insts[i].loc < 0 ? 0 : u->first_loc;
        copy_operands(l, unit, &insts[i].operands, insts[i].n_operands);
    }
    f->insts = insts;
}

static void copy_var(struct linker *l, size_t place)
{
    size_t unit = l->vars[place].unit;
    struct ptx_var *v = &l->to->vars[place];
    *v = l->units[unit].from->vars[l->vars[place].index];
    v->func = v->func < 0 ? -1 : l->units[unit].func[v->func];
    struct ptx_reloc *relocs = take(l, v->n_relocs, sizeof *relocs);
    for (size_t i = 0; i < v->n_relocs; i++) {
        relocs[i] = v->relocs[i];
        if (relocs[i].var >= 0)
            relocs[i].var = place_var(l, unit, relocs[i].var);
        if (relocs[i].func >= 0)
            relocs[i].func = place_func(l, unit, relocs[i].func);
    }
    v->relocs = relocs;
}

/* Until nothing new is referred to. */
static void copy_all(struct linker *l)
{
    struct ptx_module *m = l->to;
    for (size_t f = 0, v = 0; f < m->n_funcs || v < m->n_vars;) {
        if (f < m->n_funcs)
            copy_func(l, f++);
        else
            copy_var(l, v++);
    }
}

static void copy_lines(struct linker *l, struct unit *u)
{
    struct ptx_module *m = l->to;
    u->first_loc = (int32_t)m->n_locs;
    u->first_file = (int32_t)m->n_files;
    for (size_t i = 0; i < u->from->n_locs; i++) {
        struct ptx_loc loc = u->from->locs[i];
        loc.file += u->first_file;
        loc.inlined_at += loc.inlined_at < 0 ? 0 : u->first_loc;
        m->locs[m->n_locs++] = loc;
    }
    for (size_t i = 0; i < u->from->n_files; i++)
        m->files[m->n_files++] = u->from->files[i];
}

/* The module ------------------------------------------------------------ */

static int32_t *no_places(struct linker *l, size_t n)
{
    int32_t *places = take(l, n, sizeof *places);
    for (size_t i = 0; i < n; i++)
        places[i] = NO_PLACE;
    return places;
}

/* Room for everything that the units have. */
static void make_room(struct linker *l, const struct ptx_module *const *units)
{
    struct ptx_module *m = l->to;
    size_t funcs = 0, vars = 0, locs = 0, files = 0;
    l->units = take(l, l->n_units, sizeof *l->units);
    for (size_t n = 0; n < l->n_units; n++) {
        l->units[n] = (struct unit){units[n],
                                    no_places(l, units[n]->n_funcs),
                                    no_places(l, units[n]->n_vars), 0, 0};
        funcs += units[n]->n_funcs;
        vars += units[n]->n_vars;
        locs += units[n]->n_locs;
        files += units[n]->n_files;
    }
    m->funcs = take(l, funcs, sizeof *m->funcs);
    m->vars = take(l, vars, sizeof *m->vars);
    m->locs = take(l, locs, sizeof *m->locs);
    m->files = take(l, files, sizeof *m->files);
    l->funcs = take(l, funcs, sizeof *l->funcs);
    l->vars = take(l, vars, sizeof *l->vars);
    l->symbols = take(l, funcs + vars, sizeof *l->symbols);
}

/* Kernels, and the variables that the host may name. */
static void place_roots(struct linker *l, size_t unit)
{
    const struct ptx_module *m = l->units[unit].from;
    for (size_t n = 0; n < m->n_funcs; n++)
        if (m->funcs[n].is_entry && m->funcs[n].has_body)
            place_func(l, unit, (int32_t)n);
    for (size_t n = 0; n < m->n_vars; n++) {
        const struct ptx_var *v = &m->vars[n];
        bool device =
            v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST;
        if (device && v->func < 0 && v->linkage != PTX_EXTERN)
            place_var(l, unit, (int32_t)n);
    }
}

/* The newest version and the highest target of all. */
static void join_headers(struct ptx_module *m, const struct ptx_module *unit)
{
    if (unit->version_major > m->version_major ||
        (unit->version_major == m->version_major &&
         unit->version_minor > m->version_minor)) {
        m->version_major = unit->version_major;
        m->version_minor = unit->version_minor;
    }
    m->debug |= unit->debug;
    size_t have = m->target ? strlen(m->target) : 0;
    size_t has = strlen(unit->target); /* sm_100 is longer than sm_90 */
    if (has > have || (has == have && strcmp(unit->target, m->target) > 0))
        m->target = unit->target;
}

struct ptx_module *ptx_link(const struct ptx_module *const *units, size_t n,
                            bool (*provided)(const char *name),
                            struct ptx_link_error *error)
{
    struct arena *arena = arena_open();
    struct linker *l = arena ? arena_alloc(arena, 1, sizeof *l) : NULL;
    *error = (struct ptx_link_error){.kind = PTX_LINK_NO_MEMORY, .name = ""};
    if (!l || !names_open(&l->names, arena) ||
        !(l->to = arena_alloc(arena, 1, sizeof *l->to))) {
        arena_close(arena);
        return NULL;
    }
    l->arena = l->to->arena = arena;
    l->n_units = n;
    l->provided = provided;
    l->error = error;
    if (setjmp(l->failed)) {
        arena_close(arena);
        return NULL;
    }
    make_room(l, units);
    for (size_t u = 0; u < l->n_units; u++) {
        join_headers(l->to, l->units[u].from);
        copy_lines(l, &l->units[u]);
        enter_unit(l, u);
    }
    for (size_t u = 0; u < l->n_units; u++)
        place_roots(l, u);
    copy_all(l);
    return l->to;
}
