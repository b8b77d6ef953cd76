/* SPDX-License-Identifier: MIT
 * Client libraries, opened when they are first needed and kept: window systems' libraries do not survive being unloaded
 * while the application uses them too.
 * Threads: all functions are thread-safe. */
#pragma once

#include "util/macros.h"

#include <pthread.h>
#include <stdbool.h>

/* A library and where the addresses of its symbols go. */
struct wsi_library {
   const char *soname;
   const char *const *names; /* ended by NULL */
   void *table;              /* pointers, one a name, in the same order */
   pthread_mutex_t lock;
   bool is_open; /* under lock */
};

/* `pointers` is the address of a struct of nothing but pointers, one a name. */
#define WSI_LIBRARY(library, symbol_names, pointers)                                                                   \
   {                                                                                                                   \
      .soname = (library), .names = (symbol_names), .table = (pointers), .lock = PTHREAD_MUTEX_INITIALIZER             \
   }

/* True when all symbols are there, also if they were before. */
UTIL_MUST_CHECK bool wsi_library_open(struct wsi_library *library);
