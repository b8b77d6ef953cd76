/* SPDX-License-Identifier: MIT
 * A process may end while its threads compile: nobody has to wait for DXVK's, and exit() only runs what libraries registered for it. The tables of
 * SPIRV-Tools and LLVM are destroyed so, under those threads. Here they are not: this library is never unloaded, and memory goes with the process. */
typedef void destroy_fn(void *object);

int comp_outlast(destroy_fn *destroy, void *object, void *library) __asm__("__wrap___cxa_atexit");

int comp_outlast(destroy_fn *destroy, void *object, void *library)
{
   (void)destroy;
   (void)object;
   (void)library;
   return 0;
}
