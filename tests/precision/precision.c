/* SPDX-License-Identifier: MIT
 * Measures every operation on the driver and compares with what Vulkan allows.
 *
 *    precision [--samples N] [--only TEXT] [--table FILE]
 *
 * Operations of one operand of 16 bits meet every value; others N samples (2^13): evenly over the numbers of the range, with
 * mantissas and differences that are hard cases. An error beyond what is allowed ends the program with 1. */
#include "tests/client/client.h"
#include "tests/precision/operations.h"

#include "compiler/ir/ir_eval.h"
#include "tests/random.h"
#include "util/macros.h"

#include "precision16.h"
#include "precision32.h"
#include "precision64.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1 << 13 };

static struct client client;
static uint64_t random_state;

struct cell { /* of the table: one operation of one width */
   bool is_measured;
   uint32_t num_samples;
   double worst_ulps, worst_share; /* share of the allowed error */
   double at[3];
};

/* ---- operands ---- */

static uint64_t word(void)
{
   random_step(&random_state);
   return random_state >> 32 ^ random_state << 32 ^ random_state;
}

/* Numbers in order have keys in order. */
static int64_t key_of(uint64_t bits, uint32_t size)
{
   const uint64_t sign = UINT64_C(1) << (size - 1);
   return bits & sign ? -(int64_t)(bits & ~sign) : (int64_t)bits;
}

static uint64_t bits_of_key(int64_t key, uint32_t size)
{
   return key < 0 ? (uint64_t)-key | UINT64_C(1) << (size - 1) : (uint64_t)key;
}

static void key_range(const struct operation *op, uint32_t operand, uint32_t size, int64_t *low, int64_t *high)
{
   const bool is_all = op->low[operand] == 0 && op->high[operand] == 0;
   const int64_t greatest = key_of(ir_float_from_double(INFINITY, size), size) - 1;
   *low = is_all ? -greatest : key_of(ir_float_from_double_rtz(op->low[operand], size), size);
   *high = is_all ? greatest : key_of(ir_float_from_double_rtz(op->high[operand], size), size);
   *low = UTIL_MAX(*low, -greatest);
   *high = UTIL_MIN(*high, greatest);
   if (op->low[operand] > 0 && *low == 0) /* positive, but too small for the format: not zero */
      *low = 1;
}

static uint64_t some_float(const struct operation *op, const struct float_format *format, uint32_t operand)
{
   int64_t low, high;
   key_range(op, operand, format->bits, &low, &high);
   const uint64_t span = (uint64_t)high - (uint64_t)low;
   int64_t key = (int64_t)((uint64_t)low + (span == UINT64_MAX ? word() : word() % (span + 1)));
   const int64_t unit = INT64_C(1) << format->mantissa_bits;
   switch (word() >> 40 & 15) {
   case 0: key = low; break;
   case 1: key = high; break;
   case 2: case 3: key = key / unit * unit + (int64_t)(word() >> 61) - 3; break; /* next to a power of two */
   case 4: key = key / 64 * 64; break;                                           /* few bits */
   case 5: key = (int64_t)(word() >> 40) % (3 * unit) * ((int64_t)(word() >> 62 & 2) - 1); break; /* denormal, or nearly */
   case 6: case 7: { /* of moderate size */
      const double one = ldexp((double)(word() >> 11) * 0x1p-53 + 0.5, (int)(word() >> 60) - 8);
      key = key_of(ir_float_from_double(word() >> 63 ? one : -one, format->bits), format->bits);
      break;
   }
   default: break;
   }
   return bits_of_key(UTIL_CLAMP(key, low, high), format->bits);
}

static void choose(const struct operation *op, const struct float_format *format, uint32_t index, uint64_t *bits)
{
   if (op->class == OPERAND_INT || op->class == OPERAND_UINT) {
      bits[0] = (word() & UINT32_MAX) >> (word() >> 59);
      if (op->class == OPERAND_INT && word() >> 63)
         bits[0] = -bits[0] & UINT32_MAX;
      return;
   }
   if (op->num_operands == 1 && format->bits == 16) {
      int64_t low, high;
      key_range(op, 0, 16, &low, &high);
      bits[0] = bits_of_key(UTIL_MIN(low + index, high), 16);
      return;
   }
   for (uint32_t i = 0; i < op->num_operands; i++)
      bits[i] = some_float(op, format, i);
   if (op->class == OPERAND_FLOAT_AND_INT) {
      bits[1] = (uint32_t)((int32_t)op->low[1] + (int32_t)((word() >> 33) % (uint64_t)(op->high[1] - op->low[1])));
      return;
   }
   if (op->num_operands >= 2 && !op->low[1] && !op->high[1] && (word() >> 33 & 7) == 0) /* nearly cancels */
      bits[1] = bits[0] ^ UINT64_C(1) << (format->bits - 1) ^ word() >> 62;
}

/* The number that an operand's bits are. */
static real operand_value(const struct operation *op, const struct float_format *format, uint32_t index, uint64_t bits)
{
   if ((index == 0 && op->class == OPERAND_INT) || (index == 1 && op->class == OPERAND_FLOAT_AND_INT))
      return (int32_t)bits;
   if (index == 0 && op->class == OPERAND_UINT)
      return (uint32_t)bits;
   return ir_float_to_double(bits, format->bits);
}

/* ---- the driver ---- */

struct job {
   struct client_buffer operands, results;
   struct client_set set;
   VkShaderModule modules[3];
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkCommandBuffer cmd;
};

static void job_init(struct job *job)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkDescriptorType types[2] = {type, type};
   job->operands = client_buffer_create(&client, BATCH * 24, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   job->results = client_buffer_create(&client, BATCH * 8, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   job->set = client_set_create(&client, 2, types);
   client_set_buffer(&client, &job->set, 0, type, &job->operands);
   client_set_buffer(&client, &job->set, 1, type, &job->results);
   job->layout = client_pipeline_layout(&client, &job->set, 0);
   job->modules[0] = client_shader(&client, precision16, sizeof(precision16));
   job->modules[1] = client_shader(&client, precision32, sizeof(precision32));
   job->modules[2] = client_shader(&client, precision64, sizeof(precision64));
}

static void job_begin(struct job *job, uint32_t width, int32_t number)
{
   const VkSpecializationMapEntry entry = {0, 0, sizeof(number)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(number), &number};
   job->pipeline = client_compute_pipeline(&client, job->modules[width], job->layout, VK_NULL_HANDLE, &specialization);
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
   for (uint32_t i = 0; i < 3; i++)
      vk.DestroyShaderModule(client.device, job->modules[i], NULL);
   vk.DestroyPipelineLayout(client.device, job->layout, NULL);
   client_set_destroy(&client, &job->set);
   client_buffer_destroy(&client, &job->operands);
   client_buffer_destroy(&client, &job->results);
}

/* ---- comparing ---- */

static void compare(const struct operation *op, const struct float_format *format, const uint64_t *bits, uint64_t result,
                    struct cell *cell)
{
   const struct float_format *result_format = op->result_bits == 16 ? &float_formats[0] : op->result_bits == 32 ? &float_formats[1] : format;
   real x[3] = {0};
   for (uint32_t i = 0; i < op->num_operands; i++)
      x[i] = operand_value(op, format, i, bits[i]);
   const struct bounded allowed = op->formula(result_format, x);
   const real max = real_max(result_format), limit = real_power_of_two(16000);
   if (!(real_abs(allowed.value) <= limit) || !(allowed.error <= limit))
      return; /* not defined, or without a bound */
   const double got_double = ir_float_to_double(result, result_format->bits);
   real got = got_double;
   if (real_abs(allowed.value) + allowed.error > max && (isinf(got_double) || real_abs(got) == max) &&
       (got > 0) == (allowed.value > 0))
      return; /* may overflow */
   const real error = isnan(got_double) ? (real)INFINITY : real_abs(got - allowed.value);
   const double ulps = (double)(error / real_ulp(result_format, allowed.value));
   const double share = error == 0 ? 0.0 : (double)(error / allowed.error);
   cell->num_samples++;
   cell->worst_ulps = fmax(cell->worst_ulps, ulps);
   if (share > cell->worst_share) {
      cell->worst_share = share;
      for (uint32_t i = 0; i < 3; i++)
         cell->at[i] = (double)x[i];
   }
}

static void measure(struct job *job, const struct operation *op, uint32_t width, uint32_t samples, struct cell *cell)
{
   const struct float_format *format = &float_formats[width];
   uint64_t(*operands)[3] = job->operands.map;
   const uint64_t *results = job->results.map;
   if (op->num_operands == 1 && format->bits == 16 && op->class == OPERAND_FLOAT)
      samples = 1 << 16;
   *cell = (struct cell){.is_measured = true};
   random_state = op->number * 3 + width;
   job_begin(job, width, op->number);
   for (uint32_t first = 0; first < samples; first += BATCH) {
      for (uint32_t i = 0; i < BATCH; i++)
         choose(op, format, first + i, operands[i]);
      client_submit(&client, job->cmd);
      for (uint32_t i = 0; i < BATCH; i++)
         compare(op, format, operands[i], results[i], cell);
   }
   job_end(job);
}

/* ---- output ---- */

static void print_cell(FILE *out, const struct cell *cell, bool is_table)
{
   char text[32] = "";
   if (cell->is_measured && cell->worst_ulps == 0)
      snprintf(text, sizeof(text), "0");
   else if (cell->is_measured && cell->worst_ulps < 1000)
      snprintf(text, sizeof(text), "%.2f (%.0f %%)", cell->worst_ulps, cell->worst_share * 100);
   else if (cell->is_measured) /* of sums that cancel: units of the result say nothing */
      snprintf(text, sizeof(text), "(%.0f %%)", cell->worst_share * 100);
   fprintf(out, is_table ? " %s |" : " %-18s", text);
}

static void print_row(FILE *out, const struct operation *op, const struct cell *cells, bool is_table)
{
   fprintf(out, is_table ? "| %s | %s |" : "%-20s %-28s", op->name, op->bound);
   for (uint32_t width = 0; width < 3; width++)
      print_cell(out, &cells[width], is_table);
   fputs("\n", out);
}

static void print_head(FILE *out, uint32_t samples)
{
   fprintf(out, "# Precision\n\n"
                "Worst errors of this driver in units in the last place (spec: \"ULP\"), and in parentheses how much of the error that Vulkan\n"
                "allows that is, alone where operands cancel. For one operand of 16 bits every value was tried, else %u operands or tuples of operands, hard cases among\n"
                "them. Results are the same bits on every machine, so this table does not depend on where it was made. What is worst among all\n"
                "32-bit floats stands in the second table.\n\n"
                "Written by `ninja -C build precision-table` (`tests/precision/`).\n\n"
                "| operation | bound (32 bits) | 16 bits | 32 bits | 64 bits |\n|---|---|---|---|---|\n", samples);
}

int main(int argc, char **argv)
{
   uint32_t samples = 1 << 13, passed = 0, failed = 0;
   const char *only = "", *path = NULL;
   for (int i = 1; i + 1 < argc; i += 2) {
      if (!strcmp(argv[i], "--samples"))
         samples = (uint32_t)strtoul(argv[i + 1], NULL, 10);
      else if (!strcmp(argv[i], "--only"))
         only = argv[i + 1];
      else if (!strcmp(argv[i], "--table"))
         path = argv[i + 1];
      else
         client_die("usage: precision [--samples N] [--only TEXT] [--table FILE]");
   }
   const VkPhysicalDeviceFeatures features = {.shaderFloat64 = VK_TRUE, .shaderInt64 = VK_TRUE};
   VkPhysicalDeviceVulkan12Features features_1_2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderFloat16 = VK_TRUE};
   client_init(&client, &(struct client_options){.features = &features, .next = &features_1_2, .api_version = VK_API_VERSION_1_2});
   FILE *table = path ? fopen(path, "w") : NULL;
   if (path && !table)
      client_die("cannot write %s", path);
   if (table)
      print_head(table, samples);

   struct job job;
   job_init(&job);
   for (uint32_t o = 0; o < num_operations; o++) {
      const struct operation *op = &operations[o];
      struct cell cells[3] = {0};
      if (!strstr(op->name, only))
         continue;
      for (uint32_t width = 0; width < 3; width++) {
         const uint32_t bits = float_formats[width].bits;
         if (bits < op->least_bits || bits > op->max_bits || bits == op->result_bits)
            continue;
         measure(&job, op, width, samples, &cells[width]);
         const bool is_good = cells[width].worst_share <= 1 && cells[width].num_samples > 0;
         passed += is_good;
         failed += !is_good;
         if (!is_good)
            printf("%s of %u bits: %g ulp at (%a, %a, %a), %.1f times what is allowed, %u samples\n", op->name, bits, cells[width].worst_ulps,
                   cells[width].at[0], cells[width].at[1], cells[width].at[2], cells[width].worst_share, cells[width].num_samples);
      }
      print_row(stdout, op, cells, false);
      fflush(stdout);
      if (table)
         print_row(table, op, cells, true);
   }
   job_finish(&job);
   client_finish(&client);
   if (table)
      fclose(table);
   printf("%u passed, %u failed\n", passed, failed);
   return failed != 0;
}
