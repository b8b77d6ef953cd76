/* SPDX-License-Identifier: MIT
 * Pieces are kept in blocks, a list a queue, and sorted when they are reported. */
#include "runtime/instrument/prints.h"

#include "runtime/pool_internal.h"
#include "util/alloc.h"
#include "util/debug.h"
#include "util/thread.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 << 10 };

struct block {
   struct block *next;
   size_t used;
   _Alignas(8) uint8_t bytes[BLOCK_BYTES];
};

struct queue {
   struct queue *next;
   uint64_t number;
   struct block *blocks; /* the last one first */
   struct rt_print *first, **end;
   size_t count;
};

struct rt_prints {
   rt_print_fn *report;
   void *data;
   pthread_mutex_t lock;
   struct queue *queues; /* under lock, as are the next ones */
   uint64_t num_calls;
   bool has_lost; /* memory was out */
   pthread_mutex_t reporting; /* held while texts are reported: one after the other */
};

struct rt_prints *rt_prints_create(rt_print_fn *report, void *data)
{
   struct rt_prints *prints = util_calloc(1, sizeof(*prints));
   if (!prints)
      return NULL;
   prints->report = report;
   prints->data = data;
   if (!util_mutex_init(&prints->lock))
      goto free_prints;
   if (!util_mutex_init(&prints->reporting))
      goto finish_lock;
   return prints;

finish_lock:
   pthread_mutex_destroy(&prints->lock);
free_prints:
   util_mfree(prints);
   return NULL;
}

static void free_blocks(struct block *block)
{
   for (struct block *next; block; block = next) {
      next = block->next;
      util_mfree(block);
   }
}

void rt_prints_destroy(struct rt_prints *prints)
{
   if (!prints)
      return;
   for (struct queue *queue = prints->queues, *next; queue; queue = next) {
      next = queue->next;
      free_blocks(queue->blocks);
      util_mfree(queue);
   }
   pthread_mutex_destroy(&prints->reporting);
   pthread_mutex_destroy(&prints->lock);
   util_mfree(prints);
}

/* ---- keeping ---- */

/* NULL: memory is out. */
static struct queue *find_queue(struct rt_prints *prints, uint64_t number)
{
   for (struct queue *queue = prints->queues; queue; queue = queue->next) {
      if (queue->number == number)
         return queue;
   }
   struct queue *queue = util_calloc(1, sizeof(*queue));
   if (!queue)
      return NULL;
   queue->number = number;
   queue->end = &queue->first;
   queue->next = prints->queues;
   prints->queues = queue;
   return queue;
}

static void *allocate(struct queue *queue, size_t size)
{
   if (!queue->blocks || queue->blocks->used + size > BLOCK_BYTES) {
      struct block *block = util_malloc(sizeof(*block));
      if (!block)
         return NULL;
      block->next = queue->blocks;
      block->used = 0;
      queue->blocks = block;
   }
   void *result = queue->blocks->bytes + queue->blocks->used;
   queue->blocks->used += size;
   return result;
}

static bool add_lane(struct rt_prints *prints, struct queue *queue, const struct rt_worker *worker, const struct abi_probe_call *call, uint32_t lane)
{
   const struct abi_site *site = call->site;
   struct rt_print *print = allocate(queue, sizeof(*print) + site->num_operands * sizeof(uint64_t));
   if (!print)
      return false;
   const char *within = atomic_load_explicit(&worker->within, memory_order_relaxed);
   *print = (struct rt_print){
      .order = worker->order,
      .run = (uint64_t)worker->index << 48 | worker->num_entries,
      .number = prints->num_calls,
      .site = site,
      .label = within ? within : atomic_load_explicit(&worker->running, memory_order_relaxed),
   };
   for (uint32_t i = 0; i < site->num_operands; i++)
      print->operands[i] = call->operands[i][lane];
   *queue->end = print;
   queue->end = &print->next;
   queue->count++;
   return true;
}

void rt_prints_add(struct rt_prints *prints, const struct rt_worker *worker, const struct abi_probe_call *call)
{
   pthread_mutex_lock(&prints->lock);
   struct queue *queue = find_queue(prints, worker->order >> RT_ORDER_BITS);
   prints->num_calls++;
   for (uint32_t mask = call->mask; mask; mask &= mask - 1) {
      if (!queue || !add_lane(prints, queue, worker, call, (uint32_t)__builtin_ctz(mask)))
         prints->has_lost = true;
   }
   pthread_mutex_unlock(&prints->lock);
}

/* ---- order ---- */

/* The shaders of a launch call each other: their prints stand as they came. */
static uint32_t stage_of(const struct rt_print *print)
{
   const uint32_t stage = print->site->stage;
   return stage > ABI_STAGE_RAYGEN && stage <= ABI_STAGE_CALLABLE ? ABI_STAGE_RAYGEN : stage;
}

/* Those of the others may have equal words, and then they may run side by side. */
static bool has_own_words(const struct rt_print *print)
{
   const uint32_t stage = stage_of(print);
   return stage == ABI_STAGE_FRAGMENT || stage == ABI_STAGE_COMPUTE || stage == ABI_STAGE_RAYGEN;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
   return a < b ? -1 : a > b;
}

static int compare_invocations(const struct rt_print *a, const struct rt_print *b)
{
   int result = compare_numbers(a->order, b->order);
   if (!result)
      result = compare_numbers(stage_of(a), stage_of(b));
   for (uint32_t i = 0; !result && i < a->site->num_words; i++)
      result = compare_numbers(a->operands[i], b->operands[i]);
   return result;
}

static int compare(const void *x, const void *y)
{
   const struct rt_print *a = *(struct rt_print *const *)x, *b = *(struct rt_print *const *)y;
   int result = compare_invocations(a, b);
   if (!result && !has_own_words(a))
      result = compare_numbers(a->run, b->run);
   return result ? result : compare_numbers(a->number, b->number);
}

/* Pieces of one invocation. */
struct run {
   struct rt_print **pieces;
   size_t count;
};

static int compare_values(const struct rt_print *a, const struct rt_print *b)
{
   int result = compare_numbers(a->site->number, b->site->number);
   for (uint32_t i = a->site->num_words; !result && i < a->site->num_operands; i++)
      result = compare_numbers(a->operands[i], b->operands[i]);
   return result;
}

static int compare_runs(const void *x, const void *y)
{
   const struct run *a = x, *b = y;
   int result = 0;
   for (size_t i = 0; !result && i < a->count && i < b->count; i++)
      result = compare_values(a->pieces[i], b->pieces[i]);
   return result ? result : compare_numbers(a->count, b->count);
}

/* ---- reporting ---- */

static void report_pieces(struct rt_prints *prints, struct rt_print *const *pieces, size_t count)
{
   for (size_t first = 0, end; first < count; first = end) {
      end = first + 1;
      while (end < count && !(pieces[end]->site->limit & ABI_PIECE_FIRST))
         end++;
      prints->report(prints->data, (const struct rt_print *const *)pieces + first, (uint32_t)(end - first));
   }
}

/* `runs` has room for `count`. */
static void report_invocation(struct rt_prints *prints, struct rt_print **pieces, size_t count, struct run *runs)
{
   size_t num_runs = 0;
   if (has_own_words(pieces[0])) {
      report_pieces(prints, pieces, count);
      return;
   }
   for (size_t i = 0; i < count; i++) {
      if (!i || pieces[i]->run != pieces[i - 1]->run)
         runs[num_runs++] = (struct run){pieces + i, 0};
      runs[num_runs - 1].count++;
   }
   qsort(runs, num_runs, sizeof(*runs), compare_runs);
   for (size_t i = 0; i < num_runs; i++) {
      if (!i || pieces[0]->site->stage != ABI_STAGE_VERTEX || compare_runs(&runs[i - 1], &runs[i]))
         report_pieces(prints, runs[i].pieces, runs[i].count);
   }
}

/* False: memory is out. */
static bool report_all(struct rt_prints *prints, struct rt_print *first, size_t count)
{
   struct rt_print **pieces = util_malloc(count * sizeof(*pieces));
   struct run *runs = util_malloc(count * sizeof(*runs));
   const bool has_memory = pieces && runs;
   if (has_memory) {
      for (size_t i = 0; i < count; i++, first = first->next)
         pieces[i] = first;
      qsort(pieces, count, sizeof(*pieces), compare);
   }
   for (size_t begin = 0, end; has_memory && begin < count; begin = end) {
      end = begin + 1;
      while (end < count && !compare_invocations(pieces[begin], pieces[end]))
         end++;
      report_invocation(prints, pieces + begin, end - begin, runs);
   }
   util_mfree(runs);
   util_mfree(pieces);
   return has_memory;
}

void rt_prints_report(struct rt_prints *prints, uint64_t number)
{
   struct queue taken = {0};
   pthread_mutex_lock(&prints->reporting);
   pthread_mutex_lock(&prints->lock);
   struct queue *queue = find_queue(prints, number);
   if (queue) {
      taken = *queue;
      queue->blocks = NULL;
      queue->first = NULL;
      queue->end = &queue->first;
      queue->count = 0;
   }
   bool has_lost = prints->has_lost;
   prints->has_lost = false;
   pthread_mutex_unlock(&prints->lock);
   if (taken.count && !report_all(prints, taken.first, taken.count))
      has_lost = true;
   if (has_lost)
      util_log("shaders print more than there is memory for");
   free_blocks(taken.blocks);
   pthread_mutex_unlock(&prints->reporting);
}
