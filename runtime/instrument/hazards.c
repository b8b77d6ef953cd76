/* SPDX-License-Identifier: MIT
 * Accesses are records with a number; history.c knows which bytes have which. Records that the host knows to be over are dropped now and then. */
#include "runtime/instrument/hazards.h"

#include "runtime/instrument/history.h"
#include "runtime/cmd/scopes.h"
#include "runtime/instrument/uses.h"
#include "util/alloc.h"
#include "util/debug.h"
#include "util/hash.h"
#include "util/thread.h"

#include <stdio.h>
#include <string.h>

enum {
   HOST = RT_MAX_ORDERED_QUEUES - 1, /* stands for a queue */
   PRESENTER = HOST - 1,             /* the same of all that shows images */
   MAX_RECORDS = 1 << 18,            /* before those that are over are dropped */
   NUM_SIGNALS = 256,                /* that are remembered: the last ones */
   NUM_MEMOS = 8,
};
#define HOST_ORDER UINT64_C(0xffffff) /* instead of a queue in rt_finding.order */

struct record {
   struct rt_ordered ordered;
   uint64_t submission; /* on its queue; of the host: how many submissions there were */
   uint64_t order, rendering;
   bool is_write, is_atomic, is_attachment;
   bool is_unflushed; /* rt_hazards_unflushed(): never over */
   const struct abi_site *site;
   char label[RT_HAZARD_LABEL];
};

/* A timeline reaches a value when all before it on a queue is done. */
struct signal {
   const struct rt_timeline *timeline;
   uint64_t value, key;
   struct rt_known done; /* what the host knows when it sees that */
};

struct rt_hazards {
   struct rt_findings *findings;
   struct rt_uses *uses;
   pthread_mutex_t lock; /* guards all that follows */
   struct rt_history history;
   struct rt_log log;
   struct record *records; /* [0] is nobody */
   uint32_t num_records, cap_records, max_records;
   struct signal signals[NUM_SIGNALS];
   uint64_t num_signals;
   struct util_table events; /* event -> key of the last time it was set, as a pointer */
   struct util_table sites;  /* what distinguishes one from others -> a copy */
   struct rt_known submitted, known; /* by the host */
   uint64_t num_submissions, num_host_accesses;
   uint32_t num_queues;
   struct shown { /* an image of a swapchain that was acquired */
      uint64_t begin, end;
      VkImageLayout layout;
   } *shown;
   uint32_t num_shown, cap_shown;
   bool is_out_of_memory;
};

struct rt_hazards *rt_hazards_create(struct rt_findings *findings)
{
   struct rt_hazards *hazards = util_calloc(1, sizeof(*hazards));
   if (!hazards)
      return NULL;
   hazards->findings = findings;
   hazards->num_records = 1;
   hazards->max_records = MAX_RECORDS;
   util_table_init(&hazards->events);
   util_table_init(&hazards->sites);
   hazards->uses = rt_uses_create();
   if (!hazards->uses)
      goto free_hazards;
   if (!util_mutex_init(&hazards->lock))
      goto destroy_uses;
   return hazards;

destroy_uses:
   rt_uses_destroy(hazards->uses);
free_hazards:
   util_mfree(hazards);
   return NULL;
}

struct rt_uses *rt_hazards_uses(const struct rt_hazards *hazards)
{
   return hazards->uses;
}

void rt_hazards_destroy(struct rt_hazards *hazards)
{
   if (!hazards)
      return;
   for (size_t i = 0; i < hazards->sites.capacity; i++)
      util_mfree(hazards->sites.entries[i].value);
   util_table_finish(&hazards->sites);
   util_table_finish(&hazards->events);
   rt_uses_destroy(hazards->uses);
   rt_history_finish(&hazards->history);
   rt_log_finish(&hazards->log);
   util_mfree(hazards->shown);
   util_mfree(hazards->records);
   pthread_mutex_destroy(&hazards->lock);
   util_mfree(hazards);
}

static void run_out(struct rt_hazards *hazards)
{
   if (!hazards->is_out_of_memory)
      util_log("no memory to look for missing barriers");
   hazards->is_out_of_memory = true;
}

uint32_t rt_hazards_queue(struct rt_hazards *hazards)
{
   pthread_mutex_lock(&hazards->lock);
   const uint32_t number = UTIL_MIN(hazards->num_queues, PRESENTER - 1u);
   hazards->num_queues++;
   pthread_mutex_unlock(&hazards->lock);
   return number;
}

/* ---- records ---- */

static const struct abi_site *keep_site(struct rt_hazards *hazards, const struct abi_site *site)
{
   const uint64_t site_key = site->module ^ ((uint64_t)site->stage << 48 | (uint64_t)site->probe << 32 | site->number);
   const struct util_hash hash = {site_key * UINT64_C(0x9e3779b97f4a7c15), site->line, {site->column, (uint64_t)site->set << 32 | site->binding}};
   struct abi_site *kept = util_table_find(&hazards->sites, hash);
   if (kept)
      return kept;
   kept = util_malloc(site->total_bytes);
   if (!kept)
      return NULL;
   memcpy(kept, site, site->total_bytes);
   if (util_table_insert(&hazards->sites, hash, kept))
      return kept;
   util_mfree(kept);
   return NULL;
}

static void forget_known(void *data, struct rt_state *state)
{
   const struct rt_hazards *hazards = data;
   const struct record *records = hazards->records;
   uint32_t count = 0;
   for (uint32_t i = 0; i < state->num_reads; i++) {
      const struct record *read = &records[state->reads[i]];
      if (read->submission > hazards->known.submissions[read->ordered.queue])
         state->reads[count++] = state->reads[i];
   }
   state->num_reads = count;
   if (!records[state->write].is_unflushed && records[state->write].submission <= hazards->known.submissions[records[state->write].ordered.queue])
      state->write = 0;
}

struct renumbering {
   struct record *records;
   uint32_t *numbers; /* new ones; 0: nobody asked yet */
   uint32_t count;
};

static uint32_t renumber_one(struct renumbering *to, uint32_t number)
{
   if (number && !to->numbers[number])
      to->numbers[number] = to->count++;
   return to->numbers[number];
}

static void renumber(void *data, struct rt_state *state)
{
   state->write = renumber_one(data, state->write);
   for (uint32_t i = 0; i < state->num_reads; i++)
      state->reads[i] = renumber_one(data, state->reads[i]);
}

/* Drops what the host knows to be over, and what of the log nobody needs any more. */
static void drop_known(struct rt_hazards *hazards)
{
   struct renumbering to = {hazards->records, util_calloc(hazards->num_records, sizeof(uint32_t)), 1};
   if (!to.numbers) {
      run_out(hazards);
      return;
   }
   rt_history_sweep(&hazards->history, forget_known, hazards);
   rt_history_sweep(&hazards->history, renumber, &to);
   struct record *kept = util_calloc(UTIL_MAX(to.count, 64u), sizeof(*kept));
   uint64_t oldest = rt_log_end(&hazards->log);
   for (uint32_t i = 1; kept && i < hazards->num_records; i++) {
      if (!to.numbers[i])
         continue;
      kept[to.numbers[i]] = hazards->records[i];
      oldest = UTIL_MIN(oldest, hazards->records[i].ordered.at);
   }
   util_mfree(to.numbers);
   if (!kept) {
      rt_history_finish(&hazards->history); /* its numbers are nobody's now */
      hazards->num_records = 1;
      run_out(hazards);
      return;
   }
   util_mfree(hazards->records);
   hazards->records = kept;
   hazards->num_records = to.count;
   hazards->cap_records = UTIL_MAX(to.count, 64u);
   hazards->max_records = UTIL_MAX((uint32_t)MAX_RECORDS, to.count * 2);
   rt_log_forget(&hazards->log, oldest);
}

/* 0: memory is out. */
static uint32_t add_record(struct rt_hazards *hazards, const struct rt_submission_id *id, const struct rt_hazard_access *access)
{
   if (hazards->num_records >= hazards->cap_records) {
      const uint32_t capacity = UTIL_MAX(hazards->cap_records * 2, 64u);
      struct record *larger = util_realloc(hazards->records, capacity * sizeof(*larger));
      if (!larger)
         return 0;
      memset(&larger[0], 0, hazards->records ? 0 : sizeof(*larger));
      hazards->records = larger;
      hazards->cap_records = capacity;
   }
   struct record *record = &hazards->records[hazards->num_records];
   *record = (struct record){
      .ordered = {.queue = id->queue, .at = rt_log_end(&hazards->log), .stages = access->stages, .accesses = access->accesses},
      .submission = id->number,
      .order = access->order,
      .rendering = access->rendering,
      .is_write = access->is_write,
      .is_atomic = access->is_atomic,
      .is_attachment = access->is_attachment,
      .site = keep_site(hazards, access->site),
   };
   snprintf(record->label, sizeof(record->label), "%s", access->label);
   return record->site ? hazards->num_records++ : 0;
}

/* ---- conflicts ---- */

struct memo {
   uint32_t number; /* of the earlier record */
   struct rt_order order;
   bool is_reported;
};

struct check {
   struct rt_hazards *hazards;
   const struct rt_submission_id *id;
   uint32_t number; /* of the record in hand */
   struct memo memos[NUM_MEMOS];
};

/* Neither waits for the other, so that either may come first. Presents are not looked at. */
static bool are_concurrent(const struct check *check, const struct record *a, const struct record *b)
{
   const uint32_t queue = a->ordered.queue;
   return queue != b->ordered.queue && queue != PRESENTER && b->ordered.queue != PRESENTER && check->id->done.submissions[queue] < a->submission;
}

/* Of what is concurrent that of the later queue, or of the host, counts as what came after, so that a report does not depend on who was faster. */
static void report(struct check *check, uint64_t address, const struct record *a, const struct record *b, enum rt_hazard hazard,
                   const struct rt_order *order)
{
   const bool is_turned = hazard != RT_HAZARD_UNFLUSHED && a->ordered.queue > b->ordered.queue && are_concurrent(check, a, b);
   const struct record *const first = is_turned ? b : a, *const second = is_turned ? a : b;
   if (is_turned && hazard != RT_HAZARD_WRITE_AFTER_WRITE)
      hazard = second->is_write ? RT_HAZARD_WRITE_AFTER_READ : RT_HAZARD_READ_AFTER_WRITE;
   struct rt_finding finding = {
      .order = b->order,
      .party.site = second->site,
      .other.site = first->site,
      .address = address,
      .hazard = hazard,
      .is_ordered = order->is_after,
      .is_available = order->is_available,
      .scopes = {{second->ordered.stages, second->ordered.accesses}, {first->ordered.stages, first->ordered.accesses}},
   };
   snprintf(finding.label, sizeof(finding.label), "%s", second->label);
   snprintf(finding.other_label, sizeof(finding.other_label), "%s", first->label);
   rt_findings_add(check->hazards->findings, &finding);
}

static bool is_over(const struct check *check, const struct record *a)
{
   return a->submission <= check->id->known.submissions[a->ordered.queue];
}

/* How b follows a. Of what is over only the host asks more: whether it sees what was written. */
static struct rt_order order_of(const struct check *check, const struct record *a, const struct record *b, uint64_t address)
{
   const struct rt_log *log = &check->hazards->log;
   if (b->ordered.queue != HOST)
      return rt_log_order(log, &a->ordered, &b->ordered, address);
   return is_over(check, a) ? rt_log_order_host(log, &a->ordered, address) : (struct rt_order){.end = UINT64_MAX};
}

/* What is done within a rendering, in its own order: to attachments, in interlocked sections, and at the end of a capture that began with the same counter. */
static bool are_of_one_rendering(const struct record *a, const struct record *b)
{
   const bool is_counter = a->ordered.accesses == VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT &&
                           b->ordered.accesses == VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT;
   return a->rendering && a->rendering == b->rendering && (a->is_attachment || b->is_attachment || (a->site->scope && b->site->scope) || is_counter);
}

/* Returns where another answer may be due. */
static uint64_t examine_at(struct check *check, uint64_t address, uint32_t number, enum rt_hazard hazard)
{
   const struct record *a = &check->hazards->records[number], *b = &check->hazards->records[check->number];
   struct memo *memo = &check->memos[number % NUM_MEMOS];
   const bool is_read_by_host = b->ordered.queue == HOST && a->ordered.queue != HOST && hazard == RT_HAZARD_READ_AFTER_WRITE;
   if (a->is_unflushed && b->ordered.queue != HOST) {
      if (hazard == RT_HAZARD_READ_AFTER_WRITE && !(memo->number == number && memo->is_reported)) {
         *memo = (struct memo){number, {.end = UINT64_MAX}, true};
         report(check, address, a, b, RT_HAZARD_UNFLUSHED, &memo->order);
      }
      return UINT64_MAX;
   }
   if (!number || a->order == b->order || (a->is_atomic && b->is_atomic) || (is_over(check, a) && !is_read_by_host))
      return UINT64_MAX;
   if (are_of_one_rendering(a, b))
      return UINT64_MAX;
   if (memo->number != number || address < memo->order.begin || address >= memo->order.end) {
      const bool is_reported = memo->number == number && memo->is_reported;
      *memo = (struct memo){number, order_of(check, a, b, address), is_reported};
   }
   const struct rt_order *order = &memo->order;
   const bool is_fine = hazard == RT_HAZARD_READ_AFTER_WRITE    ? order->is_visible
                        : hazard == RT_HAZARD_WRITE_AFTER_READ ? order->is_after
                                                               : order->is_after && order->is_available;
   if (is_fine || memo->is_reported)
      return order->end;
   memo->is_reported = true;
   report(check, address, a, b, hazard, order);
   return UINT64_MAX;
}

/* Of the first byte of the state for which it is so. */
static void examine(struct check *check, uint64_t page, const struct rt_state *state, uint32_t number, enum rt_hazard hazard)
{
   const uint64_t base = page * RT_MARKS_PAGE_BYTES;
   for (uint32_t at = rt_marks_next(state->bits, 0); at < RT_MARKS_PAGE_BYTES;) {
      const uint64_t end = examine_at(check, base + at, number, hazard);
      at = rt_marks_next(state->bits, (uint32_t)UTIL_MIN(end - base, (uint64_t)RT_MARKS_PAGE_BYTES));
   }
}

/* Of one queue and stage the last read stands for those before it, which come before all that it comes before. */
static void add_read(const struct check *check, struct rt_state *state)
{
   const struct rt_ordered *it = &check->hazards->records[check->number].ordered;
   for (uint32_t i = 0; i < state->num_reads; i++) {
      const struct rt_ordered *other = &check->hazards->records[state->reads[i]].ordered;
      if (other->queue == it->queue && other->stages == it->stages) {
         state->reads[i] = check->number;
         return;
      }
   }
   if (state->num_reads == RT_MAX_READS)
      memmove(state->reads, state->reads + 1, --state->num_reads * sizeof(state->reads[0]));
   state->reads[state->num_reads++] = check->number;
}

static void visit(void *data, uint64_t page, struct rt_state *state)
{
   struct check *check = data;
   if (!check->hazards->records[check->number].is_write) {
      examine(check, page, state, state->write, RT_HAZARD_READ_AFTER_WRITE);
      add_read(check, state);
      return;
   }
   for (uint32_t i = 0; i < state->num_reads; i++)
      examine(check, page, state, state->reads[i], RT_HAZARD_WRITE_AFTER_READ);
   if (!state->num_reads)
      examine(check, page, state, state->write, RT_HAZARD_WRITE_AFTER_WRITE);
   state->write = check->number;
   state->num_reads = 0;
}

static bool visit_page(void *data, uint64_t page, const struct rt_marks_bits *bits)
{
   struct check *check = data;
   return rt_history_visit(&check->hazards->history, page, bits, visit, check);
}

/* Under the lock. Returns the record's number, 0: memory is out. */
static uint32_t touch(struct rt_hazards *hazards, const struct rt_submission_id *id, const struct rt_hazard_access *access,
                      const struct rt_byte_range *ranges, size_t count)
{
   struct check check = {.hazards = hazards, .id = id, .number = add_record(hazards, id, access)};
   bool is_done = check.number != 0;
   for (size_t i = 0; i < count && is_done; i++)
      is_done = rt_marks_visit_range(ranges[i].begin, ranges[i].end, visit_page, &check);
   if (!is_done)
      run_out(hazards);
   return check.number;
}

void rt_hazards_access(struct rt_hazards *hazards, const struct rt_submission_id *id, const struct rt_hazard_access *access, struct rt_marks *bytes)
{
   pthread_mutex_lock(&hazards->lock);
   struct check check = {.hazards = hazards, .id = id, .number = add_record(hazards, id, access)};
   if (!check.number || !rt_marks_visit(bytes, visit_page, &check))
      run_out(hazards);
   pthread_mutex_unlock(&hazards->lock);
}

/* ---- dependencies ---- */

/* False: memory is out. */
static bool scope_init(struct rt_scope *scope, const struct rt_dependency *dependency)
{
   *scope = (struct rt_scope){
      .src_stages = rt_stages(dependency->src_stages, true),
      .dst_stages = rt_stages(dependency->dst_stages, false),
      .src_accesses = rt_accesses(dependency->src_accesses),
      .dst_accesses = rt_accesses(dependency->dst_accesses),
      .num_ranges = dependency->num_ranges,
   };
   if (!scope->num_ranges)
      return true;
   scope->ranges = util_malloc(scope->num_ranges * sizeof(*scope->ranges));
   if (scope->ranges)
      memcpy(scope->ranges, dependency->ranges, scope->num_ranges * sizeof(*scope->ranges));
   return scope->ranges != NULL;
}

static void add_entry(struct rt_hazards *hazards, enum rt_log_type type, uint32_t queue, uint64_t group, uint64_t key,
                      const struct rt_dependency *dependency)
{
   struct rt_scope scope;
   if (!scope_init(&scope, dependency) || !rt_log_add(&hazards->log, type, queue, group, key, &scope))
      run_out(hazards);
}

/* A layout transition writes the image after the first scope and before the second one. It is looked at with a barrier that lets nothing but it
 * wait. Returns its record, 0: memory is out. */
static uint32_t transit(struct rt_hazards *hazards, const struct rt_submission_id *id, enum rt_log_type type, uint64_t key,
                        const struct rt_dependency *dependency, const struct rt_hazard_access *by)
{
   struct rt_dependency before = *dependency;
   struct rt_hazard_access access = *by;
   before.dst_stages = access.stages = RT_STAGE_TRANSITION;
   access.is_write = true;
   access.accesses = 0;
   const uint64_t end = rt_log_end(&hazards->log);
   add_entry(hazards, type, id->queue, ++hazards->log.num_groups, key, &before);
   const uint32_t number = touch(hazards, id, &access, dependency->ranges, dependency->num_ranges);
   rt_log_cut(&hazards->log, end);
   return number;
}

static uint64_t key_of_event(const struct rt_hazards *hazards, const void *event)
{
   return (uintptr_t)util_table_find(&hazards->events, util_hash_bytes(&event, sizeof(event)));
}

static void set_layouts(struct rt_hazards *hazards, const struct rt_dependency *dependency)
{
   for (uint32_t i = 0; dependency->layout && i < hazards->num_shown; i++) {
      for (uint32_t k = 0; k < dependency->num_ranges; k++) {
         if (hazards->shown[i].begin >= dependency->ranges[k].begin && hazards->shown[i].begin < dependency->ranges[k].end)
            hazards->shown[i].layout = dependency->layout;
      }
   }
}

void rt_hazards_depend(struct rt_hazards *hazards, const struct rt_submission_id *id, const void *event, const struct rt_dependency *dependencies,
                       uint32_t count, const struct rt_hazard_access *access)
{
   pthread_mutex_lock(&hazards->lock);
   const enum rt_log_type type = event ? RT_LOG_WAIT_EVENT : RT_LOG_BARRIER;
   const uint64_t key = event ? key_of_event(hazards, event) : 0;
   const uint32_t first = hazards->num_records;
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t number = dependencies[i].is_transition ? transit(hazards, id, type, key, &dependencies[i], access) : 0;
      if (!number)
         continue;
      struct rt_ordered *ordered = &hazards->records[number].ordered;
      ordered->stages = rt_stages(dependencies[i].dst_stages, false) | RT_STAGE_TRANSITION;
      ordered->accesses = rt_accesses(dependencies[i].dst_accesses);
      ordered->is_transition = true;
   }
   const uint64_t group = ++hazards->log.num_groups;
   for (uint32_t i = 0; i < count; i++)
      add_entry(hazards, type, id->queue, group, key, &dependencies[i]);
   for (uint32_t i = first; i < hazards->num_records; i++)
      hazards->records[i].ordered.at = rt_log_end(&hazards->log);
   for (uint32_t i = 0; i < count; i++)
      set_layouts(hazards, &dependencies[i]);
   pthread_mutex_unlock(&hazards->lock);
}

/* What comes before in the stages comes before `key`, a number that nobody else has. */
static uint64_t add_signal(struct rt_hazards *hazards, uint32_t queue, VkPipelineStageFlags2 stages)
{
   const uint64_t key = ++hazards->log.num_groups;
   add_entry(hazards, RT_LOG_SIGNAL, queue, key, key, &(struct rt_dependency){.src_stages = stages});
   return key;
}

void rt_hazards_set_event(struct rt_hazards *hazards, const struct rt_submission_id *id, const void *event, VkPipelineStageFlags2 stages)
{
   pthread_mutex_lock(&hazards->lock);
   const uint64_t key = add_signal(hazards, id->queue, stages);
   if (!util_table_insert(&hazards->events, util_hash_bytes(&event, sizeof(event)), (void *)(uintptr_t)key))
      run_out(hazards);
   pthread_mutex_unlock(&hazards->lock);
}

/* ---- semaphores, fences, the host ---- */

static void learn(struct rt_known *known, const struct rt_known *more)
{
   for (uint32_t i = 0; i < RT_MAX_ORDERED_QUEUES; i++)
      known->submissions[i] = UTIL_MAX(known->submissions[i], more->submissions[i]);
}

/* The signal that made the timeline reach the value: of those that are remembered the last one with the least value. NULL: the host, another
 * process or a display did, or it is long ago. */
static const struct signal *signal_of(const struct rt_hazards *hazards, const struct rt_timeline *timeline, uint64_t value)
{
   const struct signal *found = NULL;
   const uint64_t count = UTIL_MIN(hazards->num_signals, (uint64_t)NUM_SIGNALS);
   for (uint64_t i = 0; i < count; i++) {
      const struct signal *it = &hazards->signals[(hazards->num_signals - 1 - i) % NUM_SIGNALS];
      if (it->timeline == timeline && it->value >= value && (!found || it->value < found->value))
         found = it;
   }
   return found;
}

void rt_hazards_submit(struct rt_hazards *hazards, uint32_t queue, struct rt_submission_id *id)
{
   pthread_mutex_lock(&hazards->lock);
   if (hazards->num_records > hazards->max_records)
      drop_known(hazards);
   hazards->known.submissions[HOST] = ++hazards->num_submissions;
   *id = (struct rt_submission_id){.queue = queue, .number = ++hazards->submitted.submissions[queue], .known = hazards->known};
   pthread_mutex_unlock(&hazards->lock);
}

void rt_hazards_seen(struct rt_hazards *hazards, const struct rt_timeline *timeline, uint64_t value)
{
   pthread_mutex_lock(&hazards->lock);
   const struct signal *signal = signal_of(hazards, timeline, value);
   if (signal)
      learn(&hazards->known, &signal->done);
   pthread_mutex_unlock(&hazards->lock);
}

void rt_hazards_seen_idle(struct rt_hazards *hazards, uint32_t queue)
{
   pthread_mutex_lock(&hazards->lock);
   hazards->known.submissions[queue] = hazards->submitted.submissions[queue];
   pthread_mutex_unlock(&hazards->lock);
}

void rt_hazards_wait(struct rt_hazards *hazards, struct rt_submission_id *id, const struct rt_wait *waits, const VkPipelineStageFlags2 *stages,
                     uint32_t count)
{
   pthread_mutex_lock(&hazards->lock);
   for (uint32_t i = 0; i < count; i++) {
      const struct signal *signal = signal_of(hazards, waits[i].timeline, waits[i].value);
      const struct rt_dependency dependency = {.dst_stages = stages ? stages[i] : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
      add_entry(hazards, RT_LOG_WAIT, id->queue, ++hazards->log.num_groups, signal ? signal->key : 0, &dependency);
      if (signal)
         learn(&id->done, &signal->done);
   }
   pthread_mutex_unlock(&hazards->lock);
}

void rt_hazards_signal(struct rt_hazards *hazards, const struct rt_submission_id *id, const struct rt_wait *signals,
                       const VkPipelineStageFlags2 *stages, uint32_t count)
{
   struct rt_known done = id->done;
   pthread_mutex_lock(&hazards->lock);
   learn(&done, &id->known);
   done.submissions[id->queue] = id->number;
   for (uint32_t i = 0; i < count; i++) {
      const uint64_t key = add_signal(hazards, id->queue, stages ? stages[i] : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
      hazards->signals[hazards->num_signals++ % NUM_SIGNALS] = (struct signal){signals[i].timeline, signals[i].value, key, done};
   }
   pthread_mutex_unlock(&hazards->lock);
}

/* ---- presentation ---- */

/* NULL: memory is out. */
static struct shown *find_shown(struct rt_hazards *hazards, const struct rt_presented *image)
{
   for (uint32_t i = 0; i < hazards->num_shown; i++) {
      if (hazards->shown[i].begin == image->begin)
         return &hazards->shown[i];
   }
   if (hazards->num_shown == hazards->cap_shown) {
      const uint32_t capacity = UTIL_MAX(hazards->cap_shown * 2, 8u);
      struct shown *larger = util_realloc(hazards->shown, capacity * sizeof(*larger));
      if (!larger)
         return NULL;
      hazards->shown = larger;
      hazards->cap_shown = capacity;
   }
   hazards->shown[hazards->num_shown] = (struct shown){image->begin, image->end, VK_IMAGE_LAYOUT_UNDEFINED};
   return &hazards->shown[hazards->num_shown++];
}

/* Stands for all presents, or acquisitions. */
union presenting_site {
   struct abi_site site;
   char bytes[sizeof(struct abi_site) + 8];
};
static const union presenting_site present_site = {
   {.number = 1, .probe = ABI_PROBE_USE, .stage = ABI_NUM_STAGES, .set = ABI_NO_SET, .total_bytes = sizeof(present_site)}};
static const union presenting_site acquire_site = {
   {.number = 2, .probe = ABI_PROBE_USE, .stage = ABI_NUM_STAGES, .set = ABI_NO_SET, .total_bytes = sizeof(acquire_site)}};

/* Whoever waits for the acquisition waits for the last present too. */
static void visit_acquired(void *data, uint64_t page, struct rt_state *state)
{
   const struct check *check = data;
   uint32_t count = 0;
   for (uint32_t i = 0; i < state->num_reads; i++) {
      if (check->hazards->records[state->reads[i]].ordered.queue != PRESENTER)
         state->reads[count++] = state->reads[i];
   }
   state->num_reads = count;
   add_read(check, state);
}

static bool visit_acquired_page(void *data, uint64_t page, const struct rt_marks_bits *bits)
{
   struct check *check = data;
   return rt_history_visit(&check->hazards->history, page, bits, visit_acquired, check);
}

void rt_hazards_acquire(struct rt_hazards *hazards, const struct rt_presented *image, const struct rt_wait *signals, uint32_t count)
{
   struct rt_byte_range range = {image->begin, image->end};
   char label[RT_HAZARD_LABEL];
   snprintf(label, sizeof(label), "the acquisition of image %u of a swapchain", image->index);
   pthread_mutex_lock(&hazards->lock);
   const struct rt_submission_id id = {.queue = PRESENTER, .number = ++hazards->submitted.submissions[PRESENTER], .known = hazards->known};
   const struct rt_hazard_access access = {
      .order = (HOST_ORDER << RT_ORDER_BITS) + ++hazards->num_host_accesses, .stages = RT_STAGE_ACQUIRE, .site = &acquire_site.site, .label = label};
   struct check check = {.hazards = hazards, .id = &id, .number = add_record(hazards, &id, &access)};
   if (!check.number || !find_shown(hazards, image) || !rt_marks_visit_range(range.begin, range.end, visit_acquired_page, &check))
      run_out(hazards);
   struct rt_known done = hazards->known;
   done.submissions[PRESENTER] = id.number;
   const uint64_t key = ++hazards->log.num_groups;
   add_entry(hazards, RT_LOG_SIGNAL, PRESENTER, key, key, &(struct rt_dependency){.src_stages = RT_STAGE_ACQUIRE, .num_ranges = 1, .ranges = &range});
   for (uint32_t i = 0; i < count; i++)
      hazards->signals[hazards->num_signals++ % NUM_SIGNALS] = (struct signal){signals[i].timeline, signals[i].value, key, done};
   pthread_mutex_unlock(&hazards->lock);
}

/* What is shown is nobody else's until it is acquired again, whatever the host waits for. */
static void present(struct rt_hazards *hazards, const struct rt_submission_id *by, uint64_t order, const struct rt_presented *image)
{
   struct rt_submission_id id = *by;
   char label[RT_HAZARD_LABEL];
   snprintf(label, sizeof(label), "the present of image %u of a swapchain, submission %llu of queue %u", image->index, (unsigned long long)by->number,
            by->queue);
   const struct rt_byte_range range = {image->begin, image->end};
   const struct rt_hazard_access access = {
      .order = order, .stages = RT_STAGE_PRESENT, .accesses = VK_ACCESS_2_MEMORY_READ_BIT, .site = &present_site.site, .label = label};
   id.queue = PRESENTER;
   id.number = UINT64_MAX;
   (void)touch(hazards, &id, &access, &range, 1);
   const struct shown *shown = find_shown(hazards, image);
   if (!shown)
      run_out(hazards);
   if (!shown || shown->layout == VK_IMAGE_LAYOUT_PRESENT_SRC_KHR || shown->layout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR)
      return;
   struct rt_finding finding = {
      .order = order,
      .party.site = &present_site.site,
      .address = image->begin,
      .count = shown->layout,
      .hazard = RT_HAZARD_LAYOUT,
      .scopes = {{RT_STAGE_PRESENT, VK_ACCESS_2_MEMORY_READ_BIT}},
   };
   snprintf(finding.label, sizeof(finding.label), "%s", label);
   rt_findings_add(hazards->findings, &finding);
}

void rt_hazards_present(struct rt_hazards *hazards, const struct rt_submission_id *id, uint64_t order, const struct rt_wait *waits, uint32_t num_waits,
                        const struct rt_presented *images, uint32_t count)
{
   pthread_mutex_lock(&hazards->lock);
   for (uint32_t i = 0; i < num_waits; i++) {
      const struct signal *signal = signal_of(hazards, waits[i].timeline, waits[i].value);
      add_entry(hazards, RT_LOG_WAIT, PRESENTER, ++hazards->log.num_groups, signal ? signal->key : 0,
                &(struct rt_dependency){.dst_stages = RT_STAGE_PRESENT});
   }
   for (uint32_t i = 0; i < count; i++)
      present(hazards, id, order, &images[i]);
   pthread_mutex_unlock(&hazards->lock);
}

/* ---- the host's memory ---- */

/* Adds the host's access at this time, and whose it is. Under the lock. */
static struct check check_host(struct rt_hazards *hazards, struct rt_submission_id *id, bool is_write)
{
   static const union {
      struct abi_site site;
      char bytes[sizeof(struct abi_site) + 8];
   } host = {{.probe = ABI_PROBE_USE, .stage = ABI_NUM_STAGES, .set = ABI_NO_SET, .total_bytes = sizeof(host)}};
   *id = (struct rt_submission_id){.queue = HOST, .number = hazards->num_submissions + 1, .known = hazards->known};
   id->known.submissions[HOST] = UINT64_MAX;
   const struct rt_hazard_access access = {
      .order = (HOST_ORDER << RT_ORDER_BITS) + ++hazards->num_host_accesses,
      .stages = VK_PIPELINE_STAGE_2_HOST_BIT,
      .accesses = is_write ? VK_ACCESS_2_HOST_WRITE_BIT : VK_ACCESS_2_HOST_READ_BIT,
      .is_write = is_write,
      .site = &host.site,
      .label = "the host",
   };
   return (struct check){.hazards = hazards, .id = id, .number = add_record(hazards, id, &access)};
}

/* A write must have been made visible to the host by a barrier, beside being over. */
void rt_hazards_host(struct rt_hazards *hazards, uint64_t begin, uint64_t end, bool is_write)
{
   struct rt_submission_id id;
   pthread_mutex_lock(&hazards->lock);
   struct check check = check_host(hazards, &id, is_write);
   if (!check.number || !rt_marks_visit_range(begin, end, visit_page, &check))
      run_out(hazards);
   pthread_mutex_unlock(&hazards->lock);
   rt_findings_report(hazards->findings, HOST_ORDER);
}

/* It is not in the memory, so that nothing there conflicts with it. */
static void visit_unflushed(void *data, uint64_t page, struct rt_state *state)
{
   const struct check *check = data;
   state->write = check->number;
}

static bool visit_unflushed_page(void *data, uint64_t page, const struct rt_marks_bits *bits)
{
   struct check *check = data;
   return rt_history_visit(&check->hazards->history, page, bits, visit_unflushed, check);
}

void rt_hazards_unflushed(struct rt_hazards *hazards, const struct rt_byte_range *ranges, uint32_t count)
{
   struct rt_submission_id id;
   pthread_mutex_lock(&hazards->lock);
   struct check check = check_host(hazards, &id, true);
   bool is_done = check.number != 0;
   if (is_done)
      hazards->records[check.number].is_unflushed = true;
   for (uint32_t i = 0; i < count && is_done; i++)
      is_done = rt_marks_visit_range(ranges[i].begin, ranges[i].end, visit_unflushed_page, &check);
   if (!is_done)
      run_out(hazards);
   pthread_mutex_unlock(&hazards->lock);
}

static void forget_shown(struct rt_hazards *hazards, uint64_t begin, uint64_t end)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < hazards->num_shown; i++) {
      if (hazards->shown[i].begin < begin || hazards->shown[i].begin >= end)
         hazards->shown[count++] = hazards->shown[i];
   }
   hazards->num_shown = count;
}

void rt_hazards_forget(struct rt_hazards *hazards, uint64_t begin, uint64_t end)
{
   pthread_mutex_lock(&hazards->lock);
   if (!rt_history_forget(&hazards->history, begin, end))
      run_out(hazards);
   forget_shown(hazards, begin, end);
   pthread_mutex_unlock(&hazards->lock);
}
