/* SPDX-License-Identifier: MIT
 * Runs on GNU C libraries down to 2.31 although it is linked with a newer one (-Dportable=true): what newer ones only renamed is bound to the
 * version that old ones have, what they added is made of what was there. The linker sends each reference here, those of LLVM and of libstdc++ too
 * (--wrap, util/meson.build, which has the same names). Source: glibc's NEWS for 2.32 to 2.36; ELF symbol versioning ("Version Needed").
 * tests/packaging says which versions the result needs. x86-64 only: other machines' oldest version is newer. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Calls of `name` go to the symbol as it was in `version`, with all their arguments. The library that had it then is linked too. */
#define AS_IT_WAS(name, version)                                                                                                 \
   __asm__(".symver old_" #name "," #name "@GLIBC_" version "\n"                                                                \
           ".text\n.globl __wrap_" #name "\n.hidden __wrap_" #name "\n.type __wrap_" #name ",@function\n"                        \
           "__wrap_" #name ":\n   jmp *old_" #name "@GOTPCREL(%rip)\n.size __wrap_" #name ",.-__wrap_" #name "\n")

/* libpthread, which became part of libc in 2.32 to 2.34 */
AS_IT_WAS(pthread_once, "2.2.5");
AS_IT_WAS(pthread_create, "2.2.5");
AS_IT_WAS(pthread_join, "2.2.5");
AS_IT_WAS(pthread_detach, "2.2.5");
AS_IT_WAS(pthread_sigmask, "2.2.5");
AS_IT_WAS(pthread_attr_setstacksize, "2.2.5");
AS_IT_WAS(pthread_attr_setstack, "2.2.5");
AS_IT_WAS(pthread_getattr_np, "2.2.5");
AS_IT_WAS(pthread_getcpuclockid, "2.2.5");
AS_IT_WAS(pthread_condattr_setclock, "2.3.3");
AS_IT_WAS(pthread_setname_np, "2.12");
AS_IT_WAS(pthread_getaffinity_np, "2.3.4");
AS_IT_WAS(pthread_setaffinity_np, "2.3.4");
AS_IT_WAS(pthread_rwlock_rdlock, "2.2.5");
AS_IT_WAS(pthread_rwlock_wrlock, "2.2.5");
AS_IT_WAS(pthread_rwlock_unlock, "2.2.5");
AS_IT_WAS(pthread_key_create, "2.2.5");
AS_IT_WAS(__pthread_key_create, "2.2.5");
AS_IT_WAS(sem_init, "2.2.5");
AS_IT_WAS(sem_destroy, "2.2.5");
AS_IT_WAS(sem_post, "2.2.5");
AS_IT_WAS(sem_wait, "2.2.5");
AS_IT_WAS(sem_timedwait, "2.2.5");
/* libdl, since 2.34 */
AS_IT_WAS(dlopen, "2.2.5");
AS_IT_WAS(dlsym, "2.2.5");
AS_IT_WAS(dlclose, "2.2.5");
AS_IT_WAS(dlerror, "2.2.5");
AS_IT_WAS(dladdr, "2.2.5");

/* Until 2.33 the stat family was inline, around functions that are given the layout of the structure: 1 on x86-64. */
enum { STAT_LAYOUT = 1 };
int old_xstat(int layout, const char *path, struct stat *result);
int old_lxstat(int layout, const char *path, struct stat *result);
int old_fxstat(int layout, int fd, struct stat *result);
int old_fxstatat(int layout, int folder, const char *path, struct stat *result, int flags);
__asm__(".symver old_xstat,__xstat@GLIBC_2.2.5");
__asm__(".symver old_lxstat,__lxstat@GLIBC_2.2.5");
__asm__(".symver old_fxstat,__fxstat@GLIBC_2.2.5");
__asm__(".symver old_fxstatat,__fxstatat@GLIBC_2.4");

/* struct stat and struct stat64 are one where long has 64 bits. */
int __wrap_stat(const char *path, struct stat *result);
int __wrap_lstat(const char *path, struct stat *result);
int __wrap_fstat(int fd, struct stat *result);
int __wrap_fstatat(int folder, const char *path, struct stat *result, int flags);
int __wrap_stat64(const char *path, struct stat *result) __attribute__((alias("__wrap_stat")));
int __wrap_lstat64(const char *path, struct stat *result) __attribute__((alias("__wrap_lstat")));
int __wrap_fstat64(int fd, struct stat *result) __attribute__((alias("__wrap_fstat")));
int __wrap_fstatat64(int folder, const char *path, struct stat *result, int flags) __attribute__((alias("__wrap_fstatat")));

int __wrap_stat(const char *path, struct stat *result)
{
   return old_xstat(STAT_LAYOUT, path, result);
}

int __wrap_lstat(const char *path, struct stat *result)
{
   return old_lxstat(STAT_LAYOUT, path, result);
}

int __wrap_fstat(int fd, struct stat *result)
{
   return old_fxstat(STAT_LAYOUT, fd, result);
}

int __wrap_fstatat(int folder, const char *path, struct stat *result, int flags)
{
   return old_fxstatat(STAT_LAYOUT, folder, path, result, flags);
}

/* 2.32: libstdc++ leaves out atomic operations where it is set. */
char __libc_single_threaded = 0;

/* 2.33: LLVM counts its memory by it when it is asked to. */
struct mallinfo2 __wrap_mallinfo2(void);
struct mallinfo2 __wrap_mallinfo2(void)
{
   return (struct mallinfo2){0};
}

/* 2.36: std::random_device. There is no error in its contract. */
uint32_t __wrap_arc4random(void);
uint32_t __wrap_arc4random(void)
{
   uint32_t value = 0;
   while (getentropy(&value, sizeof(value)) && errno == EINTR)
      ;
   return value;
}

/* 2.35: where the unwinder finds the frames of the code at `address`. Source: glibc manual, "Dynamic Linker Introspection". */
struct found_object {
   const void *address;
   struct dl_find_object *result;
};

static int find_object(struct dl_phdr_info *info, size_t size, void *data)
{
   (void)size;
   const struct found_object *wanted = data;
   const uintptr_t address = (uintptr_t)wanted->address;
   const ElfW(Phdr) *frames = NULL;
   uintptr_t begin = UINTPTR_MAX, end = 0;
   int is_here = 0;

   for (int i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
      const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
      if (segment->p_type == PT_GNU_EH_FRAME)
         frames = segment;
      if (segment->p_type != PT_LOAD)
         continue;
      begin = start < begin ? start : begin;
      end = start + segment->p_memsz > end ? start + segment->p_memsz : end;
      is_here |= address - start < segment->p_memsz;
   }
   if (!is_here || !frames)
      return 0;
   *wanted->result = (struct dl_find_object){
      .dlfo_map_start = (void *)begin, .dlfo_map_end = (void *)end, .dlfo_eh_frame = (void *)(info->dlpi_addr + frames->p_vaddr)};
   return 1;
}

int __wrap__dl_find_object(void *address, struct dl_find_object *result);
int __wrap__dl_find_object(void *address, struct dl_find_object *result)
{
   struct found_object wanted = {address, result};
   return dl_iterate_phdr(find_object, &wanted) ? 0 : -1;
}
