/* SPDX-License-Identifier: MIT
 * Caches that somebody else wrote, and disks that fail. Code from another user's cache is not run, an application's blob that was made under another
 * secret is no hit; a disk that is full, read-only or not there costs time and nothing else. Each process has read its environment once, so each
 * step is a child. */
#include "tests/client/child.h"
#include "tests/client/client.h"
#include "tests/test.h"

#include "private_arrays_5.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/vk_swrast_caches_XXXXXX";

static const char *in(const char *name)
{
   static char paths[32][512];
   static uint32_t next;
   char *path = paths[next++ % 32];
   snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
   return path;
}

/* ---- the child: makes a pipeline with the blob in a file, says whether it was a hit, and writes the blob ---- */

static uint8_t *read_blob(const char *path, size_t *size)
{
   FILE *file = fopen(path, "rb");
   uint8_t *data = malloc(1 << 20);
   *size = file ? fread(data, 1, 1 << 20, file) : 0;
   if (file)
      fclose(file);
   return data;
}

static VkPipelineCache create_cache(struct client *client, const char *path)
{
   size_t size;
   uint8_t *data = read_blob(path, &size);
   const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = size, .pInitialData = data};
   VkPipelineCache cache;
   client_check(vk.CreatePipelineCache(client->device, &info, NULL, &cache), "vkCreatePipelineCache");
   free(data);
   return cache;
}

static void write_blob(struct client *client, VkPipelineCache cache, const char *path)
{
   size_t size = 0;
   client_check(vk.GetPipelineCacheData(client->device, cache, &size, NULL), "vkGetPipelineCacheData");
   uint8_t *data = malloc(size);
   client_check(vk.GetPipelineCacheData(client->device, cache, &size, data), "vkGetPipelineCacheData");
   FILE *file = fopen(path, "wb");
   if (!file || fwrite(data, 1, size, file) != size || fclose(file))
      client_die("cannot write %s", path);
   free(data);
}

static int child(const char *blob, const char *out)
{
   const uint32_t count = 16;
   const VkSpecializationMapEntry entry = {0, 0, sizeof(count)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(count), &count};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkPipelineCreationFeedback feedback = {0}, stage_feedback = {0};
   const VkPipelineCreationFeedbackCreateInfo feedback_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
                                                               .pPipelineCreationFeedback = &feedback,
                                                               .pipelineStageCreationFeedbackCount = 1,
                                                               .pPipelineStageCreationFeedbacks = &stage_feedback};
   struct client client;
   client_init(&client, &(struct client_options){.api_version = VK_API_VERSION_1_3});
   struct client_set set = client_set_create(&client, 1, &type);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipelineCache cache = create_cache(&client, blob);
   const double begin_s = client_now_s();
   VkShaderModule module = client_shader(&client, private_arrays_5, sizeof(private_arrays_5));
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .pNext = &feedback_info,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = &specialization},
      .layout = layout,
   };
   VkPipeline pipeline;
   client_check(vk.CreateComputePipelines(client.device, cache, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   const double spent_s = client_now_s() - begin_s;
   if (out)
      write_blob(&client, cache, out);
   printf("%d %f\n", (feedback.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT) != 0, spent_s);
   fflush(stdout);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineCache(client.device, cache, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_finish(&client);
   return 0;
}

static const char *slow_disk_ms; /* of the next children; NULL: as it is */
static const char *installation; /* the same: a folder with a driver; NULL: the one that was built */
static double spent_s;           /* of the last child, to make a pipeline */

/* 1: the blob was a hit, 0: it was not, -1: the child failed. `store` is VK_SWRAST_CACHE_DIR, or empty with `xdg` as XDG_CACHE_HOME. */
static int run(const char *store, const char *xdg, const char *blob, const char *out)
{
   char manifest[600] = "", compiler[600];
   if (installation) {
      snprintf(manifest, sizeof(manifest), "%s/manifest.json", installation);
      snprintf(compiler, sizeof(compiler), "%s/libvk_swrast_compiler.so", installation);
   }
   const struct client_variable variables[] = {
      {"VK_DRIVER_FILES", installation ? manifest : NULL}, {"VK_ICD_FILENAMES", installation ? manifest : NULL},
      {"VK_SWRAST_COMPILER", installation ? compiler : NULL}, {"VK_SWRAST_DEBUG", ""}, {"VK_SWRAST_CACHE_DIR", store}, {"XDG_CACHE_HOME", xdg}, {"HOME", "/nowhere"},
      {"LD_PRELOAD", slow_disk_ms ? getenv("SLOW_DISK") : NULL}, {"SLOW_DISK_MS", slow_disk_ms}, {NULL, NULL}};
   const char *const arguments[] = {"caches_test", "--child", blob, out, NULL};
   struct client_child process = client_child_start(variables, arguments);
   int hit = -1;
   const bool is_read = fscanf(process.out, "%d %lf", &hit, &spent_s) == 2;
   return client_child_finish(&process) && is_read ? hit : -1;
}

static uint32_t count_entries(const char *path)
{
   char command[600], line[32] = "0";
   snprintf(command, sizeof(command), "ls %s 2>/dev/null | grep -c -E '^[0-9a-f]{32}'", path);
   FILE *out = popen(command, "r");
   if (!fgets(line, sizeof(line), out))
      line[0] = '0';
   pclose(out);
   return (uint32_t)strtoul(line, NULL, 10);
}

/* ---- */

TEST(blob_of_another_user)
{
   CHECK_EQ(run(in("mine"), "", "/dev/null", in("blob")), 0);
   CHECK_EQ(run(in("mine"), "", in("blob"), NULL), 1);
   CHECK_EQ(run(in("other"), "", in("blob"), NULL), 0);
   /* Nobody can have a secret here: then only what this process wrote counts. */
   CHECK_EQ(run("/proc/nowhere", "", in("blob"), NULL), 0);
   CHECK_EQ(run("/proc/nowhere", "", "/dev/null", in("blob_2")), 0);
   CHECK_EQ(run(in("mine"), "", in("blob_2"), NULL), 0);
}

TEST(secret)
{
   struct stat st;
   CHECK_EQ(run(in("secret"), "", "/dev/null", in("blob")), 0);
   CHECK(!stat(in("secret/key"), &st) && st.st_size == 32 && (st.st_mode & 0777) == 0600);
   CHECK(!stat(in("secret"), &st) && (st.st_mode & 0777) == 0700);
   CHECK_EQ(run(in("secret"), "", in("blob"), NULL), 1);
   CHECK_EQ(chmod(in("secret/key"), 0644), 0); /* others may have read it */
   CHECK_EQ(run(in("secret"), "", in("blob"), NULL), 0);
   CHECK_EQ(unlink(in("secret/key")), 0);
   CHECK_EQ(symlink(in("mine/key"), in("secret/key")), 0);
   CHECK_EQ(run(in("secret"), "", in("blob"), NULL), 0);
   CHECK_EQ(unlink(in("secret/key")), 0);
   CHECK_EQ(run(in("secret"), "", in("blob"), NULL), 0); /* a new one */
   CHECK(!stat(in("secret/key"), &st) && st.st_size == 32);
}

TEST(folders_are_made)
{
   struct stat st;
   CHECK_EQ(run("", in("a/b/c"), "/dev/null", NULL), 0);
   CHECK(!stat(in("a"), &st) && (st.st_mode & 0777) == 0700);
   CHECK(count_entries(in("a/b/c/vk_swrast")) > 0);
   CHECK_EQ(run("", "relative", "/dev/null", NULL), 0); /* not to be used: XDG Base Directory Specification */
   CHECK(stat("relative", &st) != 0);
}

/* In a mount namespace of its own; not where the system allows none. */
static void with_disk(uint64_t flags, const char *options, bool is_filled)
{
   const pid_t process = fork();
   if (process == 0) {
      if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || mkdir(in("disk"), 0700) ||
          mount("tmpfs", in("disk"), "tmpfs", 0, options))
         _exit(77);
      if (!is_filled && run(in("disk/store"), "", "/dev/null", NULL) != 0)
         _exit(1);
      if (flags && mount(NULL, in("disk"), NULL, MS_REMOUNT | flags, options))
         _exit(77);
      const double begin_s = client_now_s();
      const int hit = run(in("disk/store"), "", "/dev/null", NULL);
      _exit(hit == 0 && client_now_s() - begin_s < 60 ? 0 : 2);
   }
   int status = 0;
   waitpid(process, &status, 0);
   rmdir(in("disk"));
   if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
      printf("no file system of its own: skipped\n");
   else
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(disks)
{
   with_disk(0, "size=8k,mode=0700", true);           /* full at the first entry */
   with_disk(MS_RDONLY, "size=16m,mode=0700", false); /* read-only once there are entries */
}

/* How long a pipeline takes that is in no cache yet; the best of some. */
static double cold_s(const char *name)
{
   double best_s = 1e9;
   for (uint32_t i = 0; i < 3; i++) {
      char store[32];
      snprintf(store, sizeof(store), "%s%u", name, i);
      CHECK_EQ(run(in(store), "", "/dev/null", NULL), 0);
      CHECK(count_entries(in(store)) > 0);
      best_s = spent_s < best_s ? spent_s : best_s;
   }
   return best_s;
}

/* An entry takes half a second, of which the caller notices nothing, and the secret, once, a third; with seconds for each step the process does not wait for the end. */
TEST(slow_disk)
{
   if (!getenv("SLOW_DISK")) {
      printf("nothing to preload: skipped\n");
      return;
   }
   const double usual_s = cold_s("usual");
   slow_disk_ms = "100";
   const double slow_s = cold_s("slow");
   printf("%.3f s, on a slow disk %.3f s\n", usual_s, slow_s);
   CHECK(slow_s < 2 * usual_s + 0.8);
   slow_disk_ms = "4000";
   const double begin_s = client_now_s();
   CHECK_EQ(run(in("slower"), "", "/dev/null", NULL), 0);
   CHECK(client_now_s() - begin_s < 30); /* the secret is made first, in six steps of which three are slow */
   slow_disk_ms = NULL;
}

/* What a process may write is limited: by a signal that would end it. */
TEST(file_size_limit)
{
   const pid_t process = fork();
   if (process == 0) {
      char command[1200], self[512] = "";
      if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
         _exit(1);
      snprintf(command, sizeof(command), "ulimit -f 1; VK_SWRAST_DEBUG= VK_SWRAST_CACHE_DIR=%s exec %s --child /dev/null > /dev/null", in("limited"), self);
      execl("/bin/sh", "sh", "-c", command, (char *)NULL);
      _exit(1);
   }
   int status = 0;
   waitpid(process, &status, 0);
   CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- two builds ---- */

/* A link, or a copy whose build id has another last bit. */
static void put_library(const char *from, const char *folder, const char *name, bool is_other)
{
   static const uint8_t note[] = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0}; /* NT_GNU_BUILD_ID of 20 bytes: elf(5) */
   char path[600];
   struct stat st;
   snprintf(path, sizeof(path), "%s/%s", folder, name);
   if (!is_other) {
      if (symlink(from, path))
         client_die("cannot make %s", path);
      return;
   }
   FILE *in_file = fopen(from, "rb");
   if (!in_file || fstat(fileno(in_file), &st))
      client_die("cannot read %s", from);
   const size_t size = (size_t)st.st_size;
   uint8_t *data = malloc(size);
   if (!data || fread(data, 1, size, in_file) != size)
      client_die("cannot read %s", from);
   fclose(in_file);
   uint8_t *id = memmem(data, size, note, sizeof(note));
   if (!id)
      client_die("%s has no build id", from);
   id[sizeof(note) + 19] ^= 1;
   FILE *out_file = fopen(path, "wb");
   if (!out_file || fwrite(data, 1, size, out_file) != size || fclose(out_file))
      client_die("cannot write %s", path);
   free(data);
}

/* Writes an installation of this build into a folder. */
static const char *install(const char *folder, bool has_other_driver, bool has_other_compiler)
{
   char path[600];
   if (mkdir(folder, 0700))
      client_die("cannot make %s", folder);
   put_library(getenv("VK_SWRAST_LIBRARY"), folder, "libvk_swrast.so", has_other_driver);
   put_library(getenv("VK_SWRAST_COMPILER_LIBRARY"), folder, "libvk_swrast_compiler.so", has_other_compiler);
   snprintf(path, sizeof(path), "%s/manifest.json", folder);
   FILE *file = fopen(path, "w");
   if (!file || fprintf(file, "{\"file_format_version\": \"1.0.1\", \"ICD\": {\"library_path\": \"%s/libvk_swrast.so\", \"api_version\": \"1.3.0\"}}\n", folder) < 0 ||
       fclose(file))
      client_die("cannot write %s", path);
   return folder;
}

/* Two installations of one build share what they cached, two builds nothing: a bit of either library's build id makes another build. */
TEST(builds)
{
   const struct {
      const char *folder;
      bool has_other_driver, has_other_compiler;
   } others[] = {{in("other_driver"), true, false}, {in("other_compiler"), false, true}};
   installation = install(in("first"), false, false);
   CHECK_EQ(run(in("builds"), "", "/dev/null", in("blob")), 0);
   uint32_t num_entries = count_entries(in("builds"));
   CHECK(num_entries > 0);
   const uint32_t num_first = num_entries;
   installation = install(in("second"), false, false);
   CHECK_EQ(run(in("builds"), "", in("blob"), NULL), 1);
   CHECK_EQ(run(in("builds"), "", "/dev/null", NULL), 0);
   CHECK_EQ(count_entries(in("builds")), num_entries);
   for (uint32_t i = 0; i < 2; i++) {
      installation = install(others[i].folder, others[i].has_other_driver, others[i].has_other_compiler);
      CHECK_EQ(run(in("builds"), "", in("blob"), NULL), 0);
      num_entries += num_first;
      CHECK_EQ(count_entries(in("builds")), num_entries);
   }
   installation = NULL;
}

int main(int argc, char **argv)
{
   if (argc > 2 && !strcmp(argv[1], "--child"))
      return child(argv[2], argc > 3 ? argv[3] : NULL);
   if (!mkdtemp(directory))
      return 1;
   const int status = test_run_all(argc, argv);
   char command[600];
   snprintf(command, sizeof(command), "rm -rf %s", directory);
   return system(command) != 0 || status;
}
