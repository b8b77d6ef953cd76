/* SPDX-License-Identifier: MIT
 * Opening client libraries. */
#include "wsi/library.h"

#include <dlfcn.h>
#include <string.h>

static bool find_all(void *handle, const struct wsi_library *library)
{
   for (size_t i = 0; library->names[i]; i++) {
      void *symbol = dlsym(handle, library->names[i]);
      if (!symbol)
         return false;
      memcpy((char *)library->table + i * sizeof(symbol), &symbol, sizeof(symbol));
   }
   return true;
}

bool wsi_library_open(struct wsi_library *library)
{
   pthread_mutex_lock(&library->lock);
   if (!library->is_open) {
      void *handle = dlopen(library->soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
      library->is_open = handle && find_all(handle, library);
      if (handle && !library->is_open)
         dlclose(handle);
   }
   const bool is_open = library->is_open;
   pthread_mutex_unlock(&library->lock);
   return is_open;
}
