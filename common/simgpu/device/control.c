// SPDX-License-Identifier: MIT
/*
 * control.c: requests of check, one text line each, answered in JSON. The
 * format: docs/architecture.md, "Device control channel".
 *
 *   dev_control       executes one line
 *   dev_read_checks   "counters,races" -> enum engine_check
 *
 * check is trusted; a malformed line is a bug of check, and the answer is
 * {"ok": false, "error": why}.
 */
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct request {
    char *words; /* strtok_r's state: what follows the verb */
    void **raw;
    size_t *n_raw;
    bool *quit;
};

static json_t *ok(void)
{
    return json_pack("{s:b}", "ok", 1);
}

static json_t *refuse(const char *why)
{
    return json_pack("{s:b, s:s}", "ok", 0, "error", why);
}

static bool read_number(const char *word, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = word ? strtoull(word, &end, 0) : 0;
    return word && *word && *end == '\0' && errno == 0;
}

static bool read_range(struct request *q, uint64_t *address, uint64_t *bytes)
{
    return read_number(strtok_r(NULL, " ", &q->words), address) &&
           read_number(strtok_r(NULL, " ", &q->words), bytes);
}

/* ADDRESS:BYTES:large,ADDRESS:BYTES:small,... */
static bool read_inputs(char *list, struct engine_input *in)
{
    char *rest = NULL;
    int n = 0;
    memset(in, 0, ENGINE_INPUTS * sizeof *in);
    for (char *word = strtok_r(list, ",", &rest); word;
         word = strtok_r(NULL, ",", &rest), n++) {
        char *part = NULL, *first = strtok_r(word, ":", &part);
        char *bytes = strtok_r(NULL, ":", &part);
        if (n == ENGINE_INPUTS || !part || !read_number(first, &in[n].first) ||
            !read_number(bytes, &in[n].bytes) || in[n].bytes == 0)
            return false;
        in[n].small = strcmp(part, "small") == 0;
        if (!in[n].small && strcmp(part, "large") != 0)
            return false;
    }
    return true;
}

bool dev_read_checks(char *list, unsigned *checks)
{
    static const struct {
        const char *name;
        unsigned check;
    } names[] = {
        {"counters", CHECK_COUNTERS}, {"memory", CHECK_MEMORY},
        {"races", CHECK_RACES}, {"traffic", CHECK_TRAFFIC},
        {"streams", CHECK_STREAMS},
        {"all", CHECK_ALL}, {"none", 0},
    };
    char *rest = NULL;
    *checks = 0;
    for (char *word = strtok_r(list, ",", &rest); word;
         word = strtok_r(NULL, ",", &rest)) {
        size_t i = 0, n = sizeof names / sizeof names[0];
        while (i < n && strcmp(names[i].name, word) != 0)
            i++;
        if (i == n)
            return false;
        *checks |= names[i].check;
    }
    return true;
}

static json_t *configure(struct device *dev, struct request *q)
{
    struct engine_config config = dev->config;
    for (char *word = strtok_r(NULL, " ", &q->words); word;
         word = strtok_r(NULL, " ", &q->words)) {
        char *value = strchr(word, '=');
        if (!value)
            return refuse("configure wants NAME=VALUE");
        *value++ = '\0';
        bool good = strcmp(word, "seed") == 0
                        ? read_number(value, &config.seed)
                    : strcmp(word, "budget") == 0
                        ? read_number(value, &config.instruction_budget)
                    : strcmp(word, "watch") == 0
                        ? read_number(value, &config.watch)
                    : strcmp(word, "inputs") == 0
                        ? read_inputs(value, config.inputs)
                    : strcmp(word, "checks") == 0
                        ? dev_read_checks(value, &config.checks)
                        : dev_observe_set(&dev->observe, word, value);
        if (!good)
            return refuse("configure knows seed=N, budget=N, watch=ADDRESS, "
                          "inputs=ADDRESS:BYTES:large|small,..., "
                          "checks=counters,memory,races,traffic, sample=1, "
                          "fair=1, trace=N, trace_warp=N and "
                          "registers=KERNEL:N:FRAME:STORES:LOADS");
    }
    dev->config = config;
    engine_configure(dev->engine, &dev->config);
    return ok();
}

static json_t *report(struct device *dev, struct request *q)
{
    (void)q;
    return dev_report(dev);
}

static json_t *clear(struct device *dev, struct request *q)
{
    (void)q;
    dev_log_clear(&dev->log);
    held_forget(&dev->held);
    dev->held_moved = 0;
    engine_forget_findings(dev->engine);
    return ok();
}

static json_t *undefine(struct device *dev, struct request *q)
{
    uint64_t address, bytes;
    if (!read_range(q, &address, &bytes))
        return refuse("undefine wants ADDRESS BYTES");
    if (engine_undefine(dev->engine, address, bytes) != MEM_OK)
        return refuse("no live allocation holds these bytes");
    return ok();
}

static json_t *read_bytes(struct device *dev, struct request *q)
{
    uint64_t address, bytes;
    if (!read_range(q, &address, &bytes))
        return refuse("read wants ADDRESS BYTES");
    void *raw = bytes < SIZE_MAX ? malloc(bytes + 1) : NULL;
    if (!raw)
        return refuse("this machine's memory is full");
    if (engine_read(dev->engine, raw, address, bytes) != MEM_OK) {
        free(raw);
        return refuse("no live allocation holds these bytes");
    }
    *q->raw = raw;
    *q->n_raw = bytes;
    return json_pack("{s:b, s:I}", "ok", 1, "bytes", (json_int_t)bytes);
}

static json_t *end(struct device *dev, struct request *q)
{
    (void)dev;
    *q->quit = true;
    return ok();
}

static const struct {
    const char *verb;
    json_t *(*serve)(struct device *dev, struct request *q);
} verbs[] = {
    {"configure", configure}, {"report", report},   {"clear", clear},
    {"undefine", undefine},   {"read", read_bytes}, {"quit", end},
};

json_t *dev_control(struct device *dev, char *line, void **raw, size_t *n_raw,
                    bool *quit)
{
    struct request q = {.raw = raw, .n_raw = n_raw, .quit = quit};
    const char *verb = strtok_r(line, " ", &q.words);
    *raw = NULL;
    *n_raw = 0;
    *quit = false;
    for (size_t i = 0; verb && i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(verb, verbs[i].verb) == 0)
            return verbs[i].serve(dev, &q);
    return refuse("no such request");
}
