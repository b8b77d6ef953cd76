/* SPDX-License-Identifier: MIT
 * Waiting awake. */
#include "util/awake.h"

#include "util/cpu.h"
#include "util/macros.h"
#include "util/thread.h"

enum { LOOK_NS = 20000, LOOKS_A_CLOCK = 16, MAX_LEFT_OUT = 255 };

static void pause_briefly(void)
{
#if defined(__x86_64__)
   __builtin_ia32_pause();
#elif defined(__aarch64__)
   __asm__ volatile("yield");
#endif
}

static bool look(const _Atomic uint32_t *number, uint32_t seen)
{
   const uint64_t end_ns = util_now_ns() + LOOK_NS;
   do {
      for (uint32_t i = 0; i < LOOKS_A_CLOCK; i++) {
         if (atomic_load_explicit(number, memory_order_acquire) != seen)
            return true;
         pause_briefly();
      }
   } while (util_now_ns() < end_ns);
   return false;
}

bool util_awake_look(struct util_awake *awake, const _Atomic uint32_t *number, uint32_t seen)
{
   if (util_cpu_threads() < 2)
      return false;
   if (awake->left) {
      awake->left--;
      return false;
   }
   const bool has_changed = look(number, seen);
   awake->num_left_out = has_changed ? 0 : UTIL_MIN(awake->num_left_out * 2 + 1, MAX_LEFT_OUT);
   awake->left = awake->num_left_out;
   return has_changed;
}
