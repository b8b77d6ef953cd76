/* SPDX-License-Identifier: MIT
 * What races.c, phases and barriers, and accesses.c, what invocations touch in them, share. Threads: as in races.h. */
#pragma once

#include "runtime/instrument/clocks.h"
#include "runtime/instrument/instrument.h"
#include "runtime/instrument/races.h"
#include "runtime/instrument/shadow.h"
#include "util/bitset.h"

#include <pthread.h>
#include <stdatomic.h>

enum rt_race_space { RT_RACE_BUFFERS, RT_RACE_IMAGES, RT_RACE_SHARED, RT_RACE_NUM_SPACES };
enum { RT_RACE_INVOCATIONS = 1 << RT_ACCESS_LOCAL_BITS, RT_RACE_FENCES = (1 << RT_ACCESS_FENCE_BITS) - 1 };
/* A granule of an image is a texel, or as much of it as is a power of two: its number has that power's logarithm in the high bits. */
enum { RT_RACE_IMAGE_SHIFT = 58 };
#define RT_RACE_IMAGE_GRANULES ((UINT64_C(1) << RT_RACE_IMAGE_SHIFT) - 1)

/* What a vector does to memory: lanes side by side that touch the same granule, or granules side by side, go together. */
struct rt_accesses {
   enum rt_race_space space;
   enum rt_shadow_class class;
   uint32_t shift, count; /* bytes of a granule, as a shift; granules of a lane */
   uint32_t access;       /* the site's part of it */
};

/* What is kept of a site, so that it need not be found again. */
struct rt_followed_site {
   const struct abi_site *site; /* NULL: of none */
   struct rt_accesses accesses;
   bool is_simple;              /* a lane's granules are a power of two */
};
enum { RT_FOLLOWED_SITES = 128 };

/* The least race that two sites have had: others of theirs need not be added. */
struct rt_race_pair {
   uint64_t first, second; /* accesses without what orders them */
   bool is_there;
};
enum { RT_RACE_PAIRS = 64 };

/* What one thread follows of a dispatch. */
struct rt_race_member {
   struct rt_race_member *next;
   const struct rt_worker *worker;
   struct rt_shadow shadows[RT_RACE_NUM_SPACES];
   struct rt_followed_site followed[RT_FOLLOWED_SITES]; /* by number */
   struct rt_race_pair pairs[RT_RACE_PAIRS]; /* by a hash of both sites */
   struct rt_patterns *patterns;             /* NULL: none yet */
   struct rt_recordings *recordings;         /* the same */
   uint32_t *groups; /* of each phase, from 1 on */
   uint32_t num_phases, cap_phases;
   bool is_out_of_memory; /* nothing is noted any more */
};

struct rt_races {
   struct rt_races *next;
   struct rt_findings *findings;
   struct abi_compute_args args;
   pthread_mutex_t lock;
   bool is_within_workgroups; /* races between them are not looked for */
   uint32_t items_left;     /* under lock, as are the next ones */
   bool is_over;            /* nobody follows any more, and races between workgroups have been found */
   struct rt_race_member *members;
   uint8_t *final_fences;   /* by workgroup: phases with a fence, at most RT_RACE_FENCES; NULL: there was none */
   _Atomic bool is_settled[RT_RACE_NUM_SPACES]; /* of a site that is alone: what comes behind the first workgroup cannot be a lesser race */
   const struct abi_site *sites[ABI_MAX_SITES]; /* rt_races_site(): all write the same; of sites without an access what dispatches before left */
   uint64_t num_workgroups;
};

/* A number's site; workers, and code, write it while others read it. */
static inline const struct abi_site *rt_races_site(const struct rt_races *races, uint32_t number)
{
   return __atomic_load_n(&races->sites[number], __ATOMIC_RELAXED);
}

/* What becomes of accesses to shared memory in the phase in hand: recordings.c. */
enum rt_recording {
   RT_RECORDS_NOTHING, /* they are noted */
   RT_RECORDS,         /* they are noted and recorded */
   RT_RECORDS_AGAIN,   /* they have been those of a recording so far, and are not noted */
};

struct rt_race_listed {
   uint64_t granule;
   enum rt_race_space space;
};

/* What a vector did at a site since the last phase began: loops do the same again and again, which is no news. */
struct rt_noted {
   const struct abi_site *site; /* NULL: of none */
   uint64_t serial;             /* rt_follower.serial */
   uint32_t mask, local;
   uint64_t addresses[32];
};
enum { RT_NUM_NOTED = 256 };

/* The workgroup that a worker has in hand. */
struct rt_follower {
   struct rt_races *races;
   struct rt_races *own;            /* of workgroups of draws, one after the other; NULL: there was none yet */
   struct rt_race_member *member;
   const struct rt_worker *worker;
   bool has_workgroup;
   uint32_t group;                  /* linear */
   uint32_t fences;                 /* complete phases with a fence */
   bool is_fenced;                  /* somebody fenced in this phase */
   bool has_rounds;                 /* some subgroup has passed a barrier of its own */
   bool has_subgroup_barriers;      /* the shader has such */
   bool is_apart;                   /* neighbours may be ordered by barriers of subgroups or by fences of their own: each is noted by itself */
   bool has_clocks[RT_RACE_NUM_SPACES];     /* somebody fenced in the phase of that space, in a shader that passes flags */
   struct rt_clocks *clocks[RT_RACE_NUM_SPACES];
   enum rt_recording recording;
   uint32_t ordered;                /* semantics of fences in this phase */
   uint32_t phases[RT_RACE_NUM_SPACES];     /* the member's phases in hand */
   uint32_t shifts[RT_RACE_NUM_SPACES];     /* bytes of a granule, as a shift */
   const struct abi_site *any_site; /* of the shader: all have its size */
   struct rt_race_listed *listed;           /* granules with a conflict in this phase */
   uint32_t num_listed, cap_listed;
   uint64_t pages[RT_RACE_NUM_SPACES][RT_NUM_SHADOW_CLASSES]; /* of buffers: noted in this phase, bits by number modulo 64 */
   struct rt_shadow_rows spare;     /* memory of dispatches before */
   struct abi_race_log log;         /* abi_worker.race_log */
   uint64_t used_runs;                         /* bits of log.runs that are not empty */
   uint64_t fenced[RT_RACE_INVOCATIONS / 64];     /* those that fenced in this phase */
   uint8_t epochs[RT_RACE_INVOCATIONS];           /* barriers of the subgroup that each passed: where there are no clocks */
   uint64_t serial;                 /* of the phase in hand, of any space and dispatch */
   struct rt_noted noted[RT_NUM_NOTED]; /* by a hash */
   uint32_t reached[RT_RACE_INVOCATIONS / ABI_MIN_LANES]; /* the barrier in hand, by vector: abi_worker.reached */
};

/* What an access to a granule is reported as, of which the number is a part. */
struct rt_race_search {
   const struct rt_follower *follower;
   enum rt_race_space space;
};

/* races.c */
/* A granule with a conflict, to be judged at the end of the phase. */
void rt_races_list(struct rt_follower *follower, enum rt_race_space space, uint64_t granule);
/* No other workgroup does what this one does. */
static inline bool rt_races_has_one_workgroup(const struct rt_follower *follower)
{
   return follower->races->is_within_workgroups || follower->races->num_workgroups == 1;
}
/* A race of these accesses, within the workgroup, would not be the least of their sites. */
bool rt_races_is_no_news(const struct rt_follower *follower, uint32_t a, uint32_t b);
/* What the site does need not be noted: its least race has been found. */
static inline bool rt_races_is_settled(const struct rt_follower *follower, const struct abi_site *site, enum rt_race_space space)
{
   return site->is_alone && follower->group && atomic_load_explicit(&follower->races->is_settled[space], memory_order_relaxed);
}
/* The least pair of a granule within the phase; `is_round`: within the round of a subgroup. */
void rt_races_judge(const struct rt_follower *follower, enum rt_race_space space, uint64_t granule, bool is_round);
/* `data`: a struct rt_race_search. A round is what a subgroup does between two of its barriers. */
bool rt_races_are_of_two_rounds(const void *data, uint64_t a, uint64_t b);
void rt_races_fence(struct rt_follower *follower, const struct abi_probe_call *call);
/* Subgroups that have come to a barrier of theirs: is one not there as a whole? */
void rt_races_subgroups(const struct rt_follower *follower, const struct abi_probe_call *call);

/* An access with clocks and those that conflict with it so far, of which later ones may hide some. */
void rt_races_judge_access(const struct rt_follower *follower, enum rt_race_space space, enum rt_shadow_class class, uint64_t granule, uint32_t access);
/* What an atomic does, by the name of its operation. */
enum rt_atomic rt_races_atomic_of(const struct abi_site *site);
/* An atomic of a shader that passes flags. */
void rt_races_atomic(struct rt_follower *follower, const struct abi_site *site, enum rt_race_space space, uint32_t local, uint64_t address);
/* Whenever one of those that it follows from changes. */
void rt_races_find_apart(struct rt_follower *follower);
static inline bool rt_races_has_clocks(const struct rt_follower *follower)
{
   return follower->has_clocks[RT_RACE_BUFFERS] | follower->has_clocks[RT_RACE_IMAGES] | follower->has_clocks[RT_RACE_SHARED];
}

/* accesses.c: notes what slots hold, before what is the same for all of them changes. */
void rt_races_flush(struct rt_follower *follower);
/* One access of each lane that is on. `local`: the first lane's. */
void rt_races_note_lanes(struct rt_follower *follower, const struct rt_accesses *it, uint32_t mask, uint32_t local, const uint64_t *addresses);

/* patterns.c: reads and atomics of buffers that other workgroups did just so. */
/* Nobody has fenced in the workgroup, and neighbours need no order of their own. False: it is to be noted by the caller. */
bool rt_patterns_take(struct rt_follower *follower, const struct rt_followed_site *followed, uint32_t mask, uint32_t local, const uint64_t *addresses);
/* What waits is noted, before the order of accesses within the phase changes. */
void rt_patterns_note(struct rt_follower *follower);
/* At the end of a phase of buffers, when all else has been noted. */
void rt_patterns_end_phase(struct rt_follower *follower);
/* At the end of the dispatch: what is not in `shadow` yet, where something there conflicts with it. NULL is fine. */
void rt_patterns_end(struct rt_patterns *patterns, struct rt_shadow *shadow);

/* An access to shared memory, noted now: of lanes at `addresses`, or with a `shape` that is not 0 as rt_races_stride() has it. */
void rt_races_note_shared(struct rt_follower *follower, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape,
                          const uint64_t *addresses);

/* recordings.c: phases of shared memory that do what those of another workgroup did. */
/* Forgets them; NULL is fine. */
void rt_recordings_reset(struct rt_recordings *recordings);
/* Begins a phase of shared memory; `is_first`: of the workgroup. */
void rt_recordings_begin(struct rt_follower *follower, bool is_first);
/* Where follower->recording is not RT_RECORDS_NOTHING. False: the access is to be noted at once. */
bool rt_recordings_take(struct rt_follower *follower, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape,
                        const uint64_t *addresses);
/* What has not been noted is, and nothing more of the workgroup recorded: something else orders its accesses. */
void rt_recordings_leave(struct rt_follower *follower);
/* At the end of a phase of shared memory, before the slots are noted: those of a recording are empty then. */
void rt_recordings_end(struct rt_follower *follower);
