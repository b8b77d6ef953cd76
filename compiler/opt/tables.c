/* SPDX-License-Identifier: MIT
 * Arrays of constants become tables.
 *
 * Requires: constant offsets and values are `const` instructions (run simplify before).
 * Does: a variable becomes a table if constants of one size are all that is stored there, never two for one element, and if every load comes behind stores of
 * all that is ever stored. Its elements stand once, beside the code, and the stores are gone: compilers of shaders store a whole array of constants in front
 * of each access to it, in loops too.
 * Preserves: everything else. What no store gives a value is 0, as good as any for what is undefined; ir_opt_whole_tables() leaves variables with such
 * elements alone, whose reads are looked for.
 *
 *    var v0 8 "a"                       table_var v0 8 "a" bits=32 5, 7
 *    store_var v0 %0, %5 mask=1
 *    store_var v0 %4, %7 mask=1         %9 = ushr 1x32 %8, %2
 *    %10 = load_var 1x32 v0 %8          %10 = load_table 1x32 v0 %9 */
#include "compiler/ir/ir_copy.h"
#include "compiler/ir/passes.h"

#include "util/size.h"

enum { MAX_TABLE_BYTES = 1 << 16 };

struct candidate {
   bool is_refused, is_indexed;
   uint32_t bit_size;    /* of its elements; 0: nothing was seen yet */
   uint32_t count;
   uint64_t *elements;   /* [count] */
   bool *is_stored, *is_covered; /* [count]: by any store; by one on every path to where the walk stands */
   uint32_t num_stored, num_covered;
   uint32_t num_copies; /* from it */
};

/* An element that a store on the path covers. */
struct cover {
   struct candidate *candidate;
   uint32_t element;
   struct cover *previous;
};

struct search {
   struct ir_shader *shader;
   struct candidate *candidates; /* by ir_var.index */
   struct cover *covers, *unused; /* the newest first */
   bool is_whole; /* variables with elements that nobody stores stay */
};

static struct candidate *candidate_of(const struct search *search, const struct ir_var *var)
{
   return &search->candidates[var->index];
}

static bool has_room(const struct candidate *candidate, uint64_t offset_bytes, uint32_t num_components)
{
   const uint32_t bytes = candidate->bit_size / 8;
   return offset_bytes % bytes == 0 && offset_bytes / bytes + num_components <= candidate->count;
}

static void begin(struct search *search, struct candidate *candidate, const struct ir_var *var, uint32_t bit_size)
{
   candidate->bit_size = bit_size;
   candidate->is_refused = bit_size < 8 || var->class != IR_VAR_PLAIN || !var->size_bytes || var->size_bytes > MAX_TABLE_BYTES ||
                           var->size_bytes % (bit_size / 8);
   if (candidate->is_refused)
      return;
   candidate->count = var->size_bytes / (bit_size / 8);
   candidate->elements = UTIL_ARENA_ARRAY(search->shader->arena, uint64_t, candidate->count);
   candidate->is_stored = UTIL_ARENA_ARRAY(search->shader->arena, bool, candidate->count);
   candidate->is_covered = UTIL_ARENA_ARRAY(search->shader->arena, bool, candidate->count);
}

static bool note_store(struct candidate *candidate, const struct ir_instr *store)
{
   const struct ir_instr *value = store->srcs[1];
   if (!ir_is_const(store->srcs[0]) || (!ir_is_const(value) && value->op != IR_undef) || !has_room(candidate, store->srcs[0]->imm.c[0], value->num_components))
      return false;
   const uint32_t first = (uint32_t)store->srcs[0]->imm.c[0] / (candidate->bit_size / 8);
   for (uint32_t i = 0; i < value->num_components; i++) {
      const uint32_t element = first + i;
      if (value->op == IR_undef || !(store->imm.var.mask >> i & 1))
         continue;
      if (candidate->is_stored[element] && candidate->elements[element] != value->imm.c[i])
         return false;
      candidate->elements[element] = value->imm.c[i];
      candidate->num_stored += !candidate->is_stored[element];
      candidate->is_stored[element] = true;
   }
   return true;
}

static void note(struct ir_instr *instr, void *data)
{
   struct search *search = data;
   const bool is_copy = instr->op == IR_copy, is_store = instr->op == IR_store_var;
   const struct ir_var *var = is_copy ? ir_read_var(instr) : ir_names_var(instr) ? instr->imm.var.var : NULL;
   const uint32_t bit_size = is_copy ? instr->imm.copy.form->bit_size : is_store ? instr->srcs[1]->bit_size : instr->bit_size;
   if (is_copy && ir_written_var(instr))
      candidate_of(search, ir_written_var(instr))->is_refused = true;
   struct candidate *candidate = var ? candidate_of(search, var) : NULL;
   if (!candidate || candidate->is_refused)
      return;
   if (!candidate->bit_size)
      begin(search, candidate, var, bit_size);
   if (candidate->is_refused || (!is_store && !is_copy && instr->op != IR_load_var) || candidate->bit_size != bit_size ||
       (is_store && !note_store(candidate, instr))) {
      candidate->is_refused = true;
      return;
   }
   candidate->num_copies += is_copy;
   candidate->is_indexed |= is_copy || (!is_store && !ir_is_const(instr->srcs[0]));
}

static void cover(struct search *search, struct candidate *candidate, uint32_t element)
{
   struct cover *cover = search->unused;
   if (cover)
      search->unused = cover->previous;
   else
      cover = UTIL_ARENA_NEW(search->shader->arena, struct cover);
   *cover = (struct cover){candidate, element, search->covers};
   search->covers = cover;
   candidate->is_covered[element] = true;
   candidate->num_covered++;
}

static void cover_stored(struct search *search, struct candidate *candidate, const struct ir_instr *store)
{
   const uint32_t first = (uint32_t)store->srcs[0]->imm.c[0] / (candidate->bit_size / 8);
   for (uint32_t i = 0; i < store->srcs[1]->num_components; i++) {
      if (store->imm.var.mask >> i & 1 && store->srcs[1]->op != IR_undef && !candidate->is_covered[first + i])
         cover(search, candidate, first + i);
   }
}

/* Behind a region nothing is known of what was stored in it: it may have been left early, or never entered. */
static void leave(struct search *search, const struct cover *until)
{
   while (search->covers != until) {
      struct cover *cover = search->covers;
      search->covers = cover->previous;
      cover->candidate->is_covered[cover->element] = false;
      cover->candidate->num_covered--;
      cover->previous = search->unused;
      search->unused = cover;
   }
}

static void check_loads(struct search *search, const struct ir_region *region)
{
   const struct cover *until = search->covers;
   IR_FOR_EACH (it, region) {
      const struct ir_var *var = it->op == IR_store_var ? ir_written_var(it) : ir_read_var(it);
      if (var) {
         struct candidate *candidate = candidate_of(search, var);
         if (candidate->is_refused || !candidate->is_indexed)
            continue;
         if (it->op == IR_store_var)
            cover_stored(search, candidate, it);
         else
            candidate->is_refused = candidate->num_covered != candidate->num_stored || (search->is_whole && candidate->num_stored != candidate->count);
      }
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         check_loads(search, it->imm.cf.regions[r]);
   }
   leave(search, until);
}

static struct ir_instr *load_elements(struct ir_builder *b, struct ir_instr *load, struct candidate *candidate)
{
   struct ir_instr *components[4];
   struct ir_instr *first = ir_alu2(b, IR_ushr, load->srcs[0], ir_const(b, 32, (uint32_t)__builtin_ctz(candidate->bit_size / 8)));
   for (uint32_t i = 0; i < load->num_components; i++) {
      struct ir_instr *element = i ? ir_alu2(b, IR_iadd, first, ir_const(b, 32, i)) : first;
      components[i] = ir_emit(b, IR_load_table, 1, load->bit_size, 1, &element);
      components[i]->imm.var.var = load->imm.var.var;
   }
   return ir_vec(b, load->num_components, components);
}

static void convert(struct ir_instr *instr, void *data)
{
   struct search *search = data;
   const struct ir_var *var = instr->op == IR_store_var ? ir_written_var(instr) : ir_read_var(instr);
   struct candidate *candidate = var ? candidate_of(search, var) : NULL;
   if (!candidate || candidate->is_refused || !candidate->is_indexed)
      return;
   if (instr->op == IR_copy) {
      instr->imm.copy.form->sides[1].op = IR_load_table;
      if (candidate->num_copies < IR_FEW_COPIES) /* a call would be of this table alone */
         ir_copy_expand(search->shader, instr);
      return;
   }
   if (instr->op == IR_load_var) {
      struct ir_builder b = ir_builder_before(search->shader, instr);
      instr->forward = load_elements(&b, instr, candidate);
   }
   ir_remove(instr);
}

static bool find_tables(struct ir_shader *shader, bool is_whole)
{
   struct search search = {
      .shader = shader, .candidates = UTIL_ARENA_ARRAY(shader->arena, struct candidate, shader->num_vars), .is_whole = is_whole};
   bool any = false;
   ir_for_each(shader, note, &search);
   check_loads(&search, shader->body);
   UTIL_LIST_FOR_EACH (struct ir_var, var, &shader->vars, link) {
      struct candidate *candidate = &search.candidates[var->index];
      if (candidate->is_refused || !candidate->is_indexed)
         continue;
      ir_var_make_table(shader, var, candidate->count, candidate->bit_size, candidate->elements);
      any = true;
   }
   if (any) {
      ir_for_each(shader, convert, &search);
      ir_resolve_all(shader);
   }
   return any;
}

bool ir_opt_tables(struct ir_shader *shader)
{
   return find_tables(shader, false);
}

bool ir_opt_whole_tables(struct ir_shader *shader)
{
   return find_tables(shader, true);
}
