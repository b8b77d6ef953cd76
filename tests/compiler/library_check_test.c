/* SPDX-License-Identifier: MIT
 * compiler/library_check.c on a shared object as it is, and with one thing changed each time. The driver's own library is the sample: it is
 * small. Argument of the environment: VK_SWRAST_LIBRARY. */
#include "compiler/library_path.h"
#include "compiler/object/relocation.h"
#include "tests/test.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint8_t *sample; /* whole file */
static size_t sample_bytes;

static void read_sample(void)
{
   const char *path = getenv("VK_SWRAST_LIBRARY");
   FILE *file = path ? fopen(path, "rb") : NULL;
   if (!file || fseek(file, 0, SEEK_END)) {
      fprintf(stderr, "VK_SWRAST_LIBRARY names no file\n");
      exit(1);
   }
   sample_bytes = (size_t)ftell(file);
   sample = malloc(sample_bytes);
   rewind(file);
   if (!sample || fread(sample, 1, sample_bytes, file) != sample_bytes)
      exit(1);
   fclose(file);
}

typedef void change_fn(uint8_t *bytes, size_t *size);

/* What is said of the changed file; "" if it is fine. */
static const char *check(change_fn *change)
{
   static char problem[512];
   char path[64];
   if (!sample)
      read_sample();
   size_t size = sample_bytes;
   uint8_t *bytes = malloc(size);
   const int fd = memfd_create("library", 0);
   snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
   memcpy(bytes, sample, size);
   if (change)
      change(bytes, &size);
   CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
   free(bytes);
   snprintf(problem, sizeof(problem), "nothing was said");
   if (comp_library_check(path, problem, sizeof(problem)))
      problem[0] = 0;
   close(fd);
   return problem;
}

static Elf64_Phdr *segment(uint8_t *bytes, uint32_t type)
{
   const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
   for (uint32_t i = 0; i < header->e_phnum; i++) {
      Elf64_Phdr *it = (Elf64_Phdr *)(bytes + header->e_phoff) + i;
      if (it->p_type == type)
         return it;
   }
   abort();
}

/* Overwrites the first `from` in the file, that is the one in the strings of the dynamic section. */
static void replace(uint8_t *bytes, size_t size, const char *from, const char *to)
{
   uint8_t *at = memmem(bytes, size, from, strlen(from));
   CHECK(at != NULL);
   if (at)
      memcpy(at, to, strlen(to));
}

static void no_stack(uint8_t *bytes, size_t *size) { segment(bytes, PT_GNU_STACK)->p_type = PT_NULL; }
static void executable_stack(uint8_t *bytes, size_t *size) { segment(bytes, PT_GNU_STACK)->p_flags |= PF_X; }
static void other_machine(uint8_t *bytes, size_t *size) { ((Elf64_Ehdr *)bytes)->e_machine ^= EM_X86_64 ^ EM_AARCH64; }
static void no_elf(uint8_t *bytes, size_t *size) { memset(bytes, 0, 4); }
static void empty(uint8_t *bytes, size_t *size) { *size = 0; }
static void short_file(uint8_t *bytes, size_t *size) { *size = 4096; }
static void many_segments(uint8_t *bytes, size_t *size) { ((Elf64_Ehdr *)bytes)->e_phnum = 0xffff; }
static void far_segments(uint8_t *bytes, size_t *size) { ((Elf64_Ehdr *)bytes)->e_phoff = UINT64_MAX / 2; }
static void no_dynamic(uint8_t *bytes, size_t *size) { segment(bytes, PT_DYNAMIC)->p_type = PT_NULL; }
static void needs_nothing_known(uint8_t *bytes, size_t *size) { replace(bytes, *size, "libm.so.6", "libq.so.7"); }
static void needs_newer_library(uint8_t *bytes, size_t *size) { replace(bytes, *size, "GLIBC_2.", "GLIBC_9."); }

TEST(as_it_is)
{
   CHECK_STR(check(NULL), "");
}

TEST(stack)
{
   CHECK_STR(check(no_stack), "it asks for an executable stack");
   CHECK_STR(check(executable_stack), "it asks for an executable stack");
}

TEST(other_files)
{
   char problem[64], other[64];
   snprintf(other, sizeof(other), "it is no shared object for %s", OBJECT_FAMILY.name);
   CHECK_STR(check(other_machine), other);
   CHECK_STR(check(no_elf), other);
   CHECK_STR(check(many_segments), other);
   CHECK_STR(check(no_dynamic), other);
   CHECK_STR(check(empty), "it is cut short");
   CHECK_STR(check(short_file), "it is cut short");
   CHECK(check(far_segments)[0] != 0);
   CHECK(!comp_library_check("/nonexistent/library", problem, sizeof(problem)));
   CHECK_STR(problem, "No such file or directory");
}

TEST(what_it_needs)
{
   CHECK(strstr(check(needs_nothing_known), "libq.so.7") != NULL);
   CHECK(strstr(check(needs_newer_library), "the C library is too old: it has no GLIBC_9.") != NULL);
}

/* Whatever else is wrong with the headers is noticed, or does no harm. */
TEST(damaged_headers)
{
   for (uint32_t i = 0; i < 200; i++) {
      uint8_t *whole = sample;
      size_t bytes = sample_bytes;
      uint8_t *bent = malloc(bytes);
      memcpy(bent, whole, bytes);
      for (uint32_t k = 0; k < 4; k++)
         bent[(i * 2654435761u + k * 40503u) % 640] ^= (uint8_t)(1u << (i + k) % 8);
      sample = bent;
      check(NULL);
      sample = whole;
      free(bent);
   }
}

TEST_MAIN
