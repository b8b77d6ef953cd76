/* SPDX-License-Identifier: MIT
 * The contract of numerics: the same bits for every vector width, thread count and instruction set level.
 * The parent runs itself once a configuration; each child renders and computes, and prints hashes that must all be equal. */
#include "tests/client/child.h"
#include "tests/demo/demo.h"

#include "util/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The demonstration's parts report their steps; here nobody listens. */
void demo_step(const char *format, ...)
{
   (void)format;
}

void demo_done(const char *format, ...)
{
   (void)format;
}

static void print_hash(FILE *out, struct client *client, struct demo_picture picture)
{
   const struct util_hash hash = util_hash_bytes(picture.pixels.map, (size_t)picture.width * picture.height * 4);
   fprintf(out, "%016llx%016llx ", (unsigned long long)hash.hi, (unsigned long long)hash.lo);
   client_buffer_destroy(client, &picture.pixels);
}

static int child(void)
{
   struct client client;
   FILE *out = fdopen(dup(STDOUT_FILENO), "w");
   if (!out || !freopen("/dev/null", "w", stdout))
      client_die("no output");
   client_init(&client, &(struct client_options){0});
   print_hash(out, &client, demo_fractal(&client));
   print_hash(out, &client, demo_scene(&client));
   const bool is_right = demo_matmul(&client) && demo_histogram(&client);
   fprintf(out, "%s\n", is_right ? "right" : "wrong");
   fclose(out);
   client_finish(&client);
   return 0;
}

static const struct configuration {
   const char *lanes, *threads, *level;
} configurations[] = {
   {"16", "1", "v4"}, {"16", "0", "v4"}, {"16", "2", "v4"}, {"16", "5", "v4"}, {"8", "2", "v4"},
   {"8", "1", "v3"},  {"4", "2", "v3"},  {"4", "1", "v2"},  {"16", "2", "v2"},
};

static bool run(const struct configuration *it, char *line, int size)
{
   static const char *const arguments[] = {"same_bits_test", "--child", NULL};
   const struct client_variable variables[] = {
      {"VK_SWRAST_LANES", it->lanes}, {"VK_SWRAST_THREADS", it->threads}, {"VK_SWRAST_CPU", it->level}, {NULL, NULL}};
   struct client_child process = client_child_start(variables, arguments);
   const bool has_line = fgets(line, size, process.out);
   return client_child_finish(&process) && has_line;
}

int main(int argc, char **argv)
{
   char first[256] = "", line[256];
   int passed = 0, failed = 0;

   if (argc > 1 && !strcmp(argv[1], "--child"))
      return child();
   for (size_t i = 0; i < sizeof(configurations) / sizeof(configurations[0]); i++) {
      const struct configuration *it = &configurations[i];
      const bool is_run = run(it, line, sizeof(line));
      if (!*first && is_run)
         memcpy(first, line, sizeof(first));
      const bool is_same = is_run && !strcmp(line, first) && strstr(line, "right");
      passed += is_same;
      failed += !is_same;
      if (!is_same)
         printf("%s lanes, %s threads, %s: %s", it->lanes, it->threads, it->level, is_run ? line : "did not run\n");
   }
   printf("%d passed, %d failed\n", passed, failed);
   return failed != 0;
}
