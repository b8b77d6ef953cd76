/* SPDX-License-Identifier: MIT
 * What the cgroups of this process allow it. */
#include "util/cgroup.h"

#include "util/macros.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A hierarchy that is mounted somewhere. */
struct mount {
   bool is_v2;
   char controllers[256]; /* v1: ",cpu,cpuacct," as in the super block's options */
   char root[512];        /* the cgroup that the mount point shows */
   char point[512];
};

/* Reads the first line of a file; false if there is none. */
static bool read_line(const char *path, char *line, int size)
{
   FILE *file = fopen(path, "re");
   if (!file)
      return false;
   const bool is_read = fgets(line, size, file) != NULL;
   fclose(file);
   if (is_read)
      line[strcspn(line, "\n")] = '\0';
   return is_read;
}

static uint32_t quota_to_cpus(int64_t quota_us, int64_t period_us)
{
   if (quota_us <= 0 || period_us <= 0)
      return UINT32_MAX;
   const int64_t cpus = UTIL_DIV_ROUND_UP(quota_us, period_us);
   return cpus < UINT32_MAX ? (uint32_t)cpus : UINT32_MAX;
}

static void limit_cpus(struct util_cgroup_limits *limits, uint32_t cpus)
{
   limits->cpus = UTIL_MIN(limits->cpus, cpus);
}

/* "max" and what is no number do not limit. */
static void limit_memory(struct util_cgroup_limits *limits, const char *text)
{
   char *end;
   const unsigned long long bytes = strtoull(text, &end, 10);
   if (end != text)
      limits->memory_bytes = UTIL_MIN(limits->memory_bytes, (uint64_t)bytes);
}

static void read_group_v2(const char *folder, struct util_cgroup_limits *limits)
{
   char path[PATH_MAX], line[128];
   long long quota, period;
   snprintf(path, sizeof(path), "%s/cpu.max", folder);
   if (read_line(path, line, sizeof(line)) && sscanf(line, "%lld %lld", &quota, &period) == 2)
      limit_cpus(limits, quota_to_cpus(quota, period));
   snprintf(path, sizeof(path), "%s/memory.max", folder);
   if (read_line(path, line, sizeof(line)))
      limit_memory(limits, line);
}

static void read_group_v1_cpu(const char *folder, struct util_cgroup_limits *limits)
{
   char path[PATH_MAX], quota[64], period[64];
   snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", folder);
   if (!read_line(path, quota, sizeof(quota)))
      return;
   snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", folder);
   if (read_line(path, period, sizeof(period)))
      limit_cpus(limits, quota_to_cpus(atoll(quota), atoll(period)));
}

static void read_group_v1_memory(const char *folder, struct util_cgroup_limits *limits)
{
   char path[PATH_MAX], line[64];
   snprintf(path, sizeof(path), "%s/memory.limit_in_bytes", folder);
   if (read_line(path, line, sizeof(line)))
      limit_memory(limits, line);
}

/* Calls `read_group` for the process's group and each ancestor up to the mount point. */
static void walk_up(const char *root, const struct mount *mount, const char *group,
                    void (*read_group)(const char *, struct util_cgroup_limits *), struct util_cgroup_limits *limits)
{
   /* Seen from inside a container the group may lie outside of what is mounted: then the mount point is ours. */
   const size_t shown = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);
   const bool is_below = strncmp(group, mount->root, shown) == 0 && (group[shown] == '/' || group[shown] == '\0') &&
                         !strstr(group, "/..");
   const char *rest = is_below ? group + shown : "";

   char folder[PATH_MAX];
   const size_t top = strlen(root) + strlen(mount->point);
   if (snprintf(folder, sizeof(folder), "%s%s%s", root, mount->point, rest) >= (int)sizeof(folder))
      return;
   for (;;) {
      read_group(folder, limits);
      char *slash = strrchr(folder, '/');
      if (!slash || (size_t)(slash - folder) < top)
         return;
      *slash = '\0';
   }
}

static bool has_controller(const char *list, const char *name)
{
   char wanted[32];
   snprintf(wanted, sizeof(wanted), ",%s,", name);
   return strstr(list, wanted) != NULL;
}

/* A line of mountinfo: id parent device root point options [tags] - type source super-options */
static bool parse_mount(const char *line, struct mount *mount)
{
   char type[32], options[250];
   const char *separator = strstr(line, " - ");
   if (!separator || sscanf(separator, " - %31s %*s %249s", type, options) != 2)
      return false;
   mount->is_v2 = strcmp(type, "cgroup2") == 0;
   if (!mount->is_v2 && strcmp(type, "cgroup") != 0)
      return false;
   snprintf(mount->controllers, sizeof(mount->controllers), ",%s,", options);
   return sscanf(line, "%*s %*s %*s %511s %511s", mount->root, mount->point) == 2;
}

/* The process's group in the hierarchy of `mount`. A line of /proc/self/cgroup is number:controllers:group. */
static bool find_group(const char *root, const struct mount *mount, const char *controller, char *group, size_t size)
{
   char path[PATH_MAX], line[1024];
   snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
   FILE *file = fopen(path, "re");
   bool is_found = false;
   while (file && !is_found && fgets(line, sizeof(line), file)) {
      char *list = strchr(line, ':');
      char *name = list ? strchr(list + 1, ':') : NULL;
      if (!name)
         continue;
      *name++ = '\0';
      char controllers[256];
      snprintf(controllers, sizeof(controllers), ",%s,", list + 1);
      is_found = mount->is_v2 ? strncmp(line, "0:", 2) == 0 && list[1] == '\0' : has_controller(controllers, controller);
      if (is_found) {
         name[strcspn(name, "\n")] = '\0';
         snprintf(group, size, "%s", name);
      }
   }
   if (file)
      fclose(file);
   return is_found;
}

static void read_hierarchy(const char *root, const struct mount *mount, struct util_cgroup_limits *limits)
{
   static const struct {
      const char *name;
      void (*read_group)(const char *, struct util_cgroup_limits *);
   } v1[] = {{"cpu", read_group_v1_cpu}, {"memory", read_group_v1_memory}};
   char group[1024];

   if (mount->is_v2) {
      if (find_group(root, mount, NULL, group, sizeof(group)))
         walk_up(root, mount, group, read_group_v2, limits);
      return;
   }
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(v1); i++) {
      if (has_controller(mount->controllers, v1[i].name) &&
          find_group(root, mount, v1[i].name, group, sizeof(group)))
         walk_up(root, mount, group, v1[i].read_group, limits);
   }
}

struct util_cgroup_limits util_cgroup_read(const char *root)
{
   struct util_cgroup_limits limits = {UINT32_MAX, UINT64_MAX};
   char path[PATH_MAX], line[2048];
   snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
   FILE *file = fopen(path, "re");
   if (!file)
      return limits;
   while (fgets(line, sizeof(line), file)) {
      struct mount mount;
      if (parse_mount(line, &mount))
         read_hierarchy(root, &mount, &limits);
   }
   fclose(file);
   return limits;
}
