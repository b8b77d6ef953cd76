/* SPDX-License-Identifier: MIT
 * Variables of functions that hold one constant: GLSL compilers store a whole array in a variable of its own in front of each index into it. What stores
 * such a variable is that constant alone, as a whole, and nothing but loads sees it, so that it need not be there: the constant's memory serves.
 *
 *    OpStore %t %table                                   is left out
 *    %p = OpAccessChain %pu %t %i                        points into %table's memory */
#include "compiler/spirv/memory/spirv_pointer.h"

/* What is known of an id that is such a variable, or a pointer into it. */
struct spirv_held {
   uint32_t variable; /* 0: the id is neither */
   uint32_t constant; /* of the variable itself: what is stored there; 0: nothing so far */
   bool is_seen;      /* by others, or holds something else at times */
};

static void give_up(struct spirv_ctx *t, const struct spirv_instr *in)
{
   for (uint32_t i = 1; i < in->count; i++) {
      if (in->words[i] < t->bound)
         t->held[t->held[in->words[i]].variable].is_seen = true;
   }
}

static bool is_constant(struct spirv_ctx *t, uint32_t id)
{
   return t->ids[id].class == SPIRV_ID_VALUE && !t->ids[id].result_type;
}

static void note_variable(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool has_initializer = in->count > 4;
   if (in->words[3] == SpvStorageClassFunction && (!has_initializer || (in->words[4] < t->bound && is_constant(t, in->words[4]))))
      t->held[in->words[2]] = (struct spirv_held){.variable = in->words[2], .constant = has_initializer ? in->words[4] : 0};
}

static void note_store(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_held *to = &t->held[in->words[1]];
   const bool is_whole = to->variable == in->words[1] && (!to->constant || to->constant == in->words[2]);
   if (!to->variable && !t->held[in->words[2]].variable)
      return;
   if (is_whole && is_constant(t, in->words[2]))
      to->constant = in->words[2];
   else
      give_up(t, in);
}

static void note(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpVariable:
      if (in->count > 3 && in->words[2] < t->bound)
         note_variable(t, in);
      return;
   case SpvOpAccessChain: case SpvOpInBoundsAccessChain:
      if (in->count > 3 && in->words[2] < t->bound && in->words[3] < t->bound)
         t->held[in->words[2]].variable = t->held[in->words[3]].variable;
      return;
   case SpvOpStore:
      if (in->count > 2 && in->words[1] < t->bound && in->words[2] < t->bound)
         note_store(t, in);
      return;
   case SpvOpName: case SpvOpLoad: case SpvOpLine: case SpvOpNoLine:
      return;
   default:
      give_up(t, in);
   }
}

uint32_t spirv_held_constant(struct spirv_ctx *t, uint32_t id)
{
   (void)spirv_id(t, id); /* within the bound */
   if (!t->held) {
      t->held = UTIL_ARENA_ARRAY(t->arena, struct spirv_held, t->bound + 1);
      for (size_t offset = 5; offset < t->num_words; offset += t->words[offset] >> 16) {
         const struct spirv_instr in = spirv_instr_at(t, offset);
         note(t, &in);
      }
   }
   const struct spirv_held *held = &t->held[id];
   return held->variable == id && !held->is_seen ? held->constant : 0;
}
