// SPDX-License-Identifier: MIT
/*
 * compare.c: one recorded table against the simulated GPU's reports, as TAP.
 *
 *   compare TABLE.csv FOLDER      FOLDER/N.json is the report of data row N
 *
 * Global requests and sectors must be equal: each is a test. The shared columns
 * are recorded for the reader only, because ptxas merges and splits shared
 * accesses after the PTX that the simulator executes.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { KEYS = 4, LINE = 512, COLUMNS = 16 };

/* Sum of one counter over the launches of a report; -1: no such report. */
static double counted(const json_t *report, const char *counter)
{
    json_t *launches = json_object_get(report, "launches"), *launch;
    size_t i;
    double sum = 0;
    if (json_array_size(launches) == 0)
        return -1;
    json_array_foreach(launches, i, launch)
        sum += json_number_value(json_object_get(
            json_object_get(launch, "counters"), counter));
    return sum;
}

static int split(char *line, char **field)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *f = strtok(line, ","); f && n < COLUMNS; f = strtok(NULL, ","))
        field[n++] = f;
    return n;
}

/* One row: every global counter is a test of its own. Returns the failures. */
static int compare_row(char **name, char **field, int n, const json_t *report,
                       int *test)
{
    int failures = 0;
    for (int i = KEYS; i < n; i++) {
        if (strncmp(name[i], "global_", 7) != 0)
            continue;
        double want = atof(field[i]), got = counted(report, name[i]);
        bool ok = got == want;
        failures += !ok;
        printf("%sok %d - %s %s %s: %s %.0f", ok ? "" : "not ", ++*test,
               field[0], field[1], field[3], name[i], want);
        printf(ok ? "\n" : ", simulated %.0f\n", got);
    }
    return failures;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: compare TABLE.csv FOLDER\n");
        return 2;
    }
    FILE *table = fopen(argv[1], "r");
    if (!table) {
        perror(argv[1]);
        return 2;
    }
    char line[LINE], head[LINE] = "", *name[COLUMNS], *field[COLUMNS];
    int columns = 0, row = 0, test = 0, failures = 0;
    while (fgets(line, sizeof line, table)) {
        if (line[0] == '#')
            continue;
        if (columns == 0) {
            columns = split(strcpy(head, line), name);
            continue;
        }
        int n = split(line, field);
        char path[LINE];
        snprintf(path, sizeof path, "%s/%d.json", argv[2], ++row);
        json_t *report = json_load_file(path, 0, NULL);
        failures += compare_row(name, field, n < columns ? n : columns, report,
                                &test);
        json_decref(report);
    }
    fclose(table);
    printf("1..%d\n", test);
    return failures > 0 || test == 0;
}
