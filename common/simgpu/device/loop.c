// SPDX-License-Identifier: MIT
/*
 * loop.c: the device's two sockets.
 *
 *   dev_loop   serves libcudart and check until the end
 *
 * libcudart is not trusted: its messages are read without blocking, so that
 * half a message never makes check wait. Messages that libcudart has already
 * sent are served before a request of check, so that check sees their effects.
 *
 * The hard idea: a kernel may run for ever, so a second thread, the watchdog,
 * waits until the device's owner closes its socket, and then ends the
 * process. The main thread holds the lock except while a kernel runs, so the
 * watchdog never interrupts anything else. From time to time it asks a kernel
 * to pause, if somebody waits for it (queue.c).
 */
#include "queue.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    MAX_LINE = 4096,          /* a request of check */
    MESSAGES_BEFORE_CHECK = 1000, /* a flood must not starve check */
    SEND_SECONDS = 60,        /* after that a client is taken for dead */
    PROGRESS_MS = 1000,       /* between two looks at a kernel's progress */
    TEND_MS = 10, IDLE_MS = 100, /* at whether a kernel that runs, or one that
                                 may begin, has to pause */
    HELD_MS = 2000,           /* between two pauses for a program whose one
                                 thread waits */
};

struct inbox { /* a message of libcudart, as far as it has arrived */
    struct simwire_header head;
    uint8_t *data;
    size_t got, room; /* bytes; got: of head and data; room: of data */
};

struct loop {
    struct device *dev;
    int client_fd, control_fd;
    struct inbox inbox;
    char line[MAX_LINE];
    size_t n_line;
    int held_ms; /* since the watchdog last asked a kernel to pause for a
                    program whose one thread waits */
    pthread_mutex_t lock;
};

enum progress { PROGRESS_NONE, PROGRESS_MESSAGE, PROGRESS_END };

static void *inbox_at(struct inbox *in, size_t *want)
{
    size_t head = sizeof in->head;
    bool in_head = in->got < head;
    *want = (in_head ? head : head + in->head.data) - in->got;
    return in_head ? (uint8_t *)&in->head + in->got
                   : in->data + (in->got - head);
}

/* Does the message come from a client of this build? Checked on its prefix: a
 * client of another build may send a shorter header and then wait. */
static bool inbox_ours(const struct inbox *in)
{
    const char *why = in->got < SIMWIRE_PREFIX ? NULL
                                               : simwire_prefix(&in->head);
    if (why)
        fprintf(stderr, "simgpu-device: %s\n", why);
    return !why;
}

/* Checks the complete header and makes room for the data. */
static bool inbox_accept(struct inbox *in)
{
    if (simwire_check(&in->head) || in->head.text)
        return false;
    if (in->head.data <= in->room)
        return true;
    free(in->data);
    in->room = in->head.data;
    in->data = malloc(in->room);
    return in->data != NULL;
}

static enum progress inbox_read(struct inbox *in, int fd)
{
    for (;;) {
        size_t want;
        void *at = inbox_at(in, &want);
        if (want == 0) {
            in->got = 0;
            return PROGRESS_MESSAGE;
        }
        ssize_t n = recv(fd, at, want, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return PROGRESS_NONE;
        if (n <= 0)
            return PROGRESS_END;
        in->got += (size_t)n;
        if (in->got <= sizeof in->head && !inbox_ours(in))
            return PROGRESS_END;
        if (in->got == sizeof in->head && !inbox_accept(in))
            return PROGRESS_END;
    }
}

static void drop_client(struct loop *loop)
{
    close(loop->client_fd);
    loop->client_fd = -1;
    loop->dev->client = DEV_CLOSED;
}

/* Serves one message; false: none is complete. */
static bool serve_client(struct loop *loop)
{
    if (loop->client_fd < 0)
        return false;
    enum progress progress = inbox_read(&loop->inbox, loop->client_fd);
    if (progress == PROGRESS_NONE)
        return false;
    pthread_mutex_lock(&loop->lock);
    bool good = progress == PROGRESS_MESSAGE &&
                dev_serve(loop->dev, loop->client_fd, &loop->inbox.head,
                          loop->inbox.data);
    loop->dev->client = DEV_CONNECTED;
    if (loop->dev->pending && loop->control_fd < 0)
        dev_queue_launch(loop->dev, &loop->inbox.head);
    pthread_mutex_unlock(&loop->lock);
    if (loop->dev->pending)
        dev_run(loop->dev);
    if (!good && loop->control_fd < 0) {
        shutdown(loop->client_fd, SHUT_RDWR); /* it may wait for an answer */
        for (;;) /* the watchdog sees the shutdown and ends the process */
            pause();
    }
    if (!good)
        drop_client(loop);
    return good;
}

static void serve_clients_backlog(struct loop *loop)
{
    for (int i = 0; i < MESSAGES_BEFORE_CHECK && serve_client(loop); i++)
        ;
}

static bool send_all(int fd, const void *data, size_t n)
{
    for (const char *at = data; n > 0;) {
        ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

static void serve_line(struct loop *loop, char *line)
{
    void *raw;
    size_t n_raw;
    bool quit;
    serve_clients_backlog(loop);
    json_t *reply = dev_control(loop->dev, line, &raw, &n_raw, &quit);
    char *text = json_dumps(reply, JSON_COMPACT);
    bool sent = text && send_all(loop->control_fd, text, strlen(text)) &&
                send_all(loop->control_fd, "\n", 1) &&
                send_all(loop->control_fd, raw, n_raw);
    free(text);
    free(raw);
    json_decref(reply);
    if (quit || !sent)
        _exit(sent ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void serve_control(struct loop *loop)
{
    ssize_t n = recv(loop->control_fd, loop->line + loop->n_line,
                     sizeof loop->line - loop->n_line, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0)
        _exit(n < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
    loop->n_line += (size_t)n;
    char *newline;
    while ((newline = memchr(loop->line, '\n', loop->n_line))) {
        *newline = '\0';
        serve_line(loop, loop->line);
        loop->n_line -= (size_t)(newline + 1 - loop->line);
        memmove(loop->line, newline + 1, loop->n_line);
    }
    if (loop->n_line == sizeof loop->line) {
        fputs("simgpu-device: the request is too long\n", stderr);
        _exit(EXIT_FAILURE);
    }
}

/* A kernel that runs pauses if it has run for long and the program asks for
 * something. */
static bool tend(struct loop *loop)
{
    struct pollfd asks = {.fd = loop->client_fd, .events = POLLIN};
    struct engine_progress p;
    if (!engine_progress(loop->dev->engine, &p))
        return false;
    bool asked = poll(&asks, 1, 0) > 0 && asks.revents & POLLIN;
    loop->held_ms += TEND_MS;
    if (asked && dev_queue_alone(loop->dev) && loop->held_ms < HELD_MS)
        asked = false;
    else if (asked)
        loop->held_ms = 0;
    engine_tend(loop->dev->engine, asked, dev_queue_others(loop->dev));
    return true;
}

/* Waits until the owner hangs up; then prints a private device's findings and
 * ends the process, even if a kernel still runs. */
static void *watch(void *argument)
{
    struct loop *loop = argument;
    bool owned = loop->control_fd >= 0;
    struct pollfd owner = {.fd = owned ? loop->control_fd : loop->client_fd,
                           .events = POLLRDHUP};
    bool tells = !owned && loop->dev->progress > 0;
    int ready, ms = 0, wait = owned ? -1 : IDLE_MS;
    while ((ready = poll(&owner, 1, wait)) == 0 ||
           (ready < 0 && errno == EINTR)) {
        ms += wait;
        wait = owned ? -1 : tend(loop) ? TEND_MS : IDLE_MS;
        if (tells && ms >= PROGRESS_MS) {
            dev_print_progress(loop->dev, stderr);
            ms = 0;
        }
    }
    if (!owned) {
        pthread_mutex_lock(&loop->lock);
        loop->dev->client = DEV_CLOSED;
        loop->dev->bye(loop->dev);
    }
    _exit(EXIT_SUCCESS);
}

static void start_watchdog(struct loop *loop)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch, loop) != 0) {
        fputs("simgpu-device: cannot start a thread\n", stderr);
        _exit(EXIT_FAILURE);
    }
    pthread_detach(thread);
}

/* Work of a private device. Returns how long to wait for messages then, in
 * ms. */
static int work(struct loop *loop)
{
    struct dev_ran ran;
    pthread_mutex_lock(&loop->lock);
    struct item *x = dev_queue_next(loop->dev);
    int pause = x ? 0 : dev_queue_pause_ms(loop->dev);
    pthread_mutex_unlock(&loop->lock);
    if (!x)
        return pause;
    dev_queue_go(x, &ran);
    pthread_mutex_lock(&loop->lock);
    dev_queue_after(loop->dev, x, &ran);
    pthread_mutex_unlock(&loop->lock);
    return 0;
}

_Noreturn void dev_loop(struct device *dev, int client_fd, int control_fd)
{
    static struct loop loop = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct timeval limit = {.tv_sec = SEND_SECONDS};
    loop.dev = dev;
    loop.client_fd = client_fd;
    loop.control_fd = control_fd;
    setsockopt(client_fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (control_fd < 0)
        dev_queue_open(dev);
    start_watchdog(&loop);
    for (;;) {
        struct pollfd ready[2] = {{.fd = loop.client_fd, .events = POLLIN},
                                  {.fd = loop.control_fd, .events = POLLIN}};
        int pause = control_fd < 0 ? work(&loop) : -1;
        if (poll(ready, 2, pause) < 0)
            continue; /* interrupted by a signal */
        if (ready[0].revents)
            serve_client(&loop);
        if (ready[1].revents)
            serve_control(&loop);
    }
}
