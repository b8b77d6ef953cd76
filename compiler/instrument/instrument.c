/* SPDX-License-Identifier: MIT
 * Sites and probes. An invocation is identified by a few words that its stage's row names, so that a stage is a row here and nothing else. */
#include "compiler/instrument/instrument.h"
#include "compiler/ir/passes.h"

#include <string.h>

/* One word: a component of a value that the system gives. */
struct word {
   uint8_t sysval, components, component;
   bool is_float; /* reported as the integer below it */
   bool is_there;
};

#define WORD(name, components, component) {IR_SYSVAL_##name, components, component, false, true}
#define PIXEL(component) {IR_SYSVAL_FRAG_COORD, 4, component, true, true}
#define OF_WORKGROUP                                                                                                   \
   WORD(WORKGROUP_ID, 3, 2), WORD(WORKGROUP_ID, 3, 1), WORD(WORKGROUP_ID, 3, 0), WORD(LOCAL_ID, 3, 2), WORD(LOCAL_ID, 3, 1), WORD(LOCAL_ID, 3, 0)
#define OF_RAY WORD(LAUNCH_ID, 3, 2), WORD(LAUNCH_ID, 3, 1), WORD(LAUNCH_ID, 3, 0)
static const struct word words[ABI_NUM_STAGES][ABI_MAX_INVOCATION_WORDS] = {
   [ABI_STAGE_VERTEX] = {WORD(INSTANCE_INDEX, 1, 0), WORD(VERTEX_INDEX, 1, 0)},
   [ABI_STAGE_CONTROL] = {WORD(PRIMITIVE_ID, 1, 0), WORD(INVOCATION_ID, 1, 0)},
   [ABI_STAGE_EVALUATION] = {WORD(PRIMITIVE_ID, 1, 0), WORD(TESS_COORD, 3, 0), WORD(TESS_COORD, 3, 1), WORD(TESS_COORD, 3, 2)},
   [ABI_STAGE_GEOMETRY] = {WORD(PRIMITIVE_ID, 1, 0), WORD(INVOCATION_ID, 1, 0)},
   [ABI_STAGE_FRAGMENT] = {WORD(LAYER, 1, 0), PIXEL(1), PIXEL(0), WORD(SAMPLE_ID, 1, 0), WORD(PRIMITIVE_ID, 1, 0)},
   [ABI_STAGE_TASK] = {OF_WORKGROUP},
   [ABI_STAGE_MESH] = {OF_WORKGROUP},
   [ABI_STAGE_COMPUTE] = {OF_WORKGROUP},
   [ABI_STAGE_RAYGEN] = {OF_RAY},
   [ABI_STAGE_ANY_HIT] = {OF_RAY},
   [ABI_STAGE_CLOSEST_HIT] = {OF_RAY},
   [ABI_STAGE_MISS] = {OF_RAY},
   [ABI_STAGE_INTERSECTION] = {OF_RAY},
   [ABI_STAGE_CALLABLE] = {OF_RAY},
};

static uint32_t count_words(const struct ir_shader *shader)
{
   uint32_t count = 0;
   while (count < ABI_MAX_INVOCATION_WORDS && words[shader->info.stage][count].is_there)
      count++;
   return count;
}

/* ---- sites ---- */

static uint16_t add_text(char *texts, uint32_t *used, const char *text, size_t length)
{
   const uint32_t room = ABI_MAX_SITE_BYTES - sizeof(struct abi_site) - 1;
   const uint16_t at = (uint16_t)*used;
   length = UTIL_MIN(length, room / 4);
   memcpy(texts + at, text, length);
   texts[at + length] = 0;
   *used += (uint32_t)length + 1;
   return at;
}

/* The line's text without the spaces around it; `length` 0: the module does not have it. */
static const char *line_text(const struct ir_shader *shader, const struct ir_line *at, size_t *length)
{
   *length = 0;
   const struct ir_source *source = shader->sources;
   while (source && source->file != at->file)
      source = source->next;
   const char *text = source ? source->text : NULL;
   for (uint32_t line = 1; text && line < at->line; line++) {
      text = strchr(text, '\n');
      text = text ? text + 1 : NULL;
   }
   if (!text)
      return "";
   text += strspn(text, " \t");
   *length = strcspn(text, "\r\n");
   while (*length && (text[*length - 1] == ' ' || text[*length - 1] == '\t'))
      --*length;
   return text;
}

static struct abi_site *create(struct ir_shader *shader, enum abi_probe probe, uint32_t line, const char *operation, const char *name)
{
   static const struct ir_line unknown;
   static const uint8_t num_operands[] = {
#define X(NAME, check, name, operands) operands,
      ABI_PROBES(X)
#undef X
   };
   if (shader->num_sites == ABI_MAX_SITES) {
      shader->num_unchecked++;
      return NULL;
   }
   if (shader->num_sites == shader->cap_sites) {
      const uint32_t cap = UTIL_MAX(64u, shader->cap_sites * 2);
      struct abi_site **larger = UTIL_ARENA_ARRAY(shader->arena, struct abi_site *, cap);
      if (shader->num_sites)
         memcpy(larger, shader->sites, shader->num_sites * sizeof(*larger));
      shader->sites = larger;
      shader->cap_sites = cap;
   }
   const struct ir_line *at = line && line < shader->num_lines ? &shader->lines[line] : &unknown;
   struct abi_site *site = util_arena_zalloc(shader->arena, ABI_MAX_SITE_BYTES);
   *site = (struct abi_site){
      .module = shader->info.source_hash,
      .number = shader->num_sites,
      .probe = (uint16_t)probe,
      .stage = (uint8_t)shader->info.stage,
      .line = at->line,
      .column = at->column,
      .set = ABI_NO_SET,
      .num_words = (uint8_t)count_words(shader),
   };
   site->num_operands = (uint8_t)((abi_probe_is_followed(probe) ? 0 : site->num_words) + num_operands[probe]);
   site->subgroup_size = shader->subgroup_size;
   memcpy(site->local_size, shader->info.local_size, sizeof(site->local_size));
   uint32_t used = 0;
   size_t length;
   const char *text = line_text(shader, at, &length);
   site->file = add_text(site->texts, &used, at->file ? at->file : "", at->file ? strlen(at->file) : 0);
   site->name = add_text(site->texts, &used, name ? name : "", name ? strlen(name) : 0);
   site->operation = add_text(site->texts, &used, operation, strlen(operation));
   site->text = add_text(site->texts, &used, text, length);
   site->total_bytes = (uint16_t)util_align(sizeof(*site) + used, 8);
   shader->sites[shader->num_sites++] = site;
   return site;
}

struct abi_site *ir_site_create(struct ir_shader *shader, enum abi_probe probe, const struct ir_instr *instr, const char *name)
{
   return create(shader, probe, instr->line, ir_info(instr)->name, name);
}

struct abi_site *ir_site_create_at(struct ir_shader *shader, enum abi_probe probe, uint32_t line, const char *operation, const char *name)
{
   return create(shader, probe, line, operation, name);
}

const char *ir_resource_name(const struct ir_shader *shader, uint32_t set, uint32_t binding)
{
   for (const struct ir_resource_name *it = shader->resource_names; it; it = it->next) {
      if (it->set == set && it->binding == binding)
         return it->name;
   }
   return NULL;
}

void ir_site_resource(const struct ir_shader *shader, struct abi_site *site, const struct ir_instr *resource)
{
   if (!ir_is_handle(resource))
      return;
   site->set = resource->imm.u[0];
   site->binding = resource->imm.u[1];
}

/* ---- probes ---- */

static struct ir_builder at_start(struct ir_shader *shader)
{
   return ir_builder_before(shader, UTIL_LIST_ENTRY(shader->body->instrs.next, struct ir_instr, link));
}

static void find_words(struct ir_instrument *in, uint32_t count)
{
   struct ir_shader *shader = in->shader;
   if (!count || in->words[0])
      return;
   struct ir_builder b = at_start(shader);
   b.line = 0;
   struct ir_instr *value = NULL;
   for (uint32_t i = 0; i < count; i++) {
      const struct word *word = &words[shader->info.stage][i];
      const bool is_same = i && words[shader->info.stage][i - 1].sysval == word->sysval;
      if (!is_same)
         value = ir_sysval(&b, word->sysval, word->components, 32);
      in->words[i] = ir_extract(&b, value, word->component);
      if (word->is_float)
         in->words[i] = ir_convert(&b, IR_f2u, 32, in->words[i]);
   }
}

/* Which words are the coordinates that people give. */
static const uint8_t coordinates[ABI_NUM_STAGES][3] = {
   [ABI_STAGE_VERTEX] = {1, 0},   [ABI_STAGE_CONTROL] = {0, 1},        [ABI_STAGE_EVALUATION] = {0},       [ABI_STAGE_GEOMETRY] = {0, 1},
   [ABI_STAGE_FRAGMENT] = {2, 1, 4}, [ABI_STAGE_TASK] = {5, 4, 3},     [ABI_STAGE_MESH] = {5, 4, 3},       [ABI_STAGE_COMPUTE] = {5, 4, 3},
   [ABI_STAGE_RAYGEN] = {2, 1, 0},   [ABI_STAGE_ANY_HIT] = {2, 1, 0},  [ABI_STAGE_CLOSEST_HIT] = {2, 1, 0}, [ABI_STAGE_MISS] = {2, 1, 0},
   [ABI_STAGE_INTERSECTION] = {2, 1, 0}, [ABI_STAGE_CALLABLE] = {2, 1, 0},
};

struct ir_instr *ir_instrument_is_at(struct ir_instrument *in, uint32_t num_coordinates, const uint32_t *at)
{
   const struct ir_shader *shader = in->shader;
   const uint32_t stage = shader->info.stage, num_words = count_words(shader);
   const bool has_groups = abi_has_workgroups(stage);
   const uint32_t count = stage == ABI_STAGE_EVALUATION             ? 1
                          : has_groups || stage >= ABI_STAGE_RAYGEN ? 3
                                                                    : UTIL_MIN(num_coordinates, stage == ABI_STAGE_FRAGMENT ? 3u : 2u);
   find_words(in, num_words);
   struct ir_builder b = ir_builder_after(in->shader, in->words[num_words - 1]);
   b.line = 0;
   struct ir_instr *is_there = ir_const(&b, 1, 1);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t word = coordinates[stage][i];
      struct ir_instr *value = in->words[word];
      if (has_groups) /* of the workgroup, and in it */
         value = ir_alu2(&b, IR_iadd, ir_alu2(&b, IR_imul, in->words[word - 3], ir_const(&b, 32, shader->info.local_size[i])), value);
      is_there = ir_alu2(&b, IR_iand, is_there, ir_alu2(&b, IR_ieq, value, ir_const(&b, 32, i < num_coordinates ? at[i] : 0)));
   }
   return is_there;
}

struct ir_instr *ir_instrument_local_index(struct ir_instrument *in)
{
   if (!in->local_index) {
      struct ir_builder b = at_start(in->shader);
      b.line = 0;
      in->local_index = ir_sysval(&b, IR_SYSVAL_LOCAL_INDEX, 1, 32);
   }
   return in->local_index;
}

static struct ir_instr *emit(struct ir_instrument *in, struct ir_builder *b, enum ir_op op, const struct abi_site *site, uint32_t bits,
                             struct ir_instr *condition, uint32_t num_operands, struct ir_instr *const *operands)
{
   struct ir_instr *srcs[1 + ABI_MAX_PROBE_OPERANDS] = {condition};
   uint32_t count = 1;
   const uint32_t num_words = abi_probe_is_followed(site->probe) ? 0 : site->num_words;
   find_words(in, num_words);
   for (uint32_t i = 0; i < num_words; i++)
      srcs[count++] = in->words[i];
   for (uint32_t i = 0; i < num_operands; i++)
      srcs[count++] = operands[i];
   struct ir_instr *probe = ir_emit(b, op, bits ? 1 : 0, bits, count, srcs);
   probe->imm.u[0] = site->number;
   in->has_changed = true;
   return probe;
}

void ir_probe(struct ir_instrument *in, struct ir_builder *b, struct abi_site *site, struct ir_instr *condition, uint32_t num_operands,
              struct ir_instr *const *operands)
{
   if (site && !(ir_is_const(condition) && !condition->imm.c[0]))
      emit(in, b, IR_probe, site, 0, condition, num_operands, operands);
}

struct ir_instr *ir_probe_value(struct ir_instrument *in, struct ir_builder *b, struct abi_site *site, uint32_t bits,
                                struct ir_instr *condition, uint32_t num_operands, struct ir_instr *const *operands)
{
   return emit(in, b, IR_probe_value, site, bits, condition, num_operands, operands);
}

/* ---- walking ---- */

static void walk_region(struct ir_instrument *in, struct ir_region *region, void (*visit)(struct ir_instrument *in, struct ir_instr *instr))
{
   struct util_list *next;
   for (struct util_list *node = region->instrs.next; node != &region->instrs; node = next) {
      struct ir_instr *instr = UTIL_LIST_ENTRY(node, struct ir_instr, link);
      next = node->next;
      visit(in, instr);
      for (uint32_t r = 0; r < ir_num_regions(instr); r++)
         walk_region(in, instr->imm.cf.regions[r], visit);
   }
}

void ir_instrument_walk(struct ir_instrument *in, void (*visit)(struct ir_instrument *in, struct ir_instr *instr))
{
   walk_region(in, in->shader->body, visit);
}

/* ---- memory ---- */

static uint32_t written_bytes(const struct ir_instr *value, uint32_t mask)
{
   return mask ? (32 - (uint32_t)__builtin_clz(mask)) * value->bit_size / 8 : 0;
}

static const struct {
   uint8_t memory, access;
   bool is_access;
} operations[IR_NUM_OPS] = {
   [IR_load_buffer] = {IR_MEMORY_BUFFER, ABI_PROBE_READ, true},     [IR_store_buffer] = {IR_MEMORY_BUFFER, ABI_PROBE_WRITE, true},
   [IR_atomic_buffer] = {IR_MEMORY_BUFFER, ABI_PROBE_ATOMIC, true}, [IR_load_global] = {IR_MEMORY_GLOBAL, ABI_PROBE_READ, true},
   [IR_store_global] = {IR_MEMORY_GLOBAL, ABI_PROBE_WRITE, true},   [IR_atomic_global] = {IR_MEMORY_GLOBAL, ABI_PROBE_ATOMIC, true},
   [IR_load_shared] = {IR_MEMORY_SHARED, ABI_PROBE_READ, true},     [IR_store_shared] = {IR_MEMORY_SHARED, ABI_PROBE_WRITE, true},
   [IR_atomic_shared] = {IR_MEMORY_SHARED, ABI_PROBE_ATOMIC, true},
};

struct ir_memory_access ir_memory_access_of(const struct ir_instr *instr)
{
   struct ir_memory_access result = {.memory = IR_MEMORY_NONE};
   if (!operations[instr->op].is_access)
      return result;
   result.memory = operations[instr->op].memory;
   result.access = operations[instr->op].access;
   result.flags = instr->imm.u[result.access == ABI_PROBE_ATOMIC ? 1 : 0];
   if (result.access == ABI_PROBE_WRITE)
      result.bytes = written_bytes(instr->srcs[instr->num_srcs - 1], instr->imm.u[2]);
   else
      result.bytes = instr->num_components * instr->bit_size / 8u;
   if (result.memory == IR_MEMORY_BUFFER) {
      result.addr = instr->srcs[0];
      result.size = instr->srcs[1];
      result.offset = instr->srcs[2];
   } else if (result.memory == IR_MEMORY_GLOBAL) {
      result.addr = instr->srcs[0];
   } else {
      result.offset = instr->srcs[0];
   }
   if (result.access != ABI_PROBE_ATOMIC && result.flags & IR_ACCESS_ATOMIC)
      result.access = ABI_PROBE_ATOMIC;
   return result;
}

struct ir_instr *ir_is_outside(struct ir_builder *b, const struct ir_memory_access *access)
{
   struct ir_instr *bytes = ir_const(b, 32, access->bytes);
   struct ir_instr *is_small = ir_alu2(b, IR_ult, access->size, bytes);
   struct ir_instr *last = ir_alu2(b, IR_isub, access->size, bytes);
   return ir_alu2(b, IR_ior, is_small, ir_alu2(b, IR_ult, last, access->offset));
}

struct ir_instr *ir_access_in_bounds(struct ir_builder *b, const struct ir_memory_access *access)
{
   if (access->memory == IR_MEMORY_BUFFER)
      return ir_alu1(b, IR_inot, ir_is_outside(b, access));
   return ir_alu2(b, IR_ine, access->addr, ir_const(b, 64, 0));
}

struct ir_instr *ir_access_address(struct ir_builder *b, const struct ir_memory_access *access)
{
   return access->offset ? ir_alu2(b, IR_iadd, access->addr, ir_convert(b, IR_u2u, 64, access->offset)) : access->addr;
}

void ir_texel_operands(struct ir_builder *b, struct ir_instr *descriptor, struct ir_instr *coords, struct ir_instr *sample, struct ir_instr *operands[5])
{
   struct ir_instr *zero = ir_const(b, 32, 0);
   operands[0] = descriptor;
   for (uint32_t i = 0; i < 3; i++)
      operands[1 + i] = i < coords->num_components ? ir_extract(b, coords, i) : zero;
   operands[4] = sample ? sample : zero;
}

struct ir_instr *ir_image_sample(const struct ir_instr *instr)
{
   if (!(instr->imm.u[1] & ABI_TEX_SAMPLE))
      return NULL;
   if (instr->op == IR_image_load)
      return instr->srcs[2];
   return instr->srcs[instr->op == IR_image_atomic && instr->imm.u[2] == ABI_ATOMIC_CMPXCHG ? 4 : 3];
}

struct abi_site *ir_access_site(struct ir_instrument *in, enum abi_probe probe, const struct ir_instr *instr, const struct ir_instr *resource)
{
   const bool is_known = resource && (resource->op == IR_buffer_size || resource->op == IR_image_desc || resource->op == IR_structure_desc);
   const char *name = is_known ? ir_resource_name(in->shader, resource->imm.u[0], resource->imm.u[1]) : NULL;
   struct abi_site *site = ir_site_create(in->shader, probe, instr, name);
   if (site && is_known)
      ir_site_resource(in->shader, site, resource);
   return site;
}

static void remove_never(struct ir_instr *instr, void *data)
{
   bool *has_changed = data;
   if (instr->op != IR_probe || instr->num_components || instr->srcs[0]->below != 1)
      return;
   ir_remove(instr);
   *has_changed = true;
}

bool ir_instrument_prune(struct ir_shader *shader)
{
   bool has_changed = false;
   ir_analyze_ranges(shader);
   ir_for_each(shader, remove_never, &has_changed);
   return has_changed;
}
