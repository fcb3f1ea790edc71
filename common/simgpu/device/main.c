// SPDX-License-Identifier: MIT
/*
 * main.c: simgpu-device, a GPU as a process.
 *
 *   simgpu-device --client-fd A [--control-fd B] [--gpu KEY] [--workers N]
 *                 [--multiprocessors N] [--host-bytes N] [--wire VERSION]
 *   simgpu-device --knows KEY       exit code 0 if it can pose as that GPU
 *   simgpu-device --try             exit code 0 if the environment's settings
 *                                   of a private device are right
 *
 * Both are stream sockets. VERSION is the message format of the libcudart that
 * starts this device; another build's is refused. With a control channel the
 * device belongs to check and ends when that channel closes. Without one it is
 * private to the program at A: it reads its settings from the environment
 * (SIMGPU_GPU, SIMGPU_SEED, SIMGPU_BUDGET, SIMGPU_CHECKS, SIMGPU_WORKERS,
 * SIMGPU_SUMMARY, SIMGPU_REGISTERS, SIMGPU_REPORT, SIMGPU_STATUS_FD,
 * SIMGPU_SUPPRESS, SIMGPU_PROGRESS) and writes its findings to stderr when the
 * program ends. Errors at the start are
 * printed on stderr, with exit code 2.
 */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { EXIT_USAGE = 2 };

/* Of a private device, warp instructions per launch: some twenty minutes on a
 * core or two, so that an endless loop ends on the day that it begins. */
static const uint64_t usual_budget = 20ull * 1000 * 1000 * 1000;
enum {
    USUAL_PROGRESS = 10, /* seconds until the first line; on a terminal */
    STILL_ROUNDS = 3,    /* of polling in vain, until a launch is given up */
};

struct options {
    int client_fd, control_fd;
    struct engine_config config;
    bool only_tries;
};

__attribute__((format(printf, 1, 2))) _Noreturn static void
die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("simgpu-device: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(EXIT_USAGE);
}

static uint64_t number(const char *what, const char *text)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 0);
    if (!*text || *end || errno || *text == '-')
        die("%s wants a number, not '%s'", what, text);
    return value;
}

static const struct gpu_model *model(const char *key)
{
    const struct gpu_model *gpu = gpu_find(key), *list;
    if (gpu)
        return gpu;
    size_t n = gpu_list(&list);
    fprintf(stderr, "simgpu-device: no GPU '%s'; there are", key);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, " %s", list[i].key);
    fputc('\n', stderr);
    exit(EXIT_USAGE);
}

/* The settings of a private device. */
static void read_environment(struct engine_config *config)
{
    const char *text;
    if ((text = getenv("SIMGPU_GPU")) && *text)
        config->gpu = model(text);
    if ((text = getenv("SIMGPU_SEED")) && *text)
        config->seed = number("SIMGPU_SEED", text);
    if ((text = getenv("SIMGPU_BUDGET")) && *text)
        config->instruction_budget = number("SIMGPU_BUDGET", text);
    if ((text = getenv("SIMGPU_WORKERS")) && *text)
        config->workers = (int)number("SIMGPU_WORKERS", text);
    if ((text = getenv("SIMGPU_CHECKS")) && *text) {
        char *list = strdup(text);
        if (!list || !dev_read_checks(list, &config->checks))
            die("SIMGPU_CHECKS is a list of counters, memory, races, streams, "
                "all, none; not '%s'", text);
        free(list);
    }
    if ((text = getenv("SIMGPU_SUMMARY")) && *text)
        config->checks |= CHECK_COUNTERS | CHECK_TRAFFIC;
}

/* The GPU, or a part of it, on which a few blocks are more than one each. */
static void take_part(struct engine_config *config, int multiprocessors)
{
    static struct gpu_model part;
    if (multiprocessors < 1 || multiprocessors > config->gpu->sms)
        die("--multiprocessors is 1 to %d, not %d", config->gpu->sms,
            multiprocessors);
    part = *config->gpu;
    part.sms = multiprocessors;
    config->gpu = &part;
}

static void check_version(uint64_t version)
{
    struct simwire_header theirs = {.magic = SIMWIRE_MAGIC,
                                    .version = (uint16_t)version};
    const char *why = simwire_prefix(&theirs);
    if (why)
        die("%s", why);
}

static void read_options(int argc, char **argv, struct options *o)
{
    static const struct option known[] = {
        {"client-fd", required_argument, NULL, 'c'},
        {"control-fd", required_argument, NULL, 'k'},
        {"gpu", required_argument, NULL, 'g'},
        {"workers", required_argument, NULL, 'w'},
        {"multiprocessors", required_argument, NULL, 'm'},
        {"host-bytes", required_argument, NULL, 'b'},
        {"wire", required_argument, NULL, 'v'},
        {"knows", required_argument, NULL, 'n'},
        {"try", no_argument, NULL, 't'},
        {0},
    };
    int option, multiprocessors = 0;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case 'c': o->client_fd = (int)number("--client-fd", optarg); break;
        case 'k': o->control_fd = (int)number("--control-fd", optarg); break;
        case 'g': o->config.gpu = model(optarg); break;
        case 'w': o->config.workers = (int)number("--workers", optarg); break;
        case 'b':
            o->config.host_bytes = number("--host-bytes", optarg);
            break;
        case 'm':
            multiprocessors = (int)number("--multiprocessors", optarg);
            break;
        case 'v': check_version(number("--wire", optarg)); break;
        case 'n': model(optarg); exit(EXIT_SUCCESS);
        case 't': o->only_tries = true; return;
        default: exit(EXIT_USAGE);
        }
    }
    if (o->client_fd < 0 || optind < argc)
        die("usage: simgpu-device --client-fd A [--control-fd B] [--gpu KEY] "
            "[--workers N] [--multiprocessors N] [--host-bytes N]");
    if (multiprocessors)
        take_part(&o->config, multiprocessors);
}

static void write_report(const struct device *dev, const char *path)
{
    json_t *report = dev_report(dev);
    if (json_dump_file(report, path, JSON_INDENT(2)) != 0)
        fprintf(stderr, "simgpu: cannot write the report %s: %s\n", path,
                strerror(errno));
    json_decref(report);
}

/* The wrapper simgpu reads from SIMGPU_STATUS_FD that a private device has
 * begun, and at its end the number of findings: of one that crashed, none. */
static void tell_wrapper(const char *text)
{
    const char *fd = getenv("SIMGPU_STATUS_FD");
    if (fd && *fd)
        dprintf((int)number("SIMGPU_STATUS_FD", fd), "%s\n", text);
}

/* Called when a private device's program ends. */
static void print_findings(struct device *dev)
{
    const char *path = getenv("SIMGPU_REPORT");
    char count[32];
    static bool printed;
    if (printed)
        return;
    printed = true;
    dev_print(dev, stderr);
    dev_print_summary(dev, stderr);
    if (path && *path)
        write_report(dev, path);
    snprintf(count, sizeof count, "%zu", dev_findings(dev));
    tell_wrapper(count);
}

/* A private device observes all launches of its program alike. */
static void read_observe(struct dev_observe *observe)
{
    const char *text = getenv("SIMGPU_SAMPLE");
    observe->sample = text && strcmp(text, "1") == 0;
    text = getenv("SIMGPU_REGISTERS");
    if (text && *text)
        observe->any_registers = (int)number("SIMGPU_REGISTERS", text);
    if (observe->any_registers < 0 || observe->any_registers > 255)
        die("SIMGPU_REGISTERS is 1 to 255, not '%s'", text);
}

/* Known findings, and lines of progress. */
static void read_reporting(struct device *dev)
{
    static struct dev_suppressions known;
    char error[4200];
    const char *text = getenv("SIMGPU_SUPPRESS");
    if (text && *text) {
        if (!dev_suppress_read(&known, text, error, sizeof error))
            die("%s", error);
        dev->suppressions = &known;
    }
    text = getenv("SIMGPU_PROGRESS");
    if (text && *text)
        dev->progress = (double)number("SIMGPU_PROGRESS", text);
    else if (isatty(STDERR_FILENO))
        dev->progress = USUAL_PROGRESS;
    dev->progress_next = dev->progress;
}

/* Closes our copies of the program's input and output, so that a pipe ends
 * when the program does. */
static void release_stdio(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0)
        return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    close(null);
}

int main(int argc, char **argv)
{
    static struct device dev;
    struct options o = {.client_fd = -1,
                        .control_fd = -1,
                        .config = {.gpu = gpu_find("h200"),
                                   .checks = CHECK_ALL}};
    read_options(argc, argv, &o);
    if (o.only_tries) {
        read_environment(&o.config);
        read_observe(&dev.observe);
        read_reporting(&dev);
        return EXIT_SUCCESS;
    }
    if (o.control_fd < 0) {
        o.config.instruction_budget = usual_budget;
        o.config.still_rounds = STILL_ROUNDS;
        read_environment(&o.config);
        if (!o.config.instruction_budget) /* whoever asks for no limit waits */
            o.config.still_rounds = 0;
    } else
        prctl(PR_SET_DUMPABLE, 0); /* no client may inspect check's device */
    release_stdio();
    if (!dev_open(&dev, &o.config))
        die("cannot open the engine: out of memory?");
    if (o.control_fd < 0) {
        dev.bye = print_findings;
        read_observe(&dev.observe);
        read_reporting(&dev);
        tell_wrapper("begun");
    }
    dev_loop(&dev, o.client_fd, o.control_fd);
}
