/* SPDX-License-Identifier: MIT
 * The benchmark: the same rows on any set of drivers, in turn, through the real loader; medians and ratios.
 *
 *    bench [--rounds N] [--only TEXT] [--cpu] [--threads N,N...] [--checks CHECK,CHECK...] [--scale] [NAME=ICD.json ...]
 *
 * --threads: the first driver alone, as VK_SWRAST_THREADS says, and how much faster the last number of threads is than the first; marks rows that
 * more threads make slower.
 * --checks: the first driver alone, without and with each check of VK_SWRAST_DEBUG, and how many times slower each makes the row; marks rows where
 * bounds, numbers or barrier take over 5 times, others over 20, or uninit over twice the memory. Behind the slash: how many times the memory that
 * the process has at most.
 * --scale: what limits many threads, as our driver counts it on stderr: docs/SCALING.md. One round of each row.
 * --cpu: medians of processor time, of all threads together, instead of time that passed: for a machine that is busy with other things.
 * Without drivers: ours in the build directory and the peers that Debian installs. The first one named is compared with the others.
 * Each measurement is a process of its own. */
#include "tests/bench/start.h"
#include "tests/client/child.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DRIVERS = 8, MAX_ROUNDS = 31, MAX_ROWS = 512 };

struct driver {
   const char *name, *json;
   const char *threads; /* VK_SWRAST_THREADS; NULL: as the environment has it */
   const char *checks;  /* "nocache" and a check for VK_SWRAST_DEBUG; NULL: none */
   long peak_kib;       /* of the row in hand: the most memory that a process had */
};

struct row {
   const char *name, *unit;
   bool is_less_better, wants_disk_cache;
   /* One of: */
   const struct bench_row *device_row;
   const struct bench_start_row *start_row;
   const struct shape *shape;
};

static struct row rows[MAX_ROWS];
static uint32_t num_rows;

static bool is_scaling; /* --scale */
static struct driver columns[MAX_DRIVERS];

static void add_row(struct row row)
{
   if (num_rows == MAX_ROWS)
      client_die("more than %u rows", MAX_ROWS);
   rows[num_rows++] = row;
}

static void collect_rows(void)
{
   static char names[MAX_ROWS][40];
   for (const struct shape *shape = shapes; shape->name; shape++) {
      snprintf(names[num_rows], sizeof(names[0]), "growth: %s", shape->name);
      add_row((struct row){.name = names[num_rows], .unit = "x/double", .is_less_better = true, .shape = shape});
   }
   const struct bench_start_row *const own_clients[] = {bench_start_rows, bench_present_rows, bench_ray_rows};
   for (uint32_t i = 0; i < sizeof(own_clients) / sizeof(own_clients[0]); i++) {
      for (const struct bench_start_row *row = own_clients[i]; row->name; row++)
         add_row((struct row){row->name, row->unit, !row->is_more_better, row->wants_disk_cache, .start_row = row});
   }
   const struct bench_row *const lists[] = {bench_compute_rows, bench_graphics_rows, bench_draw_rows, bench_binding_rows,
                                            bench_pass_rows, bench_texel_rows, bench_blend_rows, bench_transfer_rows, bench_fixed_rows, bench_vertex_rows, bench_call_rows, bench_ordinary_rows};
   for (uint32_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
      for (const struct bench_row *row = lists[i]; row->name; row++)
         add_row((struct row){row->name, row->unit, row->is_less_better, .device_row = row});
   }
}

/* The child: measures one row and prints the number. */
static int run_row(const struct row *row)
{
   double value;
   if (row->shape) {
      value = bench_growth_of(row->shape);
   } else if (row->start_row) {
      value = row->start_row->run();
   } else {
      struct client client;
      bench_client_init(&client, row->device_row->need);
      value = row->device_row->run(&client);
      client_finish(&client);
   }
   printf("%.9g\n", value);
   return 0;
}

/* Runs one row on one driver in a new process; negative if it failed. */
static double measure(struct driver *driver, uint32_t row, const char *cache)
{
   char number[16], line[64] = "";
   const bool has_cache = rows[row].wants_disk_cache;
   const char *const arguments[] = {"bench", "--row", number, NULL};
   const char *checks = driver->checks && has_cache ? driver->checks + strlen("nocache,") : driver->checks;
   const char *debug = is_scaling ? "nocache,scale" : checks ? checks : has_cache ? NULL : "nocache";
   const struct client_variable variables[] = {{"VK_DRIVER_FILES", driver->json},
                                               {"VK_ICD_FILENAMES", driver->json},
                                               {"VK_SWRAST_CACHE_DIR", cache},
                                               {"MESA_SHADER_CACHE_DIR", cache},
                                               {"VK_SWRAST_THREADS", driver->threads},
                                               {"VK_SWRAST_DEBUG", debug},
                                               {"MESA_SHADER_CACHE_DISABLE", has_cache ? NULL : "1"},
                                               {NULL, NULL}};
   snprintf(number, sizeof(number), "%u", row);
   if (is_scaling)
      fprintf(stderr, "%s, %s threads:\n", rows[row].name, driver->name);
   struct client_child process = client_child_start(variables, arguments);
   const bool has_line = fgets(line, sizeof(line), process.out);
   const bool is_done = client_child_finish(&process) && has_line;
   driver->peak_kib = driver->peak_kib > process.peak_kib ? driver->peak_kib : process.peak_kib;
   return is_done ? atof(line) : -1;
}

static void print_values(const struct row *row, const double *values, uint32_t num_drivers)
{
   printf("%-32s %-9s", row->name, row->unit);
   for (uint32_t d = 0; d < num_drivers; d++) {
      if (values[d] < 0 && row->unit[0] != '%')
         printf(" %12s", "failed");
      else
         printf(" %12.4g", values[d]);
   }
}

static double sum_of_logs; /* of speed beside the best peer's, of the rows printed */
static uint32_t num_ratios;

static void print_row(const struct row *row, const double *values, uint32_t num_drivers)
{
   double best_peer = -1;
   print_values(row, values, num_drivers);
   for (uint32_t d = 1; d < num_drivers; d++) {
      if (values[d] > 0 && (best_peer < 0 || (row->is_less_better ? values[d] < best_peer : values[d] > best_peer)))
         best_peer = values[d];
   }
   if (num_drivers > 1 && best_peer > 0 && values[0] > 0) {
      const double ratio = values[0] / best_peer;
      printf(" %9.2fx", ratio);
      sum_of_logs += log(row->is_less_better ? 1 / ratio : ratio);
      num_ratios++;
   }
   printf("\n");
   fflush(stdout);
}

/* The columns are thread counts. */
static void print_scaling(const struct row *row, const double *values, uint32_t num_columns)
{
   static const double noise = 0.05;
   bool is_slower = false;
   print_values(row, values, num_columns);
   for (uint32_t i = 1; i < num_columns; i++) {
      const double gain = row->is_less_better ? values[i - 1] / values[i] : values[i] / values[i - 1];
      is_slower |= gain < 1 - noise;
   }
   const double first = values[0], last = values[num_columns - 1];
   if (first > 0 && last > 0 && num_columns > 1)
      printf(" %9.2fx%s", row->is_less_better ? first / last : last / first, is_slower ? "  slower with more" : "");
   printf("\n");
   fflush(stdout);
}

/* How many times slower a check may make what people run. */
static double limit_of(const char *check)
{
   static const char *const cheap[] = {"bounds", "numbers", "barrier"};
   for (uint32_t i = 0; i < sizeof(cheap) / sizeof(cheap[0]); i++) {
      if (!strcmp(check, cheap[i]))
         return 5;
   }
   return 20;
}

/* The first column is without a check; `columns` have their names and the memory. */
static void print_checks(const struct row *row, const double *values, uint32_t num_columns)
{
   bool is_over = false;
   print_values(row, values, 1);
   for (uint32_t i = 1; i < num_columns; i++) {
      const double times = values[0] <= 0 || values[i] <= 0 ? 0 : row->is_less_better ? values[i] / values[0] : values[0] / values[i];
      const double memory = columns[0].peak_kib > 0 ? (double)columns[i].peak_kib / (double)columns[0].peak_kib : 0;
      if (times > 0)
         printf(" %7.2fx/%-3.1f", times, memory);
      else
         printf(" %12s", "failed");
      is_over |= times > limit_of(columns[i].name) || (!strcmp(columns[i].name, "uninit") && memory > 2);
   }
   printf("%s", is_over ? "  over a limit" : "");
   printf("\n");
   fflush(stdout);
}

/* A column for each check in `list`, that is cut up, and one for none. */
static uint32_t check_columns(struct driver *drivers, char *list)
{
   static char switches[MAX_DRIVERS][64];
   const struct driver first = drivers[0];
   uint32_t count = 0;
   drivers[count++] = (struct driver){.name = "none", .json = first.json};
   for (char *name = strtok(list, ","); name && count < MAX_DRIVERS; name = strtok(NULL, ",")) {
      snprintf(switches[count], sizeof(switches[0]), "nocache,%s", name);
      drivers[count] = (struct driver){.name = name, .json = first.json, .checks = switches[count]};
      count++;
   }
   return count;
}

/* A column for each number of threads in `list`, that is cut up. */
static uint32_t thread_columns(struct driver *drivers, char *list)
{
   const struct driver first = drivers[0];
   uint32_t count = 0;
   for (char *number = strtok(list, ","); number && count < MAX_DRIVERS; number = strtok(NULL, ","))
      drivers[count++] = (struct driver){number, first.json, number};
   return count;
}

static uint32_t default_drivers(struct driver *drivers, const char *self)
{
   static char own[4096];
   static const struct driver peers[] = {
      {.name = "lavapipe", .json = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"},
      {.name = "lavapipe", .json = "/usr/share/vulkan/icd.d/lvp_icd.json"},
      {.name = "swiftshader", .json = "/usr/lib/chromium/vk_swiftshader_icd.json"},
   };
   uint32_t count = 0;
   const char *slash = strrchr(self, '/');
   snprintf(own, sizeof(own), "%.*s../../vk_swrast_icd.json", slash ? (int)(slash - self) + 1 : 0, self);
   drivers[count++] = (struct driver){.name = "vk_swrast", .json = own};
   for (uint32_t i = 0; i < sizeof(peers) / sizeof(peers[0]); i++) {
      if (!access(peers[i].json, R_OK) && (count == 1 || strcmp(drivers[count - 1].name, peers[i].name)))
         drivers[count++] = peers[i];
   }
   return count;
}

int main(int argc, char **argv)
{
   struct driver *drivers = columns;
   uint32_t num_drivers = 0, rounds = 3;
   const char *only = "";
   char *threads = NULL, *checks = NULL;

   collect_rows();
   for (int i = 1; i < argc; i++) {
      char *equals = strchr(argv[i], '=');
      if (!strcmp(argv[i], "--row") && i + 1 < argc)
         return run_row(&rows[(uint32_t)atoi(argv[i + 1]) % num_rows]);
      if (!strcmp(argv[i], "--rounds") && i + 1 < argc) {
         const int wanted = atoi(argv[++i]);
         rounds = (uint32_t)(wanted < 1 ? 1 : wanted > MAX_ROUNDS ? MAX_ROUNDS : wanted);
      } else if (!strcmp(argv[i], "--only") && i + 1 < argc) {
         only = argv[++i];
      } else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
         threads = argv[++i];
      } else if (!strcmp(argv[i], "--checks") && i + 1 < argc) {
         checks = argv[++i];
      } else if (!strcmp(argv[i], "--scale")) {
         is_scaling = true;
         rounds = 1;
      } else if (!strcmp(argv[i], "--cpu")) {
         setenv(bench_cpu_variable, "1", 1);
      } else if (equals && num_drivers < MAX_DRIVERS) {
         *equals = 0;
         drivers[num_drivers++] = (struct driver){.name = argv[i], .json = equals + 1};
      } else {
         client_die("usage: bench [--rounds N] [--only TEXT] [--cpu] [--threads N,N...] [--checks CHECK,CHECK...] [--scale] "
                    "[NAME=ICD.json ...]");
      }
   }
   if (!num_drivers)
      num_drivers = default_drivers(drivers, argv[0]);
   if (threads)
      num_drivers = thread_columns(drivers, threads);
   if (checks)
      num_drivers = check_columns(drivers, checks);

   char cache[] = "/tmp/vk_swrast-bench-XXXXXX";
   if (!mkdtemp(cache))
      client_die("cannot make a directory for caches");
   printf("%-32s %-9s", "row", "unit");
   for (uint32_t d = 0; d < num_drivers; d++)
      printf(" %12s", drivers[d].name);
   printf(" %10s\n", checks ? "" : threads ? "gain" : "to best peer");
   for (uint32_t r = 0; r < num_rows; r++) {
      double values[MAX_DRIVERS][MAX_ROUNDS], medians[MAX_DRIVERS];
      if (!strstr(rows[r].name, only))
         continue;
      for (uint32_t d = 0; d < num_drivers; d++)
         drivers[d].peak_kib = 0;
      if (rows[r].wants_disk_cache) {
         for (uint32_t d = 0; d < num_drivers; d++)
            measure(&drivers[d], r, cache);
      }
      for (uint32_t round = 0; round < rounds; round++) {
         for (uint32_t d = 0; d < num_drivers; d++)
            values[d][round] = measure(&drivers[d], r, cache);
      }
      for (uint32_t d = 0; d < num_drivers; d++)
         medians[d] = bench_middle(values[d], rounds);
      (checks ? print_checks : threads ? print_scaling : print_row)(&rows[r], medians, num_drivers);
   }
   if (num_ratios > 1)
      printf("speed beside the best peer's, geometric mean of %u rows: %.2f\n", num_ratios, exp(sum_of_logs / num_ratios));
   char command[64];
   snprintf(command, sizeof(command), "rm -rf %s", cache);
   return system(command) != 0;
}
