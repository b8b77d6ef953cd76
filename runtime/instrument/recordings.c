/* SPDX-License-Identifier: MIT
 * Which words of shared memory a workgroup touches between two barriers mostly does not hang on data: sorts, sums and transforms do the same in all
 * workgroups. A phase of the first one is recorded while it is noted; one of a later workgroup is compared with it, and where all is the same nothing is
 * noted: its races would be those of the same invocations, later. What differs is noted from the phase's beginning, and recorded instead of it.
 * A phase is its accesses in order, and the slots that code filled itself. */
#include "runtime/instrument/follower.h"

#include "util/alloc.h"

#include <string.h>

enum { MAX_PHASES = 512, MAX_RECORDS = 8192, MAX_OFFSETS = 128 * 1024, MAX_SLOTS = 8192, MAX_FAILURES = 64 };
enum { NONE = UINT32_MAX };

struct record {
   const struct abi_site *site;
   uint32_t mask, local;
   uint32_t shape, offset; /* as in rt_races_stride(); shape 0: `offset` is where the lanes' offsets begin */
};

struct phase {
   uint32_t first_record, num_records, first_slot, num_slots;
   uint32_t group; /* the least workgroup that has been noted so */
   uint32_t next;  /* the phase that came behind it, or NONE */
};

struct rt_recordings {
   uint32_t first;   /* of workgroups; NONE: there is none yet */
   uint32_t last;    /* the one before the phase in hand, of its workgroup; NONE: there is none */
   uint32_t current; /* what the phase in hand is compared with */
   uint32_t cursor;  /* so many records were the same, or have been recorded */
   uint32_t num_phases, num_records, num_offsets, num_slots;
   int32_t num_failures; /* beyond what matched */
   struct phase phases[MAX_PHASES];
   struct record records[MAX_RECORDS];
   uint32_t offsets[MAX_OFFSETS];
   struct abi_race_slot slots[MAX_SLOTS];
};

static uint32_t lanes_of(uint32_t mask)
{
   return 32 - (uint32_t)__builtin_clz(mask);
}

void rt_recordings_reset(struct rt_recordings *recordings)
{
   if (!recordings)
      return;
   recordings->first = recordings->last = recordings->current = NONE;
   recordings->num_phases = recordings->num_records = recordings->num_offsets = recordings->num_slots = 0;
   recordings->num_failures = 0;
}

/* ---- a phase ---- */

static void begin_recording(struct rt_follower *follower)
{
   struct rt_recordings *it = follower->member->recordings;
   const bool has_room = it->num_phases < MAX_PHASES && it->num_failures < MAX_FAILURES;
   follower->recording = has_room ? RT_RECORDS : RT_RECORDS_NOTHING;
   if (has_room)
      it->phases[it->num_phases] = (struct phase){it->num_records, 0, it->num_slots, 0, follower->group, NONE};
}

void rt_recordings_begin(struct rt_follower *follower, bool is_first)
{
   struct rt_race_member *member = follower->member;
   const bool is_lost = !is_first && follower->recording == RT_RECORDS_NOTHING;
   follower->recording = RT_RECORDS_NOTHING;
   if (is_lost || follower->is_apart || rt_races_has_one_workgroup(follower))
      return;
   if (!member->recordings) {
      member->recordings = util_malloc(sizeof(*member->recordings));
      rt_recordings_reset(member->recordings);
   }
   struct rt_recordings *it = member->recordings;
   if (!it)
      return;
   it->last = is_first ? (uint32_t)NONE : it->current;
   it->current = is_first ? it->first : it->phases[it->last].next;
   it->cursor = 0;
   if (it->current != NONE && it->phases[it->current].group < follower->group)
      follower->recording = RT_RECORDS_AGAIN;
   else
      begin_recording(follower);
}

static bool append(struct rt_recordings *it, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape,
                   const uint64_t *addresses)
{
   const uint32_t lanes = shape ? 0 : lanes_of(mask);
   if (it->num_records == MAX_RECORDS || it->num_offsets + lanes > MAX_OFFSETS)
      return false;
   it->records[it->num_records++] = (struct record){site, mask, local, shape, shape ? (uint32_t)address : it->num_offsets};
   for (uint32_t i = 0; i < lanes; i++)
      it->offsets[it->num_offsets + i] = (uint32_t)addresses[i];
   it->num_offsets += lanes;
   it->phases[it->num_phases].num_records++;
   return true;
}

static bool is_same(const struct rt_recordings *it, const struct record *record, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address,
                    uint32_t shape, const uint64_t *addresses)
{
   if (record->site != site || record->mask != mask || record->local != local || record->shape != shape)
      return false;
   if (shape)
      return record->offset == (uint32_t)address;
   const uint32_t *offsets = it->offsets + record->offset;
   uint32_t differs = 0;
   if (!(mask & (mask + 1))) {
      for (uint32_t i = 0, lanes = lanes_of(mask); i < lanes; i++)
         differs |= offsets[i] ^ (uint32_t)addresses[i];
      return !differs;
   }
   for (uint32_t left = mask; left; left &= left - 1)
      differs |= offsets[__builtin_ctz(left)] ^ (uint32_t)addresses[__builtin_ctz(left)];
   return !differs;
}

/* What was the same so far is noted. `records_on`: and begins another recording. */
static void note_so_far(struct rt_follower *follower, bool records_on)
{
   struct rt_recordings *it = follower->member->recordings;
   const struct record *records = &it->records[it->phases[it->current].first_record];
   uint64_t addresses[32];
   it->num_failures++;
   follower->recording = RT_RECORDS_NOTHING;
   if (records_on)
      begin_recording(follower);
   for (uint32_t i = 0; i < it->cursor; i++) {
      const struct record *record = &records[i];
      for (uint32_t lane = 0; !record->shape && lane < lanes_of(record->mask); lane++)
         addresses[lane] = it->offsets[record->offset + lane];
      rt_races_note_shared(follower, record->site, record->mask, record->local, record->offset, record->shape, addresses);
      if (follower->recording == RT_RECORDS && !append(it, record->site, record->mask, record->local, record->offset, record->shape, addresses))
         follower->recording = RT_RECORDS_NOTHING;
   }
}

bool rt_recordings_take(struct rt_follower *follower, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape,
                        const uint64_t *addresses)
{
   struct rt_recordings *it = follower->member->recordings;
   if (follower->recording == RT_RECORDS_AGAIN) {
      const struct phase *phase = &it->phases[it->current];
      if (it->cursor < phase->num_records &&
          is_same(it, &it->records[phase->first_record + it->cursor], site, mask, local, address, shape, addresses)) {
         it->cursor++;
         return true;
      }
      note_so_far(follower, true);
   }
   if (follower->recording == RT_RECORDS && !append(it, site, mask, local, address, shape, addresses))
      follower->recording = RT_RECORDS_NOTHING;
   return false;
}

void rt_recordings_leave(struct rt_follower *follower)
{
   if (follower->recording == RT_RECORDS_AGAIN)
      note_so_far(follower, false);
   follower->recording = RT_RECORDS_NOTHING;
}

/* ---- its end ---- */

static bool has_same_slots(const struct rt_recordings *it, const struct abi_race_log *log)
{
   const struct phase *phase = &it->phases[it->current];
   if (it->cursor != phase->num_records || log->num_used != phase->num_slots)
      return false;
   for (uint32_t i = 0; i < log->num_used; i++) {
      const struct abi_race_slot *a = &log->slots[log->used[i]], *b = &it->slots[phase->first_slot + i];
      if (a->key != b->key || a->least != b->least || a->greatest != b->greatest)
         return false;
   }
   return true;
}

/* The phase that has been recorded comes behind the last one from now on. */
static void keep(struct rt_follower *follower)
{
   struct rt_recordings *it = follower->member->recordings;
   const struct abi_race_log *log = &follower->log;
   if (it->num_slots + log->num_used > MAX_SLOTS) {
      follower->recording = RT_RECORDS_NOTHING;
      return;
   }
   for (uint32_t i = 0; i < log->num_used; i++)
      it->slots[it->num_slots + i] = log->slots[log->used[i]];
   it->phases[it->num_phases].num_slots = log->num_used;
   it->num_slots += log->num_used;
   it->current = it->num_phases++;
   *(it->last == NONE ? &it->first : &it->phases[it->last].next) = it->current;
}

void rt_recordings_end(struct rt_follower *follower)
{
   struct rt_recordings *it = follower->member->recordings;
   struct abi_race_log *log = &follower->log;
   if (follower->recording == RT_RECORDS_AGAIN && has_same_slots(it, log)) {
      for (uint32_t i = 0; i < log->num_used; i++)
         log->slots[log->used[i]].key = 0;
      log->num_used = 0;
      it->num_failures -= it->num_failures > 0;
      return;
   }
   if (follower->recording == RT_RECORDS_AGAIN)
      note_so_far(follower, true);
   if (follower->recording == RT_RECORDS)
      keep(follower);
}
