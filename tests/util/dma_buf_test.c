/* SPDX-License-Identifier: MIT
 * Buffers of devices: sealed files in their stead everywhere, real ones where the system makes them. */
#include "tests/test.h"
#include "util/dma_buf.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* The memory behind the buffer is there, is zero, and nobody else's. */
static void check_import(const struct util_shared_memory *owner, int fd)
{
   struct util_shared_memory imported;
   CHECK_EQ(util_dma_buf_bytes(fd), 3 * PAGE);
   CHECK(util_dma_buf_import(&imported, fd, 3 * PAGE, 64));
   char *mine = owner->data, *theirs = imported.data;
   mine[3 * PAGE - 1] = 5;
   theirs[0] = 6;
   CHECK_EQ(theirs[3 * PAGE - 1], 5);
   CHECK_EQ(mine[0], 6);
   CHECK(imported.size_bytes >= 3 * PAGE + 64);
   for (int i = 0; i < 64; i++)
      CHECK_EQ(theirs[3 * PAGE + i], 0);
   const int again = util_shared_memory_dup(&imported);
   CHECK_EQ(util_dma_buf_bytes(again), 3 * PAGE);
   close(again);
   util_shared_memory_finish(&imported);
}

TEST(sealed_file)
{
   struct util_shared_memory memory;
   CHECK(util_shared_memory_create(&memory, "test", 3 * PAGE));
   check_import(&memory, util_shared_memory_dup(&memory));
   util_shared_memory_finish(&memory);
}

TEST(real_buffer)
{
   struct util_shared_memory memory;
   CHECK(util_shared_memory_create(&memory, "test", 3 * PAGE));
   if (util_dma_buf_can_create()) {
      check_import(&memory, util_dma_buf_create(&memory));
   } else {
      printf("this system makes no dma-bufs\n");
      CHECK_EQ(util_dma_buf_create(&memory), -1);
   }
   util_shared_memory_finish(&memory);
}

TEST(refusals)
{
   struct util_shared_memory memory, imported;
   int pipes[2];
   CHECK_EQ(pipe(pipes), 0);
   const int unsealed = memfd_create("test", MFD_CLOEXEC);
   CHECK_EQ(ftruncate(unsealed, PAGE), 0);
   CHECK_EQ(util_dma_buf_bytes(pipes[0]), 0);
   CHECK_EQ(util_dma_buf_bytes(unsealed), 0); /* somebody could cut it off under us */
   CHECK_EQ(util_dma_buf_bytes(-1), 0);
   errno = 0;
   CHECK(!util_dma_buf_import(&imported, unsealed, 1, 0) && errno == EINVAL);
   CHECK(util_shared_memory_create(&memory, "test", PAGE));
   errno = 0;
   CHECK(!util_dma_buf_import(&imported, memory.fd, PAGE + 1, 0) && errno == EINVAL);
   util_shared_memory_finish(&memory);
   close(unsealed);
   close(pipes[0]);
   close(pipes[1]);
}

TEST_MAIN
