/* SPDX-License-Identifier: MIT
 * A record for each location. It stays when it is reported, so that the location is not reported again; code of the same module that is compiled another
 * time has the same locations. */
#include "runtime/instrument/instrument.h"

#include "runtime/pool_internal.h"
#include "util/alloc.h"
#include "util/debug.h"
#include "util/hash.h"
#include "util/thread.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct record {
   struct record *next; /* of all */
   struct rt_finding finding;
   bool is_reported;
   _Alignas(8) char sites[2][ABI_MAX_SITE_BYTES]; /* copies */
};

struct rt_findings {
   uint64_t number; /* another one than of all others of the process */
   rt_finding_fn *report;
   void (*end)(void *data);
   void *data;
   pthread_mutex_t lock;
   struct util_table table; /* location -> record; under lock, as are the next ones */
   struct record *records;
   uint32_t num_untold;
   bool has_lost; /* memory was out */
   pthread_mutex_t reporting; /* held while findings are reported: one after the other */
};

struct rt_findings *rt_findings_create(rt_finding_fn *report, void (*end)(void *data), void *data)
{
   struct rt_findings *findings = util_calloc(1, sizeof(*findings));
   if (!findings)
      return NULL;
   static _Atomic uint64_t num_made;
   findings->number = atomic_fetch_add_explicit(&num_made, 1, memory_order_relaxed) + 1;
   findings->report = report;
   findings->end = end;
   findings->data = data;
   util_table_init(&findings->table);
   if (!util_mutex_init(&findings->lock))
      goto free_findings;
   if (!util_mutex_init(&findings->reporting))
      goto finish_lock;
   return findings;

finish_lock:
   pthread_mutex_destroy(&findings->lock);
free_findings:
   util_mfree(findings);
   return NULL;
}

void rt_findings_destroy(struct rt_findings *findings)
{
   if (!findings)
      return;
   for (struct record *record = findings->records, *next; record; record = next) {
      next = record->next;
      util_mfree(record);
   }
   util_table_finish(&findings->table);
   pthread_mutex_destroy(&findings->reporting);
   pthread_mutex_destroy(&findings->lock);
   util_mfree(findings);
}

/* ---- order ---- */

static int compare_words(const struct rt_party *a, const struct rt_party *b)
{
   for (uint32_t i = 0; i < a->site->num_words; i++) {
      if (a->operands[i] != b->operands[i])
         return a->operands[i] < b->operands[i] ? -1 : 1;
   }
   return 0;
}

/* Of two findings at one location: which came first, by commands and invocations. */
static int compare(const struct rt_finding *a, const struct rt_finding *b)
{
   if (a->order != b->order)
      return a->order < b->order ? -1 : 1;
   const int words = compare_words(&a->party, &b->party);
   if (words)
      return words;
   if (a->party.site->number != b->party.site->number)
      return (int)a->party.site->number - (int)b->party.site->number;
   if (!a->other.site || !b->other.site)
      return a->address < b->address ? -1 : a->address > b->address;
   const int other_words = compare_words(&a->other, &b->other);
   if (other_words)
      return other_words;
   if (a->other.site->number != b->other.site->number)
      return (int)a->other.site->number - (int)b->other.site->number;
   return a->address < b->address ? -1 : a->address > b->address;
}

/* ---- records ---- */

/* A line with one resource; of a module without lines, an instruction. A race is the pair of its locations. */
static struct util_hash key_of(const struct rt_finding *finding)
{
   uint64_t words[2][5] = {0};
   const struct abi_site *const sites[2] = {finding->party.site, finding->other.site};
   for (uint32_t i = 0; i < 2 && sites[i]; i++) {
      const struct abi_site *site = sites[i];
      const uint64_t at = site->line ? (uint64_t)site->line << 32 | site->column : site->number;
      const uint64_t resource = (uint64_t)site->set << 32 | site->binding;
      memcpy(words[i], (const uint64_t[5]){site->module, at, (uint64_t)site->line << 32 | site->stage << 16 | site->probe, resource, site->access},
             sizeof(words[i]));
   }
   if (sites[1] && memcmp(words[0], words[1], sizeof(words[0])) > 0) { /* whoever came first */
      uint64_t swapped[5];
      memcpy(swapped, words[0], sizeof(swapped));
      memcpy(words[0], words[1], sizeof(swapped));
      memcpy(words[1], swapped, sizeof(swapped));
   }
   return util_hash_bytes(words, sizeof(words));
}

static void copy_party(struct rt_party *to, char *room, const struct rt_party *from)
{
   *to = *from;
   if (!from->site)
      return;
   memcpy(room, from->site, from->site->total_bytes);
   to->site = (const struct abi_site *)room;
}

static void copy(struct record *record, const struct rt_finding *finding)
{
   record->finding = *finding;
   copy_party(&record->finding.party, record->sites[0], &finding->party);
   copy_party(&record->finding.other, record->sites[1], &finding->other);
}

/* ---- what a thread found last ---- */

enum { NUM_RECENT = 64 };

/* Enough of a finding to compare others with it. */
struct recent {
   uint64_t findings; /* rt_findings.number */
   uint8_t site[offsetof(struct abi_site, texts)];
   uint64_t order, words[ABI_MAX_INVOCATION_WORDS];
};

static struct recent *recent_of(const struct abi_site *site)
{
   static _Thread_local struct recent recent[NUM_RECENT];
   return &recent[(site->module ^ site->number ^ site->probe) % NUM_RECENT];
}

static void remember(const struct rt_findings *findings, const struct rt_finding *finding)
{
   struct recent *recent = recent_of(finding->party.site);
   if (finding->other.site || finding->address)
      return;
   recent->findings = findings->number;
   memcpy(recent->site, finding->party.site, sizeof(recent->site));
   recent->order = finding->order;
   memcpy(recent->words, finding->party.operands, sizeof(recent->words));
}

/* A fault that each invocation has is looked up once a thread, not millions of times. */
bool rt_findings_has(const struct rt_findings *findings, const struct abi_site *site, uint64_t order, const uint64_t words[ABI_MAX_INVOCATION_WORDS])
{
   const struct recent *recent = recent_of(site);
   if (recent->findings != findings->number || order < recent->order || memcmp(recent->site, site, sizeof(recent->site)))
      return false;
   for (uint32_t i = 0; order == recent->order && i < site->num_words; i++) {
      if (words[i] != recent->words[i])
         return words[i] > recent->words[i];
   }
   return true;
}

void rt_findings_add(struct rt_findings *findings, const struct rt_finding *finding)
{
   const struct util_hash key = key_of(finding);
   pthread_mutex_lock(&findings->lock);
   struct record *record = util_table_find(&findings->table, key);
   if (record && !record->is_reported && compare(finding, &record->finding) < 0)
      copy(record, finding);
   if (record)
      goto unlock;
   record = util_calloc(1, sizeof(*record));
   if (!record || !util_table_insert(&findings->table, key, record)) {
      util_mfree(record);
      record = NULL;
      findings->has_lost = true;
      goto unlock;
   }
   copy(record, finding);
   record->next = findings->records;
   findings->records = record;
   findings->num_untold++;

unlock:
   if (record)
      remember(findings, finding);
   pthread_mutex_unlock(&findings->lock);
}

/* ---- reporting ---- */

static int compare_records(const void *a, const void *b)
{
   const struct rt_finding *x = &(*(struct record *const *)a)->finding, *y = &(*(struct record *const *)b)->finding;
   if (x->order != y->order)
      return x->order < y->order ? -1 : 1;
   if (x->party.site->stage != y->party.site->stage)
      return x->party.site->stage < y->party.site->stage ? -1 : 1;
   if (x->party.site->module != y->party.site->module)
      return x->party.site->module < y->party.site->module ? -1 : 1;
   if (x->party.site->number != y->party.site->number)
      return x->party.site->number < y->party.site->number ? -1 : 1;
   return x->other.site && y->other.site && x->other.site->number > y->other.site->number ? 1 : -1;
}

/* The queue's unreported records, which count as reported now, sorted; NULL: none, or memory is out. */
static struct record **take(struct rt_findings *findings, uint64_t queue, uint32_t *count)
{
   *count = 0;
   pthread_mutex_lock(&findings->lock);
   struct record **taken = findings->num_untold ? util_malloc(findings->num_untold * sizeof(struct record *)) : NULL;
   for (struct record *record = taken ? findings->records : NULL; record; record = record->next) {
      if (record->is_reported || record->finding.order >> RT_ORDER_BITS != queue)
         continue;
      record->is_reported = true;
      taken[(*count)++] = record;
   }
   findings->num_untold -= *count;
   const bool has_lost = findings->has_lost;
   findings->has_lost = false;
   pthread_mutex_unlock(&findings->lock);
   if (has_lost)
      util_log("the instrument found more than there is memory for");
   if (*count)
      qsort(taken, *count, sizeof(struct record *), compare_records);
   return taken;
}

void rt_findings_report(struct rt_findings *findings, uint64_t queue)
{
   uint32_t count;
   pthread_mutex_lock(&findings->reporting);
   struct record **taken = take(findings, queue, &count);
   for (uint32_t i = 0; i < count; i++)
      findings->report(findings->data, &taken[i]->finding);
   if (count)
      findings->end(findings->data);
   util_mfree(taken);
   pthread_mutex_unlock(&findings->reporting);
}
