// SPDX-License-Identifier: MIT
/*
 * imports.c: what the program's code may call.
 *
 *   rt_imports   see runtime.h
 *
 * Which calls a program may make stands in its relocations, and in those of the
 * libraries that it has loaded: the dynamic linker binds each name there.
 */
#include "runtime.h"

#include <link.h>
#include <string.h>

struct wanted {
    const char *name;
    bool found;
};

/* Of one object: where its dynamic section says that things are. */
struct object {
    const ElfW(Sym) *symbols;
    const char *names;
    const ElfW(Rela) *list[2]; /* of the linkage table, and the others */
    size_t bytes[2];
};

static const void *at(const struct dl_phdr_info *info, ElfW(Addr) address)
{
    return (const void *)(address < info->dlpi_addr
                              ? info->dlpi_addr + address : address);
}

static struct object read_dynamic(const struct dl_phdr_info *info,
                                  const ElfW(Dyn) *d)
{
    struct object o = {0};
    for (; d->d_tag != DT_NULL; d++)
        switch (d->d_tag) {
        case DT_SYMTAB: o.symbols = at(info, d->d_un.d_ptr); break;
        case DT_STRTAB: o.names = at(info, d->d_un.d_ptr); break;
        case DT_JMPREL: o.list[0] = at(info, d->d_un.d_ptr); break;
        case DT_PLTRELSZ: o.bytes[0] = d->d_un.d_val; break;
        case DT_RELA: o.list[1] = at(info, d->d_un.d_ptr); break;
        case DT_RELASZ: o.bytes[1] = d->d_un.d_val; break;
        default: break;
        }
    return o;
}

static bool imports(const struct object *o, const char *name)
{
    for (int k = 0; k < 2 && o->symbols && o->names; k++)
        for (size_t n = 0; o->list[k] && n < o->bytes[k] / sizeof *o->list[k];
             n++) {
            const ElfW(Sym) *s = &o->symbols[ELF64_R_SYM(o->list[k][n].r_info)];
            if (s->st_shndx == SHN_UNDEF &&
                strcmp(o->names + s->st_name, name) == 0)
                return true;
        }
    return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *wanted)
{
    struct wanted *w = wanted;
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_DYNAMIC) {
            struct object o = read_dynamic(
                info, at(info, info->dlpi_phdr[k].p_vaddr + info->dlpi_addr));
            w->found |= imports(&o, w->name);
        }
    return w->found;
}

bool rt_imports(const char *name)
{
    struct wanted w = {name, false};
    dl_iterate_phdr(look, &w);
    return w.found;
}
