/* SPDX-License-Identifier: MIT
 * Every shader of the corpus gives the same bits at each vector width, thread count and instruction set level, and compiles within its time.
 *
 *    corpus_test [all]
 *    corpus_test --child [NAME]    one configuration, one shader
 *
 * The parent runs itself once a configuration; each child prints a line a shader, with a hash of the results. With "all" every combination
 * is run, else a few that meet each value once. */
#include "tests/client/child.h"
#include "tests/corpus/corpus.h"

#include "util/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHADERS = 256 };
static const double max_compile_s = 1.0;

static int child(const char *only)
{
   struct client client;
   struct corpus corpus;
   client_init(&client, &(struct client_options){0});
   corpus_init(&corpus, &client);
   for (uint32_t i = 0; i < corpus_num_shaders; i++) {
      double seconds;
      if (only && strcmp(only, corpus_shaders[i].name))
         continue;
      VkPipeline pipeline = corpus_compile(&corpus, i, &seconds);
      corpus_run(&corpus, pipeline, CORPUS_GROUPS);
      const struct util_hash hash = util_hash_bytes(corpus.results.map, CORPUS_RESULTS * 4);
      printf("%016llx%016llx %.6f\n", (unsigned long long)hash.hi, (unsigned long long)hash.lo, seconds);
      vk.DestroyPipeline(client.device, pipeline, NULL);
   }
   corpus_finish(&corpus);
   client_finish(&client);
   return 0;
}

/* What a child said of each shader. */
struct answer {
   char hash[33];
   double seconds;
};

static bool run(const struct client_configuration *it, struct answer *answers)
{
   static const char *const arguments[] = {"corpus_test", "--child", NULL};
   struct client_child process = client_child_configured(it, arguments);
   uint32_t count = 0;
   while (count < corpus_num_shaders &&
          fscanf(process.out, "%32s %lf", answers[count].hash, &answers[count].seconds) == 2)
      count++;
   return client_child_finish(&process) && count == corpus_num_shaders;
}

int main(int argc, char **argv)
{
   static const char *const lanes[] = {"16", "4", "8", "32"}, *const threads[] = {"2", "1", "0", "5"}, *const levels[] = {"v4", "v3", "v2"};
   static struct answer expected[MAX_SHADERS], answers[MAX_SHADERS];
   int passed = 0, failed = 0;
   double slowest = 0;
   if (argc > 1 && !strcmp(argv[1], "--child"))
      return child(argc > 2 ? argv[2] : NULL);
   if (corpus_num_shaders > MAX_SHADERS)
      client_die("too many shaders");
   const bool is_all = argc > 1 && !strcmp(argv[1], "all");
   for (uint32_t i = 0; i < (is_all ? 48u : 4u); i++) {
      const struct client_configuration it = {lanes[i % 4], threads[is_all ? i / 4 % 4 : i], levels[is_all ? i / 16 : i % 3]};
      if (!run(&it, i ? answers : expected)) {
         printf("%s lanes, %s threads, %s: did not run\n", it.lanes, it.threads, it.level);
         failed++;
         continue;
      }
      for (uint32_t s = 0; s < corpus_num_shaders; s++) {
         const struct answer *answer = i ? &answers[s] : &expected[s];
         const bool is_same = !strcmp(answer->hash, expected[s].hash), is_in_time = answer->seconds < max_compile_s || is_all;
         slowest = fmax(slowest, answer->seconds);
         passed += is_same && is_in_time;
         failed += !is_same || !is_in_time;
         if (!is_same || !is_in_time)
            printf("%s: %s lanes, %s threads, %s: %s (%.3f s)\n", corpus_shaders[s].name, it.lanes, it.threads, it.level,
                   is_same ? "compiled too long" : "other bits", answer->seconds);
      }
   }
   printf("slowest compile: %.3f s\n%d passed, %d failed\n", slowest, passed, failed);
   return failed != 0;
}
