// SPDX-License-Identifier: MIT
/*
 * census.c: lists the instructions that the simulated GPU accepts and refuses.
 *
 *   simgpu-census REFUSED.txt   prints common/simgpu/instructions.md; exits
 *                               with 1 if it accepts one of REFUSED.txt
 *
 * The accepted ones come from the decoder's table: the rows that compute on
 * their operands as they stand, and the patterns. For those of REFUSED.txt it
 * asks the decoder, one instruction at a time.
 */
#include "simgpu/core/exec/control.h"
#include "simgpu/core/state/state.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/decode/row_words.h"

enum { COLUMNS = 79, LINE_MOST = 512 };

/* Prints words one after another, lines broken at the margin. */
static void put_word(const char *word, size_t n, size_t *column,
                     const char *margin)
{
    if (*column && *column + 1 + n > COLUMNS) {
        printf("\n%s", margin);
        *column = strlen(margin);
    } else if (*column) {
        putchar(' ');
        ++*column;
    }
    printf("%.*s", (int)n, word);
    *column += n;
}

/* NULL: the row is a pattern. */
static const char *words_of(size_t row)
{
    bool is_pattern;
    const char *words = row_words(row, &is_pattern);
    return is_pattern ? NULL : words;
}

static bool same_opcode(const char *a, const char *b)
{
    size_t n = strcspn(a, ".");
    return n == strcspn(b, ".") && strncmp(a, b, n) == 0;
}

static bool opcode_was_before(size_t row)
{
    for (size_t k = 0; k < row; k++)
        if (words_of(k) && same_opcode(words_of(k), words_of(row)))
            return true;
    return false;
}

/* An opcode's rows: each spelling once, its modifiers left out. */
static void put_rows_of(size_t first)
{
    const char *name = words_of(first);
    size_t column = 0;
    put_word(name, strcspn(name, "."), &column, "    ");
    for (size_t k = first; k < row_count(); k++) {
        const char *words = words_of(k);
        bool again = !words || !same_opcode(words, name);
        for (size_t j = first; j < k && !again; j++)
            again = words_of(j) && strcmp(words_of(j), words) == 0;
        if (!again)
            put_word(words + strcspn(words, "."),
                     strlen(words) - strcspn(words, "."), &column, "    ");
    }
    putchar('\n');
}

/* A pattern, broken behind commas where it is long. */
static void put_form(const char *form)
{
    size_t column = 0;
    while (*form) {
        size_t n = 1;
        while (form[n - 1] && form[n - 1] != ',')
            n++;
        n -= !form[n - 1];
        if (column + n > COLUMNS) {
            printf("\n    ");
            column = 4;
        }
        printf("%.*s", (int)n, form);
        column += n;
        form += n;
    }
    putchar('\n');
}

static void put_taken(void)
{
    puts("<!-- By make instructions. -->\n# What the simulated GPU takes\n\n"
         "PTX instructions, as the decoder knows them. Everything else is\n"
         "refused when a kernel reaches it, by name and with its line.\n\n"
         "## By operands\n\n"
         "Rounding modes, `.ftz`, `.sat`, `.NaN`, `.abs` and `.xorsign` are\n"
         "left out: the rows of core/decode/decode_table.c say what takes\n"
         "which.\n\n"
         "```");
    for (size_t k = 0; k < row_count(); k++)
        if (words_of(k) && !opcode_was_before(k))
            put_rows_of(k);
    puts("```\n\n## By pattern\n\n`{a,b,}` is `a`, `b` or nothing.\n\n```");
    for (size_t k = 0; k < row_count(); k++) {
        bool is_pattern;
        const char *words = row_words(k, &is_pattern);
        if (is_pattern)
            put_form(words);
    }
    puts("```");
}

static struct engine *engine;

/* Whether the decoder takes the one instruction; says so if not read. */
static bool is_taken(const char *instruction)
{
    char text[4 * LINE_MOST], why[256] = "";
    int n = snprintf(text, sizeof text,
                     ".version 9.0\n.target sm_100a\n.address_size 64\n"
                     ".visible .entry k()\n{\n.reg .pred %%p<4>;"
                     ".reg .b16 %%h<8>; .reg .b32 %%r<16>; .reg .f32 %%f<8>;"
                     ".reg .b64 %%l<8>;\n%s\nret;\n}\n", instruction);
    struct ptx_module *ptx = ptx_read(text, (size_t)n, why, sizeof why);
    struct module *m = ptx ? engine_load(engine, ptx, why, sizeof why) : NULL;
    bool taken = !m || m->functions[0].insts[0].fn != op_unsupported;
    if (!m)
        fprintf(stderr, "%s: %s\n", instruction, why);
    ptx_free(ptx);
    if (m)
        engine_unload(engine, m);
    return taken;
}

/* "What it is for | instruction;" */
static bool put_refused(FILE *list)
{
    char line[LINE_MOST], group[LINE_MOST] = "";
    bool good = true;
    size_t column = 0;
    puts("\n## Refused\n\nOf the PTX ISA, among others:");
    while (fgets(line, sizeof line, list)) {
        char *bar = strstr(line, " | ");
        if (line[0] == '#' || !bar)
            continue;
        *bar = '\0';
        const char *instruction = bar + 3;
        if (strcmp(group, line) != 0) {
            printf("%s\n**%s**\n\n```\n", *group ? "\n```\n" : "", line);
            strcpy(group, line);
            column = 0;
        }
        bool shows_operands = strstr(instruction, "%pm0") ||
                              strstr(instruction, "%envreg0") ||
                              strstr(instruction, "%current_graph_exec");
        size_t n = shows_operands ? strcspn(instruction, ";")
                                  : strcspn(instruction, " ;");
        put_word(instruction, n, &column, "");
        if (is_taken(instruction)) {
            fprintf(stderr, "taken, and listed as refused: %s", instruction);
            good = false;
        }
    }
    puts("\n```");
    return good && *group;
}

int main(int argc, char **argv)
{
    struct engine_config config = {.gpu = gpu_find("h200")};
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!list) {
        fprintf(stderr, "usage: simgpu-census REFUSED.txt\n");
        return 2;
    }
    engine = engine_open(&config);
    put_taken();
    bool good = put_refused(list);
    engine_close(engine);
    fclose(list);
    return good ? 0 : 1;
}
