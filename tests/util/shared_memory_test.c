/* SPDX-License-Identifier: MIT
 * Shared memory: two mappings see each other, sizes cannot change, other files are refused. */
#include "tests/test.h"
#include "util/shared_memory.h"

#include <errno.h>
#include <unistd.h>

TEST(two_mappings)
{
   struct util_shared_memory a, b;
   CHECK(util_shared_memory_create(&a, "test", 5000));
   CHECK_EQ(a.size_bytes, 8192);
   CHECK(util_shared_memory_import(&b, util_shared_memory_dup(&a), 8192));
   ((char *)a.data)[4999] = 7;
   CHECK_EQ(((char *)b.data)[4999], 7);
   CHECK(ftruncate(b.fd, 100) != 0);
   util_shared_memory_finish(&a);
   CHECK_EQ(((char *)b.data)[4999], 7);
   util_shared_memory_finish(&b);
   util_shared_memory_finish(&b); /* nothing any more */
}

TEST(refusals)
{
   struct util_shared_memory a, b;
   int pipes[2];
   CHECK_EQ(pipe(pipes), 0);
   errno = 0;
   CHECK(!util_shared_memory_import(&b, pipes[0], 1) && errno == EINVAL);
   CHECK(util_shared_memory_create(&a, "test", 4096));
   CHECK(!util_shared_memory_import(&b, a.fd, 4097) && errno == EINVAL);
   CHECK(!util_shared_memory_create(&b, "test", SIZE_MAX));
   util_shared_memory_finish(&a);
   close(pipes[0]);
   close(pipes[1]);
}

TEST_MAIN
