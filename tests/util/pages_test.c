/* SPDX-License-Identifier: MIT
 * util/pages.h */
#include "util/pages.h"

#include "tests/test.h"
#include "util/alloc.h"
#include "util/reserved.h"
#include "util/sanitizers.h"

#include <string.h>

TEST(life)
{
   enum { BYTES = 5 * 4096 };
   for (uint32_t round = 0; round < 3; round++) {
      unsigned char *memory = util_pages_alloc(BYTES);
      CHECK(memory != NULL);
      CHECK_EQ((uintptr_t)memory % 64, 0);
      for (uint32_t i = 0; i < BYTES; i++)
         CHECK_EQ(memory[i], 0);
      memset(memory, 0xaa, BYTES);
      const uintptr_t part_page_bytes = (uintptr_t)memory % UTIL_PAGE_BYTES; /* not 0 of a sanitizer's heap */
      CHECK_EQ(util_pages_touched_bytes(memory, BYTES), BYTES + (part_page_bytes ? UTIL_PAGE_BYTES : 0));
      util_pages_free(memory, BYTES);
   }
   CHECK(util_pages_alloc(0) == NULL);
   util_pages_free(NULL, 0);
   util_alloc_fail_at(1, true);
   CHECK(util_pages_alloc(BYTES) == NULL);
   util_alloc_fail_at(0, true);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they fill what they give */
TEST(touched)
{
   enum { PAGE = 4096, BYTES = 64 * PAGE };
   unsigned char *memory = util_pages_alloc(BYTES);
   CHECK(memory != NULL);
   CHECK_EQ(util_pages_touched_bytes(memory, BYTES), 0);
   memory[7 * PAGE + 5] = memory[9 * PAGE] = 1;
   CHECK_EQ(util_pages_touched_bytes(memory, BYTES), 2 * PAGE);
   CHECK_EQ(util_pages_touched_bytes(memory + 7 * PAGE + 100, 1), PAGE);
   util_pages_free(memory, BYTES);
   CHECK_EQ(util_pages_touched_bytes(NULL, 0), 0);
}
#endif

TEST_MAIN
