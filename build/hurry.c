// Lets the clock of a process and of those it starts run faster than the machine's, so that a test
// that depends on how fast its machine is fails on a fast one too; see build/hurry.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static double speed = 1;      // how many times as fast the clock runs
static double late;           // which part of what wakes a thread does so late
static int64_t most;          // how late it does at most, in nanoseconds
static int64_t wall, steady;  // when the clocks were equal, by the machine's
static int ready;

static int (*machine)(clockid_t, struct timespec *);
static int (*waiting)(pthread_cond_t *, pthread_mutex_t *);
static int (*waiting_until)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*sleeping)(const struct timespec *, struct timespec *);
static int (*polling)(struct pollfd *, nfds_t, int);
static int (*epolling)(int, struct epoll_event *, int, int);

static int64_t nanos(const struct timespec *t) { return t->tv_sec * SECOND + t->tv_nsec; }

static struct timespec spec(int64_t nanos) {
  if (nanos < 0) nanos = 0;
  return (struct timespec){nanos / SECOND, nanos % SECOND};
}

// Processes agree on the moment, so that they agree on the time.
static int64_t moment(const char *name, clockid_t clock) {
  char *known = getenv(name);
  if (known) return atoll(known);
  struct timespec now;
  machine(clock, &now);
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)nanos(&now));
  setenv(name, text, 1);
  return nanos(&now);
}

static void __attribute__((constructor)) start(void) {
  machine = dlsym(RTLD_NEXT, "clock_gettime");
  // The symbol without a version is that of an older interface.
  waiting = dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
  waiting_until = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  sleeping = dlsym(RTLD_NEXT, "nanosleep");
  polling = dlsym(RTLD_NEXT, "poll");
  epolling = dlsym(RTLD_NEXT, "epoll_wait");
  if (getenv("HURRY_SPEED")) speed = atof(getenv("HURRY_SPEED"));
  if (getenv("HURRY_LATE")) late = atof(getenv("HURRY_LATE"));
  if (getenv("HURRY_MILLIS")) most = atoll(getenv("HURRY_MILLIS")) * 1000000;
  wall = moment("HURRY_WALL", CLOCK_REALTIME);
  steady = moment("HURRY_STEADY", CLOCK_MONOTONIC);
  ready = 1;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!ready) start();
  int failed = machine(clock, now);
  int64_t since = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? wall : steady;
  if (!failed && (since == wall || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE)) {
    *now = spec(since + (int64_t)((nanos(now) - since) * speed));
  }
  return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}

static int pause_for(int64_t length) {
  struct timespec time = spec((int64_t)(length / speed));
  return sleeping(&time, NULL);
}

int nanosleep(const struct timespec *length, struct timespec *left) {
  struct timespec time = spec((int64_t)(nanos(length) / speed));
  return sleeping(&time, left);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left) {
  (void)left;
  struct timespec now = {0, 0};
  if (flags) clock_gettime(clock, &now);
  return pause_for(nanos(until) - nanos(&now)) ? errno : 0;
}

int usleep(useconds_t micros) { return pause_for(micros * 1000LL); }

static __thread uint64_t seed;

// A thread that was woken goes on late now and then, as on a busy machine.
static void wake_late(void) {
  if (late <= 0) return;
  if (!seed) {
    struct timespec now;
    machine(CLOCK_MONOTONIC, &now);
    seed = nanos(&now) ^ (uint64_t)(uintptr_t)&seed;
  }
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  if ((seed >> 11) % 100000 < late * 100000) {
    struct timespec time = spec((int64_t)((seed >> 20) % (uint64_t)(most + 1)));
    sleeping(&time, NULL);
  }
}

static void wake_late_without(pthread_mutex_t *mutex) {
  if (late <= 0) return;
  pthread_mutex_unlock(mutex);
  wake_late();
  pthread_mutex_lock(mutex);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  int failed = waiting(condition, mutex);
  wake_late_without(mutex);
  return failed;
}

int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  // The wall clock has more seconds than any machine has been on.
  int64_t since = until->tv_sec > 1000000000 ? wall : steady;
  struct timespec time = spec(since + (int64_t)((nanos(until) - since) / speed));
  int failed = waiting_until(condition, mutex, &time);
  if (!failed) wake_late_without(mutex);
  return failed;
}

static int shorter(int millis) {
  if (millis <= 0) return millis;
  return millis / speed < 1 ? 1 : (int)(millis / speed);
}

int poll(struct pollfd *files, nfds_t count, int millis) {
  int found = polling(files, count, shorter(millis));
  if (found > 0) wake_late();
  return found;
}

int epoll_wait(int files, struct epoll_event *events, int count, int millis) {
  int found = epolling(files, events, count, shorter(millis));
  if (found > 0) wake_late();
  return found;
}
