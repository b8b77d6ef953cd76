/* SPDX-License-Identifier: MIT
 * Loads the heavy half of the compiler when it is first needed; says before whether that will work. */
#include "compiler/compiler.h"
#include "compiler/library_path.h"
#include "util/debug.h"
#include "util/outside.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static _Atomic(const struct comp_library *) library; /* written once, release */
static pthread_once_t check_once = PTHREAD_ONCE_INIT;
static bool is_usable; /* written in `check_once` only */

bool comp_library_path(char *path, size_t size)
{
   static const char file[] = "libvk_swrast_compiler.so";
   const char *own = util_env("VK_SWRAST_COMPILER");
   Dl_info info;

   if (own)
      return (size_t)snprintf(path, size, "%s", own) < size;
   if (!dladdr((void *)comp_library_path, &info) || !info.dli_fname)
      return false;
   const char *slash = strrchr(info.dli_fname, '/');
   const int folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
   return (size_t)snprintf(path, size, "%.*s%s", folder, info.dli_fname, file) < size;
}

static void report(const char *path, const char *problem)
{
   static atomic_flag has_reported = ATOMIC_FLAG_INIT;
   if (!atomic_flag_test_and_set(&has_reported))
      util_log("cannot load the compiler %s: %s", path, problem);
}

static void load(void)
{
   char path[4096];
   if (!comp_library_path(path, sizeof(path)))
      return;
   void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
   const struct comp_library *found = handle ? dlsym(handle, "vk_swrast_compiler") : NULL;
   const char *problem = NULL;

   if (!handle)
      problem = dlerror();
   else if (!found || found->abi_version != COMP_ABI_VERSION)
      problem = "it is not the compiler of this driver";
   if (problem) {
      report(path, problem);
      if (handle)
         dlclose(handle);
      return;
   }
   /* Stays loaded: its code has no reason to go, and LLVM none to come back. */
   atomic_store_explicit(&library, found, memory_order_release);
}

static void check(void)
{
   char path[4096], problem[512];
   if (!comp_library_path(path, sizeof(path))) {
      report("libvk_swrast_compiler.so", "its folder is not known");
      return;
   }
   is_usable = comp_library_check(path, problem, sizeof(problem));
   if (!is_usable)
      report(path, problem);
}

bool comp_library_is_usable(void)
{
   pthread_once(&check_once, check);
   return is_usable;
}

const struct comp_library *comp_library(void)
{
   pthread_once(&load_once, load);
   return atomic_load_explicit(&library, memory_order_acquire);
}

bool comp_library_is_loaded(void)
{
   return atomic_load_explicit(&library, memory_order_acquire) != NULL;
}
