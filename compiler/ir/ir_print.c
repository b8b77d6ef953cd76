/* SPDX-License-Identifier: MIT
 * Writes a shader as text, in the form that ir_parse.c reads. What an analysis found follows as a comment after ';'.
 * Of abi_shader_info the text holds stage, lanes, subgroup size, local size and shared memory; source lines are left out. */
#include "compiler/ir/ir.h"
#include "compiler/ir/ir_text.h"

#include <stdlib.h>
#include <string.h>

const char *const ir_stage_names[IR_NUM_STAGES] = {
#define X(NAME, name) [ABI_STAGE_##NAME] = #name,
   ABI_STAGES(X)
#undef X
   [IR_STAGE_ROUTINE] = "routine",
};

const char *const ir_atomic_names[IR_NUM_ATOMICS] = {
   [ABI_ATOMIC_IADD] = "iadd", [ABI_ATOMIC_IMIN] = "imin",       [ABI_ATOMIC_UMIN] = "umin", [ABI_ATOMIC_IMAX] = "imax",
   [ABI_ATOMIC_UMAX] = "umax", [ABI_ATOMIC_AND] = "and",         [ABI_ATOMIC_OR] = "or",     [ABI_ATOMIC_XOR] = "xor",
   [ABI_ATOMIC_XCHG] = "xchg", [ABI_ATOMIC_CMPXCHG] = "cmpxchg", [ABI_ATOMIC_FADD] = "fadd", [ABI_ATOMIC_FMIN] = "fmin",
   [ABI_ATOMIC_FMAX] = "fmax", [ABI_ATOMIC_IMUL] = "imul",       [ABI_ATOMIC_FMUL] = "fmul",
};

const char *const ir_fp_names[IR_NUM_FP_FLAGS] = {
   "contract", "reassoc", "no_nan", "zeros", "no_signed_zero", "recip", "rtz", "flush_denorm",
};

const char *const ir_var_class_names[IR_NUM_VAR_CLASSES] = {
   [IR_VAR_PLAIN] = "",
   [IR_VAR_QUERY] = "query_",
   [IR_VAR_RAY] = "ray_",
   [IR_VAR_OUTGOING] = "outgoing_",
   [IR_VAR_INCOMING] = "incoming_",
   [IR_VAR_ATTRIBUTES] = "attributes_",
   [IR_VAR_MATRICES] = "matrices_",
   [IR_VAR_TABLE] = "table_",
};

static const char *const divergence_names[] = {
   [IR_UNIFORM] = "uniform",
   [IR_SUBGROUP_UNIFORM] = "subgroup",
   [IR_STRIDED] = "strided",
   [IR_VARYING] = "varying",
};

const char *const *ir_imm_names(const char *imm_name, uint32_t *count)
{
   if (!strcmp(imm_name, "sysval")) {
      *count = IR_SYSVAL_COUNT;
      return ir_sysval_names;
   }
   if (!strcmp(imm_name, "atomic")) {
      *count = IR_NUM_ATOMICS;
      return ir_atomic_names;
   }
   *count = 0;
   return NULL;
}

static void print_region(const struct ir_region *region, uint32_t depth, FILE *out);

static void print_number(uint64_t value, FILE *out)
{
   fprintf(out, value < 65536 ? "%llu" : "0x%llx", (unsigned long long)value);
}

static void print_label(const struct ir_instr *construct, FILE *out)
{
   fprintf(out, "@%c%u", construct->op == IR_loop ? 'L' : 'B', construct->index);
}

static void print_srcs(const struct ir_instr *instr, FILE *out)
{
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      fprintf(out, "%s%%%u", i ? ", " : " ", instr->srcs[i]->index);
}

static void print_fp(const struct ir_instr *instr, FILE *out)
{
   const char *before = " fp=";
   for (uint32_t i = 0; i < IR_NUM_FP_FLAGS; i++) {
      if (instr->fp & 1 << i) {
         fprintf(out, "%s%s", before, ir_fp_names[i]);
         before = "|";
      }
   }
}

static void print_imms(const struct ir_instr *instr, FILE *out)
{
   const struct ir_op_info *info = ir_info(instr);
   for (uint32_t i = 0; i < 4; i++) {
      if (!info->imm[i])
         continue;
      uint32_t count;
      const char *const *names = ir_imm_names(info->imm[i], &count);
      fprintf(out, " %s=", info->imm[i]);
      if (instr->imm.u[i] < count)
         fputs(names[instr->imm.u[i]], out);
      else
         print_number(instr->imm.u[i], out);
   }
}

/* What a copy does with each of its memories. */
static void print_copy(const struct ir_instr *copy, FILE *out)
{
   const struct ir_copy_form *form = copy->imm.copy.form;
   fprintf(out, " count=%u bits=%u", form->count, form->bit_size);
   for (uint32_t s = 0; s < 2; s++) {
      const struct ir_copy_side *side = &form->sides[s];
      fprintf(out, " %s", ir_op_infos[side->op].name);
      if (side->op == IR_undef)
         continue;
      if (copy->imm.copy.vars[s])
         fprintf(out, " v%u", copy->imm.copy.vars[s]->index);
      fprintf(out, " access=%u align=%u", side->access, side->align);
      if (side->offsets)
         fprintf(out, " offsets=v%u", side->offsets->index);
      else
         fprintf(out, " stride=%u", side->stride);
   }
}

/* What the analyses found. */
static void print_findings(const struct ir_instr *instr, FILE *out)
{
   if (instr->divergence == IR_STRIDED)
      fprintf(out, " ; strided %lld", (long long)instr->stride);
   else if (instr->run)
      fprintf(out, " ; runs of %u strided %lld", instr->run, (long long)instr->stride);
   else if (instr->divergence != IR_UNIFORM)
      fprintf(out, " ; %s", divergence_names[instr->divergence]);
   if (instr->likely_run)
      fprintf(out, ", runs of %u likely, strided %lld", instr->likely_run, (long long)instr->stride);
   if (instr->below && instr->op != IR_const && (instr->bit_size == 64 || !(instr->below >> instr->bit_size)))
      fprintf(out, " ; below %llu", (unsigned long long)instr->below);
}

static void print_simple(const struct ir_instr *instr, FILE *out)
{
   if (instr->num_components)
      fprintf(out, "%%%u = ", instr->index);
   fputs(ir_info(instr)->name, out);
   if (instr->num_components)
      fprintf(out, " %ux%u", instr->num_components, instr->bit_size);
   if (ir_names_var(instr))
      fprintf(out, " v%u", instr->imm.var.var->index);
   if (instr->op == IR_break || instr->op == IR_continue) {
      fputc(' ', out);
      print_label(instr->imm.cf.target, out);
   }
   print_srcs(instr, out);
   for (uint32_t i = 0; instr->op == IR_const && i < instr->num_components; i++) {
      fputs(i ? ", " : " ", out);
      print_number(instr->imm.c[i], out);
   }
   print_imms(instr, out);
   if (instr->op == IR_copy)
      print_copy(instr, out);
   print_fp(instr, out);
   print_findings(instr, out);
   fputc('\n', out);
}

static void print_typed_list(struct ir_instr *const *values, uint32_t count, FILE *out)
{
   for (uint32_t i = 0; i < count; i++)
      fprintf(out, "%s%%%u %ux%u", i ? ", " : "", values[i]->index, values[i]->num_components, values[i]->bit_size);
}

static void print_params(const char *name, const struct ir_region *region, uint32_t depth, FILE *out)
{
   fprintf(out, "%*s%s(", depth * 3, "", name);
   print_typed_list(region->params, region->num_params, out);
   fputs("):", out);
   for (uint32_t i = 0; i < region->num_params; i++)
      print_findings(region->params[i], out);
   fputc('\n', out);
}

static void print_construct(const struct ir_instr *instr, uint32_t depth, FILE *out)
{
   print_typed_list(instr->imm.cf.results, instr->imm.cf.num_results, out);
   fprintf(out, "%s%s", instr->imm.cf.num_results ? " = " : "", ir_info(instr)->name);
   if (instr->op != IR_if) {
      fputc(' ', out);
      print_label(instr, out);
   }
   print_srcs(instr, out);
   fputs(" {", out);
   if (instr->imm.cf.is_divergent)
      fputs(" ; divergent", out);
   if (instr->imm.cf.has_barrier)
      fputs(" ; barrier", out);
   if (instr->imm.cf.max_rounds)
      fprintf(out, " ; rounds %u", instr->imm.cf.max_rounds);
   if (instr->imm.cf.stretch)
      fprintf(out, " ; stretch %u", instr->imm.cf.stretch);
   if (instr->imm.cf.polls_first)
      fputs(" ; polls first", out);
   if (instr->imm.cf.polls)
      fputs(" ; polls", out);
   for (uint32_t i = 0; i < instr->imm.cf.num_results; i++)
      print_findings(instr->imm.cf.results[i], out);
   fputc('\n', out);

   if (instr->op == IR_loop)
      print_params("body", instr->imm.cf.regions[0], depth, out);
   print_region(instr->imm.cf.regions[0], depth + 1, out);
   if (instr->op == IR_loop)
      print_params("cont", instr->imm.cf.regions[1], depth, out);
   else if (instr->op == IR_if)
      fprintf(out, "%*s} else {\n", depth * 3, "");
   if (instr->op != IR_block)
      print_region(instr->imm.cf.regions[1], depth + 1, out);
   fprintf(out, "%*s}\n", depth * 3, "");
}

static void print_region(const struct ir_region *region, uint32_t depth, FILE *out)
{
   IR_FOR_EACH (it, region) {
      if (it->op == IR_result)
         continue; /* stands in front of its construct */
      fprintf(out, "%*s", depth * 3, "");
      if (ir_is_construct(it))
         print_construct(it, depth, out);
      else
         print_simple(it, out);
   }
}

static void print_var(const struct ir_var *var, FILE *out)
{
   fprintf(out, "%svar v%u %u \"%s\"", ir_var_class_names[var->class], var->index, var->size_bytes, var->name);
   if (var->stays)
      fputs(" stays", out);
   for (uint32_t i = 0; var->table && i < var->table->count; i++) {
      if (!i)
         fprintf(out, " bits=%u", var->table->bit_size);
      fputs(i ? ", " : " ", out);
      print_number(var->table->elements[i], out);
   }
   fputc('\n', out);
}

void ir_print(const struct ir_shader *shader, FILE *out)
{
   const struct abi_shader_info *info = &shader->info;
   fprintf(out, "shader %s\n", ir_stage_names[info->stage]);
   if (info->local_size[0])
      fprintf(out, "local_size %u %u %u\n", info->local_size[0], info->local_size[1], info->local_size[2]);
   if (info->lanes)
      fprintf(out, "lanes %u\n", info->lanes);
   if (shader->subgroup_size)
      fprintf(out, "subgroup_size %u\n", shader->subgroup_size);
   if (info->shared_bytes)
      fprintf(out, "shared %u\n", info->shared_bytes);
   UTIL_LIST_FOR_EACH (struct ir_var, var, &shader->vars, link)
      print_var(var, out);
   fputs("{\n", out);
   print_region(shader->body, 1, out);
   fputs("}\n", out);
}

char *ir_print_to_string(const struct ir_shader *shader, struct util_arena *arena)
{
   char *text = NULL;
   size_t size = 0;
   FILE *out = open_memstream(&text, &size);
   if (!out)
      return util_arena_strdup(arena, "(out of memory)");
   ir_print(shader, out);
   if (fclose(out) != 0) {
      free(text);
      return util_arena_strdup(arena, "(out of memory)");
   }
   char *copy = util_arena_strdup(arena, text);
   free(text);
   return copy;
}
