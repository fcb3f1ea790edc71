// SPDX-License-Identifier: MIT
/*
 * rounds.c: see rounds.h.
 *
 * It reads the source as text, as slips.c does, and only to ask: such a loop
 * may well have the same number of rounds for all. What a thread's own index is
 * worked out from (int warp = threadIdx.x / 32) counts as one; a function whose
 * body has a meeting is one.
 */
#include "rounds.h"

#include <ctype.h>
#include <string.h>

#include "code.h"

enum { NAMES = 32 };

/* Names, each from begin on. */
struct names {
    const char *begin[NAMES];
    size_t bytes[NAMES];
    int n;
};

static const char *const meetings[] = {[ROUNDS_BARRIER] = "__syncthreads",
                                       [ROUNDS_SHUFFLE] = "__shfl_"};

/* The name that ends at `end`, blanks aside. */
static void add_name(struct names *to, const char *source, const char *end)
{
    const char *begin;

    while (end > source && isspace((unsigned char)end[-1]))
        end--;
    for (begin = end; begin > source && code_is_name(begin[-1]); begin--)
        ;
    if (begin == end || to->n == NAMES)
        return;
    to->begin[to->n] = begin;
    to->bytes[to->n++] = (size_t)(end - begin);
}

/* Where a word stands alone in [from, to); NULL: nowhere. */
static const char *find_word(const char *from, const char *to,
                             const char *word, size_t bytes)
{
    for (const char *p = from;
         (p = memmem(p, (size_t)(to - p), word, bytes)); p++)
        if (!code_is_name(p[-1]) && !code_is_name(p[bytes]))
            return p;
    return NULL;
}

static const char *find_any(const struct names *names, const char *from,
                            const char *to)
{
    const char *p = NULL;

    for (int i = 0; i < names->n && !p; i++)
        p = find_word(from, to, names->begin[i], names->bytes[i]);
    return p;
}

static const char *find_meeting(const char *from, const char *to,
                                enum rounds_meeting meeting)
{
    return memmem(from, (size_t)(to - from), meetings[meeting],
                  strlen(meetings[meeting]));
}

/* threadIdx.x / 32: the same for all lanes of a warp, which meet in a
 * shuffle. */
static bool is_divided(const char *index)
{
    index += strlen("threadIdx.x");
    return *code_skip_space(index) == '/';
}

/* What is set to something with threadIdx in it: int row = blockIdx.x * 8 +
 * threadIdx.y, but not a[threadIdx.x] = 0. */
static struct names own_indices(const char *source, enum rounds_meeting meeting)
{
    struct names own = {.n = 0};

    for (const char *p = source; (p = strstr(p, "threadIdx.")); p++) {
        const char *at = p;

        if (meeting == ROUNDS_SHUFFLE && is_divided(p))
            continue;
        while (at > source && !strchr(";{}=<>?&", at[-1]))
            at--;
        if (at > source + 1 && at[-1] == '=' && !strchr("=!<>+-*/%&|^", at[-2]))
            add_name(&own, source, at - 1);
    }
    return own;
}

/* Behind the } of the { that p stands on. */
static const char *past_block(const char *p)
{
    int depth = 0;

    for (; *p; p++) {
        depth += (*p == '{') - (*p == '}');
        if (depth == 0)
            return p + 1;
    }
    return p;
}

/* Functions whose bodies have a meeting. */
static struct names meeting_functions(const char *source,
                                      enum rounds_meeting meeting)
{
    struct names found = {.n = 0};
    const char *end;

    for (const char *p = source; (p = strchr(p, '{')); p = end) {
        const char *close = p, *open;
        int depth = 0;

        end = past_block(p);
        while (close > source && isspace((unsigned char)close[-1]))
            close--;
        if (close == source || close[-1] != ')' ||
            !find_meeting(p, end, meeting))
            continue;
        for (open = close; open > source; open--) {
            depth += (open[-1] == ')') - (open[-1] == '(');
            if (depth == 0)
                break;
        }
        add_name(&found, source, open - 1);
    }
    return found;
}

/* The end of the statement that begins at p. */
static const char *past_statement(const char *p)
{
    p = code_skip_space(p);
    return *p == '{' ? past_block(p) : p + strcspn(p, ";{}");
}

/* Where a loop's rounds are decided, of the header ( ... ): all of while's, and
 * for's without its last part, which only goes on. */
static const char *decided_until(const char *open, const char *close)
{
    const char *last = close;

    for (const char *p = open; p < close; p++)
        if (*p == ';')
            last = p;
    return last;
}

/* What to look for, and what was found. */
struct loop {
    enum rounds_meeting kind;
    const char *at, *meeting;
};

static bool names_own_index(const char *from, const char *to,
                            enum rounds_meeting meeting)
{
    const char *p = memmem(from, (size_t)(to - from), "threadIdx.",
                           strlen("threadIdx."));

    return p && !(meeting == ROUNDS_SHUFFLE && is_divided(p));
}

static bool is_uneven(const char *at, const struct names *own,
                      const struct names *functions, struct loop *loop)
{
    const char *open = strchr(at, '('), *close = open ? code_closing(open)
                                                      : NULL;
    const char *until, *end;

    if (!close)
        return false;
    until = decided_until(open, close);
    if (!names_own_index(open, until, loop->kind) &&
        !find_any(own, open, until))
        return false;
    end = past_statement(close + 1);
    loop->at = at;
    loop->meeting = find_meeting(close, end, loop->kind);
    if (!loop->meeting)
        loop->meeting = find_any(functions, close, end);
    return loop->meeting != NULL;
}

static bool find_loop(const char *source, struct loop *loop)
{
    static const char *const words[] = {"for", "while"};
    struct names own = own_indices(source, loop->kind);
    struct names functions = meeting_functions(source, loop->kind);
    const char *end = source + strlen(source);

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *p = source + 1;
             (p = find_word(p, end, words[i], strlen(words[i]))); p++)
            if (is_uneven(p, &own, &functions, loop))
                return true;
    return false;
}

bool rounds_advise(struct text *advice, const char *path,
                   enum rounds_meeting meeting)
{
    struct text all = {0};
    struct loop loop = {.kind = meeting};
    bool found = false;

    if (path && file_read(path, &all) && all.n > 1) {
        code_blank_hidden(all.s);
        found = find_loop(all.s, &loop);
    }
    if (found)
        text_add(advice, "%sThe loop at line %d begins or ends at an index of "
                 "the thread's own, and threads meet in it (line %d): do some "
                 "leave it earlier? Let all make the same number of rounds, "
                 "with an `if` around the work alone.", advice->n ? " " : "",
                 code_line(all.s, loop.at), code_line(all.s, loop.meeting));
    text_free(&all);
    return found;
}
