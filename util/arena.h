/* SPDX-License-Identifier: MIT
 * Arena: memory of one lifetime, given back all at once. One a compile, one a command stream.
 * Owns: its chunks, freed by util_arena_finish(). Threads: one user at a time. */
#pragma once

#include "util/macros.h"

#include <setjmp.h>
#include <stdbool.h>

struct util_arena_chunk;

struct util_arena {
   struct util_arena_chunk *chunks; /* newest first */
   char *next, *end;                /* free bytes of the newest chunk */
   size_t total_bytes;              /* of all chunks */
   size_t limit_bytes;              /* more than this counts as out of memory; 0: no limit */
   jmp_buf *on_oom;                 /* jumped to with 1 when memory is out; NULL: util_arena_alloc() returns NULL */
};

void util_arena_init(struct util_arena *arena, size_t limit_bytes);
void util_arena_finish(struct util_arena *arena);
/* Keeps one chunk, forgets all contents. */
void util_arena_reset(struct util_arena *arena);

/* 16-byte aligned, uninitialised. Out of memory: see on_oom. */
void *util_arena_alloc(struct util_arena *arena, size_t size);
void *util_arena_zalloc(struct util_arena *arena, size_t size);
void *util_arena_alloc_aligned(struct util_arena *arena, size_t size, size_t align);
void *util_arena_dup(struct util_arena *arena, const void *data, size_t size);
char *util_arena_strdup(struct util_arena *arena, const char *text);
UTIL_PRINTF(2, 3) char *util_arena_printf(struct util_arena *arena, const char *format, ...);

#define UTIL_ARENA_NEW(arena, type) ((type *)util_arena_zalloc(arena, sizeof(type)))
#define UTIL_ARENA_ARRAY(arena, type, count) ((type *)util_arena_zalloc(arena, sizeof(type) * (size_t)(count)))
