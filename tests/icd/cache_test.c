/* SPDX-License-Identifier: MIT
 * icd/cache/: what comes from outside may be damaged anyhow. Damage that a tag finds is as if nothing was there; what somebody has
 * tagged again, who knows the secret, must not crash the driver when it is loaded. */
#include "compiler/compiler.h"
#include "icd/cache/secret.h"
#include "icd/cache/store.h"
#include "tests/icd/scenario.h"
#include "tests/test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/vk_swrast_cache_XXXXXX";

static uint64_t random_state = 99;

static uint32_t pick(uint32_t count)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 7;
   random_state ^= random_state << 17;
   return (uint32_t)(random_state >> 32) % count;
}

/* A buffer of exactly `size` bytes, so that a sanitizer sees what is read beyond. */
static uint8_t *copy_of(const void *data, size_t size)
{
   uint8_t *copy = malloc(size ? size : 1);
   if (!copy)
      exit(1);
   return memcpy(copy, data, size);
}

/* Changes one to four bytes, mostly near the start, where headers are. */
static void damage(uint8_t *data, size_t size)
{
   for (uint32_t n = 1 + pick(4); n > 0; n--) {
      const size_t at = pick((uint32_t)(pick(2) && size > 200 ? 200 : size));
      data[at] = pick(2) ? (uint8_t)pick(256) : (uint8_t)(data[at] ^ 1u << pick(8));
   }
}

struct context {
   struct fixture f;
   struct scenario_compute shader;
};

static void init(struct context *c)
{
   fixture_init(&c->f, NULL);
   scenario_compute_init(&c->shader, c->f.device);
}

static void finish(struct context *c)
{
   scenario_compute_finish(&c->shader, c->f.device);
   fixture_finish(&c->f, NULL);
}

/* Makes a pipeline and drops it. True if `cache` had the code. */
static bool make(struct context *c, VkPipelineCache cache)
{
   VkPipeline pipeline = VK_NULL_HANDLE;
   bool is_hit = false;
   CHECK_EQ(scenario_compute_pipeline(&c->shader, c->f.device, 7, cache, &is_hit, &pipeline), VK_SUCCESS);
   icd_DestroyPipeline(c->f.device, pipeline, NULL);
   return is_hit;
}

static VkPipelineCache create_cache(struct context *c, const void *data, size_t size)
{
   const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = size, .pInitialData = data};
   VkPipelineCache cache = VK_NULL_HANDLE;
   fixture_require(icd_CreatePipelineCache(c->f.device, &info, NULL, &cache), "vkCreatePipelineCache");
   return cache;
}

/* The data of a cache with one shader, to be freed. */
static uint8_t *cache_data(struct context *c, size_t *size)
{
   VkPipelineCache cache = create_cache(c, NULL, 0);
   CHECK(!make(c, cache));
   CHECK(make(c, cache));
   fixture_require(icd_GetPipelineCacheData(c->f.device, cache, size, NULL), "vkGetPipelineCacheData");
   uint8_t *data = malloc(*size);
   fixture_require(icd_GetPipelineCacheData(c->f.device, cache, size, data), "vkGetPipelineCacheData");
   icd_DestroyPipelineCache(c->f.device, cache, NULL);
   return data;
}

enum { HEADER_BYTES = 32, TAG_BYTES = 32, RECORD_BYTES = 72 };

TEST(pipeline_cache_data_is_taken)
{
   struct context c;
   size_t size;
   init(&c);
   uint8_t *data = cache_data(&c, &size);
   VkPipelineCache cache = create_cache(&c, data, size);
   CHECK(make(&c, cache));
   icd_DestroyPipelineCache(c.f.device, cache, NULL);
   free(data);
   finish(&c);
}

TEST(pipeline_cache_data_is_cut)
{
   struct context c;
   size_t size;
   init(&c);
   uint8_t *data = cache_data(&c, &size);
   for (size_t cut = 0; cut < size; cut += 1 + cut / 50) {
      uint8_t *copy = copy_of(data, cut);
      VkPipelineCache cache = create_cache(&c, copy, cut);
      size_t left = 0;
      CHECK_EQ(icd_GetPipelineCacheData(c.f.device, cache, &left, NULL), VK_SUCCESS);
      CHECK(left == HEADER_BYTES || cut > size - 8); /* padding may be missing */
      icd_DestroyPipelineCache(c.f.device, cache, NULL);
      free(copy);
   }
   free(data);
   finish(&c);
}

TEST(pipeline_cache_data_is_changed)
{
   struct context c;
   size_t size;
   init(&c);
   uint8_t *data = cache_data(&c, &size);
   for (int i = 0; i < 3000; i++) {
      uint8_t *copy = copy_of(data, size);
      damage(copy, size);
      VkPipelineCache cache = create_cache(&c, copy, size);
      if (i % 50 == 0)
         make(&c, cache);
      icd_DestroyPipelineCache(c.f.device, cache, NULL);
      free(copy);
   }
   free(data);
   finish(&c);
}

/* Tags a binary again after a change, so that only its contents are wrong. */
static void damage_and_tag(uint8_t *bytes, size_t size, struct util_hash key, uint8_t *tag_bytes)
{
   struct util_hash tag = {0};
   damage(bytes + 8, size - 8);
   CHECK(icd_secret_tag(key, bytes, size, &tag));
   memcpy(tag_bytes, &tag, sizeof(tag));
}

/* Never run: such code may do anything. */
TEST(pipeline_cache_data_is_changed_and_tagged)
{
   struct context c;
   size_t size;
   init(&c);
   uint8_t *data = cache_data(&c, &size);
   for (int i = 0; i < 1000; i++) {
      uint8_t *copy = copy_of(data, size);
      struct util_hash key;
      const uint8_t *binary = copy + HEADER_BYTES + RECORD_BYTES;
      memcpy(&key, copy + HEADER_BYTES, sizeof(key));
      damage_and_tag(copy + HEADER_BYTES + RECORD_BYTES, ((const struct comp_binary *)binary)->total_bytes, key,
                     copy + HEADER_BYTES + sizeof(key));
      VkPipelineCache cache = create_cache(&c, copy, size);
      make(&c, cache);
      icd_DestroyPipelineCache(c.f.device, cache, NULL);
      free(copy);
   }
   free(data);
   finish(&c);
}

/* ---- on disk ---- */

static void path_of(const char *name, char path[512])
{
   snprintf(path, 512, "%s/%s", directory, name);
}

static uint8_t *read_file(const char *path, size_t *size)
{
   struct stat st;
   FILE *file = fopen(path, "rb");
   if (!file || fstat(fileno(file), &st))
      exit(1);
   uint8_t *data = malloc((size_t)st.st_size + 1);
   *size = fread(data, 1, (size_t)st.st_size, file);
   fclose(file);
   return data;
}

static void write_file(const char *path, const void *data, size_t size)
{
   FILE *file = fopen(path, "wb");
   if (!file || fwrite(data, 1, size, file) != size || fclose(file))
      exit(1);
}

/* One type of damage after the other to a file. */
static void damage_file(const char *path, int class)
{
   size_t size;
   uint8_t *data = read_file(path, &size);
   switch (class % 6) {
   case 0:
      write_file(path, data, pick((uint32_t)size));
      break;
   case 1:
      write_file(path, data, 0);
      break;
   case 2: /* longer than it was */
      data[size] = 7;
      write_file(path, data, size + 1);
      break;
   case 3:
      unlink(path);
      if (mkdir(path, 0700))
         exit(1);
      break;
   case 4:
      unlink(path);
      if (symlink("/dev/zero", path))
         exit(1);
      break;
   default:
      damage(data, size);
      write_file(path, data, size);
   }
   free(data);
}

/* Calls `change` for each entry of a shader. */
static int for_each_shader(void (*change)(const char *path, int number))
{
   int count = 0;
   icd_store_flush();
   DIR *dir = opendir(directory);
   for (struct dirent *entry; dir && (entry = readdir(dir));) {
      char path[512];
      struct stat st;
      path_of(entry->d_name, path);
      if (lstat(path, &st) || !S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(struct comp_binary) + TAG_BYTES)
         continue;
      change(path, count++);
   }
   if (dir)
      closedir(dir);
   return count;
}

static void remove_all(void)
{
   icd_store_flush();
   DIR *dir = opendir(directory);
   for (struct dirent *entry; dir && (entry = readdir(dir));) {
      char path[512];
      path_of(entry->d_name, path);
      if (*entry->d_name != '.' && unlink(path))
         rmdir(path);
   }
   if (dir)
      closedir(dir);
}

static int damage_class;

static void change_file(const char *path, int number)
{
   damage_file(path, damage_class);
}

static void tag_file(const char *path, int number)
{
   size_t size;
   struct util_hash key;
   unsigned long long words[4];
   uint8_t *data = read_file(path, &size);
   CHECK_EQ(sscanf(strrchr(path, '/') + 1, "%16llx%16llx%16llx%16llx", &words[0], &words[1], &words[2], &words[3]), 4);
   key = (struct util_hash){words[3], words[2], {words[1], words[0]}};
   damage_and_tag(data + TAG_BYTES, size - TAG_BYTES, key, data);
   write_file(path, data, size);
   free(data);
}

TEST(files_are_damaged)
{
   struct context c;
   init(&c);
   for (int i = 0; i < 120; i++) {
      remove_all();
      make(&c, VK_NULL_HANDLE);
      damage_class = i;
      CHECK(for_each_shader(change_file) > 0);
      make(&c, VK_NULL_HANDLE);
   }
   finish(&c);
}

TEST(files_are_damaged_and_tagged)
{
   struct context c;
   init(&c);
   for (int i = 0; i < 300; i++) {
      if (i % 10 == 0) {
         remove_all();
         make(&c, VK_NULL_HANDLE);
      }
      CHECK(for_each_shader(tag_file) > 0);
      make(&c, VK_NULL_HANDLE);
   }
   finish(&c);
}

int main(int argc, char **argv)
{
   if (!mkdtemp(directory))
      return 1;
   unsetenv("VK_SWRAST_DEBUG"); /* "nocache" for one */
   setenv("VK_SWRAST_CACHE_DIR", directory, 1);
   const int status = test_run_all(argc, argv);
   remove_all();
   rmdir(directory);
   return status;
}
