/* SPDX-License-Identifier: MIT
 * The instrument: what instrumented code reports to the runtime, and where it is reported (docs/FIND_THE_BUG.md).
 * A site is one check of one instruction: a constant of the code, written by compiler/instrument, read by runtime/instrument. A probe
 * is the call of it, for the invocations of a vector that it concerns. */
#pragma once

#include "abi/shader.h"

#include <stdbool.h>

/* What is looked for: the bits of enum util_debug, from UTIL_DEBUG_BOUNDS on. */
enum abi_check {
   ABI_CHECK_BOUNDS = 1 << 0,
   ABI_CHECK_NUMBERS = 1 << 1,
   ABI_CHECK_BARRIER = 1 << 2,
   ABI_CHECK_RACE = 1 << 3,
   ABI_CHECK_UNINIT = 1 << 4,
   ABI_CHECK_SYNC = 1 << 5,
   ABI_CHECK_PRINT = 1 << 6, /* not a check: what the shader says itself */
   ABI_CHECK_TRACE = 1 << 7, /* the same: values of one invocation */
};

/* X(NAME, check, name, operands): each is a message of its own; `operands` are those behind the invocation's words. */
#define ABI_PROBES(X)                                                                                                  \
   X(BUFFER_BOUNDS, BOUNDS, "bounds-buffer", 3)           /* offset, size, address */                                  \
   X(ADDRESS_BOUNDS, BOUNDS, "bounds-address", 1)         /* address */                                                \
   X(INDEX_BOUNDS, BOUNDS, "bounds-index", 1)             /* index; site.limit is the length */                        \
   X(DESCRIPTOR, BOUNDS, "bounds-descriptor", 1)          /* index in the binding */                                   \
   X(NONUNIFORM, BOUNDS, "bounds-nonuniform", 2)          /* index in the binding, that of the subgroup's first invocation */ \
   X(IMAGE_BOUNDS, BOUNDS, "bounds-image", 7)             /* descriptor, three coordinates, three sizes */             \
   X(LEVEL_BOUNDS, BOUNDS, "bounds-level", 3)             /* descriptor, level or sample, how many there are */        \
   X(NOT_FINITE, NUMBERS, "numbers-not-finite", 4)        /* result, up to three sources; site.num_sources */          \
   X(DIVISION, NUMBERS, "numbers-division", 2)            /* dividend, divisor */                                      \
   X(CONVERSION, NUMBERS, "numbers-conversion", 1)        /* the float */                                              \
   X(SHIFT, NUMBERS, "numbers-shift", 1)                  /* amount; site.limit is the number of bits */               \
   X(BIT_FIELD, NUMBERS, "numbers-bit-field", 2)          /* offset, count; site.limit is the number of bits */        \
   X(QUAD, BARRIER, "barrier-quad", 1)                    /* the quad's invocations that are there, by bits; site.limit: it reads one that is not */ \
   X(UNINIT_BRANCH, UNINIT, "uninit-branch", 0)           /* a condition */                                            \
   X(UNINIT_ADDRESS, UNINIT, "uninit-address", 0)         /* an index, an offset, coordinates */                       \
   X(UNINIT_OUTPUT, UNINIT, "uninit-output", 0)           /* leaves the shader */                                      \
   X(UNINIT_ATOMIC, UNINIT, "uninit-atomic", 0)           /* memory that an atomic operation changes */                \
   X(UNINIT_IMAGE, UNINIT, "uninit-image", 5)             /* descriptor, three coordinates, sample; site.limit: how many coordinates, 0: it is filtered */ \
   X(UNINIT_COLOR, UNINIT, "uninit-attachment", 1)        /* components that an attachment takes; site.limit: location */ \
   X(UNINIT_ATTACHMENT, UNINIT, "uninit-attachment", 2)   /* address of its memory, enum abi_attachment_use: of draws, not of code */ \
   X(UNINIT_LEVEL, UNINIT, "uninit-level", 1)             /* tessellation levels: bits as in abi_control_args.taken_levels */ \
   X(PRINT, PRINT, "print", 0)                            /* the site's own: values of a piece of a text; see below */   \
   X(TRACE, TRACE, "trace", 0)                            /* the same, of what an instruction gives */                 \
   X(TOUCH, RACE, "race-buffer", 1)                       /* address: of draws and launches; limit: bytes of a granule */ \
   X(TOUCH_IMAGE, RACE, "race-image", 5)                  /* descriptor, three coordinates, sample: the same */        \
   X(BARRIER, BARRIER, "barrier-not-reached", 0)          /* in front of a barrier; site.limit: lanes of a vector */   \
   X(BARRIER_PASSED, BARRIER, "barrier-not-reached", 0)   /* behind it, once for the workgroup */                      \
   X(ACCESS, RACE, "race-buffer", 3)                      /* local index, address, offset; limit: bytes of a granule */ \
   X(ACCESS_SHARED, RACE, "race-shared", 2)               /* local index, offset */                                    \
   X(ACCESS_IMAGE, RACE, "race-image", 6)                 /* local index, descriptor, three coordinates, sample */     \
   X(FENCE, RACE, "race", 1)                              /* local index; a memory barrier: no message */               \
   X(SUBGROUP_BARRIER, BARRIER, "barrier-not-reached", 1) /* local index: in front of a barrier of the subgroup */     \
   X(USE, SYNC, "sync", 1)                                /* address; site.limit: nobody writes it meanwhile */        \
   X(USE_TEXEL, SYNC, "sync", 5)                          /* descriptor, three coordinates, sample; limit: sampled */   \
   X(USE_ACCEL, SYNC, "sync", 1)                          /* address of a structure that rays go through */              \
   X(USE_VIEW, SYNC, "sync", 1)                           /* descriptor; site.limit: as input attachment */             \
   X(ABORT, PRINT, "abort", 1)                            /* bytes of a message; gives where it is written, or 0 */    \
   X(ABORTED, PRINT, "abort", 0)                          /* it is written; no message: the device is lost */

enum abi_probe {
#define X(NAME, check, name, operands) ABI_PROBE_##NAME,
   ABI_PROBES(X)
#undef X
   ABI_NUM_PROBES
};

/* SPV_KHR_abort, which is no check: these stand in code that nobody instrumented, too. */
static inline bool abi_probe_is_abort(uint32_t probe)
{
   return probe == ABI_PROBE_ABORT || probe == ABI_PROBE_ABORTED;
}
enum { ABI_MAX_ABORT_BYTES = 65536 };

/* What is followed, and what ends the device, carries no words of the invocation: its operands are the first ones. */
static inline bool abi_probe_is_followed(uint32_t probe)
{
   return probe >= ABI_PROBE_BARRIER && probe <= ABI_PROBE_ABORTED;
}

/* What may order an access of a draw or launch with those of other invocations: a fence with an atomic, or a barrier of its subgroup or patch. */
enum abi_fences {
   ABI_FENCES_OF_DEVICE = 1, /* the shader has some, of memory of the device */
   ABI_FENCE_IN_FRONT = 2,   /* one may have been passed: what others did in front of one of theirs may come before */
   ABI_FENCE_BEHIND = 4,     /* one may follow */
};

/* An access by an invocation of a draw or launch, which is not ordered with those of other workgroups, if there are any. */
static inline bool abi_probe_is_touch(uint32_t probe)
{
   return probe == ABI_PROBE_TOUCH || probe == ABI_PROBE_TOUCH_IMAGE;
}

/* Memory that a command uses: `sync`. */
static inline bool abi_probe_is_use(uint32_t probe)
{
   return probe >= ABI_PROBE_USE && probe <= ABI_PROBE_USE_VIEW;
}

/* A printed text is one or more pieces, a site each, which follow each other. site.name is the format: text with conversions %[flags][width][.precision]vNc,
 * c a letter of C's printf() for values of N components; the letters of site.operation are the types of the operands. */
static inline bool abi_probe_is_print(uint32_t probe)
{
   return probe == ABI_PROBE_PRINT || probe == ABI_PROBE_TRACE;
}
enum { ABI_PIECE_FIRST = 1, ABI_PIECE_LAST = 2 }; /* site.limit: of its text */
#define ABI_PRINT_SIGNED "csil"   /* integers of 8, 16, 32 and 64 bits */
#define ABI_PRINT_UNSIGNED "CSIL" /* the same */
#define ABI_PRINT_FLOATS "hfd"    /* of 16, 32 and 64 bits */
#define ABI_PRINT_BOOL 'b'
#define ABI_PRINT_NATURAL 'n'     /* a letter of conversions: as what the value is */

enum abi_probe_access { ABI_PROBE_READ, ABI_PROBE_WRITE, ABI_PROBE_ATOMIC };

enum {
   ABI_NO_SET = UINT32_MAX,
   ABI_MAX_INVOCATION_WORDS = 6,
   ABI_MAX_PROBE_OPERANDS = ABI_MAX_INVOCATION_WORDS + 7,
   ABI_MAX_PIECE_VALUES = ABI_MAX_PROBE_OPERANDS - ABI_MAX_INVOCATION_WORDS,
   ABI_MAX_PIECE_TEXT = 200,
   ABI_MAX_SITE_BYTES = 1024,
   ABI_MAX_SITES = 4096, /* of a shader: what has more is not checked any further, which is reported: SANITIZE-unchecked */
};

/* What reads an attachment that nobody wrote. */
enum abi_attachment_use { ABI_USE_BLEND, ABI_USE_LOGIC_OP, ABI_USE_DEPTH_TEST, ABI_USE_STENCIL_TEST };

/* `uninit`: device memory that has a shadow lies in one range of addresses, the shadow ABI_SHADOW_DISTANCE above it: a bit a bit, set where nobody wrote.
 * The range is a constant, so that code knows it; AddressSanitizer needs those up to 2 GiB above 1 << 44 itself. */
#define ABI_SHADOWED_BEGIN (UINT64_C(3) << 43)
#define ABI_SHADOW_DISTANCE (UINT64_C(1) << 39)
enum { ABI_SHADOW_SHIFT = 39 }; /* address >> it: ABI_SHADOWED_BEGIN >> it */
static inline bool abi_has_shadow(uint64_t address)
{
   return address >> ABI_SHADOW_SHIFT == ABI_SHADOWED_BEGIN >> ABI_SHADOW_SHIFT;
}

struct abi_site {
   uint64_t module;           /* abi_shader_info.source_hash */
   uint32_t number;           /* in its shader */
   uint16_t probe;            /* enum abi_probe */
   uint8_t stage;             /* enum abi_stage */
   uint8_t access;            /* enum abi_probe_access */
   uint32_t line, column;     /* 0: unknown */
   uint32_t set, binding;     /* of the resource; ABI_NO_SET: none, or more than one */
   uint32_t bytes;            /* of the access, of one invocation */
   uint32_t limit;            /* see ABI_PROBES */
   uint32_t semantics;        /* of barriers: SPIR-V's memory semantics */
   uint8_t scope, memory;     /* of barriers: SPIR-V's scopes; 0: none (of execution); of uses and touches, scope 1: interlocked with others of the pixel */
   uint8_t has_subgroup_barriers; /* the shader, of accesses */
   uint8_t has_flags;         /* the shader, of accesses and fences: it has atomics, and fences that are not those of barriers of the workgroup */
   uint8_t fences;            /* enum abi_fences, of touches */
   uint8_t bits;              /* of a number */
   uint8_t num_sources;
   uint8_t num_words;         /* of the invocation: the first operands, unless it is followed */
   uint8_t num_operands;      /* with those */
   uint8_t is_alone;          /* of accesses: the shader has no other one to buffers, or to images, that may be in a race */
   uint16_t total_bytes;      /* of this struct and its texts */
   uint16_t file, name, operation, text; /* offsets in texts: of the source, the variable, the operation, the line's text; "" where unknown */
   uint32_t local_size[3], subgroup_size; /* compute */
   char texts[];
};

/* `race`: what all lanes of some vectors did to bytes of shared memory by one instruction. The vectors are those whose first invocations are `least` to
 * `greatest`; key 0: nobody did. */
struct abi_race_slot {
   uint64_t key;
   uint32_t least, greatest;
};
enum { ABI_RACE_SLOTS = 1024, ABI_RACE_SITE_STEP = 37, ABI_RACE_SITE_SHIFT = 33, ABI_RACE_LANES_SHIFT = 48 };
static inline uint64_t abi_race_key(uint32_t site, bool is_uniform, uint32_t lanes) /* and the first lane's offset in the low half */
{
   return (uint64_t)lanes << ABI_RACE_LANES_SHIFT | (uint64_t)(site + 1) << ABI_RACE_SITE_SHIFT | (uint64_t)is_uniform << 32;
}
static inline uint32_t abi_race_slot_of(uint32_t site, uint32_t offset)
{
   return ((offset >> 2) + site * ABI_RACE_SITE_STEP) % ABI_RACE_SLOTS;
}

/* The same of vectors that come one after the other, each of which touches the bytes behind its neighbour's, or the same ones: what the next one would do. */
struct abi_race_run {
   uint64_t address;    /* where it would be */
   uint32_t local, key; /* its first invocation; abi_race_run_key(), 0: there was none */
   uint64_t first_address; /* of the first vector */
   uint32_t first_local;
};
enum { ABI_RACE_RUNS = 64 };
static inline uint32_t abi_race_run_key(uint32_t site, bool is_uniform)
{
   return (site + 1) << 1 | is_uniform;
}

/* What compiled code notes itself of the workgroup in hand, until the runtime takes it. */
struct abi_race_log {
   struct abi_race_slot slots[ABI_RACE_SLOTS];
   struct abi_race_run runs[ABI_RACE_RUNS];
   const struct abi_site **sites; /* [ABI_MAX_SITES]: those that have filled a slot */
   uint32_t num_used, max_used;   /* slots that code may fill; none where each lane is noted by itself */
   uint16_t used[ABI_RACE_SLOTS]; /* which have been filled */
};

struct abi_probe_call {
   const struct abi_site *site;
   struct abi_worker *worker;
   uint32_t lanes, mask; /* those outside of it are not looked at */
   const uint64_t *operands[ABI_MAX_PROBE_OPERANDS]; /* [site->num_operands][lanes] */
   uint64_t *result;     /* [lanes], of probes that give a value */
};
