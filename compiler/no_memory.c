/* SPDX-License-Identifier: MIT */
#include "compiler/no_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* std::set_new_handler(). The standard library is linked into this one and hidden: the program's own handler is another. */
extern void (*set_new_handler(void (*handler)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");

static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread jmp_buf *guard;

_Noreturn void comp_no_memory(void)
{
   if (!guard)
      abort();
   longjmp(*guard, 1);
}

bool comp_has_memory(size_t bytes)
{
   void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (memory == MAP_FAILED)
      return false;
   munmap(memory, bytes);
   return true;
}

static void listen(void)
{
   set_new_handler(comp_no_memory);
}

jmp_buf *comp_guard_memory(jmp_buf *jump)
{
   pthread_once(&once, listen);
   jmp_buf *const outer = guard;
   guard = jump;
   return outer;
}
