/* SPDX-License-Identifier: MIT
 * Reads the text form (see ir.h) back. Only syntax, names and operand counts are checked here; ir_validate() checks
 * the rest. At the first error the cursor jumps to the end of the text, where every loop stops. */
#include "compiler/ir/ir_copy.h"
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_map.h"
#include "compiler/ir/ir_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 1 << 24, MAX_OPERANDS = 4096, MAX_DEPTH = 1100 };

struct label {
   char name[16];
   struct ir_instr *construct;
   struct label *outer;
};

struct parser {
   const char *at, *end;
   uint32_t line, depth;
   struct util_arena *arena;
   struct ir_shader *shader;
   const char *error;
   struct ir_instr **values; /* by number in the text */
   uint32_t num_values;
   struct label *labels;       /* of the loops and blocks around */
   struct ir_map vars;         /* by number in the text */
   struct ir_instr **operands; /* [MAX_OPERANDS], of the instruction that is being read */
   uint32_t num_operands;
};

UTIL_PRINTF(2, 3) static void fail(struct parser *p, const char *format, ...)
{
   if (p->error)
      return;
   char message[200];
   va_list args;
   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   p->error = util_arena_printf(p->arena, "line %u: %s", p->line, message);
   p->at = p->end;
}

static void skip_space(struct parser *p)
{
   while (p->at < p->end) {
      if (*p->at == ';') {
         while (p->at < p->end && *p->at != '\n')
            p->at++;
      } else if (isspace((unsigned char)*p->at)) {
         p->line += *p->at == '\n';
         p->at++;
      } else {
         break;
      }
   }
}

static bool accept(struct parser *p, const char *text)
{
   skip_space(p);
   const size_t length = strlen(text);
   if ((size_t)(p->end - p->at) < length || memcmp(p->at, text, length) != 0)
      return false;
   if (isalnum((unsigned char)text[length - 1]) && p->at + length < p->end &&
       (isalnum((unsigned char)p->at[length]) || p->at[length] == '_'))
      return false; /* the beginning of a longer word */
   p->at += length;
   return true;
}

static void expect(struct parser *p, const char *text)
{
   if (!accept(p, text))
      fail(p, "expected '%s'", text);
}

static char peek(struct parser *p)
{
   skip_space(p);
   return p->at < p->end ? *p->at : 0;
}

static void parse_word(struct parser *p, char *word, size_t size)
{
   skip_space(p);
   size_t length = 0;
   while (p->at < p->end && (isalnum((unsigned char)*p->at) || *p->at == '_') && length + 1 < size)
      word[length++] = *p->at++;
   word[length] = 0;
   if (!length)
      fail(p, "expected a word");
}

static uint64_t parse_number(struct parser *p)
{
   char word[32];
   parse_word(p, word, sizeof(word));
   char *end;
   const uint64_t value = strtoull(word, &end, 0);
   if (*end)
      fail(p, "'%s' is not a number", word);
   return value;
}

static void parse_type(struct parser *p, uint32_t *num_components, uint32_t *bit_size)
{
   char word[16];
   parse_word(p, word, sizeof(word));
   if (sscanf(word, "%ux%u", num_components, bit_size) != 2 || *num_components < 1 || *num_components > 4 ||
       *bit_size < 1 || *bit_size > 64)
      fail(p, "'%s' is not a type", word);
   if (p->error)
      *num_components = *bit_size = 1;
}

static uint32_t parse_value_number(struct parser *p)
{
   expect(p, "%");
   const uint64_t number = parse_number(p);
   if (number >= MAX_VALUES) {
      fail(p, "value number is too large");
      return 0;
   }
   return (uint32_t)number;
}

static void define(struct parser *p, uint32_t number, struct ir_instr *instr)
{
   if (number >= p->num_values) {
      const uint32_t larger = UTIL_MAX(number + 1, p->num_values * 2);
      struct ir_instr **values = UTIL_ARENA_ARRAY(p->arena, struct ir_instr *, larger);
      if (p->num_values)
         memcpy(values, p->values, p->num_values * sizeof(*values));
      p->values = values;
      p->num_values = larger;
   }
   if (p->values[number])
      fail(p, "%%%u is defined twice", number);
   p->values[number] = instr;
}

/* Zero or more values, separated by commas. */
static void parse_operands(struct parser *p)
{
   p->num_operands = 0;
   while (peek(p) == '%') {
      const uint32_t number = parse_value_number(p);
      if (number >= p->num_values || !p->values[number]) {
         fail(p, "%%%u is not defined", number);
         break;
      }
      if (p->num_operands == MAX_OPERANDS) {
         fail(p, "too many operands");
         break;
      }
      p->operands[p->num_operands++] = p->values[number];
      if (!accept(p, ","))
         break;
   }
}

static void parse_label(struct parser *p, char *name)
{
   expect(p, "@");
   parse_word(p, name, sizeof(((struct label *)0)->name));
}

static struct ir_instr *parse_target(struct parser *p)
{
   char name[16];
   parse_label(p, name);
   for (struct label *label = p->labels; label; label = label->outer) {
      if (!strcmp(label->name, name))
         return label->construct;
   }
   fail(p, "no @%s around", name);
   return NULL;
}

static struct ir_var *parse_var(struct parser *p)
{
   char name[16], *end;
   parse_word(p, name, sizeof(name));
   const unsigned long index = strtoul(name + 1, &end, 10);
   struct ir_var *var = name[0] == 'v' && !*end && index < MAX_VALUES ? ir_map_find(&p->vars, index) : NULL;
   if (!var)
      fail(p, "no variable '%s'", name);
   return var;
}

static void parse_fp(struct parser *p, struct ir_instr *instr)
{
   do {
      char word[32];
      parse_word(p, word, sizeof(word));
      uint32_t bit = 0;
      while (bit < IR_NUM_FP_FLAGS && strcmp(word, ir_fp_names[bit]) != 0)
         bit++;
      if (bit == IR_NUM_FP_FLAGS)
         fail(p, "no floating-point flag '%s'", word);
      else
         instr->fp |= 1 << bit;
   } while (accept(p, "|"));
}

static uint32_t parse_imm_value(struct parser *p, const char *imm_name)
{
   uint32_t count;
   const char *const *names = ir_imm_names(imm_name, &count);
   if (!names || isdigit((unsigned char)peek(p)))
      return (uint32_t)parse_number(p);
   char word[32];
   parse_word(p, word, sizeof(word));
   for (uint32_t i = 0; i < count; i++) {
      if (names[i] && !strcmp(names[i], word))
         return i;
   }
   fail(p, "no %s '%s'", imm_name, word);
   return 0;
}

static void parse_imms(struct parser *p, struct ir_instr *instr)
{
   const struct ir_op_info *info = ir_info(instr);
   for (uint32_t i = 0; i < 4; i++) {
      if (!info->imm[i])
         continue;
      expect(p, info->imm[i]);
      expect(p, "=");
      instr->imm.u[i] = parse_imm_value(p, info->imm[i]);
   }
   if (accept(p, "fp")) {
      expect(p, "=");
      parse_fp(p, instr);
   }
}

static enum ir_op parse_op(struct parser *p)
{
   char word[32];
   parse_word(p, word, sizeof(word));
   for (uint32_t op = 0; op < IR_NUM_OPS; op++) {
      if (!strcmp(ir_op_infos[op].name, word))
         return op;
   }
   fail(p, "no operation '%s'", word);
   return IR_undef;
}

/* "name=": a number. */
static uint32_t parse_named(struct parser *p, const char *name)
{
   expect(p, name);
   expect(p, "=");
   return (uint32_t)parse_number(p);
}

static void parse_copy(struct parser *p, struct ir_instr *copy)
{
   struct ir_copy_form *form = UTIL_ARENA_NEW(p->arena, struct ir_copy_form);
   copy->imm.copy.form = form;
   form->count = parse_named(p, "count");
   form->bit_size = parse_named(p, "bits");
   for (uint32_t s = 0; s < 2; s++) {
      struct ir_copy_side *side = &form->sides[s];
      side->op = parse_op(p);
      if (side->op == IR_undef)
         continue;
      copy->imm.copy.vars[s] = ir_copy_names_var(side->op) ? parse_var(p) : NULL;
      side->access = parse_named(p, "access");
      side->align = parse_named(p, "align");
      if (accept(p, "offsets")) {
         expect(p, "=");
         side->offsets = parse_var(p);
      } else {
         side->stride = parse_named(p, "stride");
      }
   }
}

static void parse_region(struct parser *p, struct ir_region *region);

static void parse_simple(struct parser *p, struct ir_builder *b, enum ir_op op, bool has_value, uint32_t number)
{
   const struct ir_op_info *info = &ir_op_infos[op];
   uint32_t num_components = 0, bit_size = 0;
   if (has_value != (info->result != IR_RESULT_NONE)) {
      fail(p, "'%s' %s a value", info->name, has_value ? "does not give" : "gives");
      return;
   }
   if (has_value)
      parse_type(p, &num_components, &bit_size);
   struct ir_var *var = info->flags & IR_NAMES_VAR ? parse_var(p) : NULL;
   struct ir_instr *target = op == IR_break || op == IR_continue ? parse_target(p) : NULL;
   p->num_operands = 0;
   if (info->num_srcs != 0) /* else a name that follows is the next line's */
      parse_operands(p);
   if (info->num_srcs >= 0 && p->num_operands != (uint32_t)info->num_srcs)
      fail(p, "'%s' takes %d operands", info->name, info->num_srcs);
   if (p->error)
      return;

   struct ir_instr *instr = ir_emit(b, op, num_components, bit_size, p->num_operands, p->operands);
   if (instr->num_components != num_components || instr->bit_size != bit_size)
      fail(p, "'%s' gives %ux%u here", info->name, instr->num_components, instr->bit_size);
   instr->imm.var.var = var;
   if (target)
      instr->imm.cf.target = target;
   for (uint32_t i = 0; op == IR_const && i < num_components; i++) {
      if (i)
         expect(p, ",");
      instr->imm.c[i] = ir_mask_bits(parse_number(p), bit_size);
   }
   if (op == IR_copy)
      parse_copy(p, instr);
   parse_imms(p, instr);
   if (has_value)
      define(p, number, instr);
}

/* (%1 1x32, %2 1x32): the body's params exist already, the continue region's are made. */
static void parse_params(struct parser *p, const char *name, struct ir_region *region, bool exist)
{
   uint32_t count = 0;
   expect(p, name);
   expect(p, "(");
   while (peek(p) == '%') {
      const uint32_t number = parse_value_number(p);
      uint32_t num_components, bit_size;
      parse_type(p, &num_components, &bit_size);
      if (exist && count >= region->num_params) {
         fail(p, "more params than initial values");
         break;
      }
      struct ir_instr *param =
         exist ? region->params[count] : ir_add_param(p->shader, region, num_components, bit_size);
      if (param->num_components != num_components || param->bit_size != bit_size)
         fail(p, "param %%%u is not of its initial value's type", number);
      define(p, number, param);
      count++;
      if (!accept(p, ","))
         break;
   }
   expect(p, ")");
   expect(p, ":");
   if (count != region->num_params)
      fail(p, "fewer params than initial values");
}

static struct ir_instr *parse_construct_body(struct parser *p, struct ir_builder *b, enum ir_op op)
{
   struct label label = {.outer = p->labels};
   if (op != IR_if)
      parse_label(p, label.name);
   parse_operands(p);
   if (op == IR_if ? p->num_operands != 1 : op == IR_block && p->num_operands != 0)
      fail(p, "wrong number of operands");
   if (p->error)
      return NULL;

   struct ir_instr *instr = op == IR_if      ? ir_if(b, p->operands[0])
                            : op == IR_block ? ir_block(b)
                                             : ir_loop(b, p->num_operands, p->operands);
   label.construct = instr;
   if (op != IR_if)
      p->labels = &label;
   expect(p, "{");
   if (op == IR_loop)
      parse_params(p, "body", instr->imm.cf.regions[0], true);
   parse_region(p, instr->imm.cf.regions[0]);
   if (op == IR_if) {
      expect(p, "}");
      expect(p, "else");
      expect(p, "{");
   } else if (op == IR_loop) {
      parse_params(p, "cont", instr->imm.cf.regions[1], false);
   }
   if (op != IR_block)
      parse_region(p, instr->imm.cf.regions[1]);
   expect(p, "}");
   p->labels = label.outer;
   return instr;
}

struct typed_number {
   uint32_t number, num_components, bit_size;
};

/* One instruction: [%number [type] {, %number type} =] op … */
static void parse_instr(struct parser *p, struct ir_builder *b)
{
   struct typed_number *results = NULL;
   uint32_t num_results = 0, capacity = 0;
   bool has_types = false;

   while (peek(p) == '%') {
      if (num_results == capacity) {
         capacity = capacity ? capacity * 2 : 4;
         struct typed_number *larger = UTIL_ARENA_ARRAY(p->arena, struct typed_number, capacity);
         if (num_results)
            memcpy(larger, results, num_results * sizeof(*larger));
         results = larger;
      }
      struct typed_number *result = &results[num_results++];
      result->number = parse_value_number(p);
      has_types = peek(p) != '=';
      if (!has_types)
         break;
      parse_type(p, &result->num_components, &result->bit_size);
      if (!accept(p, ","))
         break;
   }
   if (num_results)
      expect(p, "=");
   const enum ir_op op = parse_op(p);
   if (p->error)
      return;
   if (op != IR_if && op != IR_loop && op != IR_block) {
      if (has_types || op == IR_param || op == IR_result)
         fail(p, "results are of constructs");
      else
         parse_simple(p, b, op, num_results, num_results ? results[0].number : 0);
      return;
   }
   if (num_results && !has_types)
      fail(p, "results of constructs have types");
   struct ir_instr *instr = parse_construct_body(p, b, op);
   for (uint32_t i = 0; i < num_results && !p->error; i++)
      define(p, results[i].number, ir_add_result(p->shader, instr, results[i].num_components, results[i].bit_size));
}

/* Up to '}', or to the next region's head of a loop. */
static void parse_region(struct parser *p, struct ir_region *region)
{
   if (++p->depth > MAX_DEPTH)
      fail(p, "nested too deeply");
   struct ir_builder b = ir_builder_at_end(p->shader, region);
   while (!p->error) {
      const char next = peek(p);
      if (next == '}' || next == 0)
         break;
      if (next == 'c' && p->end - p->at > 5 && !memcmp(p->at, "cont(", 5))
         break;
      b.before = &region->instrs; /* results are placed after their constructs */
      parse_instr(p, &b);
   }
   p->depth--;
}

/* Of a declaration: "var", or that with the class in front. IR_NUM_VAR_CLASSES: it is none. */
static enum ir_var_class var_class_of(const char *word)
{
   uint32_t class = 0;
   for (; class < IR_NUM_VAR_CLASSES; class++) {
      const size_t length = strlen(ir_var_class_names[class]);
      if (!strncmp(word, ir_var_class_names[class], length) && !strcmp(word + length, "var"))
         break;
   }
   return class;
}

/* bits=32 5, 7: as many elements as the variable's size has room for. */
static void parse_table(struct parser *p, struct ir_var *var)
{
   expect(p, "bits=");
   const uint64_t bits = parse_number(p);
   if (p->error || bits < 8 || bits > 64 || bits & (bits - 1) || var->size_bytes < bits / 8) {
      fail(p, "no table");
      return;
   }
   const uint32_t count = var->size_bytes / ((uint32_t)bits / 8);
   uint64_t *elements = UTIL_ARENA_ARRAY(p->arena, uint64_t, count);
   for (uint32_t i = 0; i < count && !p->error; i++) {
      if (i)
         expect(p, ",");
      elements[i] = ir_mask_bits(parse_number(p), (uint32_t)bits);
   }
   ir_var_make_table(p->shader, var, count, (uint32_t)bits, elements);
}

static void parse_new_var(struct parser *p, enum ir_var_class class)
{
   char word[64], *end;
   parse_word(p, word, sizeof(word));
   const unsigned long index = strtoul(word + 1, &end, 10);
   if (word[0] != 'v' || *end || index >= MAX_VALUES || ir_map_find(&p->vars, index)) {
      fail(p, "'%s' is no new variable", word);
      return;
   }
   const uint32_t size = (uint32_t)parse_number(p);
   expect(p, "\"");
   const char *start = p->at;
   while (p->at < p->end && *p->at != '"' && *p->at != '\n')
      p->at++;
   char *name = util_arena_printf(p->arena, "%.*s", (int)(p->at - start), start);
   expect(p, "\"");
   struct ir_var *var = ir_var_create(p->shader, size, name);
   var->index = (uint32_t)index;
   var->class = class;
   p->shader->num_vars = UTIL_MAX(p->shader->num_vars, var->index + 1);
   ir_map_add(&p->vars, index, var);
   var->stays = accept(p, "stays");
   if (class == IR_VAR_TABLE)
      parse_table(p, var);
}

static void parse_header(struct parser *p)
{
   char word[64];
   expect(p, "shader");
   parse_word(p, word, sizeof(word));
   uint32_t stage = 0;
   while (stage < IR_NUM_STAGES && strcmp(word, ir_stage_names[stage]) != 0)
      stage++;
   if (stage == IR_NUM_STAGES)
      fail(p, "no stage '%s'", word);
   p->shader = ir_shader_create(p->arena, stage);
   struct abi_shader_info *info = &p->shader->info;

   while (!p->error && peek(p) != '{') {
      parse_word(p, word, sizeof(word));
      if (!strcmp(word, "local_size")) {
         for (uint32_t i = 0; i < 3; i++)
            info->local_size[i] = (uint32_t)parse_number(p);
      } else if (!strcmp(word, "lanes")) {
         info->lanes = (uint32_t)parse_number(p);
      } else if (!strcmp(word, "subgroup_size")) {
         p->shader->subgroup_size = (uint32_t)parse_number(p);
      } else if (!strcmp(word, "shared")) {
         info->shared_bytes = (uint32_t)parse_number(p);
      } else if (var_class_of(word) < IR_NUM_VAR_CLASSES) {
         parse_new_var(p, var_class_of(word));
      } else {
         fail(p, "unknown property '%s'", word);
      }
   }
}

struct ir_shader *ir_parse(struct util_arena *arena, const char *text, const char **error)
{
   struct parser p = {.at = text, .end = text + strlen(text), .line = 1, .arena = arena, .vars.arena = arena};
   p.operands = UTIL_ARENA_ARRAY(arena, struct ir_instr *, MAX_OPERANDS);
   parse_header(&p);
   expect(&p, "{");
   parse_region(&p, p.shader->body);
   expect(&p, "}");
   if (peek(&p))
      fail(&p, "text after the shader");
   *error = p.error;
   if (p.error)
      return NULL;
   ir_shader_renumber(p.shader);
   return p.shader;
}
