// SPDX-License-Identifier: MIT
/*
 * main.c: alike, for whoever grades: code that is the same, or nearly, once
 * comments, names and layout are gone.
 *
 *   alike same FILE GIVEN...    exit code 0: FILE is one of the GIVEN, or its
 *                               holes hold what theirs do; 1: it is not
 *   alike pairs GIVEN... <list  who handed in alike files; the list has lines
 *                               PERSON, tab, FILE, and so has what is printed:
 *                                 same PERSON PERSON...   names apart, equal
 *                                 SHARE PERSON PERSON     percent, the most
 *                                                         alike first
 *                                 unread PERSON...        not compared: it
 *                                                         was too much
 *
 * Whoever hands in may wish that this ends early. So each file is read in a
 * process of its own, which may fail alone.
 *
 * The hard idea is winnowing (Schleimer, Wilkerson, Aiken: SIGMOD 2003): of the
 * hashes of every RUN tokens in a row, the least of each WINDOW is kept, so a
 * passage of RUN + WINDOW - 1 tokens that two files share always leaves a
 * common fingerprint. What was handed out does not count, nor what so many have
 * that the task must ask for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tokens.h"

enum {
    RUN = 9,
    WINDOW = 5,
    COMMON = 10,      /* people who have it, or a tenth of them if more */
    LEAST_PRINTS = 4, /* below, two files share a line by chance */
    LEAST_SHARE = 60  /* percent */
};

enum {
    MOST_MEMORY = 1 << 30,
    MOST_SECONDS = 20 /* of a processor */
};

struct prints {
    uint64_t *hash; /* ascending, each once */
    int n;
};

struct hand_in {
    char *person, *form; /* NULL: it could not be read */
    struct prints prints;
    int same_as; /* the first with this form */
};

struct class {
    struct hand_in *one;
    int n;
};

static void *room(void *old, size_t n, size_t size)
{
    void *p = reallocarray(old, n ? n : 1, size);

    if (!p) {
        fputs("alike: no memory\n", stderr);
        exit(2);
    }
    return p;
}

static void read_or_end(struct tokens *t, const char *path)
{
    if (tokens_read(t, path))
        return;
    fprintf(stderr, "alike: cannot read %s\n", path);
    exit(2);
}

/* Two texts of tokens. That both are empty makes them no copies. */
static bool is_copy(const struct tokens *a, const struct tokens *b, bool inside)
{
    char *first = tokens_form(a, inside, inside ? b : NULL);
    char *second = tokens_form(b, inside, inside ? b : NULL);
    bool same = *first && strcmp(first, second) == 0;

    free(first);
    free(second);
    return same;
}

static void limit(void)
{
    struct rlimit memory = {MOST_MEMORY, MOST_MEMORY};
    struct rlimit seconds = {MOST_SECONDS, MOST_SECONDS + 1}; /* by SIGXCPU */
    struct rlimit none = {0, 0};

    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
}

static int same(const char *path, char **given, int n)
{
    struct tokens file;
    bool found = false;

    read_or_end(&file, path);
    for (int i = 0; i < n && !found; i++) {
        struct tokens other;

        read_or_end(&other, given[i]);
        found = is_copy(&file, &other, false) ||
                (file.n_inside > 0 && is_copy(&file, &other, true));
        tokens_free(&other);
    }
    tokens_free(&file);
    return found ? 0 : 1;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void sort_once(struct prints *p)
{
    int n = 0;

    qsort(p->hash, (size_t)p->n, sizeof *p->hash, ascending);
    for (int i = 0; i < p->n; i++)
        if (n == 0 || p->hash[i] != p->hash[n - 1])
            p->hash[n++] = p->hash[i];
    p->n = n;
}

/* Hashes of every RUN tokens; with window 1 all are kept. */
static struct prints fingerprints(const struct tokens *t, int window)
{
    uint64_t *kind = room(NULL, (size_t)t->n, sizeof *kind);
    struct prints p = {room(NULL, (size_t)t->n, sizeof *p.hash), 0};
    int runs = t->n - RUN + 1;

    tokens_kinds(t, kind);
    for (int i = 0; i < runs; i++) {
        uint64_t hash = 0;

        for (int k = 0; k < RUN; k++)
            hash = (hash ^ kind[i + k]) * 0x9fb21c651e98df25u + 1;
        kind[i] = hash ^ hash >> 29; /* kind[i] is used no more */
    }
    for (int i = 0; i + window <= runs; i++) {
        int least = i;

        for (int k = i; k < i + window; k++)
            if (kind[k] <= kind[least])
                least = k;
        p.hash[p.n++] = kind[least];
    }
    free(kind);
    sort_once(&p);
    return p;
}

static bool has(const struct prints *p, uint64_t hash)
{
    return bsearch(&hash, p->hash, (size_t)p->n, sizeof hash, ascending);
}

static void take_away(struct prints *from, const struct prints *given)
{
    int n = 0;

    for (int i = 0; i < from->n; i++)
        if (!has(given, from->hash[i]))
            from->hash[n++] = from->hash[i];
    from->n = n;
}

/* What a file's own process says of it: this, its form, its fingerprints. */
struct said {
    size_t bytes;
    int n;
};

/* In that process, which ends here. */
static void say(FILE *to, const char *path, const struct prints *given)
{
    struct tokens t;
    struct prints p;
    struct said said;
    char *form;

    limit();
    if (!tokens_read(&t, path))
        _exit(1);
    form = tokens_form(&t, false, NULL);
    p = fingerprints(&t, WINDOW);
    take_away(&p, given);
    said = (struct said){strlen(form) + 1, p.n};
    fwrite(&said, sizeof said, 1, to);
    fwrite(form, 1, said.bytes, to);
    fwrite(p.hash, sizeof *p.hash, (size_t)p.n, to);
    _exit(fflush(to) ? 1 : 0);
}

/* Leaves h->form NULL if the file's process has not said all. */
static void hear(struct hand_in *h, FILE *from)
{
    struct said said;
    char *form;

    if (fread(&said, sizeof said, 1, from) != 1)
        return;
    form = room(NULL, said.bytes, 1);
    h->prints.hash = room(NULL, (size_t)said.n, sizeof *h->prints.hash);
    if (fread(form, 1, said.bytes, from) != said.bytes ||
        fread(h->prints.hash, sizeof *h->prints.hash, (size_t)said.n, from) !=
            (size_t)said.n) {
        free(form);
        return;
    }
    h->form = form;
    h->prints.n = said.n;
}

static void read_apart(struct hand_in *h, const char *path,
                       const struct prints *given)
{
    int ends[2];
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    FILE *end;

    if (child < 0) {
        perror("alike");
        exit(2);
    }
    close(ends[child != 0]);
    end = fdopen(ends[child == 0], child ? "r" : "w");
    if (!end)
        _exit(2);
    if (child == 0) {
        close(STDIN_FILENO); /* its place in the list is its parent's, too */
        say(end, path, given);
    }
    hear(h, end);
    fclose(end);
    waitpid(child, NULL, 0);
}

static void add(struct class *c, const char *person, const char *path,
                const struct prints *given)
{
    struct hand_in *h;

    c->one = room(c->one, (size_t)c->n + 1, sizeof *c->one);
    h = &c->one[c->n];
    *h = (struct hand_in){.person = strdup(person), .same_as = c->n};
    read_apart(h, path, given);
    for (int i = 0; h->form && i < c->n && h->same_as == c->n; i++)
        if (c->one[i].form && strcmp(c->one[i].form, h->form) == 0)
            h->same_as = c->one[i].same_as;
    c->n++;
}

static struct class read_class(const struct prints *given)
{
    struct class c = {NULL, 0};
    char *line = NULL;
    size_t size = 0;
    ssize_t n;

    while ((n = getline(&line, &size, stdin)) > 0) {
        char *tab = strchr(line, '\t');

        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        if (!tab) {
            fputs("alike: a line of the list has no tab\n", stderr);
            exit(2);
        }
        *tab = '\0';
        add(&c, line, tab + 1, given);
    }
    free(line);
    return c;
}

static bool same_person(const struct hand_in *a, const struct hand_in *b)
{
    return strcmp(a->person, b->person) == 0;
}

/* Whether the group of i has j's person before j: people hand in twice. */
static bool is_named(const struct class *c, int i, int j)
{
    for (int k = i; k < j; k++)
        if (c->one[k].same_as == i && same_person(&c->one[k], &c->one[j]))
            return true;
    return false;
}

/* Each group of equal files of two people at least. */
static void print_groups(const struct class *c)
{
    for (int i = 0; i < c->n; i++) {
        bool many = false;

        if (c->one[i].same_as != i || c->one[i].prints.n < LEAST_PRINTS)
            continue;
        for (int j = i + 1; j < c->n; j++)
            many |= c->one[j].same_as == i &&
                    !same_person(&c->one[i], &c->one[j]);
        if (!many)
            continue;
        fputs("same", stdout);
        for (int j = i; j < c->n; j++)
            if (c->one[j].same_as == i && !is_named(c, i, j))
                printf("\t%s", c->one[j].person);
        putchar('\n');
    }
}

static void print_unread(const struct class *c)
{
    const char *before = "unread\t";

    for (int i = 0; i < c->n; i++) {
        if (c->one[i].form)
            continue;
        printf("%s%s", before, c->one[i].person);
        before = "\t";
    }
    if (*before == '\t')
        putchar('\n');
}

/* The fingerprints of more files than COMMON allows; of equal files, one. */
static struct prints common_prints(const struct class *c)
{
    struct prints all = {NULL, 0}, common = {NULL, 0};
    int files = 0, most, run = 0;

    for (int i = 0; i < c->n; i++) {
        const struct prints *p = &c->one[i].prints;

        if (c->one[i].same_as != i || p->n == 0)
            continue;
        files++;
        all.hash = room(all.hash, (size_t)(all.n + p->n), sizeof *all.hash);
        memcpy(all.hash + all.n, p->hash, (size_t)p->n * sizeof *p->hash);
        all.n += p->n;
    }
    most = files / 10 > COMMON ? files / 10 : COMMON;
    common.hash = room(NULL, (size_t)all.n, sizeof *all.hash);
    if (all.n > 0)
        qsort(all.hash, (size_t)all.n, sizeof *all.hash, ascending);
    for (int i = 0; i < all.n; i++) {
        run = i > 0 && all.hash[i] == all.hash[i - 1] ? run + 1 : 1;
        if (run == most + 1)
            common.hash[common.n++] = all.hash[i];
    }
    free(all.hash);
    return common;
}

struct pair {
    int a, b, share;
};

static int most_first(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    if (x->share != y->share)
        return y->share - x->share;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

/* Of the smaller one's fingerprints, in percent. */
static int share(const struct prints *a, const struct prints *b)
{
    int least = a->n < b->n ? a->n : b->n, both = 0;

    for (int i = 0, j = 0; i < a->n && j < b->n;) {
        both += a->hash[i] == b->hash[j];
        if (a->hash[i] < b->hash[j])
            i++;
        else if (a->hash[i] > b->hash[j])
            j++;
        else
            i++, j++;
    }
    return least < LEAST_PRINTS ? 0 : 100 * both / least;
}

static void print_pairs(const struct class *c)
{
    struct prints common = common_prints(c);
    struct pair *pair = NULL;
    int n = 0;

    for (int i = 0; i < c->n; i++)
        take_away(&c->one[i].prints, &common);
    for (int i = 0; i < c->n; i++)
        for (int j = i + 1; j < c->n && c->one[i].same_as == i; j++) {
            int s = share(&c->one[i].prints, &c->one[j].prints);

            if (s < LEAST_SHARE || c->one[j].same_as != j ||
                same_person(&c->one[i], &c->one[j]))
                continue;
            pair = room(pair, (size_t)n + 1, sizeof *pair);
            pair[n++] = (struct pair){i, j, s};
        }
    if (n > 0)
        qsort(pair, (size_t)n, sizeof *pair, most_first);
    for (int i = 0; i < n; i++)
        printf("%d\t%s\t%s\n", pair[i].share, c->one[pair[i].a].person,
               c->one[pair[i].b].person);
    free(pair);
    free(common.hash);
}

static int pairs(char **paths, int n)
{
    struct prints given = {room(NULL, 0, sizeof *given.hash), 0};
    struct class c;

    for (int i = 0; i < n; i++) {
        struct tokens t;
        struct prints p;

        read_or_end(&t, paths[i]);
        p = fingerprints(&t, 1);
        given.hash = room(given.hash, (size_t)(given.n + p.n), sizeof *p.hash);
        memcpy(given.hash + given.n, p.hash, (size_t)p.n * sizeof *p.hash);
        given.n += p.n;
        free(p.hash);
        tokens_free(&t);
    }
    sort_once(&given);
    c = read_class(&given);
    print_groups(&c);
    print_pairs(&c);
    print_unread(&c);
    for (int i = 0; i < c.n; i++) {
        free(c.one[i].person);
        free(c.one[i].form);
        free(c.one[i].prints.hash);
    }
    free(c.one);
    free(given.hash);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "same") == 0) {
        limit();
        return same(argv[2], argv + 3, argc - 3);
    }
    if (argc > 1 && strcmp(argv[1], "pairs") == 0)
        return pairs(argv + 2, argc - 2);
    fputs("usage: alike same FILE GIVEN... | alike pairs GIVEN... <list\n",
          stderr);
    return 2;
}
