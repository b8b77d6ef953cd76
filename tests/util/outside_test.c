/* SPDX-License-Identifier: MIT
 * util/outside.h: programs with more rights than their caller read no environment; files are made where no link leads them astray. */
#include "util/outside.h"

#include "tests/test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static char directory[] = "/tmp/vk_swrast_outside_XXXXXX";

static void path_of(const char *name, char path[256])
{
   snprintf(path, 256, "%s/%s", directory, name);
}

static void put(const char *path, const char *text)
{
   FILE *file = fopen(path, "w");
   if (!file || fputs(text, file) < 0 || fclose(file))
      exit(1);
}

static bool holds(const char *path, const char *text)
{
   char content[256] = "";
   FILE *file = fopen(path, "r");
   const size_t size = file ? fread(content, 1, sizeof(content) - 1, file) : 0;
   if (file)
      fclose(file);
   return size == strlen(text) && !strcmp(content, text);
}

static bool is_private(const char *path)
{
   struct stat st;
   return !lstat(path, &st) && S_ISREG(st.st_mode) && (st.st_mode & 0777) == 0600;
}

/* What a copy of this program exits with that belongs to `owner` and runs with the owner's rights. */
static int run_as(unsigned owner)
{
   char command[1024], path[256];
   path_of("program", path);
   snprintf(command, sizeof(command), "cp /proc/%d/exe %s && chown %u %s && chmod 4755 %s", (int)getpid(), path, owner, path, path);
   if (system(command) != 0)
      return -1;
   setenv("VK_SWRAST_TEST_OUTSIDE", "seen", 1);
   const pid_t child = fork();
   if (child == 0) {
      execl(path, path, "--child", (char *)NULL);
      _exit(100);
   }
   int status = 0;
   waitpid(child, &status, 0);
   unlink(path);
   return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* 2: it has no rights of its own (the folder's file system does not give them). */
static int child(void)
{
   if (geteuid() == getuid())
      return util_env("VK_SWRAST_TEST_OUTSIDE") ? 2 : 3;
   return util_env("VK_SWRAST_TEST_OUTSIDE") ? 1 : 0;
}

TEST(environment)
{
   setenv("VK_SWRAST_TEST_OUTSIDE", "seen", 1);
   CHECK(util_env("VK_SWRAST_TEST_OUTSIDE") && !strcmp(util_env("VK_SWRAST_TEST_OUTSIDE"), "seen"));
   CHECK(util_env("VK_SWRAST_TEST_NOT_THERE") == NULL);
   if (getuid() == 0) {
      const int status = run_as(NOBODY);
      CHECK(status == 0 || status == 2);
   }
}

TEST(created)
{
   char path[256], victim[256];
   path_of("created", path);
   path_of("victim", victim);
   put(victim, "old");
   CHECK_EQ(symlink(victim, path), 0);
   FILE *file = util_create_private(path);
   CHECK(file && fputs("new", file) > 0 && !fclose(file));
   CHECK(holds(victim, "old"));
   CHECK(is_private(path) && holds(path, "new"));
   CHECK(util_create_private("/nowhere/at/all") == NULL);
}

TEST(appended)
{
   char path[256], victim[256];
   path_of("appended", path);
   path_of("victim_2", victim);
   put(victim, "old");
   for (int i = 0; i < 2; i++) {
      FILE *file = util_append_private(path);
      CHECK(file && fputs("a", file) > 0 && !fclose(file));
   }
   CHECK(is_private(path) && holds(path, "aa"));
   unlink(path);
   CHECK_EQ(symlink(victim, path), 0);
   CHECK(util_append_private(path) == NULL);
   unlink(path);
   CHECK_EQ(link(victim, path), 0); /* a second name */
   CHECK(util_append_private(path) == NULL);
   unlink(path);
   CHECK_EQ(mkfifo(path, 0600), 0);
   CHECK(util_append_private(path) == NULL);
   unlink(path);
   put(path, "");
   CHECK_EQ(chmod(path, 0666), 0); /* others write, too */
   CHECK(util_append_private(path) == NULL);
   CHECK(holds(victim, "old"));
}

int main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--child"))
      _exit(child()); /* a leak checker at the exit may not look into a process of another user */
   if (!mkdtemp(directory))
      return 1;
   chmod(directory, 0755);
   const int status = test_run_all(argc, argv);
   static const char *const names[] = {"created", "victim", "appended", "victim_2", "program"};
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(names); i++) {
      char path[256];
      path_of(names[i], path);
      unlink(path);
   }
   rmdir(directory);
   return status;
}
