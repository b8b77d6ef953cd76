/* SPDX-License-Identifier: MIT
 * Arena: a list of chunks that double in size up to a bound; allocation is a pointer bump. */
#include "util/arena.h"

#include "util/alloc.h"
#include "util/size.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CHUNK_BYTES 4096
#define MAX_CHUNK_BYTES (256 * 1024)
#define ARENA_ALIGN 16

struct util_arena_chunk {
   struct util_arena_chunk *next;
   size_t bytes; /* with this header */
};

static_assert(sizeof(struct util_arena_chunk) % ARENA_ALIGN == 0, "contents start aligned");

void util_arena_init(struct util_arena *arena, size_t limit_bytes)
{
   *arena = (struct util_arena){.limit_bytes = limit_bytes};
}

static void free_chunks(struct util_arena_chunk *chunk)
{
   while (chunk) {
      struct util_arena_chunk *next = chunk->next;
      util_mfree(chunk);
      chunk = next;
   }
}

void util_arena_finish(struct util_arena *arena)
{
   free_chunks(arena->chunks);
   arena->chunks = NULL;
   arena->next = arena->end = NULL;
   arena->total_bytes = 0;
}

void util_arena_reset(struct util_arena *arena)
{
   struct util_arena_chunk *kept = arena->chunks;
   if (!kept)
      return;
   free_chunks(kept->next);
   kept->next = NULL;
   arena->total_bytes = kept->bytes;
   arena->next = (char *)(kept + 1);
   arena->end = (char *)kept + kept->bytes;
}

static void *out_of_memory(struct util_arena *arena)
{
   if (arena->on_oom)
      longjmp(*arena->on_oom, 1);
   return NULL;
}

/* Adds a chunk that has `size` free bytes at any alignment up to `align`. */
static bool add_chunk(struct util_arena *arena, size_t size, size_t align)
{
   size_t needed;
   if (__builtin_add_overflow(size, sizeof(struct util_arena_chunk) + (align > ARENA_ALIGN ? align : 0), &needed))
      return false;

   size_t bytes = arena->chunks ? UTIL_MIN(arena->chunks->bytes * 2, MAX_CHUNK_BYTES) : FIRST_CHUNK_BYTES;
   bytes = UTIL_MAX(bytes, needed);
   if (arena->limit_bytes) {
      const size_t left = arena->limit_bytes - UTIL_MIN(arena->total_bytes, arena->limit_bytes);
      if (needed > left)
         return false;
      bytes = UTIL_MIN(bytes, left);
   }

   struct util_arena_chunk *chunk = util_malloc(bytes);
   if (!chunk)
      return false;
   chunk->next = arena->chunks;
   chunk->bytes = bytes;
   arena->chunks = chunk;
   arena->total_bytes = util_size_add(arena->total_bytes, bytes);
   arena->next = (char *)(chunk + 1);
   arena->end = (char *)chunk + bytes;
   return true;
}

static char *align_pointer(char *pointer, size_t align)
{
   return pointer ? pointer + (-(uintptr_t)pointer & (align - 1)) : NULL; /* no chunk yet: an offset from NULL is undefined, even 0 */
}

void *util_arena_alloc_aligned(struct util_arena *arena, size_t size, size_t align)
{
   align = UTIL_MAX(align, ARENA_ALIGN);
   char *start = align_pointer(arena->next, align);
   if (UTIL_UNLIKELY(!arena->chunks || start > arena->end || size > (size_t)(arena->end - start))) {
      if (!add_chunk(arena, size, align))
         return out_of_memory(arena);
      start = align_pointer(arena->next, align);
   }
   arena->next = start + size;
   return start;
}

void *util_arena_alloc(struct util_arena *arena, size_t size)
{
   return util_arena_alloc_aligned(arena, size, ARENA_ALIGN);
}

void *util_arena_zalloc(struct util_arena *arena, size_t size)
{
   void *memory = util_arena_alloc(arena, size);
   return memory ? memset(memory, 0, size) : NULL;
}

void *util_arena_dup(struct util_arena *arena, const void *data, size_t size)
{
   void *memory = util_arena_alloc(arena, size);
   return memory && size ? memcpy(memory, data, size) : memory;
}

char *util_arena_strdup(struct util_arena *arena, const char *text)
{
   return util_arena_dup(arena, text, strlen(text) + 1);
}

char *util_arena_printf(struct util_arena *arena, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   const int length = vsnprintf(NULL, 0, format, args);
   va_end(args);
   if (length < 0)
      return out_of_memory(arena);

   char *text = util_arena_alloc(arena, (size_t)length + 1);
   if (!text)
      return NULL;
   va_start(args, format);
   vsnprintf(text, (size_t)length + 1, format, args);
   va_end(args);
   return text;
}
