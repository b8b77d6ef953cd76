/* SPDX-License-Identifier: MIT
 * As in shadow.h, the least and the greatest invocation of each class that touched a granule are kept: sets whose extremes are equal are one invocation.
 * A worker has tables of its own, which become one when all is over. */
#include "runtime/instrument/touches.h"

#include "runtime/instrument/areas.h"
#include "runtime/instrument/follower.h"
#include "runtime/pool_internal.h"
#include "util/alloc.h"
#include "util/debug.h"
#include "util/thread.h"

#include <stdio.h>
#include <string.h>

enum { NUM_BUCKETS = 64, MIN_SLOTS = 256, PAGE_GRANULES = 512, NUM_PAIRS = 64, NUM_RECENT = 1024, MAX_LANES = 32 };
enum { SECTIONS = 2 * RT_NUM_SHADOW_CLASSES, NUM_CLASSES = 4 * SECTIONS };
enum { INTERLOCKED = RT_NUM_SHADOW_CLASSES }; /* of SECTIONS classes those from here on: the same in an interlocked section */
enum { IN_FRONT = SECTIONS, BEHIND = 2 * SECTIONS }; /* added: a fence stands in front of the access; behind it */
enum { IMAGE_SHIFT = 57, BYTES_SHIFT = 58 };  /* of a granule's number: it is an image's; the logarithm of its bytes */

/* ---- invocations as numbers ---- */

/* The words of a site, one after the other, then the batch, then the site, and of a draw the stage in front of all; as one number, so that they are in the
 * order of stages and words. */
__extension__ typedef unsigned __int128 touch_key;
static const touch_key nobody = ~(touch_key)0;
enum { STAGE_SHIFT = 125 };

static const struct layout {
   uint8_t words[ABI_MAX_INVOCATION_WORDS]; /* bits of each */
   uint8_t batch, site; /* batch: of a fragment; of a workgroup its task; of a patch or primitive its instance */
   uint8_t within; /* bits of the last words, of invocations that races.h orders, or finds */
} layouts[ABI_NUM_STAGES] = {
   [ABI_STAGE_VERTEX] = {{32, 32}, 0, 12, 0},
   [ABI_STAGE_CONTROL] = {{32, 32}, 32, 12, 0},
   [ABI_STAGE_EVALUATION] = {{23, 30, 30, 1}, 29, 12, 0}, /* floats from 0 to 1, of which the last one is 0, or what the others leave of 1 */
   [ABI_STAGE_GEOMETRY] = {{32, 32}, 32, 12, 0},
   [ABI_STAGE_FRAGMENT] = {{11, 16, 16, 5, 32}, 32, 12, 0},
   [ABI_STAGE_TASK] = {{16, 16, 16, 10, 10, 10}, 32, 12, 30},
   [ABI_STAGE_MESH] = {{16, 16, 16, 10, 10, 10}, 32, 12, 30},
   [ABI_STAGE_RAYGEN] = {{32, 32, 32}, 0, 32, 0},
};
enum { PIXEL_SHIFT = 12 + 32 + 32 + 5 }; /* of a fragment: what is above it is equal for those that an interlock orders */
_Static_assert((int)ABI_MAX_SITES == 1 << 12, "a site's number has 12 bits");
_Static_assert((int)ABI_STAGE_RAYGEN == 1 << (128 - STAGE_SHIFT), "stages of draws, and no others, have room");

static uint64_t pop(touch_key *key, uint32_t bits)
{
   const uint64_t value = bits ? (uint64_t)*key & (UINT64_MAX >> (64 - bits)) : 0;
   *key >>= bits;
   return value;
}

/* Shaders of a launch meet each other, and those of a draw. */
enum group { OF_DRAW, OF_LAUNCH };

static enum group group_of(const struct abi_site *site)
{
   return site->stage >= ABI_STAGE_RAYGEN ? OF_LAUNCH : OF_DRAW;
}

static const struct layout *layout_of(enum group group, touch_key key)
{
   return &layouts[group == OF_LAUNCH ? ABI_STAGE_RAYGEN : (enum abi_stage)(key >> STAGE_SHIFT)];
}

/* Of all words and the site, what is not theirs. */
static touch_key base_of(const struct abi_site *site)
{
   if (group_of(site) == OF_DRAW)
      return (touch_key)site->stage << STAGE_SHIFT | site->number;
   return (uint32_t)(site->stage & 15) << 28 | (uint32_t)(site->module & 0xffff) << 12 | site->number;
}

/* A site among those of its group in a command, as keys have it. */
static touch_key id_in(enum group group, touch_key key)
{
   const touch_key stage = group == OF_DRAW ? key >> STAGE_SHIFT << STAGE_SHIFT : 0;
   return stage | pop(&key, layout_of(group, key)->site);
}

/* ---- pages ---- */

struct cell {
   touch_key least, greatest; /* nobody and 0: nobody */
};

struct page {
   struct page *next; /* of all */
   uint64_t order, number;
   enum group group;
   struct cell *rows[NUM_CLASSES]; /* [PAGE_GRANULES]; NULL: no access of that class */
};

struct table {
   struct page *pages, **slots; /* all, and by a hash; num_slots: 0 or a power of two */
   uint32_t num_slots, count;
   uint64_t queue; /* of all pages, unless `is_mixed` */
   bool is_mixed;
};

static void destroy_page(struct page *page)
{
   for (uint32_t c = 0; c < NUM_CLASSES; c++)
      util_mfree(page->rows[c]);
   util_mfree(page);
}

static void finish_table(struct table *table)
{
   for (struct page *page = table->pages, *next; page; page = next) {
      next = page->next;
      destroy_page(page);
   }
   util_mfree(table->slots);
   *table = (struct table){0};
}

static struct page **slot_of(struct page **slots, uint32_t num_slots, uint64_t order, enum group group, uint64_t number)
{
   const uint64_t hash = (number ^ (order * 31 + group) * UINT64_C(0xd6e8feb86659fd93)) * UINT64_C(0x9e3779b97f4a7c15);
   uint32_t at = (uint32_t)(hash >> 32) & (num_slots - 1);
   while (slots[at] && (slots[at]->number != number || slots[at]->order != order || slots[at]->group != group))
      at = (at + 1) & (num_slots - 1);
   return &slots[at];
}

static bool has_room(struct table *table)
{
   if (table->count * UINT64_C(2) < table->num_slots)
      return true;
   const uint32_t num_slots = UTIL_MAX((uint32_t)MIN_SLOTS, table->num_slots * 2);
   struct page **slots = num_slots > table->num_slots ? util_calloc(num_slots, sizeof(struct page *)) : NULL;
   if (!slots)
      return false;
   for (struct page *page = table->pages; page; page = page->next)
      *slot_of(slots, num_slots, page->order, page->group, page->number) = page;
   util_mfree(table->slots);
   table->slots = slots;
   table->num_slots = num_slots;
   return true;
}

static void add_page(struct table *table, struct page *page)
{
   *slot_of(table->slots, table->num_slots, page->order, page->group, page->number) = page;
   const uint64_t queue = page->order >> RT_ORDER_BITS;
   table->is_mixed = table->count && (table->is_mixed || table->queue != queue);
   table->queue = queue;
   page->next = table->pages;
   table->pages = page;
   table->count++;
}

static struct cell *make_row(void)
{
   struct cell *row = util_malloc(PAGE_GRANULES * sizeof(*row));
   for (uint32_t i = 0; row && i < PAGE_GRANULES; i++)
      row[i] = (struct cell){nobody, 0};
   return row;
}

/* NULL: memory is out. */
static struct page *find_page(struct table *table, uint64_t order, enum group group, uint64_t number)
{
   if (!has_room(table))
      return NULL;
   struct page *page = *slot_of(table->slots, table->num_slots, order, group, number);
   if (page)
      return page;
   page = util_calloc(1, sizeof(*page));
   if (!page)
      return NULL;
   page->order = order;
   page->group = group;
   page->number = number;
   add_page(table, page);
   return page;
}

/* ---- workers ---- */

/* What is needed to say who it was. */
struct origin {
   struct origin *next;
   const struct abi_site *site; /* code stays until its commands are over */
   const char *label;
   uint64_t order;
};

struct member {
   struct member *next;
   const struct rt_worker *worker;
   struct table table;
   struct origin *origins;
   uint64_t entries; /* rt_worker.num_entries of the batch in hand */
   uint32_t batch;   /* its number: of a pixel those of later primitives are greater */
   struct page *recent[NUM_RECENT]; /* by number */
};

struct rt_touches {
   struct bucket {
      pthread_mutex_t lock;
      struct member *members; /* under lock */
   } buckets[NUM_BUCKETS];
   _Atomic uint32_t num_batches;
   _Atomic int32_t num_storing; /* draws; relaxed: a draw that stores is counted before it runs */
   _Atomic bool is_lost; /* memory was out */
};

struct rt_touches *rt_touches_create(void)
{
   struct rt_touches *touches = util_calloc(1, sizeof(*touches));
   uint32_t count = 0;
   while (touches && count < NUM_BUCKETS && util_mutex_init(&touches->buckets[count].lock))
      count++;
   if (!touches || count == NUM_BUCKETS)
      return touches;
   while (count)
      pthread_mutex_destroy(&touches->buckets[--count].lock);
   util_mfree(touches);
   return NULL;
}

static void free_origins(struct origin *origins)
{
   for (struct origin *next; origins; origins = next) {
      next = origins->next;
      util_mfree(origins);
   }
}

void rt_touches_destroy(struct rt_touches *touches)
{
   for (uint32_t i = 0; touches && i < NUM_BUCKETS; i++) {
      for (struct member *member = touches->buckets[i].members, *next; member; member = next) {
         next = member->next;
         finish_table(&member->table);
         free_origins(member->origins);
         util_mfree(member);
      }
      pthread_mutex_destroy(&touches->buckets[i].lock);
   }
   util_mfree(touches);
}

/* Under the bucket's lock, as the next ones. NULL: memory is out. */
static struct member *find_member(struct bucket *bucket, const struct rt_worker *worker)
{
   struct member *member = bucket->members;
   while (member && member->worker != worker)
      member = member->next;
   if (member)
      return member;
   member = util_calloc(1, sizeof(*member));
   if (!member)
      return NULL;
   member->worker = worker;
   member->entries = UINT64_MAX;
   member->next = bucket->members;
   bucket->members = member;
   return member;
}

static bool note_origin(struct member *member, const struct rt_worker *worker, const struct abi_site *site)
{
   for (const struct origin *origin = member->origins; origin; origin = origin->next) {
      if (origin->site == site && origin->order == worker->order)
         return true;
   }
   struct origin *origin = util_calloc(1, sizeof(*origin));
   if (!origin)
      return false;
   *origin = (struct origin){member->origins, site, atomic_load_explicit(&worker->running, memory_order_relaxed), worker->order};
   member->origins = origin;
   return true;
}

/* ---- probes ---- */

static uint32_t class_of(const struct abi_site *site)
{
   const uint32_t fences = (site->fences & ABI_FENCE_IN_FRONT ? IN_FRONT : 0) + (site->fences & ABI_FENCE_BEHIND ? BEHIND : 0);
   const uint32_t section = fences + (site->scope ? INTERLOCKED : 0);
   switch ((enum abi_probe_access)site->access) {
   case ABI_PROBE_READ: return section + RT_SHADOW_READ;
   case ABI_PROBE_WRITE: return section + RT_SHADOW_WRITE;
   default: return section + (rt_races_atomic_of(site) == RT_ATOMIC_LOAD ? RT_SHADOW_ATOMIC_READ : RT_SHADOW_ATOMIC);
   }
}

/* Of all lanes, in halves of a key. */
struct keys {
   uint64_t low[MAX_LANES], high[MAX_LANES];
};

/* Four lanes: the word at `shift` of their keys. */
static void add_word(uint64_t *low, uint64_t *high, const uint64_t *values, uint32_t shift, uint32_t bits)
{
   const uint64_t mask = UINT64_MAX >> (64 - bits);
   for (uint32_t i = 0; i < ABI_MIN_LANES && shift < 64; i++)
      low[i] |= (values[i] & mask) << shift;
   for (uint32_t i = 0; i < ABI_MIN_LANES && shift < 64 && shift + bits > 64; i++)
      high[i] |= (values[i] & mask) >> (64 - shift);
   for (uint32_t i = 0; i < ABI_MIN_LANES && shift >= 64; i++)
      high[i] |= (values[i] & mask) << (shift - 64);
}

static void find_keys(const struct abi_probe_call *call, const struct layout *layout, uint32_t batch, struct keys *keys)
{
   const uint32_t kept = layout->batch ? batch & UINT32_MAX >> (32 - layout->batch) : 0;
   const touch_key all = (touch_key)kept << layout->site | base_of(call->site);
   uint32_t shift = layout->site + layout->batch;
   for (uint32_t lane = 0; lane < call->lanes; lane++) {
      keys->low[lane] = (uint64_t)all;
      keys->high[lane] = (uint64_t)(all >> 64);
   }
   for (uint32_t i = call->site->num_words; i-- > 0; shift += layout->words[i]) {
      for (uint32_t lane = 0; lane < call->lanes; lane += ABI_MIN_LANES)
         add_word(&keys->low[lane], &keys->high[lane], &call->operands[i][lane], shift, layout->words[i]);
   }
}

/* The third coordinate in a patch: whether there is one. */
static void find_evaluation_keys(const struct abi_probe_call *call, const struct layout *layout, uint32_t instance, struct keys *keys)
{
   uint64_t is_there[MAX_LANES];
   struct abi_probe_call own = *call;
   for (uint32_t lane = 0; lane < call->lanes; lane++)
      is_there[lane] = (uint32_t)call->operands[call->site->num_words - 1][lane] != 0;
   own.operands[call->site->num_words - 1] = is_there;
   find_keys(&own, layout, instance, keys);
}

static bool is_of_primitive(uint32_t stage)
{
   return stage == ABI_STAGE_CONTROL || stage == ABI_STAGE_EVALUATION || stage == ABI_STAGE_GEOMETRY;
}

/* What lanes of a vector touch. */
struct touched {
   struct member *member;
   uint64_t order;
   enum group group;
   uint32_t class;
   struct keys keys;
};

/* NULL: memory is out. */
static struct cell *row_of(const struct touched *it, uint64_t number)
{
   struct page **recent = &it->member->recent[number % NUM_RECENT], *page = *recent;
   if (!page || page->number != number || page->order != it->order || page->group != it->group)
      page = *recent = find_page(&it->member->table, it->order, it->group, number);
   if (page && UTIL_UNLIKELY(!page->rows[it->class]))
      page->rows[it->class] = make_row();
   return page ? page->rows[it->class] : NULL;
}

/* `bytes` of each lane in `mask`; `unit`: those of a granule, a power of two. */
static bool note_lanes(const struct touched *it, const uint64_t *addresses, uint32_t mask, uint32_t bytes, uint32_t unit, uint64_t space)
{
   const uint32_t shift = (uint32_t)__builtin_ctz(unit), count = UTIL_MAX(bytes >> shift, 1u);
   const uint64_t where = space | (uint64_t)shift << BYTES_SHIFT;
   struct cell *row = NULL;
   uint64_t last = 0; /* the page of `row` */
   for (; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask);
      const touch_key key = (touch_key)it->keys.high[lane] << 64 | it->keys.low[lane];
      for (uint32_t i = 0; i < count; i++) {
         const uint64_t granule = ((addresses[lane] >> shift) + i) | where;
         if (!row || granule / PAGE_GRANULES != last)
            row = row_of(it, last = granule / PAGE_GRANULES);
         if (!row)
            return false;
         struct cell *cell = &row[granule % PAGE_GRANULES];
         cell->least = UTIL_MIN(cell->least, key);
         cell->greatest = UTIL_MAX(cell->greatest, key);
      }
   }
   return true;
}

static bool note_texels(const struct touched *it, const struct abi_probe_call *call)
{
   uint64_t addresses[MAX_LANES];
   bool is_done = true;
   for (uint32_t mask = call->mask, bytes = 0; mask;) {
      const uint32_t lanes = rt_probed_texels(call, call->site->num_words, &mask, addresses, &bytes);
      /* A texel, or as much of it as is a power of two. */
      is_done = (!lanes || note_lanes(it, addresses, lanes, bytes, bytes & (~bytes + 1), UINT64_C(1) << IMAGE_SHIFT)) && is_done;
   }
   return is_done;
}

static bool note_call(struct member *member, const struct rt_worker *worker, const struct abi_probe_call *call)
{
   const struct abi_site *site = call->site;
   struct touched it; /* its keys are many: they are set once */
   it.member = member;
   it.order = worker->order;
   it.group = group_of(site);
   it.class = class_of(site);
   const bool has_workgroups = abi_has_workgroups(site->stage);
   const struct layout *layout = &layouts[it.group == OF_LAUNCH ? ABI_STAGE_RAYGEN : (enum abi_stage)site->stage];
   if (site->stage == ABI_STAGE_EVALUATION)
      find_evaluation_keys(call, layout, worker->instance, &it.keys);
   else
      find_keys(call, layout, has_workgroups ? worker->grid : is_of_primitive(site->stage) ? worker->instance : member->batch, &it.keys);
   if (site->probe == ABI_PROBE_TOUCH_IMAGE)
      return note_texels(&it, call);
   const uint64_t *addresses = call->operands[site->num_words];
   uint32_t mask = 0;
   for (uint32_t left = call->mask; left; left &= left - 1)
      mask |= addresses[__builtin_ctz(left)] ? left & (~left + 1) : 0;
   return note_lanes(&it, addresses, mask, site->bytes, site->limit, 0);
}

void rt_touches_expect(struct rt_touches *touches, int32_t num_draws)
{
   atomic_fetch_add_explicit(&touches->num_storing, num_draws, memory_order_relaxed);
}

/* A load of a draw meets no store. */
static bool is_alone(struct rt_touches *touches, const struct abi_site *site)
{
   return site->access == ABI_PROBE_READ && group_of(site) == OF_DRAW && !atomic_load_explicit(&touches->num_storing, memory_order_relaxed);
}

void rt_touches_probe(struct rt_touches *touches, const struct rt_worker *worker, const struct abi_probe_call *call)
{
   if (is_alone(touches, call->site))
      return;
   struct bucket *bucket = &touches->buckets[worker->index % NUM_BUCKETS];
   pthread_mutex_lock(&bucket->lock);
   struct member *member = find_member(bucket, worker);
   bool is_done = member && note_origin(member, worker, call->site);
   if (member && member->entries != worker->num_entries) {
      member->entries = worker->num_entries;
      member->batch = atomic_fetch_add_explicit(&touches->num_batches, 1, memory_order_relaxed);
   }
   is_done = is_done && note_call(member, worker, call);
   pthread_mutex_unlock(&bucket->lock);
   if (!is_done)
      atomic_store(&touches->is_lost, true);
}

/* ---- taking ---- */

static void merge_rows(struct page *to, struct page *from)
{
   for (uint32_t c = 0; c < NUM_CLASSES; c++) {
      if (!to->rows[c]) {
         to->rows[c] = from->rows[c];
         from->rows[c] = NULL;
      }
      for (uint32_t i = 0; from->rows[c] && i < PAGE_GRANULES; i++) {
         struct cell *a = &to->rows[c][i];
         const struct cell *b = &from->rows[c][i];
         a->least = UTIL_MIN(a->least, b->least);
         a->greatest = UTIL_MAX(a->greatest, b->greatest);
      }
   }
   destroy_page(from);
}

/* `page` is used up. */
static bool merge_page(struct table *all, struct page *page)
{
   if (!has_room(all)) {
      destroy_page(page);
      return false;
   }
   struct page *same = *slot_of(all->slots, all->num_slots, page->order, page->group, page->number);
   if (same)
      merge_rows(same, page);
   else
      add_page(all, page);
   return true;
}

/* Moves what a member knows of the queue's commands; what is left of other queues goes into a table anew. False: memory is out. */
static bool take_pages(struct member *member, uint64_t queue, struct table *all)
{
   struct table left = {0}, *table = &member->table;
   bool is_done = true;
   if (!table->count)
      return true;
   memset(member->recent, 0, sizeof(member->recent));
   if (!all->count && !table->is_mixed && table->queue == queue) {
      finish_table(all);
      *all = *table;
      *table = left;
      return true;
   }
   for (struct page *page = table->pages, *next; page; page = next) {
      next = page->next;
      is_done = merge_page(page->order >> RT_ORDER_BITS == queue ? all : &left, page) && is_done;
   }
   table->pages = NULL;
   finish_table(table);
   *table = left;
   return is_done;
}

static bool take(struct member *member, uint64_t queue, struct table *all, struct origin **origins)
{
   const bool is_done = take_pages(member, queue, all);
   for (struct origin **link = &member->origins; *link;) {
      struct origin *origin = *link;
      if (origin->order >> RT_ORDER_BITS != queue) {
         link = &origin->next;
         continue;
      }
      *link = origin->next;
      origin->next = *origins;
      *origins = origin;
   }
   return is_done;
}

/* ---- conflicts ---- */

struct judge {
   struct rt_findings *findings;
   const struct origin *origins;
   const struct page *page;
   struct pair {
      uint64_t order, granule;
      touch_key first, second;
      bool is_there;
   } pairs[NUM_PAIRS]; /* by a hash of both sites: the least that they have had, so that others of theirs need not be added */
};

/* Of whom the key is; NULL: memory was out when it came. */
static const struct origin *origin_of(const struct judge *judge, touch_key key)
{
   const touch_key id = id_in(judge->page->group, key);
   for (const struct origin *origin = judge->origins; origin; origin = origin->next) {
      if (origin->order == judge->page->order && group_of(origin->site) == judge->page->group && base_of(origin->site) == id)
         return origin;
   }
   return NULL;
}

/* Of floats. */
static uint64_t rest_of_one(uint64_t x, uint64_t y)
{
   union {
      uint32_t bits;
      float value;
   } a = {(uint32_t)x}, b = {(uint32_t)y}, rest = {.value = 1.0f - a.value - b.value};
   return rest.bits;
}

static bool set_party(const struct judge *judge, struct rt_party *party, touch_key key, const char **label)
{
   const struct layout *layout = layout_of(judge->page->group, key);
   const struct origin *origin = origin_of(judge, key);
   if (!origin)
      return false;
   party->site = origin->site;
   *label = origin->label;
   (void)pop(&key, layout->site);
   const uint64_t batch = pop(&key, layout->batch);
   for (uint32_t i = origin->site->num_words; i-- > 0;)
      party->operands[i] = pop(&key, layout->words[i]);
   if (is_of_primitive(origin->site->stage)) /* where operands of the probe would be */
      party->operands[origin->site->num_words] = batch >> RT_INSTANCE_SHIFT;
   if (origin->site->stage == ABI_STAGE_EVALUATION && party->operands[3])
      party->operands[3] = rest_of_one(party->operands[1], party->operands[2]);
   return true;
}

static bool is_known(struct judge *judge, uint64_t granule, touch_key a, touch_key b)
{
   const enum group group = judge->page->group;
   const touch_key first = id_in(group, a), second = id_in(group, b);
   struct pair *pair = &judge->pairs[(uint32_t)(first * 31 + second) % NUM_PAIRS];
   const bool is_same = pair->is_there && pair->order == judge->page->order && id_in(group, pair->first) == first && id_in(group, pair->second) == second;
   const bool is_first = is_same && pair->first == a, is_second = is_first && pair->second == b;
   if ((is_same && pair->first < a) || (is_first && pair->second < b) || (is_second && pair->granule <= granule))
      return true;
   *pair = (struct pair){judge->page->order, granule, a, b, true};
   return false;
}

static void add_finding(const struct judge *judge, uint64_t granule, touch_key a, touch_key b)
{
   struct rt_finding finding = {.order = judge->page->order};
   const char *label = NULL, *other_label = NULL;
   finding.address = (granule & ((UINT64_C(1) << IMAGE_SHIFT) - 1)) << (granule >> BYTES_SHIFT);
   if (!set_party(judge, &finding.party, a, &label) || !set_party(judge, &finding.other, b, &other_label))
      return;
   snprintf(finding.label, sizeof(finding.label), "%s", label ? label : "");
   rt_findings_add(judge->findings, &finding);
}

/* What the shader of the earlier stage, which is the lesser key's, does may be in order with what other stages do if it has fences. */
static bool may_pass(const struct judge *judge, touch_key a, touch_key b)
{
   const struct origin *origin = origin_of(judge, UTIL_MIN(a, b));
   return !origin || origin->site->fences & ABI_FENCES_OF_DEVICE;
}

static bool is_interlocked(uint32_t class)
{
   return class % SECTIONS >= INTERLOCKED;
}

static bool has_in_front(uint32_t class)
{
   return class / IN_FRONT & 1;
}

static bool has_behind(uint32_t class)
{
   return class / BEHIND & 1;
}

/* What is in front of a release fence may come before what is behind an acquire fence, by an atomic that nobody looks at here. */
static bool may_be_fenced(uint32_t first, uint32_t second)
{
   return (has_behind(first) && has_in_front(second)) || (has_behind(second) && has_in_front(first));
}

/* Both in interlocked sections: whether they are of one pixel; else of one workgroup, which races.h follows, or of one invocation. */
static bool are_ordered(const struct judge *judge, uint32_t first, touch_key a, uint32_t second, touch_key b)
{
   const struct layout *layout = layout_of(judge->page->group, a);
   const touch_key differs = a ^ b;
   if (judge->page->group == OF_DRAW && differs >> STAGE_SHIFT)
      return may_pass(judge, a, b);
   if (may_be_fenced(first, second))
      return true;
   if (is_interlocked(first) && is_interlocked(second))
      return differs >> PIXEL_SHIFT == 0;
   const bool is_one_batch = (differs >> layout->site & (((touch_key)1 << layout->batch) - 1)) == 0;
   return is_one_batch && differs >> (layout->site + layout->batch + layout->within) == 0;
}

/* The least pair that conflicts so far. */
struct conflict {
   touch_key first, second;
};

static void compare_touches(const struct judge *judge, uint32_t c, touch_key x, uint32_t d, touch_key y, struct conflict *least)
{
   const touch_key a = UTIL_MIN(x, y), b = UTIL_MAX(x, y);
   if (a < least->first || (a == least->first && b < least->second)) {
      if (!are_ordered(judge, c, x, d, y))
         *least = (struct conflict){a, b};
   }
}

/* Classes of which a page has rows, two of which conflict, or one with itself. */
struct class_pair {
   uint8_t first, second;
};

static uint32_t conflicting_classes(const struct page *page, struct class_pair pairs[NUM_CLASSES * NUM_CLASSES])
{
   uint32_t count = 0;
   for (uint32_t c = 0; c < NUM_CLASSES; c++) {
      for (uint32_t d = c; page->rows[c] && d < NUM_CLASSES; d++) {
         if (page->rows[d] && rt_shadow_conflicts[c % RT_NUM_SHADOW_CLASSES] >> d % RT_NUM_SHADOW_CLASSES & 1)
            pairs[count++] = (struct class_pair){(uint8_t)c, (uint8_t)d};
      }
   }
   return count;
}

static void compare_cells(const struct judge *judge, struct class_pair classes, uint32_t at, struct conflict *least)
{
   const struct cell *x = &judge->page->rows[classes.first][at], *y = &judge->page->rows[classes.second][at];
   if (x->least == nobody || y->least == nobody)
      return;
   compare_touches(judge, classes.first, x->least, classes.second, y->greatest, least);
   if (x == y)
      return;
   compare_touches(judge, classes.first, x->least, classes.second, y->least, least);
   compare_touches(judge, classes.first, x->greatest, classes.second, y->least, least);
   compare_touches(judge, classes.first, x->greatest, classes.second, y->greatest, least);
}

static void judge_page(struct judge *judge)
{
   struct class_pair pairs[NUM_CLASSES * NUM_CLASSES];
   const uint32_t count = conflicting_classes(judge->page, pairs);
   for (uint32_t at = 0; count && at < PAGE_GRANULES; at++) {
      struct conflict least = {nobody, nobody};
      for (uint32_t i = 0; i < count; i++)
         compare_cells(judge, pairs[i], at, &least);
      const uint64_t granule = judge->page->number * PAGE_GRANULES + at;
      if (least.first != nobody && !is_known(judge, granule, least.first, least.second))
         add_finding(judge, granule, least.first, least.second);
   }
}

void rt_touches_judge(struct rt_touches *touches, uint64_t queue, struct rt_findings *findings)
{
   struct table all = {0};
   struct origin *origins = NULL;
   bool is_done = true;
   for (uint32_t i = 0; i < NUM_BUCKETS; i++) {
      struct bucket *bucket = &touches->buckets[i];
      pthread_mutex_lock(&bucket->lock);
      for (struct member *member = bucket->members; member; member = member->next)
         is_done = take(member, queue, &all, &origins) && is_done;
      pthread_mutex_unlock(&bucket->lock);
   }
   struct judge judge = {.findings = findings, .origins = origins};
   for (const struct page *page = all.pages; page; page = page->next) {
      judge.page = page;
      judge_page(&judge);
   }
   finish_table(&all);
   free_origins(origins);
   if (!is_done || atomic_exchange(&touches->is_lost, false))
      util_log("the search for races had too little memory: some may not be reported");
}
