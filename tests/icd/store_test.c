/* SPDX-License-Identifier: MIT
 * The cache on disk keeps its limit, and does not look at all files to do so. */
#include "icd/cache/store.h"
#include "tests/test.h"
#include "util/alloc.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRY_BYTES = 20000, ENTRY_BLOCKS = 5, LIMIT_BLOCKS = 256 };

static char directory[] = "/tmp/vk_swrast_store_XXXXXX";

static void path_of(const char *name, char path[512])
{
   snprintf(path, 512, "%s/%s", directory, name);
}

static struct util_hash key_of(uint64_t number)
{
   return (struct util_hash){.lo = number * 0x9e3779b97f4a7c15u, .hi = number};
}

static bool is_there(uint64_t number)
{
   size_t size = 0;
   char *data = icd_store_read(key_of(number), &size);
   const bool is_right = data && size == ENTRY_BYTES && data[0] == (char)number && data[size - 1] == (char)number;
   util_mfree(data);
   return is_right;
}

static void put(uint64_t number)
{
   static char data[ENTRY_BYTES];
   memset(data, (int)number, sizeof(data));
   icd_store_write(key_of(number), data, sizeof(data));
   if (number % 2 == 0)
      CHECK(is_there(number)); /* before it is written */
   icd_store_flush();
}

static off_t ledger_size(void)
{
   char path[512];
   struct stat st;
   path_of("ledger", path);
   return stat(path, &st) ? -1 : st.st_size;
}

/* Blocks of all entries. */
static uint64_t count_blocks(void)
{
   uint64_t blocks = 0;
   DIR *dir = opendir(directory);
   for (struct dirent *entry; dir && (entry = readdir(dir));) {
      char path[512];
      struct stat st;
      path_of(entry->d_name, path);
      if (strlen(entry->d_name) >= 32 && !lstat(path, &st))
         blocks += (uint64_t)(st.st_size + 4095) / 4096;
   }
   if (dir)
      closedir(dir);
   return blocks;
}

TEST(entries_come_back)
{
   put(1);
   CHECK(is_there(1));
   CHECK(!is_there(2));
   CHECK_EQ(ledger_size(), ENTRY_BLOCKS);
}

/* The oldest go; the newest is always there. */
TEST(limit_is_kept)
{
   for (uint64_t i = 1; i <= 200; i++) {
      put(i);
      CHECK(is_there(i));
      CHECK(count_blocks() <= LIMIT_BLOCKS + ENTRY_BLOCKS);
   }
   CHECK(!is_there(1));
   CHECK(is_there(190));
   CHECK(ledger_size() >= (off_t)count_blocks());
}

/* A wrong ledger is set right when it says that there is too much, an empty one at once. */
TEST(wrong_ledger)
{
   char path[512];
   path_of("ledger", path);
   CHECK(truncate(path, 1 << 30) == 0);
   put(300);
   CHECK_EQ(ledger_size(), (off_t)count_blocks());
   CHECK(truncate(path, 0) == 0);
   put(301);
   CHECK_EQ(ledger_size(), (off_t)count_blocks());
   CHECK(is_there(300) && is_there(301));
}

static void remove_all(void)
{
   DIR *dir = opendir(directory);
   for (struct dirent *entry; dir && (entry = readdir(dir));) {
      char path[512];
      path_of(entry->d_name, path);
      if (*entry->d_name != '.')
         unlink(path);
   }
   if (dir)
      closedir(dir);
   rmdir(directory);
}

int main(int argc, char **argv)
{
   if (!mkdtemp(directory))
      return 1;
   unsetenv("VK_SWRAST_DEBUG"); /* "nocache" for one */
   setenv("VK_SWRAST_CACHE_DIR", directory, 1);
   setenv("VK_SWRAST_CACHE_MB", "1", 1);
   const int status = test_run_all(argc, argv);
   remove_all();
   return status;
}
