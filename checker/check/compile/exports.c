// SPDX-License-Identifier: MIT
/*
 * exports.c: reads a shared library's dynamic symbols; see exports.h.
 *
 * The file comes from nvcc and the host's linker, but what is in it is the
 * learner's: every offset is checked against the file's size.
 */
#include "exports.h"

#include <elf.h>
#include <string.h>

#include "check/base/text.h"

/* A table of a section header, if all of it is in the file. */
static const void *section(const struct text *file, const Elf64_Shdr *header)
{
    if (header->sh_offset > file->n ||
        header->sh_size > file->n - header->sh_offset)
        return NULL;
    return file->s + header->sh_offset;
}

static const Elf64_Shdr *headers(const struct text *file, size_t *n)
{
    const Elf64_Ehdr *elf = (const void *)file->s;

    if (file->n < sizeof *elf || memcmp(file->s, ELFMAG, SELFMAG) != 0 ||
        elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_shoff > file->n ||
        elf->e_shoff % _Alignof(Elf64_Shdr) != 0 ||
        elf->e_shnum > (file->n - elf->e_shoff) / sizeof(Elf64_Shdr))
        return NULL;
    *n = elf->e_shnum;
    return (const void *)(file->s + elf->e_shoff);
}

static bool is_exported(const Elf64_Sym *symbol)
{
    return ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
           symbol->st_shndx != SHN_UNDEF;
}

static bool is_allowed(const char *name, const struct op *op)
{
    static const char *const linkers[] = {"_init", "_fini", "_edata", "_end",
                                          "__bss_start"};

    for (size_t i = 0; i < sizeof linkers / sizeof *linkers; i++)
        if (strcmp(name, linkers[i]) == 0)
            return true;
    return strcmp(name, op->launcher) == 0 ||
           (op->workspace && strcmp(name, op->workspace) == 0) ||
           strncmp(name, "_Z", 2) == 0;
}

static char *first_foreign(const struct text *file, const Elf64_Shdr *table,
                           const Elf64_Shdr *strings, const struct op *op)
{
    const Elf64_Sym *symbols = section(file, table);
    const char *names = section(file, strings);
    size_t n = table->sh_size / sizeof *symbols;

    /* The last byte of a string table is 0: then every name ends in it. */
    if (!symbols || !names || strings->sh_size == 0 ||
        names[strings->sh_size - 1] != '\0' ||
        table->sh_offset % _Alignof(Elf64_Sym) != 0)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (is_exported(&symbols[i]) &&
            symbols[i].st_name < strings->sh_size &&
            !is_allowed(names + symbols[i].st_name, op))
            return strdup(names + symbols[i].st_name);
    return NULL;
}

char *exports_foreign(const char *stage, const struct op *op)
{
    struct text file = {0};
    const Elf64_Shdr *header;
    char *name = NULL;
    size_t n = 0;

    header = file_read(stage, &file) ? headers(&file, &n) : NULL;
    for (size_t i = 0; header && !name && i < n; i++)
        if (header[i].sh_type == SHT_DYNSYM && header[i].sh_link < n)
            name = first_foreign(&file, &header[i],
                                 &header[header[i].sh_link], op);
    text_free(&file);
    return name;
}
