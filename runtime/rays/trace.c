/* SPDX-License-Identifier: MIT
 * What shaders call. A vector's rays are traversed together; at each step those that wait for a shader are grouped by it, and each group is one
 * call, whatever records they come from. */
#include "runtime/rays/rays.h"

#include "runtime/accel/ray.h"
#include "runtime/accel/tree.h"

#include "abi/hit_object.h"

#include <string.h>

/* Rays of one call of traceRay, or hit objects; `ray` counts them. */
struct rt_trace {
   struct rt_ray_state *state;
   struct abi_worker *worker;
   const struct abi_shader_call *caller;
   uint32_t count;
   uint8_t lane_of[ABI_RAY_LANES]; /* of the caller's vector */
   struct abi_ray *rays[ABI_RAY_LANES];
   const struct rt_shader *shaders[ABI_RAY_LANES]; /* that a ray waits for; scratch of one step */
   uint64_t records[ABI_RAY_LANES];
   uint32_t *attributes[ABI_RAY_LANES]; /* of committed hits that were generated, [ABI_ATTRIBUTE_WORDS] */
};

/* The first of `mask` and all that wait for the same shader. */
static uint32_t same_shader(const struct rt_shader *const *shaders, uint32_t mask)
{
   const struct rt_shader *first = shaders[__builtin_ctz(mask)];
   uint32_t same = 0;
   for (; mask; mask &= mask - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(mask);
      if (shaders[i] == first)
         same |= 1u << i;
   }
   return same;
}

/* Takes from `rays` as many as the shader's vector holds, and makes a call of them. NULL: too deep. */
static struct rt_ray_call *begin_call(struct rt_trace *trace, const struct rt_shader *shader, const uint64_t *records, uint32_t *rays)
{
   struct rt_ray_call *call = rt_ray_call_begin(trace->state, shader);
   if (!call)
      return NULL;
   call->trace = trace;
   call->data = trace->caller->data;
   call->data_words = trace->caller->data_words;
   call->data_lanes = trace->caller->lanes;
   for (; *rays && call->count < shader->info->lanes; *rays &= *rays - 1) {
      const uint32_t ray = (uint32_t)__builtin_ctz(*rays), at = call->count++, lane = trace->lane_of[ray];
      call->ray_of[at] = (uint8_t)ray;
      call->data_of[at] = (uint8_t)lane;
      call->rays[at] = trace->rays[ray];
      call->records[at] = records[ray];
      for (uint32_t c = 0; c < 3; c++)
         call->args.launch_id[c][at] = trace->caller->args->launch_id[c][lane];
   }
   return call;
}

static uint32_t float_bits(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static void clear_attributes(struct rt_ray_call *call)
{
   memset(call->attributes, 0, ABI_ATTRIBUTE_WORDS * sizeof(uint32_t) * call->shader->info->lanes);
}

/* Of a hit; what triangles have not stays as it is. */
static void set_attributes(struct rt_ray_call *call, uint32_t at, const struct abi_ray_hit *hit, const uint32_t *generated)
{
   const uint32_t lanes = call->shader->info->lanes;
   if (hit->type == ABI_HIT_TRIANGLE) {
      for (uint32_t w = 0; w < 2; w++)
         call->attributes[w * lanes + at] = float_bits(hit->barycentrics[w]);
   } else {
      for (uint32_t w = 0; w < ABI_ATTRIBUTE_WORDS; w++)
         call->attributes[w * lanes + at] = generated[w];
   }
}

/* Below 2^29: offsets of instances and indices of geometries have 24 bits. */
static uint32_t record_index(const struct rt_trace *trace, uint32_t ray, const struct abi_ray_hit *hit)
{
   const uint32_t lane = trace->lane_of[ray];
   const uint32_t offset = trace->caller->rows[ABI_TRACE_RECORD_OFFSET][lane] & 15, stride = trace->caller->rows[ABI_TRACE_RECORD_STRIDE][lane] & 15;
   return hit->record_offset + offset + stride * hit->geometry_index;
}

static const struct rt_ray_group *find_hit_group(const struct rt_trace *trace, uint32_t ray, const struct abi_ray_hit *hit, uint64_t *record)
{
   const struct rt_launch *launch = trace->state->launch;
   return rt_ray_find_group(launch, &launch->table.hit, record_index(trace, ray, hit), record);
}

/* ---- any-hit shaders ---- */

/* Of rays with candidates and trace->shaders; `attributes` by ray are those of boxes, or NULL. Returns the rays whose candidate is accepted, and in
 * *ends those that end with it. */
static uint32_t run_any_hit(struct rt_trace *trace, const struct rt_shader *const *shaders, const uint64_t *records, uint32_t mask,
                            uint32_t (*attributes)[ABI_ATTRIBUTE_WORDS], uint32_t *ends)
{
   uint32_t accepted = 0;
   while (mask) {
      uint32_t same = same_shader(shaders, mask);
      const struct rt_shader *shader = shaders[__builtin_ctz(same)];
      mask &= ~same;
      while (same) {
         const size_t used = trace->state->used_bytes;
         struct rt_ray_call *call = begin_call(trace, shader, records, &same);
         if (!call)
            return accepted;
         clear_attributes(call);
         for (uint32_t at = 0; at < call->count; at++)
            set_attributes(call, at, &call->rays[at]->candidate, attributes ? attributes[call->ray_of[at]] : NULL);
         rt_ray_call_run(trace->state, call, trace->worker);
         for (uint32_t at = 0; at < call->count; at++) {
            accepted |= (uint32_t)(call->verdicts[at] != ABI_VERDICT_IGNORE) << call->ray_of[at];
            *ends |= (uint32_t)(call->verdicts[at] == ABI_VERDICT_TERMINATE) << call->ray_of[at];
         }
         trace->state->used_bytes = used;
      }
   }
   return accepted;
}

static void end_rays(struct rt_trace *trace, uint32_t mask)
{
   for (; mask; mask &= mask - 1)
      trace->rays[__builtin_ctz(mask)]->status = ABI_RAY_ENDED;
}

/* ---- candidates ---- */

/* Runs trace->shaders of the rays in `mask`, those with the same one together; `prepare` may be NULL. */
static void run_shaders(struct rt_trace *trace, uint32_t mask, void (*prepare)(const struct rt_trace *trace, struct rt_ray_call *call))
{
   while (mask) {
      uint32_t same = same_shader(trace->shaders, mask);
      const struct rt_shader *shader = trace->shaders[__builtin_ctz(same)];
      mask &= ~same;
      while (same) {
         const size_t used = trace->state->used_bytes;
         struct rt_ray_call *call = begin_call(trace, shader, trace->records, &same);
         if (!call)
            return;
         if (prepare)
            prepare(trace, call);
         rt_ray_call_run(trace->state, call, trace->worker);
         trace->state->used_bytes = used;
      }
   }
}

/* About the candidates of `found`: rt_ray_decider.decide. */
static void decide(void *data, uint32_t found)
{
   struct rt_trace *trace = data;
   uint32_t plain = 0, any_hit = 0, boxes = 0, ends = 0;
   for (uint32_t left = found; left; left &= left - 1) {
      const uint32_t ray = (uint32_t)__builtin_ctz(left), bit = 1u << ray;
      const struct abi_ray_hit *hit = &trace->rays[ray]->candidate;
      const struct rt_ray_group *group = find_hit_group(trace, ray, hit, &trace->records[ray]);
      const bool is_box = hit->type == ABI_HIT_BOX;
      trace->shaders[ray] = !group ? NULL : is_box ? group->intersection : group->any_hit;
      if (is_box)
         boxes |= trace->shaders[ray] ? bit : 0;
      else if (trace->shaders[ray])
         any_hit |= bit;
      else
         plain |= bit;
   }
   if (any_hit)
      plain |= run_any_hit(trace, trace->shaders, trace->records, any_hit, NULL, &ends);
   if (plain)
      rt_ray_commit(trace->rays, plain, NULL, NULL);
   end_rays(trace, ends);
   if (boxes)
      run_shaders(trace, boxes, NULL); /* intersection shaders, which report hits themselves */
}

/* A lane of the shader's call reports a hit: the ray's candidate becomes that, if it is in range. */
static bool is_in_range(struct abi_ray *ray, float t, uint32_t hit_kind)
{
   if (ray->status != ABI_RAY_GOES_ON || !(t >= ray->tmin && t <= ray->tmax))
      return false;
   ray->candidate.t = t;
   ray->candidate.hit_kind = hit_kind;
   return true;
}

uint32_t rt_report_hit(struct abi_worker *worker, struct abi_shader_call *report)
{
   const struct rt_ray_call *call = (const struct rt_ray_call *)report->args;
   struct rt_trace *trace = call->trace;
   struct rt_ray_state *state = trace->state;
   const struct rt_shader *shaders[ABI_RAY_LANES];
   uint64_t records[ABI_RAY_LANES];
   float t[ABI_RAY_LANES];
   uint32_t hit_kinds[ABI_RAY_LANES], accepted = 0, any_hit = 0, ends = 0, result = 0;
   const size_t used = state->used_bytes;
   uint32_t(*attributes)[ABI_ATTRIBUTE_WORDS] = rt_ray_push(state, ABI_RAY_LANES * sizeof(*attributes));
   report->ended = 0;
   if (!attributes)
      return 0;
   for (uint32_t left = report->mask; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left), ray = call->ray_of[lane];
      memcpy(&t[ray], &report->rows[ABI_REPORT_T][lane], sizeof(float));
      hit_kinds[ray] = report->rows[ABI_REPORT_HIT_KIND][lane];
      if (!is_in_range(trace->rays[ray], t[ray], hit_kinds[ray]))
         continue;
      for (uint32_t w = 0; w < ABI_ATTRIBUTE_WORDS; w++)
         attributes[ray][w] = call->attributes[w * report->lanes + lane];
      const struct rt_ray_group *group = find_hit_group(trace, ray, &trace->rays[ray]->candidate, &records[ray]);
      shaders[ray] = group && !trace->rays[ray]->candidate.is_opaque ? group->any_hit : NULL;
      if (shaders[ray])
         any_hit |= 1u << ray;
      else
         accepted |= 1u << ray;
   }
   struct abi_worker *const outer = trace->worker;
   trace->worker = worker;
   if (any_hit)
      accepted |= run_any_hit(trace, shaders, records, any_hit, attributes, &ends);
   trace->worker = outer;
   accepted = accepted ? rt_ray_commit(trace->rays, accepted, t, hit_kinds) : 0;
   end_rays(trace, ends);
   for (uint32_t left = report->mask; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left), ray = call->ray_of[lane];
      if (accepted >> ray & 1)
         memcpy(trace->attributes[ray], attributes[ray], sizeof(attributes[ray]));
      result |= (accepted >> ray & 1) << lane;
      report->ended |= (ends >> ray & 1) << lane;
   }
   state->used_bytes = used;
   return result;
}

/* ---- rays ---- */

static void add_ray(struct rt_trace *trace, struct abi_ray *ray, uint32_t lane)
{
   const uint32_t index = trace->count++;
   trace->rays[index] = ray;
   trace->lane_of[index] = (uint8_t)lane;
}

static void begin_ray(struct rt_trace *trace, struct abi_ray *ray, uint32_t lane)
{
   const uint32_t(*rows)[ABI_RAY_LANES] = trace->caller->rows;
   ray->structure = rows[ABI_TRACE_STRUCTURE][lane] | (uint64_t)rows[ABI_TRACE_STRUCTURE + 1][lane] << 32;
   for (uint32_t c = 0; c < 3; c++) {
      memcpy(&ray->origin[c], &rows[ABI_TRACE_ORIGIN + c][lane], sizeof(float));
      memcpy(&ray->direction[c], &rows[ABI_TRACE_DIRECTION + c][lane], sizeof(float));
   }
   memcpy(&ray->tmin, &rows[ABI_TRACE_TMIN][lane], sizeof(float));
   memcpy(&ray->tmax, &rows[ABI_TRACE_TMAX][lane], sizeof(float));
   ray->own_flags = rows[ABI_TRACE_FLAGS][lane];
   ray->flags = ray->own_flags | trace->state->launch->pipeline->ray_flags;
   ray->cull_mask = rows[ABI_TRACE_CULL_MASK][lane] & 0xff;
   ray->status = ABI_RAY_BEGINS;
   ray->object = ABI_HIT_OBJECT_EMPTY;
   ray->candidate.type = ray->committed.type = ABI_HIT_NONE;
   add_ray(trace, ray, lane);
}

/* From the beginning to the end: each ray is a hit or a miss then, with the index of its record. False: there is no memory, or the device is lost. */
static bool traverse(struct rt_trace *trace)
{
   uint32_t(*attributes)[ABI_ATTRIBUTE_WORDS] = rt_ray_push(trace->state, ABI_RAY_LANES * sizeof(*attributes));
   if (!attributes)
      return false;
   for (uint32_t ray = 0; ray < trace->count; ray++)
      trace->attributes[ray] = attributes[ray];
   const struct rt_ray_decider decider = {decide, trace};
   uint32_t found = trace->count < 32 ? (1u << trace->count) - 1 : UINT32_MAX;
   while ((found = rt_ray_trace(trace->worker, trace->rays, found, &decider)) != 0)
      decide(trace, found);
   for (uint32_t i = 0; i < trace->count; i++) {
      struct abi_ray *ray = trace->rays[i];
      const bool is_hit = ray->committed.type != ABI_HIT_NONE;
      ray->object = is_hit ? ABI_HIT_OBJECT_HIT : ABI_HIT_OBJECT_MISS;
      ray->record_index = is_hit ? record_index(trace, i, &ray->committed) : trace->caller->rows[ABI_TRACE_MISS_INDEX][trace->lane_of[i]] & 0xffff;
   }
   return !__atomic_load_n(trace->worker->cancel, __ATOMIC_RELAXED);
}

/* What the hits and the misses run: mostly that of the ray before. */
static uint32_t find_last_shaders(struct rt_trace *trace)
{
   const struct rt_launch *launch = trace->state->launch;
   const struct rt_ray_region *region = NULL;
   const struct rt_ray_group *group = NULL;
   uint32_t found = 0, index = 0;
   uint64_t record = 0;
   for (uint32_t i = 0; i < trace->count; i++) {
      const struct abi_ray *ray = trace->rays[i];
      const bool is_hit = ray->object == ABI_HIT_OBJECT_HIT;
      if (ray->object == ABI_HIT_OBJECT_EMPTY || (is_hit && ray->flags & ABI_RAY_SKIP_CLOSEST_HIT_SHADER))
         continue;
      const struct rt_ray_region *own = is_hit ? &launch->table.hit : &launch->table.miss;
      if (own != region || ray->record_index != index) {
         region = own;
         index = ray->record_index;
         group = rt_ray_find_group(launch, region, index, &record);
      }
      trace->records[i] = record;
      trace->shaders[i] = !group ? NULL : is_hit ? group->closest_hit : group->general;
      if (trace->shaders[i])
         found |= 1u << i;
   }
   return found;
}

static void set_committed_attributes(const struct rt_trace *trace, struct rt_ray_call *call)
{
   if (call->rays[0]->object != ABI_HIT_OBJECT_HIT)
      return; /* misses: they have other shaders than hits */
   clear_attributes(call);
   for (uint32_t at = 0; at < call->count; at++)
      set_attributes(call, at, &call->rays[at]->committed, trace->attributes[call->ray_of[at]]);
}

static void shade(struct rt_trace *trace)
{
   trace->state->traced++;
   run_shaders(trace, find_last_shaders(trace), set_committed_attributes);
   trace->state->traced--;
}

/* Rays within rays are bounded by what the pipeline was made for. */
static bool is_too_deep(const struct rt_ray_state *state)
{
   return state->traced >= state->launch->pipeline->max_recursion;
}

void rt_trace_ray(struct abi_worker *worker, struct abi_shader_call *caller)
{
   struct rt_ray_state *state = worker->launch;
   const size_t used = state->used_bytes;
   struct rt_trace trace = {.state = state, .worker = worker, .caller = caller};
   if (is_too_deep(state))
      return;
   struct abi_ray *rays = rt_ray_push(state, (size_t)__builtin_popcount(caller->mask) * sizeof(*rays));
   if (rays) {
      for (uint32_t left = caller->mask; left; left &= left - 1)
         begin_ray(&trace, &rays[trace.count], (uint32_t)__builtin_ctz(left));
      if (traverse(&trace))
         shade(&trace);
   }
   state->used_bytes = used;
}

/* ---- hit objects ---- */

static struct abi_ray *object_of(const struct abi_shader_call *caller, uint32_t row, uint32_t lane)
{
   return (struct abi_ray *)(uintptr_t)(caller->rows[row][lane] | (uint64_t)caller->rows[row + 1][lane] << 32);
}

/* A hit that the shader names. Its attributes are the shader's, whatever was hit. */
static void record_hit(struct rt_trace *trace, struct abi_ray *ray, uint32_t lane)
{
   const uint32_t(*rows)[ABI_RAY_LANES] = trace->caller->rows;
   const struct abi_ray_hit named = ray->committed;
   begin_ray(trace, ray, lane);
   ray->status = ABI_RAY_ENDED;
   ray->flags = ray->own_flags = 0;
   const struct rt_accel_instance *instance = rt_ray_find_instance(trace->worker->structures, ray->structure, named.instance_index);
   if (!instance)
      return;
   ray->committed = (struct abi_ray_hit){.type = ABI_HIT_BOX, .t = ray->tmax, .hit_kind = named.hit_kind, .primitive_index = named.primitive_index,
                                         .geometry_index = named.geometry_index & RT_GEOMETRY_INDEX, .instance_index = named.instance_index,
                                         .custom_index = instance->custom_index, .record_offset = instance->record_offset, .instance = instance};
   ray->object = ABI_HIT_OBJECT_HIT;
   ray->record_index = rows[ABI_TRACE_FLAGS][lane] & ABI_TRACE_NAMES_RECORD ? rows[ABI_TRACE_MISS_INDEX][lane]
                                                                             : record_index(trace, trace->count - 1, &ray->committed);
}

void rt_trace_object(struct abi_worker *worker, struct abi_shader_call *caller)
{
   struct rt_ray_state *state = worker->launch;
   const size_t used = state->used_bytes;
   struct rt_trace trace = {.state = state, .worker = worker, .caller = caller};
   const bool is_recorded = caller->mask && caller->rows[ABI_TRACE_FLAGS][__builtin_ctz(caller->mask)] & ABI_TRACE_RECORDS_HIT; /* a constant */
   for (uint32_t left = caller->mask; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      (is_recorded ? record_hit : begin_ray)(&trace, object_of(caller, ABI_TRACE_OBJECT, lane), lane);
   }
   if (!is_recorded && traverse(&trace)) { /* no level of recursion: no shader that traces rays is called */
      for (uint32_t i = 0; i < trace.count; i++) {
         struct abi_ray *ray = trace.rays[i];
         if (ray->committed.type == ABI_HIT_BOX) {
            memcpy(ray->attributes, trace.attributes[i], sizeof(ray->attributes));
         } else {
            memset(ray->attributes, 0, sizeof(ray->attributes));
            memcpy(ray->attributes, ray->committed.barycentrics, sizeof(ray->committed.barycentrics));
         }
      }
   }
   state->used_bytes = used;
}

void rt_execute_object(struct abi_worker *worker, struct abi_shader_call *caller)
{
   struct rt_trace trace = {.state = worker->launch, .worker = worker, .caller = caller};
   for (uint32_t left = caller->mask; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      struct abi_ray *ray = object_of(caller, ABI_EXECUTE_OBJECT, lane);
      trace.attributes[trace.count] = ray->attributes;
      add_ray(&trace, ray, lane);
   }
   if (!is_too_deep(trace.state))
      shade(&trace);
}

/* ---- callable shaders ---- */

static uint32_t find_callables(struct rt_ray_state *state, const struct abi_shader_call *caller, const struct rt_shader **shaders, uint64_t *records)
{
   uint32_t found = 0;
   for (uint32_t left = caller->mask; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      const struct rt_ray_group *group =
         rt_ray_find_group(state->launch, &state->launch->table.callable, caller->rows[ABI_CALL_INDEX][lane], &records[lane]);
      shaders[lane] = group ? group->general : NULL;
      if (shaders[lane])
         found |= 1u << lane;
   }
   return found;
}

void rt_call_shader(struct abi_worker *worker, struct abi_shader_call *caller)
{
   struct rt_ray_state *state = worker->launch;
   const struct rt_shader *shaders[ABI_RAY_LANES];
   uint64_t records[ABI_RAY_LANES];
   for (uint32_t mask = find_callables(state, caller, shaders, records); mask;) {
      uint32_t same = same_shader(shaders, mask);
      const struct rt_shader *shader = shaders[__builtin_ctz(same)];
      mask &= ~same;
      while (same) {
         const size_t used = state->used_bytes;
         struct rt_ray_call *call = rt_ray_call_begin(state, shader);
         if (!call)
            return;
         call->data = caller->data;
         call->data_words = caller->data_words;
         call->data_lanes = caller->lanes;
         for (; same && call->count < shader->info->lanes; same &= same - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(same), at = call->count++;
            call->data_of[at] = (uint8_t)lane;
            call->rays[at] = NULL;
            call->records[at] = records[lane];
            for (uint32_t c = 0; c < 3; c++)
               call->args.launch_id[c][at] = caller->args->launch_id[c][lane];
         }
         rt_ray_call_run(state, call, worker);
         state->used_bytes = used;
      }
   }
}
