// SPDX-License-Identifier: MIT
/*
 * expr.c: constant expressions, in 64-bit two's complement.
 *
 *   ptx_read_expr   (1 + 2) * 3, ~0x10, n == 4 ? 8 : 2, (.s64)-1
 *
 * Precedence climbing: each level consumes the operators that bind at least as
 * tightly as itself. Source: the PTX ISA, "Integer Constant Expressions".
 * Unsigned constants are computed as signed ones, which differs only for
 * division, right shift and comparison of values from 2^63 on.
 */
#include "reader.h"

enum { MAX_DEPTH = 64 }; /* nested parentheses and unary operators */

static int64_t conditional(struct reader *r, int depth);

static const struct operator {
    int punct, level; /* a higher level binds tighter */
} operators[] = {
    {PUNCT_OR, 1}, {PUNCT_AND, 2}, {'|', 3},      {'^', 4},       {'&', 5},
    {PUNCT_EQ, 6}, {PUNCT_NE, 6},  {'<', 7},      {'>', 7},       {PUNCT_LE, 7},
    {PUNCT_GE, 7}, {PUNCT_SHL, 8}, {PUNCT_SHR, 8}, {'+', 9},      {'-', 9},
    {'*', 10},     {'/', 10},      {'%', 10},
};

static int level_of(const struct reader *r)
{
    if (r->token.kind == T_PUNCT)
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            if (operators[i].punct == r->token.punct)
                return operators[i].level;
    return 0;
}

static int64_t divide(struct reader *r, int punct, int64_t a, int64_t b)
{
    if (b == 0)
        reader_fail(r, "division by zero in a constant");
    if (b == -1) /* INT64_MIN / -1 has no value in C */
        return punct == '/' ? (int64_t)(0 - (uint64_t)a) : 0;
    return punct == '/' ? a / b : a % b;
}

static int64_t apply(struct reader *r, int punct, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (punct) {
    case PUNCT_OR: return a || b;
    case PUNCT_AND: return a && b;
    case '|': return a | b;
    case '^': return a ^ b;
    case '&': return a & b;
    case PUNCT_EQ: return a == b;
    case PUNCT_NE: return a != b;
    case '<': return a < b;
    case '>': return a > b;
    case PUNCT_LE: return a <= b;
    case PUNCT_GE: return a >= b;
    case PUNCT_SHL: return y < 64 ? (int64_t)(x << y) : 0;
    case PUNCT_SHR: return y < 64 ? a >> y : a >> 63;
    case '+': return (int64_t)(x + y);
    case '-': return (int64_t)(x - y);
    case '*': return (int64_t)(x * y);
    default: return divide(r, punct, a, b);
    }
}

/* After '(': a cast such as (.s64) and its operand, or a value and ')'. */
static int64_t parenthesis(struct reader *r, int depth)
{
    if (r->token.kind == T_DOT) {
        if (!reader_is_dot(r, "s64") && !reader_is_dot(r, "u64"))
            reader_expected(r, ".s64 or .u64");
        reader_next(r);
        reader_expect(r, ')');
        return conditional(r, depth + MAX_DEPTH / 8);
    }
    int64_t value = conditional(r, depth + 1);
    reader_expect(r, ')');
    return value;
}

static int64_t unary(struct reader *r, int depth)
{
    if (depth > MAX_DEPTH)
        reader_fail(r, "a constant expression nested too deeply");
    if (reader_take(r, '-'))
        return (int64_t)(0 - (uint64_t)unary(r, depth + 1));
    if (reader_take(r, '+'))
        return unary(r, depth + 1);
    if (reader_take(r, '~'))
        return ~unary(r, depth + 1);
    if (reader_take(r, '!'))
        return !unary(r, depth + 1);
    if (reader_take(r, '('))
        return parenthesis(r, depth + 1);
    if (r->token.kind != T_INT)
        reader_expected(r, "an integer");
    int64_t value = (int64_t)r->token.bits;
    reader_next(r);
    return value;
}

static int64_t binary(struct reader *r, int least, int depth)
{
    int64_t a = unary(r, depth);
    for (int level; (level = level_of(r)) >= least && level;) {
        int punct = r->token.punct;
        reader_next(r);
        a = apply(r, punct, a, binary(r, level + 1, depth + 1));
    }
    return a;
}

static int64_t conditional(struct reader *r, int depth)
{
    int64_t a = binary(r, 1, depth);
    if (!reader_take(r, '?'))
        return a;
    int64_t yes = conditional(r, depth + 1);
    reader_expect(r, ':');
    int64_t no = conditional(r, depth + 1);
    return a ? yes : no;
}

int64_t ptx_read_expr(struct reader *r)
{
    return conditional(r, 0);
}
