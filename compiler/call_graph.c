/* SPDX-License-Identifier: MIT */
#include "compiler/call_graph.h"

#include "util/alloc.h"
#include "util/macros.h"

#include <spirv/unified1/spirv.h>

enum { HEADER_WORDS = 5, MAX_BOUND = 0x3fffff /* SPIRV-Tools' */, NONE = 0 };

/* Functions are named by their number from 1 on. */
struct function {
   uint32_t first_call, end_call; /* in graph.calls */
   size_t instruction;
   uint32_t seen_by; /* the last entry point that reached it */
   uint32_t next_call; /* of a walk in depth */
   enum { NEW, OPEN, DONE } state;
};

struct graph {
   struct function *functions; /* [num_functions + 1] */
   uint32_t *number_of;        /* [bound]: by id; NONE: no function */
   uint32_t *calls;            /* [num_calls]: ids of functions, in the order of the callers */
   uint32_t *entry_points;     /* [num_entry_points]: ids */
   uint32_t *stack;            /* [num_functions + 1] */
   uint32_t num_functions, num_calls, num_entry_points, bound;
};

static bool allocate(struct graph *graph, const uint32_t *words, size_t num_words)
{
   size_t num_functions = 0, num_calls = 0, num_entry_points = 0;
   for (size_t at = HEADER_WORDS; at < num_words; at += UTIL_MAX(words[at] >> SpvWordCountShift, 1u)) {
      const uint32_t op = words[at] & SpvOpCodeMask;
      num_functions += op == SpvOpFunction;
      num_calls += op == SpvOpFunctionCall;
      num_entry_points += op == SpvOpEntryPoint;
   }
   graph->functions = util_calloc(num_functions + 1, sizeof(*graph->functions));
   graph->stack = util_calloc(num_functions + 1, sizeof(*graph->stack));
   graph->number_of = util_calloc((size_t)graph->bound + 1, sizeof(*graph->number_of));
   graph->calls = util_calloc(num_calls + 1, sizeof(*graph->calls));
   graph->entry_points = util_calloc(num_entry_points + 1, sizeof(*graph->entry_points));
   return graph->functions && graph->stack && graph->number_of && graph->calls && graph->entry_points;
}

/* False: no module. */
static bool read_module(struct graph *graph, const uint32_t *words, size_t num_words, size_t *too_many)
{
   size_t instruction = 0, step;
   for (size_t at = HEADER_WORDS; at < num_words; at += step) {
      const uint32_t *in = words + at, op = in[0] & SpvOpCodeMask;
      step = in[0] >> SpvWordCountShift;
      instruction++;
      if (!step || step > num_words - at)
         return false;
      if (op == SpvOpEntryPoint && step > 2) {
         graph->entry_points[graph->num_entry_points++] = in[2];
         if (graph->num_entry_points == COMP_MAX_ENTRY_POINTS + 1)
            *too_many = instruction;
      } else if (op == SpvOpFunction) {
         if (step < 3 || in[2] >= graph->bound || graph->number_of[in[2]])
            return false;
         graph->number_of[in[2]] = ++graph->num_functions;
         graph->functions[graph->num_functions] = (struct function){.first_call = graph->num_calls, .end_call = graph->num_calls, .instruction = instruction};
      } else if (op == SpvOpFunctionCall) {
         if (step < 4 || !graph->num_functions || in[3] >= graph->bound)
            return false;
         graph->calls[graph->num_calls++] = in[3];
         graph->functions[graph->num_functions].end_call = graph->num_calls;
      }
   }
   return true;
}

static uint32_t number_of(const struct graph *graph, uint32_t id)
{
   return id < graph->bound ? graph->number_of[id] : NONE;
}

/* In depth, as calls are; a function is left when all that it calls have been. Returns one that is called while it is open; NONE: no such. */
static uint32_t find_recursion(struct graph *graph, uint32_t start)
{
   uint32_t depth = 0;
   if (!start || graph->functions[start].state == DONE)
      return NONE;
   graph->stack[depth++] = start;
   graph->functions[start].state = OPEN;
   graph->functions[start].next_call = graph->functions[start].first_call;
   while (depth) {
      struct function *function = &graph->functions[graph->stack[depth - 1]];
      if (function->next_call == function->end_call) {
         function->state = DONE;
         depth--;
         continue;
      }
      const uint32_t called = number_of(graph, graph->calls[function->next_call++]);
      if (!called || graph->functions[called].state == DONE)
         continue;
      if (graph->functions[called].state == OPEN)
         return called;
      graph->functions[called].state = OPEN;
      graph->functions[called].next_call = graph->functions[called].first_call;
      graph->stack[depth++] = called;
   }
   return NONE;
}

/* How many functions an entry point reaches, and the calls in them; no more than `limit` and those of one function. */
static uint64_t count_reached(struct graph *graph, uint32_t entry_point, uint64_t limit)
{
   const uint32_t start = number_of(graph, graph->entry_points[entry_point]), mark = entry_point + 1;
   uint32_t depth = 0;
   uint64_t count = 0;
   if (!start)
      return 0;
   graph->functions[start].seen_by = mark;
   graph->stack[depth++] = start;
   while (depth && count <= limit) {
      const struct function *function = &graph->functions[graph->stack[--depth]];
      count += 1 + function->end_call - function->first_call;
      for (uint32_t i = function->first_call; i < function->end_call; i++) {
         const uint32_t called = number_of(graph, graph->calls[i]);
         if (called && graph->functions[called].seen_by != mark) {
            graph->functions[called].seen_by = mark;
            graph->stack[depth++] = called;
         }
      }
   }
   return count;
}

static enum comp_calls look(struct graph *graph, size_t num_words, size_t *instruction)
{
   const uint64_t limit = UTIL_MAX((uint64_t)COMP_MAX_ENTRY_POINT_CALLS, num_words);
   uint64_t count = 0;
   for (uint32_t i = 0; i < graph->num_entry_points; i++) {
      const uint32_t start = number_of(graph, graph->entry_points[i]), recursive = find_recursion(graph, start);
      if (recursive) {
         *instruction = graph->functions[recursive].instruction;
         return COMP_CALLS_RECURSIVE;
      }
      count += count_reached(graph, i, limit);
      if (count > limit) {
         *instruction = graph->functions[start].instruction;
         return COMP_CALLS_TOO_MANY;
      }
   }
   return COMP_CALLS_FINE;
}

enum comp_calls comp_look_at_calls(const uint32_t *words, size_t num_words, size_t *instruction)
{
   enum comp_calls calls = COMP_CALLS_UNKNOWN;
   *instruction = 0;
   if (num_words < HEADER_WORDS || words[0] != SpvMagicNumber || words[3] > MAX_BOUND)
      return calls;
   struct graph graph = {.bound = words[3]};
   if (allocate(&graph, words, num_words) && read_module(&graph, words, num_words, instruction))
      calls = *instruction ? COMP_CALLS_TOO_MANY : look(&graph, num_words, instruction);
   util_mfree(graph.functions);
   util_mfree(graph.stack);
   util_mfree(graph.number_of);
   util_mfree(graph.calls);
   util_mfree(graph.entry_points);
   return calls;
}

/* ---- what the validator sees ---- */

#define RECURSION "_ZN8spvtools3val17ValidationState_t27ComputeRecursiveEntryPointsEv"

/* Fills the set of entry points that reach a recursion, which is empty at first. Weak: a version without such a function does not ask for it either. */
__attribute__((weak)) extern void find_recursive_entry_points(void *state) __asm__("__real_" RECURSION);
void comp_find_recursive_entry_points(void *state) __asm__("__wrap_" RECURSION);

static __thread bool is_known;

void comp_calls_begin(void)
{
   is_known = true;
}

void comp_calls_end(void)
{
   is_known = false;
}

void comp_find_recursive_entry_points(void *state)
{
   if (!is_known)
      find_recursive_entry_points(state);
}
