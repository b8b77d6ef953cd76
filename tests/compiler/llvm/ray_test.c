/* SPDX-License-Identifier: MIT
 * Ray queries: a shader that uses all that they have, at every width and level, with a traversal of the test's that gives each ray candidates by
 * rule; and the same steps in C. */
#include "compiler/pipeline.h"
#include "tests/test.h"
#include "util/alloc.h"
#include "util/cpu.h"

#include <stdlib.h>
#include <vulkan/vulkan_core.h>

#include "query.comp.h"

enum { INVOCATIONS = 24, WORDS = 48, STRUCTURE = 0x12345678 };

/* ---- a traversal: a ray has as many candidates as its mask says, triangles and boxes in turns ---- */

static bool next_candidate(struct abi_ray *ray)
{
   uint32_t *count = &ray->traversal[0];
   if (ray->status == ABI_RAY_BEGINS)
      *count = 0;
   if (ray->status == ABI_RAY_ENDED || *count == ray->cull_mask % 8 || ray->structure != STRUCTURE) {
      ray->status = ABI_RAY_ENDED;
      return false;
   }
   ray->status = ABI_RAY_GOES_ON;
   const uint32_t k = (*count)++;
   ray->candidate = (struct abi_ray_hit){.type = k % 2 ? ABI_HIT_BOX : ABI_HIT_TRIANGLE, .t = (float)k + ray->origin[0], .barycentrics = {0.5f, (float)k},
      .hit_kind = k % 3 ? ABI_HIT_KIND_FRONT : ABI_HIT_KIND_BACK, .is_opaque = k % 4 == 1, .primitive_index = k + 10, .geometry_index = k + 20,
      .instance_index = k + 30, .custom_index = k + 40, .record_offset = k + 50};
   return true;
}

static uint32_t proceed(struct abi_worker *worker, struct abi_ray *const *rays, uint32_t mask)
{
   uint32_t found = 0;
   for (uint32_t lane = 0; lane < 32; lane++) {
      if (mask >> lane & 1 && next_candidate(rays[lane]))
         found |= 1u << lane;
   }
   return found;
}

static uint32_t commit(struct abi_ray *const *rays, uint32_t mask, const float *t, const uint32_t *hit_kinds)
{
   for (uint32_t lane = 0; lane < 32; lane++) {
      if (!(mask >> lane & 1))
         continue;
      rays[lane]->committed = rays[lane]->candidate;
      if (t)
         rays[lane]->committed.t = t[lane];
      rays[lane]->tmax = rays[lane]->committed.t;
   }
   return mask;
}

static uint32_t fetched(const struct abi_ray *ray, uint32_t what, bool is_committed, uint32_t word)
{
   const struct abi_ray_hit *hit = is_committed ? &ray->committed : &ray->candidate;
   return hit->type ? what * 1000 + is_committed * 500 + word * 10 + hit->instance_index : 0;
}

static void fetch(struct abi_ray *const *rays, uint32_t mask, uint32_t what, bool is_committed, uint32_t *result)
{
   for (uint32_t lane = 0; lane < 32; lane++) {
      for (uint32_t word = 0; mask >> lane & 1 && word < ABI_RAY_FETCH_WORDS; word++) {
         const float number = (float)fetched(rays[lane], what, is_committed, word);
         memcpy(&result[word * ABI_RAY_LANES + lane], &number, 4);
      }
   }
}

/* ---- what the shader does ---- */

static uint32_t bits(float value)
{
   uint32_t result;
   memcpy(&result, &value, 4);
   return result;
}

static uint32_t *write_ray(const struct abi_ray *ray, uint32_t *out, bool is_committed)
{
   const struct abi_ray_hit *hit = is_committed ? &ray->committed : &ray->candidate;
   *out++ = is_committed ? hit->type : hit->type == ABI_HIT_BOX;
   *out++ = bits(is_committed ? ray->tmax : hit->t);
   *out++ = hit->custom_index;
   *out++ = hit->instance_index;
   *out++ = hit->record_offset;
   *out++ = hit->geometry_index;
   *out++ = hit->primitive_index;
   *out++ = bits(hit->barycentrics[1]);
   *out++ = hit->hit_kind == ABI_HIT_KIND_FRONT;
   *out++ = fetched(ray, ABI_FETCH_OBJECT_DIRECTION, is_committed, 2);
   *out++ = fetched(ray, ABI_FETCH_OBJECT_ORIGIN, is_committed, 1);
   *out++ = fetched(ray, ABI_FETCH_OBJECT_TO_WORLD, is_committed, 11);
   *out++ = fetched(ray, ABI_FETCH_WORLD_TO_OBJECT, is_committed, 7);
   return out;
}

static void expect(uint32_t at, uint32_t *out)
{
   struct abi_ray ray = {.origin = {(float)at, 1.0f, 2.0f}, .tmin = 0.5f * (float)at, .direction = {3.0f, 4.0f, (float)at}, .tmax = 100.0f,
      .structure = STRUCTURE, .flags = ABI_RAY_OPAQUE | at << 8, .cull_mask = at, .status = ABI_RAY_BEGINS};
   struct abi_ray *const rays[1] = {&ray};
   uint32_t rounds = 0;
   *out++ = 0;
   while (next_candidate(&ray)) {
      const float t = 0.25f * (float)++rounds;
      if (ray.candidate.type == ABI_HIT_TRIANGLE ? at % 4 != 3 : ray.candidate.is_opaque)
         commit(rays, 1, ray.candidate.type == ABI_HIT_BOX ? &t : NULL, NULL);
      if (rounds == 2)
         out = write_ray(&ray, out, false);
      if (rounds == 5)
         ray.status = ABI_RAY_ENDED;
   }
   *out++ = rounds;
   out = write_ray(&ray, out, true);
   *out++ = bits(ray.tmin);
   *out++ = ray.flags;
   *out++ = bits(ray.origin[0]);
   *out++ = bits(ray.direction[2]);
   *out = 0;
}

/* ---- the runs ---- */

static const struct comp_binding bindings[] = {
   {.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 0},
   {.binding = 1, .type = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, .count = 1, .offset_bytes = 16},
};

static bool load(uint32_t lanes, uint32_t level, struct comp_code *code)
{
   static const struct comp_layout layout = {.sets[0] = {bindings, 2}, .num_sets = 1};
   const struct comp_shader_desc desc = {.words = query_comp, .num_words = sizeof(query_comp) / 4, .stage = ABI_STAGE_COMPUTE,
      .entry_point = "main", .layout = &layout, .target = {.lanes = lanes, .level = level}};
   struct comp_binary *binary = NULL;
   char *message = NULL;
   const bool is_loaded = comp_compile(&desc, &binary, &message) == VK_SUCCESS && comp_code_load(binary, code) == VK_SUCCESS;
   if (!is_loaded)
      test_fail(__FILE__, __LINE__, message ? message : "the shader does not compile");
   free(message);
   util_mfree(binary);
   return is_loaded;
}

static void run(const struct comp_code *code, uint32_t (*words)[WORDS])
{
   static const struct abi_helpers helpers = {.ray_proceed = proceed, .ray_commit = commit, .ray_fetch = fetch};
   static const uint8_t push[ABI_MAX_PUSH_BYTES];
   struct abi_set sets[ABI_MAX_SETS] = {0};
   const struct abi_resources resources = {sets, push};
   static const uint32_t cancel;
   struct {
      struct abi_set_head head;
      union abi_descriptor at[2];
   } set = {0};
   const uint64_t structure = STRUCTURE;
   set.at[0].buffer.data = (uint8_t *)words;
   set.at[0].buffer.size_bytes = INVOCATIONS * WORDS * 4;
   memcpy(&set.at[1], &structure, sizeof(structure));
   sets[0].data = (const uint8_t *)set.at;
   struct abi_worker worker = {.helpers = &helpers, .cancel = &cancel};
   worker.frame = util_malloc64(util_align(code->info.frame_bytes + 64, 64));
   memset(worker.frame, 0x5a, code->info.frame_bytes + 64);
   const struct abi_compute_args args = {.resources = &resources, .num_workgroups = {1, 1, 1}};
   code->run.compute(&args, &worker, 0, 0, 0, 1);
   for (uint32_t i = 0; i < 64; i++)
      CHECK_EQ(worker.frame[code->info.frame_bytes + i], 0x5a);
   util_mfree(worker.frame);
}

TEST(queries_at_every_width_and_level)
{
   static uint32_t words[INVOCATIONS][WORDS], expected[INVOCATIONS][WORDS];
   for (uint32_t at = 0; at < INVOCATIONS; at++)
      expect(at, expected[at]);
   for (uint32_t level = 1; level <= util_cpu_level(); level++) {
      for (uint32_t lanes = 4; lanes <= 32; lanes *= 2) {
         struct comp_code code;
         if (!load(lanes, level, &code))
            return;
         memset(words, 0, sizeof(words));
         run(&code, words);
         for (uint32_t at = 0; at < INVOCATIONS; at++) {
            for (uint32_t i = 0; i < WORDS; i++)
               CHECK_EQ(words[at][i], expected[at][i]);
         }
         comp_code_unload(&code);
      }
   }
}

TEST_MAIN
