/* SPDX-License-Identifier: MIT
 * The loader survives whatever a damaged cache hands it: objects with changed bytes and cut ones are refused or placed, never
 * read beyond their end (run under a sanitizer to see that). */
#include "tests/compiler/llvm/cg_run.h"
#include "tests/random.h"

#include <elf.h>

static const char *const text =
   CG_HEAD(64, "") CG_LOAD(%20, %4, %5, %11) "%21 = u2f 1x32 %20\n%22 = const 1x32 0x3fc00000\n%23 = fmul 1x32 %21, %22\n"
   "%24 = f2u 1x32 %23\n" CG_STORE(%11, %24) "yield\n}\n";

static uint64_t state = 1;

static uint32_t pick(uint32_t count)
{
   return random_pick(&state, count);
}

/* A copy that ends where the allocation ends. */
static struct comp_binary *copy_of(const struct comp_binary *binary, uint32_t object_bytes)
{
   struct comp_binary *copy = malloc(binary->object_offset + object_bytes);
   memcpy(copy, binary, binary->object_offset + object_bytes);
   copy->object_bytes = object_bytes;
   return copy;
}

static void load_and_unload(struct comp_binary *binary)
{
   struct comp_code code;
   if (comp_code_load(binary, &code) == VK_SUCCESS) {
      CHECK(code.run.entry >= code.mapping && (char *)code.run.entry < (char *)code.mapping + code.mapping_bytes);
      comp_code_unload(&code);
   }
   free(binary);
}

TEST(loads)
{
   struct comp_binary *binary = cg_run_binary(text, 8, 2, NULL);
   struct comp_code code;
   CHECK_EQ(comp_code_load(binary, &code), VK_SUCCESS);
   CHECK(code.run.entry != NULL);
   comp_code_unload(&code);
   CHECK(code.mapping == NULL);
   free(binary);
}

TEST(cut_objects)
{
   struct comp_binary *binary = cg_run_binary(text, 8, 2, NULL);
   for (uint32_t bytes = 0; bytes < binary->object_bytes; bytes += 1 + bytes / 64)
      load_and_unload(copy_of(binary, bytes));
   free(binary);
}

TEST(changed_bytes)
{
   struct comp_binary *binary = cg_run_binary(text, 8, 2, NULL);
   for (uint32_t i = 0; i < 20000; i++) {
      struct comp_binary *copy = copy_of(binary, binary->object_bytes);
      uint8_t *object = (uint8_t *)copy + copy->object_offset;
      for (uint32_t n = 1 + pick(4); n > 0; n--) {
         /* headers are where it matters: the ELF header, then the section headers at the end */
         const uint32_t at = pick(2) ? pick(64) : pick(4) ? copy->object_bytes - 1 - pick(UTIL_MIN(copy->object_bytes, 1200)) : pick(copy->object_bytes);
         object[at] = pick(2) ? (uint8_t)pick(256) : object[at] ^ (uint8_t)(1u << pick(8));
      }
      load_and_unload(copy);
   }
   free(binary);
}

/* The binary's object so many times, one behind the other, and then `more` bytes of a next one. */
static struct comp_binary *repeated(const struct comp_binary *binary, uint32_t count, uint32_t more)
{
   const uint32_t stride = (uint32_t)util_align(binary->object_bytes, COMP_OBJECT_ALIGN);
   struct comp_binary *copy = calloc(1, binary->object_offset + (count + 1) * stride);
   memcpy(copy, binary, binary->object_offset);
   for (uint32_t i = 0; i <= count; i++)
      memcpy((char *)copy + binary->object_offset + i * stride, (const char *)binary + binary->object_offset, i < count ? binary->object_bytes : more);
   copy->object_bytes = (count - 1) * stride + (more ? stride + more : binary->object_bytes);
   return copy;
}

static VkResult load_repeated(const struct comp_binary *binary, uint32_t count, uint32_t more)
{
   struct comp_code code;
   struct comp_binary *copy = repeated(binary, count, more);
   const VkResult result = comp_code_load(copy, &code);
   comp_code_unload(&code);
   free(copy);
   return result;
}

TEST(several_objects)
{
   struct comp_binary *binary = cg_run_binary(text, 8, 2, NULL);
   for (uint32_t count = 1; count <= COMP_MAX_OBJECTS; count++) {
      CHECK_EQ(load_repeated(binary, count, 0), VK_SUCCESS);
      CHECK_EQ(load_repeated(binary, count, binary->object_bytes / 2), VK_ERROR_INITIALIZATION_FAILED);
   }
   CHECK_EQ(load_repeated(binary, COMP_MAX_OBJECTS + 1, 0), VK_ERROR_INITIALIZATION_FAILED);
   free(binary);
}

/* Constants of 16 bits leave what comes behind them at any even offset. */
TEST(sections_at_any_offset)
{
   struct comp_binary *binary = cg_run_binary(text, 8, 2, NULL);
   struct comp_code code;
   char *object = (char *)binary + binary->object_offset;
   const Elf64_Ehdr *header = (const Elf64_Ehdr *)object;
   Elf64_Shdr *sections = (Elf64_Shdr *)(object + header->e_shoff);
   uint32_t num_moved = 0;
   for (uint32_t i = 0; i < header->e_shnum; i++) {
      if (sections[i].sh_type == SHT_PROGBITS && sections[i].sh_flags & SHF_ALLOC && sections[i].sh_size > 2) {
         sections[i].sh_offset -= 2; /* the code is not run */
         num_moved++;
      }
   }
   CHECK(num_moved > 0);
   CHECK_EQ(comp_code_load(binary, &code), VK_SUCCESS);
   comp_code_unload(&code);
   free(binary);
}

TEST_MAIN
