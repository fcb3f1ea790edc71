// SPDX-License-Identifier: MIT
/*
 * main.c: pages, pictures and listings from a file of `check --inspect`.
 *
 *   trace names FILE          the file's kernels
 *   trace page FILE KERNEL    an HTML page on stdout
 *   trace picture FILE KERNEL N    the N-th access as an SVG file, from 1
 *   trace predicted FILE      the predictions, as the book's facts
 *   trace launches FILE       a report of simgpu: milliseconds PREDICTED, one
 *                             line per launch
 *   trace lines FILE KERNEL   the source with the cost of each line, as text
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svg/svg.h"

enum { MAX_ACCESSES = 60 };

static void usage(void)
{
    fputs("usage: trace names|predicted|launches|page|picture|lines FILE "
          "[KERNEL] [N]\n", stderr);
    exit(2);
}

static const json_t *find(const json_t *root, const char *name)
{
    const json_t *k;
    size_t i;
    json_array_foreach(json_object_get(root, "kernels"), i, k)
        if (strcmp(trace_str(k, "name"), name) == 0)
            return k;
    fprintf(stderr, "trace: no kernel %s\n", name);
    exit(2);
}

static void print_names(const json_t *root)
{
    const json_t *k;
    size_t i;
    json_array_foreach(json_object_get(root, "kernels"), i, k)
        puts(trace_str(k, "name"));
}

static void print_facts(const json_t *root, const json_t *kernel)
{
    const json_t *p = json_object_get(kernel, "predicted"), *value;
    const json_t *parts = json_object_get(p, "parts_ms");
    static const char *const keys[] = {"ms", "l2_bytes", "memory_bytes"};
    char key[128];
    const char *part;
    snprintf(key, sizeof key, "predicted/%02d/%s",
             (int)json_integer_value(json_object_get(root, "chapter")),
             trace_str(kernel, "name"));
    if (!json_is_object(p))
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        printf("%s/%s\t%.5g\n", key, keys[i],
               json_number_value(json_object_get(p, keys[i])));
    printf("%s/bound\t%s\n", key, trace_str(p, "bound"));
    json_object_foreach((json_t *)parts, part, value)
        printf("%s/%s_ms\t%.5g\n", key, part, json_number_value(value));
}

static void print_predicted(const json_t *root)
{
    const json_t *k;
    size_t i;
    json_array_foreach(json_object_get(root, "kernels"), i, k)
        print_facts(root, k);
}

static void print_launches(const json_t *root)
{
    const json_t *launch;
    size_t i;
    json_array_foreach(json_object_get(root, "launches"), i, launch) {
        const json_t *p = json_object_get(launch, "predicted");
        if (json_is_object(p))
            printf("%.9g\n", json_number_value(json_object_get(p, "ms")));
    }
}

/* A picture in a file of its own includes its text, style and background. */
static int print_picture(const json_t *kernel, int which)
{
    static struct access list[MAX_ACCESSES];
    int n = trace_accesses(kernel, list, MAX_ACCESSES);
    char text[128], words[96];
    if (which < 1 || which > n)
        return 1;
    const struct access *a = &list[which - 1];
    picture_words(a, words, sizeof words);
    snprintf(text, sizeof text, "%s, line %d", trace_str(kernel, "source"),
             a->line);
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
           "viewBox=\"0 0 840 %d\" width=\"840\" height=\"%d\" "
           "aria-labelledby=\"t d\">\n<title id=\"t\">%s</title>\n"
           "<desc id=\"d\">%s</desc>\n",
           picture_height(a) + 70, picture_height(a) + 70, text, words);
    svg_style();
    printf("<rect class=\"paper\" width=\"840\" height=\"%d\" rx=\"8\"/>\n"
           "<text class=\"head\" x=\"20\" y=\"28\">%s</text>\n"
           "<text x=\"20\" y=\"48\">%s</text>\n"
           "<g transform=\"translate(10 60)\">\n",
           picture_height(a) + 70, text, words);
    picture_draw(a, 0);
    puts("</g></svg>");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        usage();
    json_t *root = json_load_file(argv[2], 0, NULL);
    if (!root) {
        fprintf(stderr, "trace: cannot read %s\n", argv[2]);
        return 2;
    }
    int code = 0;
    if (strcmp(argv[1], "names") == 0)
        print_names(root);
    else if (strcmp(argv[1], "predicted") == 0)
        print_predicted(root);
    else if (strcmp(argv[1], "launches") == 0)
        print_launches(root);
    else if (argc < 4)
        usage();
    else if (strcmp(argv[1], "page") == 0)
        page_print(root, find(root, argv[3]));
    else if (strcmp(argv[1], "lines") == 0)
        listing_print(find(root, argv[3]));
    else if (strcmp(argv[1], "picture") == 0 && argc == 5)
        code = print_picture(find(root, argv[3]), atoi(argv[4]));
    else
        usage();
    json_decref(root);
    return code;
}
