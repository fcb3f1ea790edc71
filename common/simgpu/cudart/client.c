// SPDX-License-Identifier: MIT
/*
 * client.c: the program's end of the socket to the simulated device.
 *
 *   rt_ask, rt_note, rt_note_refused, rt_accuse, rt_note_asked, rt_note_wait,
 *   rt_gpu                    see runtime.h
 *   simgpu_is_simulated       a marker: real runtimes have no such symbol
 *
 * The device is given (SIMGPU_FD, a socket that check made), or started here:
 * simgpu-device, beside this library or in ../bin. It runs in a session of its
 * own, so that Ctrl-C ends the program but lets the device print its findings;
 * the program waits for it at exit, so that no zombie stays. One lock
 * serialises the calls of several threads.
 */
#include "runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int simgpu_is_simulated(void);

enum { MAX_MESSAGE = 512, EXIT_NO_EXEC = 127 };
static const cudaError_t AGAIN = (cudaError_t)SIMWIRE_AGAIN;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int device_fd = -1;
static pid_t device_pid; /* 0: not started here */
static enum { UNTRIED, CONNECTED, LOST } state;
static const struct gpu_model *gpu;
static struct gpu_model model; /* what it points to, once there is one */

int simgpu_is_simulated(void)
{
    return 1;
}

static void complain(const char *what, const char *detail)
{
    fprintf(stderr, "simgpu: %s%s%s\n", what, detail ? ": " : "",
            detail ? detail : "");
}

/* After a fork the socket belongs to the parent. */
static void lose_in_child(void)
{
    if (state == CONNECTED)
        state = LOST;
    device_pid = 0;
    pthread_mutex_init(&lock, NULL);
}

/* Looks for simgpu-device in ../bin and beside this library. */
static bool find_device(char path[PATH_MAX])
{
    static const char *const places[] = {"../bin/simgpu-device",
                                         "simgpu-device"};
    Dl_info self;
    if (!dladdr((void *)(uintptr_t)simgpu_is_simulated, &self))
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    int folder = slash ? (int)(slash - self.dli_fname) : 1;
    const char *name = slash ? self.dli_fname : ".";
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int n = snprintf(path, PATH_MAX, "%.*s/%s", folder, name, places[i]);
        if (n < PATH_MAX && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Runs in the child process. */
_Noreturn static void become_device(const char *path, int fd)
{
    char number[16], version[16];
    snprintf(number, sizeof number, "%d", fd);
    snprintf(version, sizeof version, "%d", SIMWIRE_VERSION);
    setsid();
    fcntl(fd, F_SETFD, 0);
    execl(path, "simgpu-device", "--client-fd", number, "--wire", version,
          (char *)NULL);
    _exit(EXIT_NO_EXEC);
}

static int start_device(void)
{
    char path[PATH_MAX];
    int pair[2];
    if (!find_device(path)) {
        complain("found no simgpu-device beside libcudart", "run make");
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        complain("socketpair", strerror(errno));
        return -1;
    }
    device_pid = fork();
    if (device_pid == 0)
        become_device(path, pair[1]);
    close(pair[1]);
    if (device_pid > 0)
        return pair[0];
    complain("cannot start a process", strerror(errno));
    close(pair[0]);
    return -1;
}

static int given_device(const char *text)
{
    char *end;
    struct stat about;
    long fd = strtol(text, &end, 10);
    if (*end || end == text || fstat((int)fd, &about) != 0 ||
        !S_ISSOCK(about.st_mode)) {
        complain("SIMGPU_FD names no open socket", text);
        return -1;
    }
    fcntl((int)fd, F_SETFD, FD_CLOEXEC);
    return (int)fd;
}

static cudaError_t lose(void)
{
    if (state == CONNECTED)
        complain(gpu ? "the simulated GPU is gone"
                     : "simgpu-device did not answer: is it of another build "
                       "than libcudart? `make programs` builds both", NULL);
    state = LOST;
    return cudaErrorDevicesUnavailable;
}

/* Copies what kernels printed into the program's own output. */
static bool take_text(size_t n)
{
    char buffer[4096];
    while (n > 0) {
        size_t piece = n < sizeof buffer ? n : sizeof buffer;
        if (!simwire_body(device_fd, buffer, piece))
            return false;
        fwrite(buffer, 1, piece, stdout);
        n -= piece;
    }
    return true;
}

static bool take_message(size_t n, cudaError_t error)
{
    char message[MAX_MESSAGE];
    if (n >= sizeof message || !simwire_body(device_fd, message, n))
        return false;
    message[n] = '\0';
    if (n > 0)
        rt_fail(error, "%s", message);
    return true;
}

/* The lock is held and the device is connected. */
static cudaError_t exchange(struct simwire_header *m, const void *data,
                            void *reply, size_t room)
{
    uint16_t op = m->op;
    if (!simwire_send(device_fd, m, NULL, data) ||
        !simwire_head(device_fd, m) || m->op != op || !take_text(m->text))
        return lose();
    cudaError_t error = (cudaError_t)m->error;
    bool taken = error != cudaSuccess
                     ? take_message(m->data, error)
                     : m->data <= room &&
                           simwire_body(device_fd, reply, m->data);
    if (taken && op == OP_MAP && error == cudaSuccess) {
        int fd = simwire_take_fd(device_fd);
        m->a[3] = (uint64_t)fd;
        taken = fd >= 0;
    }
    if (!taken)
        return lose();
    if (m->sticky)
        rt_set_sticky(error);
    return error;
}

static cudaError_t connect_device(void)
{
    if (state != UNTRIED)
        return state == CONNECTED ? cudaSuccess : cudaErrorDevicesUnavailable;
    const char *given = getenv("SIMGPU_FD");
    device_fd = given && *given ? given_device(given) : start_device();
    state = device_fd < 0 ? LOST : CONNECTED;
    if (state == LOST)
        return cudaErrorInitializationError;
    pthread_atfork(NULL, NULL, lose_in_child);
    struct simwire_header m = {
        .op = OP_HELLO,
        .a = {rt_imports("cudaStreamCreateWithFlags") ||
              rt_imports("cudaStreamCreateWithPriority")}};
    struct simwire_hello hello = {0};
    cudaError_t error = exchange(&m, NULL, &hello, sizeof hello);
    hello.gpu[sizeof hello.gpu - 1] = '\0';
    gpu = error ? NULL : gpu_find(hello.gpu);
    if (gpu) {
        model = *gpu;
        model.sms = hello.multiprocessors;
        gpu = &model;
    } else
        state = LOST;
    return gpu ? cudaSuccess : cudaErrorInitializationError;
}

cudaError_t rt_ask(struct simwire_header *m, const void *data, void *reply,
                   size_t room)
{
    const struct simwire_header asked = *m;
    struct rt_patience patience = {0};
    cudaError_t error;
    if (rt_in_host_call())
        return rt_fail(cudaErrorNotPermitted,
                       "a host function on a stream must not call CUDA");
    rt_copies_see(&asked);
    do {
        *m = asked;
        pthread_mutex_lock(&lock);
        error = connect_device();
        if (error == cudaSuccess)
            error = exchange(m, data, reply, room);
        pthread_mutex_unlock(&lock);
    } while (error == AGAIN && rt_be_patient(&patience));
    rt_copies_waited(&asked);
    if (error == cudaSuccess)
        rt_ready_see(&asked);
    return error;
}

const struct gpu_model *rt_gpu(cudaError_t *error)
{
    pthread_mutex_lock(&lock);
    *error = connect_device();
    pthread_mutex_unlock(&lock);
    return *error ? NULL : gpu;
}

static void tell(struct simwire_header m, const char *call, const char *detail,
                 const char *caller, const char *other)
{
    char text[SIMWIRE_MAX_NAME];
    int n = snprintf(text, sizeof text, "%s%c%s%c%s%c%s", call, '\0', detail,
                     '\0', caller, '\0', other);
    m.op = OP_NOTE;
    m.data = n < (int)sizeof text ? (uint64_t)n : sizeof text - 1;
    pthread_mutex_lock(&lock);
    if (state == CONNECTED && !simwire_send(device_fd, &m, NULL, text))
        lose();
    pthread_mutex_unlock(&lock);
}

bool rt_private(void)
{
    return device_pid > 0;
}

enum { MAX_CALLER = SIMWIRE_MAX_NAME / 3 };

/* Check's device asks nobody where a call was made. */
static void find_caller(char text[MAX_CALLER])
{
    text[0] = '\0';
    if (rt_private()) {
        struct rt_frames f = rt_frames();
        rt_caller(&f, text, MAX_CALLER);
    }
}

void rt_note(const char *call, cudaError_t error, const char *detail,
             uint64_t thread, const void *at)
{
    char caller[MAX_CALLER];
    find_caller(caller);
    tell((struct simwire_header){
             .a = {SIMWIRE_FAILED, (uint64_t)error, thread, (uintptr_t)at}},
         call, detail, caller, "");
}

void rt_accuse_at(const char *what, const char *detail,
                  const struct rt_frames *at, const struct rt_frames *other)
{
    char place[MAX_CALLER], compared[MAX_CALLER];
    struct simwire_header m = {.a = {SIMWIRE_ACCUSED}};
    if (!rt_caller(at, place, sizeof place))
        return;
    rt_caller(other, compared, sizeof compared);
    m.a[3] = strtoull(place, NULL, 16);
    tell(m, what, detail, place, compared);
}

void rt_accuse(const char *call, const char *detail)
{
    char caller[MAX_CALLER];
    find_caller(caller);
    tell((struct simwire_header){.a = {SIMWIRE_ACCUSED}}, call, detail, caller,
         "");
}

void rt_note_refused(void)
{
    char caller[MAX_CALLER];
    find_caller(caller);
    tell((struct simwire_header){.a = {SIMWIRE_REFUSED}}, "", "", caller, "");
}

void rt_note_accused(void)
{
    char caller[MAX_CALLER];
    find_caller(caller);
    tell((struct simwire_header){.a = {SIMWIRE_CALLED}}, "", "", caller,
         "");
}

void rt_note_memory(const void *p, bool frees)
{
    enum { MOST = 1000 }; /* a call takes up to ten times as long with it */
    static atomic_int told;
    char caller[MAX_CALLER];
    if (!rt_private() || atomic_load(&told) >= MOST)
        return;
    atomic_fetch_add(&told, 1);
    find_caller(caller);
    tell((struct simwire_header){
             .a = {frees ? SIMWIRE_FREED : SIMWIRE_ALLOCATED, (uintptr_t)p}},
         "", "", caller, "");
}

void rt_note_asked(uint64_t thread, cudaError_t error)
{
    tell((struct simwire_header){
             .a = {SIMWIRE_ASKED, (uint64_t)error, thread}}, "", "", "",
         "");
}

void rt_note_wait(const char *call, uint64_t ms, bool alone)
{
    tell((struct simwire_header){.a = {SIMWIRE_WAITS, ms, alone}}, call, "", "",
         "");
}

/* false: kernels still run. */
static bool says_bye(void)
{
    pthread_mutex_lock(&lock);
    struct simwire_header m = {.op = OP_BYE};
    bool said = state != CONNECTED || exchange(&m, NULL, NULL, 0) != AGAIN;
    if (said)
        state = LOST;
    pthread_mutex_unlock(&lock);
    return said;
}

/* Waits until the device has written its report, which thus appears before the
 * shell's next prompt. */
__attribute__((destructor)) static void send_bye(void)
{
    enum { PAUSE_US = 2000 };
    while (!says_bye())
        usleep(PAUSE_US);
    pthread_mutex_lock(&lock);
    if (device_fd >= 0)
        close(device_fd); /* ends the device */
    while (device_pid > 0 && waitpid(device_pid, NULL, 0) < 0 &&
           errno == EINTR)
        ;
    pthread_mutex_unlock(&lock);
}
