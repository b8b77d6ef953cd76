/* SPDX-License-Identifier: MIT
 * Threads, locks and clocks over pthreads. */
#include "util/thread.h"

#include "util/cpu.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

uint64_t util_now_ns(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t util_deadline_ns(uint64_t timeout_ns)
{
   const uint64_t now = util_now_ns();
   return timeout_ns < UTIL_FOREVER - now ? now + timeout_ns : UTIL_FOREVER;
}

bool util_mutex_init(pthread_mutex_t *mutex)
{
   return pthread_mutex_init(mutex, NULL) == 0;
}

bool util_cond_init(pthread_cond_t *cond)
{
   pthread_condattr_t attributes;
   if (pthread_condattr_init(&attributes) != 0)
      return false;
   const bool is_made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                        pthread_cond_init(cond, &attributes) == 0;
   pthread_condattr_destroy(&attributes);
   return is_made;
}

bool util_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t deadline_ns)
{
   if (deadline_ns == UTIL_FOREVER)
      return pthread_cond_wait(cond, mutex) == 0;
   const struct timespec deadline = {.tv_sec = (time_t)(deadline_ns / NS_PER_S),
                                     .tv_nsec = (long)(deadline_ns % NS_PER_S)};
   return pthread_cond_timedwait(cond, mutex, &deadline) == 0;
}

bool util_thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg)
{
   /* The application's handlers run on the application's threads. Faults stay open: blocked, they would kill the
    * process before a handler, a sanitizer's for one, can report them. */
   static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF};
   sigset_t blocked, before;
   sigfillset(&blocked);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(faults); i++)
      sigdelset(&blocked, faults[i]);

   pthread_sigmask(SIG_SETMASK, &blocked, &before);
   const uint32_t float_state = util_float_enter(); /* what the new thread inherits */
   const bool is_started = pthread_create(thread, NULL, run, arg) == 0;
   util_float_leave(float_state);
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   if (is_started) {
      char short_name[16];
      snprintf(short_name, sizeof(short_name), "%s", name);
      pthread_setname_np(*thread, short_name);
   }
   return is_started;
}
