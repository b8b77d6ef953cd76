/* SPDX-License-Identifier: MIT */
#include "compiler/spirv/memory/spirv_spread.h"

#include <string.h>

enum {
   LEAST_SPREAD = 3,
   MAX_SPREAD = 4096,        /* units of one copy, for each of which a table has an element */
   MAX_ALL_SPREAD = 1 << 18, /* elements of all tables, from which on there are no more */
};

struct spread_search {
   struct spirv_ctx *t;
   struct spirv_spread *spread;
   uint64_t *offsets[2]; /* [MAX_SPREAD] */
   uint32_t bits;        /* of all scalars; 0: none was seen */
};

static bool is_same_layout(struct spirv_layout a, struct spirv_layout b)
{
   return a.class == b.class && a.is_row_major == b.is_row_major && a.matrix_stride == b.matrix_stride && a.vector_stride == b.vector_stride;
}

static bool add_units(struct spread_search *search, const struct spirv_type *to, const struct spirv_type *from, const uint64_t offsets[2])
{
   struct spirv_spread *spread = search->spread;
   const uint8_t classes[2] = {spread->layouts[0].class, spread->layouts[1].class};
   const uint32_t bytes = spirv_scalar_bytes(classes[0], to->bits);
   const bool is_of_words = bytes % 4 == 0 && bytes == spirv_scalar_bytes(classes[1], from->bits);
   const uint32_t bits = is_of_words ? 32 : to->bits, num_units = is_of_words ? bytes / 4 : 1;
   if (to->bits != from->bits || (search->bits && search->bits != bits) || num_units > MAX_SPREAD - spread->count)
      return false;
   search->bits = bits;
   for (uint32_t u = 0; u < num_units; u++, spread->count++) {
      for (uint32_t side = 0; side < 2; side++) {
         const uint64_t offset = offsets[side] + 4 * u;
         if (offset > INT32_MAX || offset % spirv_scalar_bytes(classes[side], bits))
            return false;
         search->offsets[side][spread->count] = offset;
      }
   }
   return true;
}

/* False: parts differ in more than where they lie, or are too many. */
static bool find_units(struct spread_search *search, const struct spirv_type *const types[2], const struct spirv_layout layouts[2], const uint64_t offsets[2])
{
   const struct spirv_type *to = types[0], *from = types[1];
   if (to->class != from->class)
      return false;
   if (spirv_is_scalar(to))
      return add_units(search, to, from, offsets);
   if (to->class < SPIRV_TYPE_VECTOR || to->class > SPIRV_TYPE_STRUCT || to->class == SPIRV_TYPE_RUNTIME_ARRAY || to->count != from->count)
      return false;
   for (uint32_t i = 0; i < to->count; i++) {
      const bool is_struct = to->class == SPIRV_TYPE_STRUCT;
      const struct spirv_step x = spirv_step_into(search->t, to, layouts[0], i), y = spirv_step_into(search->t, from, layouts[1], i);
      const bool is_alike = !(x.access & ~search->spread->access[0]) && !(y.access & ~search->spread->access[1]);
      const uint64_t next[2] = {offsets[0] + (is_struct ? x.offset : (uint64_t)x.stride * i), offsets[1] + (is_struct ? y.offset : (uint64_t)y.stride * i)};
      if (!is_alike || !find_units(search, (const struct spirv_type *[]){x.type, y.type}, (struct spirv_layout[]){x.layout, y.layout}, next))
         return false;
   }
   return true;
}

/* NULL: the units lie one behind the other. */
static struct ir_var *make_table(struct spirv_ctx *t, const uint64_t *offsets, uint32_t count, uint32_t stride)
{
   uint32_t num_behind = 0;
   while (num_behind < count && offsets[num_behind] == (uint64_t)num_behind * stride)
      num_behind++;
   if (num_behind == count)
      return NULL;
   uint64_t *elements = UTIL_ARENA_ARRAY(t->arena, uint64_t, count);
   memcpy(elements, offsets, count * sizeof(*elements));
   struct ir_var *table = ir_var_create(t->shader, count * 4, "offsets");
   ir_var_make_table(t->shader, table, count, 32, elements);
   t->num_spread += count;
   return table;
}

static struct spirv_spread *make_spread(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from)
{
   struct spirv_spread *spread = UTIL_ARENA_NEW(t->arena, struct spirv_spread);
   *spread = (struct spirv_spread){.from_type = from->type, .layouts = {to->layout, from->layout}, .access = {to->access, from->access}, .shader = t->shader};
   struct spread_search search = {.t = t, .spread = spread};
   if (!t->spread_offsets)
      t->spread_offsets = UTIL_ARENA_ARRAY(t->arena, uint64_t, 2 * MAX_SPREAD);
   for (uint32_t side = 0; side < 2; side++)
      search.offsets[side] = t->spread_offsets + side * MAX_SPREAD;
   if (t->num_spread > MAX_ALL_SPREAD || !find_units(&search, (const struct spirv_type *[]){to->type, from->type}, spread->layouts, (const uint64_t[2]){0}) ||
       spread->count < LEAST_SPREAD)
      return spread;
   spread->unit = search.bits == 32 ? &spirv_type_u32 : search.bits == 16 ? &spirv_type_u16 : search.bits == 8 ? &spirv_type_u8 : NULL;
   for (uint32_t side = 0; spread->unit && side < 2; side++) {
      const uint32_t stride = spirv_scalar_bytes(spread->layouts[side].class, search.bits);
      spread->tables[side] = make_table(t, search.offsets[side], spread->count, stride);
      spread->strides[side] = spread->tables[side] ? 0 : stride;
   }
   return spread;
}

const struct spirv_spread *spirv_find_spread(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from)
{
   struct spirv_spread *known = ir_map_find(&t->spreads, (uintptr_t)to->type), *first = known;
   for (; known; known = known->next) {
      if (known->from_type == from->type && known->shader == t->shader && is_same_layout(known->layouts[0], to->layout) &&
          is_same_layout(known->layouts[1], from->layout) && known->access[0] == to->access && known->access[1] == from->access)
         return known;
   }
   struct spirv_spread *spread = make_spread(t, to, from);
   if (first) {
      spread->next = first->next;
      first->next = spread;
   } else {
      ir_map_add(&t->spreads, (uintptr_t)to->type, spread);
   }
   return spread;
}
