/* SPDX-License-Identifier: MIT
 * How each value differs between the invocations that run together, and where control flow diverges.
 *
 * Requires: info.lanes, no more than subgroup_size where that is seen, and, for compute, info.local_size (0: unknown).
 * Does: fills divergence and stride of every value; of each construct divergence, is_divergent and has_barrier. Preserves: everything.
 *
 * A value is IR_UNIFORM only if it is the same in all invocations of the workgroup (of the primitive, of the draw)
 * that execute the instruction, whenever they do: memory that may be written meanwhile gives one value a subgroup at
 * best.
 *
 * What varies may do so by runs: rows of a workgroup that are shorter than a vector, and numbers of lanes that are divided by a power of
 * two. Accesses of such lanes are contiguous run by run. Arithmetic alone keeps runs: it gives lanes that are off their part of them.
 *
 * A construct's divergence: for an `if`, its condition's. For loops and blocks, the worst condition under which a jump
 * leaves it or continues it: conditions of ifs between the jump and the construct, and the divergence of loops and
 * blocks between, since lanes that have left those wait while others jump on. At such a construct lanes meet that took
 * different edges or after a different number of rounds, so its results are varying unless there is one exit only.
 *
 * Forward dataflow: walks over the shader until nothing changes. States only get worse, so that ends; loops nested or
 * not rarely need more than three walks. What goes round a loop against the walk would need one for each step: from the
 * fifth on each change is followed to what is made of it before the next walk, which finds what that left out. Method:
 * after Karrenberg & Hack, "Improving Performance of OpenCL on CPUs" (divergence), for structured control flow. */
#include "compiler/analyze/stride.h"
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/passes.h"

enum { VISITED = 1, QUEUED = 2 }; /* of pass_flags */
enum { SCOPE_WORKGROUP = 2, MIN_RUN = 4, WHOLE_VECTOR = 1 << 30, MAX_ALIGN_DEPTH = 4, MAX_PLAIN_WALKS = 4 };

struct state {
   enum ir_divergence divergence;
   int64_t stride; /* 0 unless strided or in runs */
   uint32_t run;   /* varying: lanes of a run that is strided; 0: none */
};

/* At pass_data of a value that is followed: an instruction that reads it, or what a jump or a loop makes of it. */
struct use {
   struct ir_instr *user;
   struct use *next;
};

struct analysis {
   struct ir_shader *shader;
   struct ir_instr **queue; /* values and constructs that have changed, each once; NULL: changes are not followed */
   uint32_t num_queued, num_instrs;
   bool has_changed;
};

static const struct state uniform = {IR_UNIFORM, 0, 0};
static const struct state subgroup_uniform = {IR_SUBGROUP_UNIFORM, 0, 0};
static const struct state varying = {IR_VARYING, 0, 0};

/* In runs of `run` lanes, WHOLE_VECTOR: all. */
static struct state strided(int64_t stride, uint32_t run)
{
   if (run < WHOLE_VECTOR)
      return run >= MIN_RUN ? (struct state){IR_VARYING, stride, run} : varying;
   return stride ? (struct state){IR_STRIDED, stride, 0} : subgroup_uniform;
}

static struct state state_of(const struct ir_instr *value)
{
   return (struct state){value->divergence, value->divergence == IR_STRIDED || value->run ? value->stride : 0, value->run};
}

static uint32_t run_of(struct state state)
{
   return state.divergence == IR_VARYING ? state.run : WHOLE_VECTOR;
}

static bool is_uniform_in_subgroup(struct state state)
{
   return state.divergence <= IR_SUBGROUP_UNIFORM;
}

static enum ir_divergence worse(enum ir_divergence a, enum ir_divergence b)
{
   return UTIL_MAX(a, b);
}

/* One of two values, the same choice for all lanes. */
static struct state either(struct state a, struct state b)
{
   if (a.divergence <= IR_SUBGROUP_UNIFORM && b.divergence <= IR_SUBGROUP_UNIFORM)
      return (struct state){worse(a.divergence, b.divergence), 0, 0};
   return a.stride == b.stride ? strided(a.stride, UTIL_MIN(run_of(a), run_of(b))) : varying;
}

/* One of two values, where the lanes choose as `choice` differs. */
static struct state chosen(struct state a, struct state b, enum ir_divergence choice)
{
   if (choice >= IR_STRIDED)
      return varying;
   struct state state = either(a, b);
   state.divergence = worse(state.divergence, choice);
   return state;
}

/* ---- values that start here ---- */

static struct state local_id_component(const struct abi_shader_info *info, uint32_t component)
{
   const uint32_t *size = info->local_size;
   if (size[component] == 1)
      return uniform;
   if (!info->lanes || !size[0])
      return varying;
   if (component == 0 && size[1] * size[2] == 1) /* lanes run along x; with only one row it goes on over the vectors */
      return strided(1, WHOLE_VECTOR);
   const uint32_t run = component == 2 ? size[0] * size[1] : size[0]; /* invocations with the same value, for x of one row */
   return strided(component == 0, run % info->lanes == 0 ? WHOLE_VECTOR : run & (0 - run));
}

static struct state sysval_state(const struct ir_shader *shader, const struct ir_instr *instr, uint32_t component)
{
   switch ((enum ir_sysval)instr->imm.u[0]) {
   case IR_SYSVAL_LOCAL_ID:
      return local_id_component(&shader->info, component);
   case IR_SYSVAL_LOCAL_INDEX:
   case IR_SYSVAL_SUBGROUP_LANE:
      return strided(1, WHOLE_VECTOR);
   case IR_SYSVAL_SUBGROUP_ID:
      return subgroup_uniform;
   case IR_SYSVAL_WORKGROUP_ID:
   case IR_SYSVAL_NUM_WORKGROUPS:
   case IR_SYSVAL_BASE_VERTEX:
   case IR_SYSVAL_BASE_INSTANCE:
   case IR_SYSVAL_DRAW_INDEX:
   case IR_SYSVAL_VIEW_INDEX:
   case IR_SYSVAL_DEVICE_INDEX:
   case IR_SYSVAL_PATCH_VERTICES:
   case IR_SYSVAL_LAUNCH_SIZE:
   case IR_SYSVAL_RECORD_TABLES:
   case IR_SYSVAL_TAKEN_OUTPUTS:
   case IR_SYSVAL_NODE:
      return uniform;
   case IR_SYSVAL_INVOCATION_ID: /* a vector of a control shader is one invocation of several patches */
      return shader->info.stage == ABI_STAGE_CONTROL ? subgroup_uniform : varying;
   case IR_SYSVAL_FRONT_FACING: /* a fragment function runs for one primitive and one sample */
   case IR_SYSVAL_PRIMITIVE_ID:
   case IR_SYSVAL_LAYER:
   case IR_SYSVAL_VIEWPORT_INDEX:
   case IR_SYSVAL_SAMPLE_ID:
   case IR_SYSVAL_SAMPLE_POS:
   case IR_SYSVAL_SHADING_RATE:
   case IR_SYSVAL_FRAG_SIZE:
   case IR_SYSVAL_FRAG_INVOCATIONS:
      return shader->info.stage == ABI_STAGE_FRAGMENT ? uniform : varying;
   default:
      return varying;
   }
}

static struct state whole_sysval_state(const struct ir_shader *shader, const struct ir_instr *instr)
{
   struct state state = sysval_state(shader, instr, 0);
   for (uint32_t i = 1; i < instr->num_components; i++)
      state = either(state, sysval_state(shader, instr, i));
   return instr->num_components > 1 && state.divergence == IR_STRIDED ? varying : state;
}

/* ---- values made from others ---- */

/* Strided counts as varying. */
static struct state worst_source(const struct ir_instr *instr)
{
   enum ir_divergence divergence = IR_UNIFORM;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      divergence = worse(divergence, instr->srcs[i]->divergence);
   return (struct state){divergence == IR_STRIDED ? IR_VARYING : divergence, 0, 0};
}

/* The same for arithmetic: of values that are one each for a run of lanes, so is the result. */
static struct state worst_of_runs(const struct ir_instr *instr)
{
   const struct state worst = worst_source(instr);
   uint32_t run = WHOLE_VECTOR;
   if (worst.divergence != IR_VARYING || !(ir_info(instr)->flags & IR_SCALAR) || !(ir_info(instr)->flags & IR_PURE))
      return worst;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      const struct state state = state_of(instr->srcs[i]);
      run = state.stride ? 0 : UTIL_MIN(run, run_of(state));
   }
   return run < WHOLE_VECTOR ? strided(0, run) : worst;
}

/* A power of two that divides the value in lane 0 of every vector, and no more than the lanes of one. */
static uint32_t alignment(const struct ir_shader *shader, const struct ir_instr *value, uint32_t depth)
{
   const uint32_t lanes = shader->info.lanes;
   uint32_t align[2] = {1, 1};
   for (uint32_t i = 0; depth < MAX_ALIGN_DEPTH && i < 2 && i < value->num_srcs; i++)
      align[i] = alignment(shader, value->srcs[i], depth + 1);
   switch ((enum ir_op)value->op) {
   case IR_const: {
      const uint64_t lowest = value->imm.c[0] & (0 - value->imm.c[0]);
      return lowest && lowest < lanes ? (uint32_t)lowest : lanes;
   }
   case IR_sysval: return value->imm.u[0] == IR_SYSVAL_LOCAL_INDEX || value->imm.u[0] == IR_SYSVAL_SUBGROUP_LANE ? lanes : 1;
   case IR_extract: /* x of rows that are whole vectors */
      return value->srcs[0]->op == IR_sysval && value->srcs[0]->imm.u[0] == IR_SYSVAL_LOCAL_ID && value->imm.u[0] == 0 &&
                   value->divergence == IR_STRIDED ? lanes : 1;
   case IR_iadd: return UTIL_MIN(align[0], align[1]);
   case IR_imul: return UTIL_MIN(align[0] * align[1], lanes);
   case IR_ishl: return ir_is_const(value->srcs[1]) && value->srcs[1]->imm.c[0] < 8 ? UTIL_MIN(align[0] << value->srcs[1]->imm.c[0], lanes) : align[0];
   default: return 1;
   }
}

/* x & (2^n - 1) and x >> n, of numbers that count the lanes from a multiple of 2^n on. */
static struct state part_state(const struct ir_shader *shader, const struct ir_instr *instr, struct state worst)
{
   const struct ir_instr *x = instr->srcs[0], *other = instr->srcs[1];
   const uint32_t lanes = shader->info.lanes;
   if (!lanes || x->divergence != IR_STRIDED || x->stride != 1 || !ir_is_const(other))
      return worst;
   const uint64_t number = other->imm.c[0], step = instr->op == IR_iand ? number + 1 : UINT64_C(1) << (number & (instr->bit_size - 1));
   const uint32_t run = step < lanes ? (uint32_t)step : lanes;
   if (step & (step - 1) || alignment(shader, x, 0) < run)
      return worst;
   return strided(instr->op == IR_iand, run == lanes ? WHOLE_VECTOR : run);
}

static struct state arithmetic_state(const struct ir_shader *shader, const struct ir_instr *instr)
{
   const struct state worst = worst_of_runs(instr);
   int64_t stride;
   if (is_uniform_in_subgroup(worst) || instr->bit_size < 32)
      return worst;
   const struct state x = state_of(instr->srcs[0]);
   const struct state y = instr->num_srcs > 1 ? state_of(instr->srcs[1]) : uniform;
   const uint32_t run = UTIL_MIN(run_of(x), run_of(y));
   if (ir_linear_stride(instr, x.stride, y.stride, &stride))
      return run ? strided(stride, run) : worst;
   switch ((enum ir_op)instr->op) {
   case IR_iand:
   case IR_ushr:
      return part_state(shader, instr, worst);
   case IR_select: {
      const struct state choice = state_of(instr->srcs[0]);
      return chosen(y, state_of(instr->srcs[2]), choice.divergence);
   }
   default:
      return worst;
   }
}

static struct state extract_state(const struct ir_shader *shader, const struct ir_instr *instr)
{
   const struct ir_instr *x = instr->srcs[0];
   if (x->op == IR_vec)
      return state_of(x->srcs[instr->imm.u[0]]);
   if (x->op == IR_sysval)
      return sysval_state(shader, x, instr->imm.u[0]);
   return worst_source(instr);
}

/* Memory that others may write has one value a subgroup, even where the address is one for all. */
static struct state load_state(const struct ir_instr *instr, uint32_t access)
{
   struct state state = worst_source(instr);
   if (!(access & IR_ACCESS_READ_ONLY))
      state.divergence = worse(state.divergence, IR_SUBGROUP_UNIFORM);
   return state;
}

static struct state image_state(const struct ir_instr *instr, uint32_t dim, uint32_t flags, uint32_t access)
{
   if (dim == ABI_DIM_SUBPASS || flags & ABI_TEX_INPUT_ATTACHMENT)
      return varying; /* coordinates are relative to the fragment */
   return load_state(instr, access);
}

static struct state cross_state(const struct ir_instr *instr)
{
   switch ((enum ir_op)instr->op) {
   case IR_vote_any:
   case IR_vote_all:
   case IR_vote_eq:
   case IR_ballot:
   case IR_read_first:
      return subgroup_uniform;
   case IR_shuffle:
      if (instr->srcs[1]->divergence <= IR_SUBGROUP_UNIFORM || instr->srcs[0]->divergence <= IR_SUBGROUP_UNIFORM)
         return subgroup_uniform;
      return varying;
   case IR_reduce:
      return instr->imm.u[1] == 0 && instr->imm.u[2] == 0 ? subgroup_uniform : varying;
   case IR_ddx:
   case IR_ddy:
      return worst_source(instr);
   default: /* elect, is_helper, match, reduce_part */
      return varying;
   }
}

static struct state value_state(const struct ir_shader *shader, const struct ir_instr *instr)
{
   switch ((enum ir_op)instr->op) {
   case IR_sysval:
      return whole_sysval_state(shader, instr);
   case IR_extract:
      return extract_state(shader, instr);
   case IR_load_input:
      return instr->imm.u[1] ? subgroup_uniform : varying;
   case IR_load_vertex:
   case IR_load_row:
   case IR_load_var:
   case IR_load_ray:
   case IR_ray_fetch:
   case IR_ray_address:
      return varying;
   case IR_interp:
      return instr->imm.u[1] == IR_INTERP_FLAT || instr->imm.u[1] == IR_INTERP_PER_VERTEX ? uniform : varying;
   case IR_load_buffer:
   case IR_load_global:
   case IR_load_shared:
      return load_state(instr, instr->imm.u[0]);
   case IR_tex:
      return image_state(instr, instr->imm.u[1], instr->imm.u[2], 0);
   case IR_image_load:
      return image_state(instr, instr->imm.u[0], instr->imm.u[1], instr->imm.u[2]);
   case IR_clock:
      return subgroup_uniform;
   case IR_node_call:
      return instr->imm.u[2] ? subgroup_uniform : varying;
   default:
      if (ir_info(instr)->flags & IR_CROSS)
         return cross_state(instr);
      if (ir_info(instr)->flags & IR_EFFECT)
         return varying; /* atomics */
      return arithmetic_state(shader, instr);
   }
}

/* ---- the walk ---- */

static void note_change(struct analysis *a, struct ir_instr *instr)
{
   a->has_changed = true;
   if (!a->queue || instr->pass_flags & QUEUED)
      return;
   instr->pass_flags |= QUEUED;
   a->queue[a->num_queued++] = instr;
}

static void set_state(struct analysis *a, struct ir_instr *value, struct state state)
{
   if (value->pass_flags & VISITED) {
      const struct state old = state_of(value);
      state = either(state, old); /* never better than before, so that the walks come to an end */
      if (state.divergence == old.divergence && state.stride == old.stride && state.run == old.run)
         return;
   }
   value->pass_flags |= VISITED;
   value->divergence = state.divergence;
   value->stride = state.stride;
   value->run = state.run;
   note_change(a, value);
}

static void set_control(struct analysis *a, struct ir_instr *construct, enum ir_divergence divergence)
{
   divergence = divergence == IR_STRIDED ? IR_VARYING : divergence;
   if (divergence <= (enum ir_divergence)construct->divergence)
      return;
   construct->divergence = divergence;
   construct->imm.cf.is_divergent = divergence == IR_VARYING;
   note_change(a, construct);
}

/* Lanes that are off where others merge keep what they had: runs that they are part of end there. */
static struct state merged(struct state state, enum ir_divergence control)
{
   return control != IR_UNIFORM && state.divergence == IR_VARYING ? varying : state;
}

/* What leaves by different edges under `control`. Operands that no walk has reached yet do not count. */
static struct state join_state(const struct ir_jump_list *jumps, uint32_t index, enum ir_divergence control)
{
   struct state state = uniform;
   const struct ir_instr *first = NULL;
   for (uint32_t i = 0; i < jumps->count; i++) {
      const struct ir_instr *operand = jumps->jumps[i]->srcs[index];
      if (!(operand->pass_flags & VISITED) || operand == first)
         continue;
      state = first ? chosen(state, state_of(operand), control) : state_of(operand);
      first = first ? first : operand;
   }
   return merged(state, control);
}

static struct state result_state(const struct ir_instr *construct, uint32_t index)
{
   const struct state state = join_state(&ir_jumps_of(construct)->exits, index, construct->divergence);
   return construct->op == IR_loop ? chosen(state, state, construct->divergence) : state; /* by one edge, but in different rounds */
}

static struct state param_state(const struct ir_instr *loop, uint32_t r, uint32_t index)
{
   const struct ir_instr *back = ir_loop_back_edge(loop);
   struct state state;
   if (r == 1) {
      state = join_state(&ir_jumps_of(loop)->continues, index, loop->divergence);
   } else {
      state = state_of(loop->srcs[index]);
      if (back && back->srcs[index]->pass_flags & VISITED)
         state = either(state, state_of(back->srcs[index]));
      state = merged(state, loop->divergence);
   }
   /* Subgroups that run different numbers of rounds are in different rounds at the same time. */
   return loop->divergence != IR_UNIFORM && state.divergence == IR_UNIFORM ? subgroup_uniform : state;
}

static void note_jump(struct analysis *a, const struct ir_instr *jump)
{
   enum ir_divergence control = IR_UNIFORM;
   if (jump->op == IR_yield)
      return;
   for (struct ir_instr *owner = jump->region->owner; owner; owner = owner->region->owner) {
      if (owner->op != IR_if)
         set_control(a, owner, control);
      if (owner == jump->imm.cf.target)
         return;
      control = worse(control, owner->divergence);
   }
}

static void walk_region(struct analysis *a, struct ir_region *region);

static void walk_construct(struct analysis *a, struct ir_instr *construct)
{
   if (construct->op == IR_if)
      set_control(a, construct, construct->srcs[0]->divergence);
   for (uint32_t r = 0; r < ir_num_regions(construct); r++) {
      struct ir_region *region = construct->imm.cf.regions[r];
      for (uint32_t i = 0; i < region->num_params; i++)
         set_state(a, region->params[i], param_state(construct, r, i));
      walk_region(a, region);
   }
   for (uint32_t i = 0; i < construct->imm.cf.num_results; i++)
      set_state(a, construct->imm.cf.results[i], result_state(construct, i));
}

static void walk_region(struct analysis *a, struct ir_region *region)
{
   IR_FOR_EACH (it, region) {
      if (ir_is_construct(it))
         walk_construct(a, it);
      else if (ir_is_jump(it))
         note_jump(a, it);
      else if (it->num_components && it->op != IR_result)
         set_state(a, it, value_state(a->shader, it));
   }
}

/* ---- changes ---- */

static void note_uses(struct ir_instr *instr, void *data)
{
   struct analysis *a = data;
   a->num_instrs++;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++)
      a->num_instrs += instr->imm.cf.regions[r]->num_params;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      struct use *use = UTIL_ARENA_NEW(a->shader->arena, struct use);
      struct ir_instr *join = ir_join_of(instr, i);
      *use = (struct use){join ? join : instr, instr->srcs[i]->pass_data};
      instr->srcs[i]->pass_data = use;
   }
}

static void follow_use(struct analysis *a, struct ir_instr *user)
{
   struct ir_instr *owner = user->region->owner;
   if (user->op == IR_param)
      set_state(a, user, param_state(owner, user->region == owner->imm.cf.regions[1], user->imm.u[0]));
   else if (user->op == IR_result)
      set_state(a, user, result_state(user->imm.cf.target, user->imm.u[0]));
   else if (user->op == IR_if)
      set_control(a, user, user->srcs[0]->divergence);
   else if (user->num_components)
      set_state(a, user, value_state(a->shader, user));
}

static void follow_changes(struct analysis *a)
{
   while (a->num_queued) {
      struct ir_instr *changed = a->queue[--a->num_queued];
      changed->pass_flags &= (uint16_t)~QUEUED;
      if (ir_is_construct(changed)) {
         walk_construct(a, changed);
         continue;
      }
      for (const struct use *use = changed->pass_data; use; use = use->next)
         follow_use(a, use->user);
   }
}

static void follow_from_now_on(struct analysis *a)
{
   ir_for_each(a->shader, note_uses, a);
   a->queue = UTIL_ARENA_ARRAY(a->shader->arena, struct ir_instr *, a->num_instrs);
}

static void reset(struct ir_instr *instr, void *data)
{
   instr->divergence = IR_UNIFORM;
   instr->stride = 0;
   instr->run = 0;
   instr->likely_run = 0;
   instr->pass_flags = 0;
   instr->pass_data = NULL;
   if (ir_is_construct(instr)) {
      instr->imm.cf.is_divergent = false;
      instr->imm.cf.has_barrier = false;
   }
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      for (uint32_t i = 0; i < instr->imm.cf.regions[r]->num_params; i++)
         reset(instr->imm.cf.regions[r]->params[i], data);
   }
}

static void note_barrier(struct ir_instr *instr, void *data)
{
   if (instr->op != IR_barrier || instr->imm.u[0] != SCOPE_WORKGROUP)
      return;
   struct ir_instr *owner = instr->region->owner;
   for (; owner && !owner->imm.cf.has_barrier; owner = owner->region->owner)
      owner->imm.cf.has_barrier = true;
}

void ir_analyze_divergence(struct ir_shader *shader)
{
   struct analysis a = {.shader = shader};
   ir_for_each(shader, reset, NULL);
   ir_for_each(shader, note_barrier, NULL);
   ir_collect_jumps(shader);
   for (uint32_t walk = 0; walk == 0 || a.has_changed; walk++) {
      if (walk == MAX_PLAIN_WALKS)
         follow_from_now_on(&a);
      a.has_changed = false;
      walk_region(&a, shader->body);
      follow_changes(&a);
   }
}
