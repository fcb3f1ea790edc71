// SPDX-License-Identifier: MIT
/*
 * page.c: a kernel's accesses and its source as one HTML page; see trace.h.
 *
 * Without scripts the page shows every access, each in a section that Tab
 * reaches. With scripts the arrow keys move from access to access, and the
 * access's source line is highlighted.
 */
#include "trace.h"

#include <stdio.h>
#include <string.h>

#include "svg/svg.h"

enum { MAX_ACCESSES = 60 }; /* per page */

static const char STYLE[] =
    "<style>\n"
    ":root { color-scheme: light dark; --paper: #fdfcf9; --ink: #22262b;\n"
    "  --soft: #5a6169; --line: #e0dcd2; --mark: #ffe9b0 }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #16191c;\n"
    "  --ink: #d9dcd8; --soft: #a0a7a8; --line: #343a3f; --mark: #4a3d12 } }\n"
    "body { background: var(--paper); color: var(--ink);\n"
    "  font: 16px/1.5 system-ui, sans-serif; max-width: 60rem;\n"
    "  margin: 0 auto; padding: 1rem }\n"
    "h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin: 0 }\n"
    "section { border: 1px solid var(--line); border-radius: 8px;\n"
    "  padding: .6rem .8rem; margin: .8rem 0; overflow-x: auto }\n"
    "section:focus { outline: 3px solid #1f5fa8; outline-offset: 2px }\n"
    "pre { margin: .3rem 0; font: 13px/1.4 ui-monospace, monospace;\n"
    "  overflow-x: auto }\n"
    "p { margin: .3rem 0 } .soft { color: var(--soft) }\n"
    "table { border-collapse: collapse; font: 13px/1.45 ui-monospace,\n"
    "  monospace } td, th { padding: 0 .5rem; text-align: right;\n"
    "  white-space: pre } td:last-child, th:last-child { text-align: left }\n"
    "tr:target, tr.here { background: var(--mark) }\n"
    "tr.here td:last-child::before { content: \"\\25b6  \" }\n"
    "svg { max-width: 100%; height: auto } .wide { overflow-x: auto }\n"
    "</style>\n";

static const char SCRIPT[] =
    "<script>\n"
    "const all = [...document.querySelectorAll('section')];\n"
    "function mark() {\n"
    "  const at = document.activeElement.dataset.line;\n"
    "  for (const row of document.querySelectorAll('tr'))\n"
    "    row.classList.toggle('here', at && row.id === 'L' + at);\n"
    "}\n"
    "document.addEventListener('focusin', mark);\n"
    "document.addEventListener('keydown', event => {\n"
    "  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];\n"
    "  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;\n"
    "  const now = all.indexOf(document.activeElement);\n"
    "  const next = all[now < 0 ? 0 : now + step];\n"
    "  if (!next) return;\n"
    "  next.focus({preventScroll: true});\n"
    "  next.scrollIntoView({block: 'nearest'});\n"
    "  event.preventDefault();\n"
    "});\n"
    "</script>\n";

static void escape(const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", stdout); break;
        case '>': fputs("&gt;", stdout); break;
        case '&': fputs("&amp;", stdout); break;
        default: putchar(*text);
        }
}

/* A line of the source, without its indentation. */
static void print_code(char **lines, int n, int line)
{
    if (line < 1 || line > n)
        return;
    fputs("<pre>", stdout);
    escape(lines[line - 1] + strspn(lines[line - 1], " \t"));
    puts("</pre>");
}

static void print_access(const struct access *a, int id, char **lines, int n)
{
    char words[96];
    picture_words(a, words, sizeof words);
    printf("<section tabindex=\"0\" data-line=\"%d\" id=\"A%d\">\n<h2>%d. "
           "Line <a href=\"#L%d\">%d</a>: %s of %s memory</h2>\n",
           a->line, id, id, a->line, a->line,
           a->atomic ? "an atomic" : a->write ? "a store" : "a load",
           a->shared ? "shared" : "global");
    print_code(lines, n, a->line);
    printf("<p>%s; <code>%s</code>, %d active lanes of %d bytes", words, a->op,
           __builtin_popcount(a->mask), a->bytes);
    if (a->times > 1)
        printf("; %d times, with the same pattern at other addresses",
               a->times);
    puts(".</p>");
    picture_draw(a, id);
    puts("</section>");
}

static void print_cell(double over, double under)
{
    if (under > 0)
        printf("<td>%.1f</td>", over / under);
    else
        fputs("<td></td>", stdout);
}

static void print_source(const json_t *kernel)
{
    int n;
    char **lines = trace_source(trace_str(kernel, "source"), &n);
    double all = trace_issued(kernel);
    puts("<h2>The source, with the cost of each line</h2>\n<div class=\"wide\" "
         "tabindex=\"0\">\n<table><thead><tr><th scope=\"col\">work %</th>"
         "<th scope=\"col\">lanes</th><th scope=\"col\">sectors</th>"
         "<th scope=\"col\">wavefronts</th><th scope=\"col\">conflicts</th>"
         "<th scope=\"col\">line</th><th scope=\"col\">source</th></tr>"
         "</thead><tbody>");
    for (int line = 1; line <= n; line++) {
        struct costs c;
        printf("<tr id=\"L%d\">", line);
        trace_costs(kernel, line, &c);
        print_cell(100 * c.issued, c.issued > 0 ? all : 0);
        print_cell(c.lanes, c.issued);
        print_cell(c.sectors, c.requests);
        print_cell(c.wavefronts, c.shared);
        print_cell(c.conflicts, c.shared);
        printf("<td>%d</td><td>", line);
        escape(lines[line - 1]);
        puts("</td></tr>");
    }
    puts("</tbody></table></div>\n<p class=\"soft\">work: share of all warp "
         "instructions. lanes: active lanes of 32, on average. sectors, "
         "wavefronts, conflicts: per request.</p>");
    trace_source_free(lines, n);
}

void page_print(const json_t *root, const json_t *kernel)
{
    static struct access list[MAX_ACCESSES];
    int n = trace_accesses(kernel, list, MAX_ACCESSES), n_lines;
    char **lines = trace_source(trace_str(kernel, "source"), &n_lines);
    printf("<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
           "charset=\"utf-8\"><meta name=\"viewport\" "
           "content=\"width=device-width\">\n<title>Chapter %02d, %s</title>\n",
           (int)json_integer_value(json_object_get(root, "chapter")),
           trace_str(kernel, "name"));
    fputs(STYLE, stdout);
    svg_style();
    printf("</head><body>\n<h1>Chapter %02d, %s: ",
           (int)json_integer_value(json_object_get(root, "chapter")),
           trace_str(root, "title"));
    escape(trace_str(kernel, "source"));
    printf("</h1>\n<p>The memory accesses of the first warp of the block in "
           "the middle of the grid, at %s, on the simulated GPU. The arrow "
           "keys move from access to access.</p>\n<p class=\"soft\">Each "
           "square is 4 bytes, with the number of the lane that uses them; "
           "empty: unused. For global memory each row is a cache line and "
           "each solid frame a sector; for shared memory each dashed frame is "
           "a wavefront over the banks.</p>\n",
           trace_str(kernel, "shape"));
    for (int k = 0; k < n; k++)
        print_access(&list[k], k + 1, lines, n_lines);
    trace_source_free(lines, n_lines);
    if (n == 0)
        puts("<p>That warp does not access global or shared memory.</p>");
    if (n == MAX_ACCESSES)
        printf("<p>Further accesses are left out.</p>\n");
    print_source(kernel);
    fputs(SCRIPT, stdout);
    puts("</body></html>");
}
