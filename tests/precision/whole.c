/* SPDX-License-Identifier: MIT
 * Measures 32-bit functions of one operand on every float, and those of two on 2^30 pairs, against double precision.
 *
 *    precision_whole [--only TEXT] [--pairs N] [--two yes] [--append FILE]
 *
 * --two: functions of two operands alone.
 * --append: adds the table to a file that `precision --table` has written. An error beyond what the table of references says, or beyond
 * what Vulkan allows at the worst operand of each binade, ends the program with 1. */
#include "tests/client/client.h"
#include "tests/precision/operations.h"
#include "tests/precision/reference.h"

#include "util/macros.h"

#include "precision_whole.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 1 << 20, MAX_THREADS = 16, BINADE = 1 << 23 };

static struct client client;

struct worst {
   double ulps, share;
   float x, y;
};

struct slice { /* of a batch: what one thread compares */
   const struct reference *reference;
   const float *x, *y, *got;
   double *expected;
   double sign;
   uint32_t count;
   bool has_expected;
   struct worst worst;
};

struct job {
   struct client_buffer x, y, results;
   double *expected;
   struct client_set set;
   VkShaderModule module;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkCommandBuffer cmd;
   uint32_t num_threads;
};

static void job_init(struct job *job)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkDescriptorType types[3] = {type, type, type};
   struct client_buffer *const buffers[3] = {&job->x, &job->y, &job->results};
   job->set = client_set_create(&client, 3, types);
   for (uint32_t i = 0; i < 3; i++) {
      *buffers[i] = client_buffer_create(&client, (size_t)BATCH * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
      client_set_buffer(&client, &job->set, i, type, buffers[i]);
   }
   memset(job->y.map, 0, (size_t)BATCH * 4);
   job->layout = client_pipeline_layout(&client, &job->set, 0);
   job->module = client_shader(&client, precision_whole, sizeof(precision_whole));
   job->expected = malloc((size_t)BATCH * sizeof(*job->expected));
   if (!job->expected)
      client_die("out of memory");
   const long online = sysconf(_SC_NPROCESSORS_ONLN);
   job->num_threads = (uint32_t)UTIL_CLAMP(online, 1, MAX_THREADS);
}

static void job_begin(struct job *job, int32_t number)
{
   const VkSpecializationMapEntry entry = {0, 0, sizeof(number)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(number), &number};
   job->pipeline = client_compute_pipeline(&client, job->module, job->layout, VK_NULL_HANDLE, &specialization);
   job->cmd = client_begin(&client);
   vk.CmdBindPipeline(job->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, job->pipeline);
   vk.CmdBindDescriptorSets(job->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, job->layout, 0, 1, &job->set.set, 0, NULL);
   vk.CmdDispatch(job->cmd, BATCH / 64, 1, 1);
   client_barrier(job->cmd);
   client_end(job->cmd);
}

static void job_end(struct job *job)
{
   vk.FreeCommandBuffers(client.device, client.pool, 1, &job->cmd);
   vk.DestroyPipeline(client.device, job->pipeline, NULL);
}

static void job_finish(struct job *job)
{
   vk.DestroyShaderModule(client.device, job->module, NULL);
   vk.DestroyPipelineLayout(client.device, job->layout, NULL);
   client_set_destroy(&client, &job->set);
   client_buffer_destroy(&client, &job->x);
   client_buffer_destroy(&client, &job->y);
   client_buffer_destroy(&client, &job->results);
   free(job->expected);
}

/* ---- one batch ---- */

static void *slice_run(void *arg)
{
   struct slice *slice = arg;
   uint32_t at = 0;
   if (!slice->has_expected)
      slice->reference->values(slice->x, slice->y, slice->expected, slice->count);
   slice->worst.ulps = reference_worst(slice->reference->measure, slice->got, slice->expected, slice->sign, slice->count, &at);
   slice->worst.x = slice->x[at];
   slice->worst.y = slice->y[at];
   return NULL;
}

/* Runs the batch that stands in the buffers and compares it, in parallel. */
static struct worst run_batch(struct job *job, const struct reference *reference, double sign, bool has_expected)
{
   struct slice slices[MAX_THREADS];
   pthread_t threads[MAX_THREADS];
   struct worst worst = {.ulps = -1};
   const uint32_t part = BATCH / job->num_threads;
   client_submit(&client, job->cmd);
   for (uint32_t t = 0; t < job->num_threads; t++) {
      const uint32_t first = t * part;
      slices[t] = (struct slice){.reference = reference, .x = (float *)job->x.map + first, .y = (float *)job->y.map + first,
         .got = (float *)job->results.map + first, .expected = job->expected + first, .sign = sign,
         .count = t + 1 == job->num_threads ? BATCH - first : part, .has_expected = has_expected};
      if (pthread_create(&threads[t], NULL, slice_run, &slices[t]))
         client_die("no thread");
   }
   for (uint32_t t = 0; t < job->num_threads; t++) {
      pthread_join(threads[t], NULL);
      if (slices[t].worst.ulps > worst.ulps)
         worst = slices[t].worst;
   }
   return worst;
}

static void operands_run(struct job *job, uint32_t first)
{
   uint32_t *x = job->x.map;
   for (uint32_t i = 0; i < BATCH; i++)
      x[i] = first + i;
}

/* Outside of the range every result is NaN: a double, as the reference would give it. */
static void expect_nan(struct job *job)
{
   for (uint32_t i = 0; i < BATCH; i++)
      job->expected[i] = NAN;
}

/* ---- all operands ---- */

static const struct operation *operation_of(const struct reference *reference)
{
   for (uint32_t i = 0; i < num_operations; i++)
      if (operations[i].number == reference->number)
         return &operations[i];
   client_die("operation %u is in no table", reference->number);
}

/* How much of the allowed error the result at the worst operand is; 0 where there is no bound. */
static double share_of(const struct operation *op, const struct worst *worst)
{
   const real x[3] = {worst->x, worst->y};
   if (!isfinite(worst->x) || !isfinite(worst->y))
      return 0;
   for (uint32_t i = 0; i < op->num_operands; i++)
      if ((op->low[i] != 0 || op->high[i] != 0) && !(x[i] >= op->low[i] && x[i] <= op->high[i]))
         return 0;
   const struct bounded allowed = op->formula(&float_formats[1], x);
   if (!(allowed.error > 0) || !(real_abs(allowed.value) + allowed.error <= real_max(&float_formats[1])))
      return 0;
   return worst->ulps * (double)(real_ulp(&float_formats[1], allowed.value) / allowed.error);
}

static void add(struct worst *all, const struct operation *op, struct worst *here)
{
   if (here->ulps < 0)
      return;
   const double share = fmax(all->share, share_of(op, here));
   if (here->ulps > all->ulps)
      *all = *here;
   all->share = share;
   here->ulps = -1;
}

/* NaN is in every range: the result is NaN, or what the reference says. */
static bool is_in(const struct reference *reference, double x)
{
   return !(x < reference->low) && !(x > reference->high);
}

/* A batch of bit patterns may lie across the range's end: then the reference gives NaN, or the operand is replaced by the end. */
static void clip(struct job *job, const struct reference *reference)
{
   float *x = job->x.map;
   if (reference->is_nan_beyond)
      return;
   for (uint32_t i = 0; i < BATCH; i++)
      if (!is_in(reference, x[i]))
         x[i] = 0;
}

static void try_all(struct job *job, const struct reference *reference, const struct operation *op, struct worst *all)
{
   const uint64_t end = reference->parity ? UINT64_C(1) << 31 : UINT64_C(1) << 32;
   struct worst here = {.ulps = -1};
   for (uint64_t first = 0; first < end; first += BATCH) {
      for (uint32_t negative = 0; negative <= (reference->parity != PARITY_NONE); negative++) {
         operands_run(job, (uint32_t)first | negative << 31);
         const float *x = job->x.map;
         const bool is_beyond = !is_in(reference, x[0]) && !is_in(reference, x[BATCH - 1]);
         if (is_beyond && !reference->is_nan_beyond)
            continue;
         if (is_beyond)
            expect_nan(job);
         clip(job, reference);
         const double sign = negative && reference->parity == PARITY_ODD ? -1 : 1;
         const struct worst worst = run_batch(job, reference, sign, is_beyond || negative);
         here = worst.ulps > here.ulps ? worst : here;
      }
      if ((first + BATCH) % BINADE == 0)
         add(all, op, &here);
   }
}

static void try_pairs(struct job *job, const struct reference *reference, const struct operation *op, uint64_t pairs, struct worst *all)
{
   for (uint64_t first = 0; first < pairs; first += BATCH) {
      reference->choose((uint32_t)first, job->x.map, job->y.map, BATCH);
      struct worst worst = run_batch(job, reference, 1, false);
      add(all, op, &worst);
   }
   memset(job->y.map, 0, (size_t)BATCH * 4);
}

/* ---- output ---- */

static void print_row(FILE *out, const char *format, const struct reference *reference, const struct operation *op, const struct worst *worst)
{
   char at[64], error[32] = "0";
   int32_t y_bits;
   memcpy(&y_bits, &worst->y, sizeof(y_bits));
   if (op->class == OPERAND_FLOAT_AND_INT)
      snprintf(at, sizeof(at), "%a, %d", (double)worst->x, y_bits);
   else
      snprintf(at, sizeof(at), reference->choose ? "%a, %a" : "%a", (double)worst->x, (double)worst->y);
   if (reference->measure == MEASURE_WITHIN)
      snprintf(error, sizeof(error), "from 0 to %s", reference->choose ? "y" : "3");
   else if (worst->ulps > 0)
      snprintf(error, sizeof(error), "%.2f (%.0f %%)", worst->ulps, worst->share * 100);
   fprintf(out, format, op->name, reference->range, error, worst->ulps > 0 ? at : "");
   fflush(out);
}

static void print_head(FILE *out, uint64_t pairs)
{
   fprintf(out, "\n## Every float\n\n"
                "The 32-bit functions on all 2^32 operands, those of two on %llu pairs, many of them made to be hard: the worst error in units in\n"
                "the last place, how much of what Vulkan allows there, and where it is. Outside of the range the result is NaN; sinh and cosh are infinite\n"
                "beyond theirs. Infinities are among the operands. What is correctly rounded has the very bits, ties to even. Written by `precision_whole`\n"
                "against double precision.\n\n"
                "| operation | operands | worst error | at |\n|---|---|---|---|\n", (unsigned long long)pairs);
}

int main(int argc, char **argv)
{
   uint64_t pairs = UINT64_C(1) << 30;
   uint32_t passed = 0, failed = 0;
   const char *only = "", *path = NULL;
   bool has_two = false;
   for (int i = 1; i < argc; i += 2) {
      if (i + 1 < argc && !strcmp(argv[i], "--only"))
         only = argv[i + 1];
      else if (i + 1 < argc && !strcmp(argv[i], "--pairs"))
         pairs = strtoull(argv[i + 1], NULL, 10);
      else if (i + 1 < argc && !strcmp(argv[i], "--two"))
         has_two = !strcmp(argv[i + 1], "yes");
      else if (i + 1 < argc && !strcmp(argv[i], "--append"))
         path = argv[i + 1];
      else
         client_die("usage: precision_whole [--only TEXT] [--pairs N] [--two yes] [--append FILE]");
   }
   VkPhysicalDeviceVulkan12Features features_1_2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderFloat16 = VK_TRUE};
   client_init(&client, &(struct client_options){.next = &features_1_2, .api_version = VK_API_VERSION_1_2});
   FILE *table = path ? fopen(path, "a") : NULL;
   if (path && !table)
      client_die("cannot write %s", path);
   if (table)
      print_head(table, pairs);
   struct job job = {0};
   job_init(&job);
   for (uint32_t i = 0; i < num_references; i++) {
      const struct reference *reference = &references[i];
      const struct operation *op = operation_of(reference);
      struct worst worst = {.ulps = -1};
      if (!strstr(op->name, only) || (has_two && !reference->choose))
         continue;
      job_begin(&job, reference->number);
      if (reference->choose)
         try_pairs(&job, reference, op, pairs, &worst);
      else
         try_all(&job, reference, op, &worst);
      job_end(&job);
      const bool is_good = worst.ulps >= 0 && worst.ulps <= reference->max_ulps && worst.share <= 1;
      passed += is_good;
      failed += !is_good;
      print_row(stdout, "%-16s %-18s %-16s %s\n", reference, op, &worst);
      if (!is_good)
         printf("   %g ulp are allowed here\n", reference->max_ulps);
      if (table)
         print_row(table, "| %s | %s | %s | %s |\n", reference, op, &worst);
   }
   job_finish(&job);
   client_finish(&client);
   if (table)
      fclose(table);
   printf("%u passed, %u failed\n", passed, failed);
   return failed != 0;
}
