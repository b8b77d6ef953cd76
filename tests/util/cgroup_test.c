/* SPDX-License-Identifier: MIT
 * util/cgroup.h on fake roots: version 1, version 2, nested groups, containers. */
#include "util/cgroup.h"

#include "tests/test.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

static char root[64];

static void write_file(const char *name, const char *text)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/%s", root, name);
   for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
      *slash = '\0';
      mkdir(path, 0700);
   }
   FILE *file = fopen(path, "w");
   CHECK(file != NULL);
   if (file) {
      fputs(text, file);
      fclose(file);
   }
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
   (void)status, (void)type, (void)walk;
   return remove(path);
}

static void open_root(const char *cgroup, const char *mountinfo)
{
   strcpy(root, "/tmp/cgroup_test.XXXXXX");
   CHECK(mkdtemp(root) != NULL);
   write_file("proc/self/cgroup", cgroup);
   write_file("proc/self/mountinfo", mountinfo);
}

static void close_root(void)
{
   nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#define V2_MOUNT "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNTS                                                                                                      \
   "24 1 0:22 / /proc rw - proc proc rw\n"                                                                             \
   "31 23 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"                                       \
   "32 23 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"

TEST(v2)
{
   open_root("0::/user/app\n", V2_MOUNT);
   write_file("sys/fs/cgroup/user/app/cpu.max", "250000 100000\n");
   write_file("sys/fs/cgroup/user/app/memory.max", "max\n");
   write_file("sys/fs/cgroup/user/cpu.max", "max 100000\n");
   write_file("sys/fs/cgroup/user/memory.max", "1073741824\n");
   const struct util_cgroup_limits limits = util_cgroup_read(root);
   CHECK_EQ(limits.cpus, 3);
   CHECK_EQ(limits.memory_bytes, 1 << 30);
   close_root();
}

TEST(v2_parent_is_tighter)
{
   open_root("0::/a/b\n", V2_MOUNT);
   write_file("sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
   write_file("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
   CHECK_EQ(util_cgroup_read(root).cpus, 1);
   CHECK_EQ(util_cgroup_read(root).memory_bytes, UINT64_MAX);
   close_root();
}

TEST(v1)
{
   open_root("5:cpu,cpuacct:/jobs/7\n4:memory:/jobs/7\n3:cpuset:/\n", V1_MOUNTS);
   write_file("sys/fs/cgroup/cpu,cpuacct/jobs/7/cpu.cfs_quota_us", "400000\n");
   write_file("sys/fs/cgroup/cpu,cpuacct/jobs/7/cpu.cfs_period_us", "100000\n");
   write_file("sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_quota_us", "-1\n");
   write_file("sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_period_us", "100000\n");
   write_file("sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes", "9223372036854771712\n");
   write_file("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "536870912\n");
   const struct util_cgroup_limits limits = util_cgroup_read(root);
   CHECK_EQ(limits.cpus, 4);
   CHECK_EQ(limits.memory_bytes, 512 << 20);
   close_root();
}

/* Without a cgroup namespace a container sees its group's name from outside, and the group at the mount point. */
TEST(v1_container)
{
   open_root("5:cpu:/docker/123/sub\n4:memory:/elsewhere\n",
             "31 23 0:27 /docker/123 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n"
             "32 23 0:28 /docker/123 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
   write_file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "600000\n");
   write_file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
   write_file("sys/fs/cgroup/cpu/sub/cpu.cfs_quota_us", "150000\n");
   write_file("sys/fs/cgroup/cpu/sub/cpu.cfs_period_us", "100000\n");
   write_file("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n");
   const struct util_cgroup_limits limits = util_cgroup_read(root);
   CHECK_EQ(limits.cpus, 2);
   CHECK_EQ(limits.memory_bytes, 1000000);
   close_root();
}

TEST(nothing_and_nonsense)
{
   CHECK_EQ(util_cgroup_read("/nonexistent").cpus, UINT32_MAX);
   open_root("garbage\n0:\n::\n", "no mount\n1 2 3 - cgroup2\n" V2_MOUNT);
   write_file("sys/fs/cgroup/cpu.max", "lots of it\n");
   CHECK_EQ(util_cgroup_read(root).cpus, UINT32_MAX);
   CHECK_EQ(util_cgroup_read(root).memory_bytes, UINT64_MAX);
   close_root();
}

TEST_MAIN
