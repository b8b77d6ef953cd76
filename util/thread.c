/* SPDX-License-Identifier: MIT
 * Threads, locks and clocks over pthreads. */
#include "util/thread.h"

#include "util/alloc.h"
#include "util/cpu.h"
#include "util/sanitizers.h"
#include "util/stack.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

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

static __thread bool has_own_stack; /* this thread was started below */

struct start {
   void *(*run)(void *arg);
   void *arg;
};

static void *begin(void *data)
{
   const struct start start = *(const struct start *)data;
   util_mfree(data);
   has_own_stack = true;
   return start.run(start.arg);
}

static bool create(pthread_t *thread, struct start *start)
{
   pthread_attr_t attributes;
   if (pthread_attr_init(&attributes) != 0)
      return false;
   const bool is_made = pthread_attr_setstacksize(&attributes, UTIL_STACK_BYTES) == 0 && pthread_create(thread, &attributes, begin, start) == 0;
   pthread_attr_destroy(&attributes);
   return is_made;
}

bool util_thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg)
{
   /* The application's handlers run on the application's threads. Faults stay open: blocked, they would kill the
    * process before a handler, a sanitizer's for one, can report them. */
   static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF};
   sigset_t blocked, before;
   struct start *start = util_malloc(sizeof(*start));
   if (!start)
      return false;
   *start = (struct start){run, arg};
   sigfillset(&blocked);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(faults); i++)
      sigdelset(&blocked, faults[i]);

   pthread_sigmask(SIG_SETMASK, &blocked, &before);
   const uint64_t float_state = util_float_enter(); /* what the new thread inherits */
   const bool is_started = create(thread, start);
   util_float_leave(float_state);
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   if (is_started) {
      char short_name[16];
      snprintf(short_name, sizeof(short_name), "%s", name);
      pthread_setname_np(*thread, short_name);
   } else {
      util_mfree(start);
   }
   return is_started;
}

/* ---- calls on a stack of the driver's ---- */

enum { GUARD_BYTES = 64 << 10 };

struct apart {
   void (*call)(void *data);
   void *data;
};

/* makecontext() passes ints. */
static void enter(unsigned low, unsigned high)
{
   const struct apart *apart = (const struct apart *)((uintptr_t)high << 32 | low);
   apart->call(apart->data);
}

bool util_call_apart(void (*call)(void *data), void *data)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
   const bool can_stay = true; /* they know the stacks of threads only */
#else
   const bool can_stay = has_own_stack;
#endif
   if (can_stay) {
      call(data);
      return true;
   }
   const struct apart apart = {call, data};
   const size_t bytes = GUARD_BYTES + UTIL_STACK_BYTES;
   uint8_t *stack = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
   if (stack == MAP_FAILED)
      return false;
   ucontext_t here, there;
   const bool is_ready = mprotect(stack + GUARD_BYTES, UTIL_STACK_BYTES, PROT_READ | PROT_WRITE) == 0 && getcontext(&there) == 0;
   if (is_ready) {
      there.uc_stack.ss_sp = stack + GUARD_BYTES;
      there.uc_stack.ss_size = UTIL_STACK_BYTES;
      there.uc_link = &here;
      makecontext(&there, (void (*)(void))enter, 2, (unsigned)(uintptr_t)&apart, (unsigned)((uintptr_t)&apart >> 32));
      swapcontext(&here, &there);
   }
   munmap(stack, bytes);
   return is_ready;
}
