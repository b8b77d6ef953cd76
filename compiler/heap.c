/* SPDX-License-Identifier: MIT
 * operator new and operator delete of the C++ inside the compiler's library, and of nothing else in the process.
 *
 * A compile makes millions of small objects. The C library keeps seven freed blocks of a size to a thread; beyond these it takes a lock, which
 * was an eighth of a compile. Here each thread has lists of its own, one for each multiple of 16 bytes up to SMALL_BYTES, and wider apart up
 * to MEDIUM_BYTES; what is larger, and more alignment, are the C library's. Blocks are cut from spans of one size that stand in one range of addresses, so that a block's
 * address tells its size and whose it is. Freed blocks go to the thread that frees them; when a thread ends, the next one has its heap.
 * Threads: all functions may be called from any thread at once. */
#include "compiler/no_memory.h"
#include "util/macros.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { STEP_BYTES = 16, SMALL_BYTES = 1024, NUM_SMALL = SMALL_BYTES / STEP_BYTES };
enum { WIDE_STEP_BYTES = 512, MEDIUM_BYTES = 8192, NUM_SIZES = NUM_SMALL + (MEDIUM_BYTES - SMALL_BYTES) / WIDE_STEP_BYTES + 1 };
enum { SPAN_BYTES = 64 << 10, NUM_SPANS = 1 << 16, COMMIT_SPANS = 16 }; /* the kernel is asked for memory for so many at a time */
static const size_t range_bytes = (size_t)NUM_SPANS * SPAN_BYTES;

struct block {
   struct block *next;
};

struct heap {
   struct block *free[NUM_SIZES]; /* by number of the size, from 1 on */
   char *rest[NUM_SIZES];         /* of the span that blocks are cut from */
   uint32_t rest_blocks[NUM_SIZES];
   struct heap *next_idle; /* under heaps_lock */
};

static pthread_once_t setup_once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key; /* its destructor hands a thread's heap on */
static pthread_mutex_t heaps_lock = PTHREAD_MUTEX_INITIALIZER;
static struct heap *idle_heaps;                             /* under heaps_lock */
static _Atomic uintptr_t range_start = (uintptr_t)1 << 63; /* relaxed, written once: no address is this far above it before */
static uint32_t num_spans;                                 /* under heaps_lock; those before it are in use */
static uint8_t span_sizes[NUM_SPANS];                       /* written by the thread that takes the span, before it has blocks */
static __thread struct heap *own_heap;

static void hand_on(void *data)
{
   struct heap *heap = data;
   own_heap = NULL;
   pthread_mutex_lock(&heaps_lock);
   heap->next_idle = idle_heaps;
   idle_heaps = heap;
   pthread_mutex_unlock(&heaps_lock);
}

static void setup(void)
{
   if (pthread_key_create(&exit_key, hand_on))
      return;
   void *range = mmap(NULL, range_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (range != MAP_FAILED) /* mappings start at a page: spans need not start at multiples of their size */
      atomic_store_explicit(&range_start, (uintptr_t)range, memory_order_relaxed);
}

static bool has_range(void)
{
   return atomic_load_explicit(&range_start, memory_order_relaxed) >> 63 == 0;
}

/* The calling thread's heap; NULL without memory. */
static struct heap *find_heap(void)
{
   pthread_once(&setup_once, setup);
   if (own_heap || !has_range())
      return own_heap;
   pthread_mutex_lock(&heaps_lock);
   struct heap *heap = idle_heaps;
   if (heap)
      idle_heaps = heap->next_idle;
   pthread_mutex_unlock(&heaps_lock);
   if (!heap)
      heap = calloc(1, sizeof(*heap));
   if (heap && pthread_setspecific(exit_key, heap)) {
      hand_on(heap);
      heap = NULL;
   }
   return own_heap = heap;
}

/* The start of a span that nobody uses; NULL when there is none, or no memory for it. */
static char *take_span(uint32_t *span)
{
   char *start = NULL;
   pthread_mutex_lock(&heaps_lock);
   if (num_spans < NUM_SPANS) {
      start = (char *)atomic_load_explicit(&range_start, memory_order_relaxed) + (size_t)num_spans * SPAN_BYTES;
      if (num_spans % COMMIT_SPANS || !mprotect(start, (size_t)COMMIT_SPANS * SPAN_BYTES, PROT_READ | PROT_WRITE))
         *span = num_spans++;
      else
         start = NULL;
   }
   pthread_mutex_unlock(&heaps_lock);
   return start;
}

static size_t size_bytes(size_t size)
{
   return size <= NUM_SMALL ? size * STEP_BYTES : SMALL_BYTES + (size - NUM_SMALL) * WIDE_STEP_BYTES;
}

static bool refill(struct heap *heap, size_t size)
{
   uint32_t span = 0;
   char *start = take_span(&span);
   if (!start)
      return false;
   span_sizes[span] = (uint8_t)size;
   heap->rest[size] = start;
   heap->rest_blocks[size] = (uint32_t)(SPAN_BYTES / size_bytes(size));
   return true;
}

/* A block where the thread's list has none. */
static __attribute__((noinline)) void *allocate_slowly(size_t size)
{
   struct heap *heap = find_heap();
   if (!heap || (!heap->rest_blocks[size] && !refill(heap, size)))
      return malloc(size_bytes(size));
   char *block = heap->rest[size];
   heap->rest[size] += size_bytes(size);
   heap->rest_blocks[size]--;
   return block;
}

static inline void *allocate(size_t bytes)
{
   if (bytes > MEDIUM_BYTES)
      return malloc(bytes);
   struct heap *heap = own_heap;
   const size_t size = bytes <= SMALL_BYTES ? (bytes + (bytes == 0) + STEP_BYTES - 1) / STEP_BYTES
                                            : NUM_SMALL + (bytes - SMALL_BYTES + WIDE_STEP_BYTES - 1) / WIDE_STEP_BYTES;
   struct block *block = heap ? heap->free[size] : NULL;
   if (!block)
      return allocate_slowly(size);
   heap->free[size] = block->next;
   return block;
}

static __attribute__((noinline)) void release_slowly(void *memory)
{
   if (memory && (uintptr_t)memory - atomic_load_explicit(&range_start, memory_order_relaxed) >= range_bytes)
      free(memory); /* else the thread has no heap and can get none: the block is lost */
}

static inline void release(void *memory)
{
   const uintptr_t offset = (uintptr_t)memory - atomic_load_explicit(&range_start, memory_order_relaxed);
   struct heap *heap = own_heap;
   if (offset >= range_bytes || (!heap && !(heap = find_heap()))) {
      release_slowly(memory);
      return;
   }
   const size_t size = span_sizes[offset / SPAN_BYTES];
   struct block *block = memory;
   block->next = heap->free[size];
   heap->free[size] = block;
}

static inline void *allocate_aligned(size_t size, size_t align)
{
   return align <= STEP_BYTES ? allocate(size) : aligned_alloc(align, util_align(size, align));
}

/* Where C++ would throw, which nothing in the compiler catches. */
static inline void *must(void *memory)
{
   if (!memory)
      comp_no_memory();
   return memory;
}

/* ---- the names that the C++ ABI gives them: n new, d delete, w one, a array; m size_t, Pv void *, then alignment and nothrow ---- */

#define NEW(name)                                                                                                     \
   void *_Zn##name##m(size_t size);                                                                                   \
   void *_Zn##name##mRKSt9nothrow_t(size_t size, const void *nothrow);                                                \
   void *_Zn##name##mSt11align_val_t(size_t size, size_t align);                                                      \
   void *_Zn##name##mSt11align_val_tRKSt9nothrow_t(size_t size, size_t align, const void *nothrow);                   \
   void *_Zn##name##m(size_t size) { return must(allocate(size)); }                                                   \
   void *_Zn##name##mRKSt9nothrow_t(size_t size, const void *nothrow) { return allocate(size); }                      \
   void *_Zn##name##mSt11align_val_t(size_t size, size_t align) { return must(allocate_aligned(size, align)); }       \
   void *_Zn##name##mSt11align_val_tRKSt9nothrow_t(size_t size, size_t align, const void *nothrow) { return allocate_aligned(size, align); }

#define DELETE(name)                                                                                                  \
   void _Zd##name##Pv(void *memory);                                                                                  \
   void _Zd##name##Pvm(void *memory, size_t size);                                                                    \
   void _Zd##name##PvRKSt9nothrow_t(void *memory, const void *nothrow);                                               \
   void _Zd##name##PvSt11align_val_t(void *memory, size_t align);                                                     \
   void _Zd##name##PvmSt11align_val_t(void *memory, size_t size, size_t align);                                       \
   void _Zd##name##PvSt11align_val_tRKSt9nothrow_t(void *memory, size_t align, const void *nothrow);                  \
   void _Zd##name##Pv(void *memory) { release(memory); }                                                              \
   void _Zd##name##Pvm(void *memory, size_t size) { release(memory); }                                                \
   void _Zd##name##PvRKSt9nothrow_t(void *memory, const void *nothrow) { release(memory); }                           \
   void _Zd##name##PvSt11align_val_t(void *memory, size_t align) { release(memory); }                                 \
   void _Zd##name##PvmSt11align_val_t(void *memory, size_t size, size_t align) { release(memory); }                   \
   void _Zd##name##PvSt11align_val_tRKSt9nothrow_t(void *memory, size_t align, const void *nothrow) { release(memory); }

NEW(w)
NEW(a)
DELETE(l)
DELETE(a)
