/* SPDX-License-Identifier: MIT
 * Rays as compiled shaders and the runtime see them: the state of one ray query, or of one ray that a pipeline traces,
 * and the calls that take it from candidate to candidate. Spec: Ray Traversal; "Ray Query Instructions" of SPIR-V.
 * Owner: whoever holds the query, one struct an invocation and query object, in its frame. Threads: a ray belongs to
 * the thread that runs its invocation.
 *
 * A ray's life:
 *
 *    all zeros            no query yet: reads as one that has ended without a hit. Compiled code zeroes
 * ABI_RAY_HEAD_BYTES before the first use. OpRayQueryInitialize stores of origin, tmin, direction, tmax, structure,
 * flags and cull_mask; status = ABI_RAY_BEGINS; committed.type = 0; candidate.type = 0. Nothing else is written: what
 * traversal needs is made by the first ray_proceed(). OpRayQueryProceed    ray_proceed(): goes on to the next candidate
 * that the shader has to decide about (a triangle that is not opaque, or a box) or to the end. Opaque triangles are
 * committed meanwhile. OpRayQueryConfirm    ray_commit() without t: the candidate, a triangle, is the committed hit.
 *    OpRayQueryGenerate   ray_commit() with t: the candidate, a box, becomes a hit at t.
 *    OpRayQueryTerminate  status = ABI_RAY_ENDED, a plain store.
 *    OpRayQueryGet...     loads of the fields; matrices, positions and the ray in the instance's space by ray_fetch().
 *
 * A pipeline's rays are the same: the runtime initializes them, calls the any-hit or intersection shaders of those that
 * ray_proceed() says have a candidate, commits, and goes on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct abi_worker;

/* What abi_ray.flags holds: SPIR-V's RayFlags, and what a pipeline was created with. */
enum abi_ray_flags {
   ABI_RAY_OPAQUE = 1 << 0,
   ABI_RAY_NO_OPAQUE = 1 << 1,
   ABI_RAY_TERMINATE_ON_FIRST_HIT = 1 << 2,
   ABI_RAY_SKIP_CLOSEST_HIT_SHADER = 1 << 3, /* traversal does not look at it */
   ABI_RAY_CULL_BACK_FACING_TRIANGLES = 1 << 4,
   ABI_RAY_CULL_FRONT_FACING_TRIANGLES = 1 << 5,
   ABI_RAY_CULL_OPAQUE = 1 << 6,
   ABI_RAY_CULL_NO_OPAQUE = 1 << 7,
   ABI_RAY_SKIP_TRIANGLES = 1 << 8,
   ABI_RAY_SKIP_AABBS = 1 << 9,
   ABI_RAY_FORCE_TWO_STATES = 1 << 10, /* of opacity micromaps */
};

enum abi_ray_status {
   ABI_RAY_ENDED = 0,
   ABI_RAY_BEGINS = 1,
   ABI_RAY_GOES_ON = 2, /* `candidate` waits for a decision; none is "no" */
};

enum abi_ray_hit_type {
   ABI_HIT_NONE = 0,
   ABI_HIT_TRIANGLE = 1, /* or a sphere, as hit_kind says */
   ABI_HIT_BOX =
      2, /* a candidate: RayQueryCandidateIntersectionAABB; committed: RayQueryCommittedIntersectionGenerated */
};
/* SPIR-V counts committed hits like this, candidates from 0: RayQueryCandidateIntersectionType = type - 1. */

/* Those of spheres are ours: SPIR-V asks by instructions and built-in variables. */
enum { ABI_HIT_KIND_SPHERE = 0xfc, ABI_HIT_KIND_SWEPT = 0xfd, ABI_HIT_KIND_FRONT = 0xfe, ABI_HIT_KIND_BACK = 0xff };

/* What a hit object stands for. It is a struct abi_ray whose traversal is over, or has not been: see abi/trace.h. */
enum abi_hit_object { ABI_HIT_OBJECT_EMPTY = 0, ABI_HIT_OBJECT_MISS = 1, ABI_HIT_OBJECT_HIT = 2 };

/* A hit by value. Fields that the type has not are 0. */
struct abi_ray_hit {
   uint32_t type; /* enum abi_ray_hit_type */
   float t;       /* triangles and committed hits */
   float barycentrics[2]; /* of a swept sphere: where along its middle, 0 */
   uint32_t hit_kind;  /* triangles: ABI_HIT_KIND_*, so is_front is hit_kind == ABI_HIT_KIND_FRONT; generated hits: as
                          ray_commit() was given */
   uint32_t is_opaque; /* after all flags; of a box: OpRayQueryGetIntersectionCandidateAABBOpaqueKHR */
   uint32_t primitive_index, geometry_index;
   uint32_t instance_index; /* InstanceId */
   uint32_t custom_index;   /* InstanceCustomIndexKHR, 24 bits */
   uint32_t record_offset;  /* instanceShaderBindingTableRecordOffset, 24 bits */
   uint32_t pad;
   /* Traversal's own, for ray_fetch(). */
   const void *instance;
   const void *primitive;
};

enum {
   ABI_ATTRIBUTE_WORDS = 32, /* of a hit: 32 bytes, each of which may take a word */
   ABI_RAY_LANES = 32,  /* a call, at most */
   ABI_RAY_STACK = 192, /* nodes that wait; builders bound the depth of their trees by it: runtime/accel/tree.h */
   ABI_RAY_FETCH_WORDS = 12,
};

struct abi_ray {
   /* Written by OpRayQueryInitialize; no call changes them but tmax. */
   float origin[3]; /* in the world's space */
   float tmin;
   float direction[3];
   float tmax;         /* of the committed hit, once there is one */
   uint64_t structure; /* device address of a top level: the first 8 bytes of a descriptor, or the operand of
                        * OpConvertUToAccelerationStructureKHR. 0, or no structure's address: there is nothing to hit */
   uint32_t flags;     /* enum abi_ray_flags */
   uint32_t cull_mask; /* low 8 bits */
   uint32_t status;    /* enum abi_ray_status */
   uint32_t own_flags; /* of a pipeline's ray: `flags` without the pipeline's, what the built-in variable says */
   uint32_t object;       /* of a hit object: enum abi_hit_object */
   uint32_t record_index; /* of a hit object: in the table of hit groups, or of miss shaders */

   struct abi_ray_hit candidate; /* while status is ABI_RAY_GOES_ON */
   struct abi_ray_hit committed;

   union {
      uint32_t traversal[32];                   /* traversal's own, made by the first ray_proceed() */
      uint32_t attributes[ABI_ATTRIBUTE_WORDS]; /* of a hit object's hit */
   };
   uint64_t stack[ABI_RAY_STACK];
};
enum { ABI_RAY_HEAD_BYTES = offsetof(struct abi_ray, traversal), ABI_RAY_FIELD_BYTES = offsetof(struct abi_ray, stack) /* what compiled code sees */ };
_Static_assert(sizeof(struct abi_ray_hit) == 64 && ABI_RAY_HEAD_BYTES == 192, "the head is three cache lines");
_Static_assert(sizeof(struct abi_ray) % 128 == 64, "rays side by side start in different sets of a cache");

/* What ray_fetch() gives, and how many words that are. Matrices have 4 columns of 3 rows, as SPIR-V has them: word
 * column * 3 + row. */
#define ABI_RAY_FETCHES(X)                                                                                             \
   X(OBJECT_TO_WORLD, 12)                                                                                              \
   X(WORLD_TO_OBJECT, 12)                                                                                              \
   X(OBJECT_ORIGIN, 3)                                                                                                 \
   X(OBJECT_DIRECTION, 3)                                                                                              \
   X(POSITIONS, 9) /* of the triangle's vertices, in the instance's space: word vertex * 3 + component; of spheres: positions of both ends, both radii */
enum abi_ray_fetch {
#define X(NAME, words) ABI_FETCH_##NAME,
   ABI_RAY_FETCHES(X)
#undef X
};

/* The calls, as abi_helpers has them. `rays` has a pointer for each lane of `mask`, 64-byte aligned; others are not
 * read. */

/* Takes each ray of `mask` to its next candidate, or to its end: then its status is ABI_RAY_ENDED. A ray that has ended
 * stays so. Returns the lanes with a candidate. When the device is lost all rays end. */
typedef uint32_t abi_ray_proceed_fn(struct abi_worker *worker, struct abi_ray *const *rays, uint32_t mask);

/* The candidate becomes the committed hit, tmax its t. `t` and `hit_kinds` are NULL for triangles; for boxes an entry a
 * lane (hit_kinds may be NULL then too, for 0). A t that is not in [tmin, tmax] commits nothing. With
 * ABI_RAY_TERMINATE_ON_FIRST_HIT the ray has ended. Without a candidate of the type: nothing. Returns the lanes that
 * were committed, what OpReportIntersectionKHR returns for boxes. */
typedef uint32_t abi_ray_commit_fn(struct abi_ray *const *rays, uint32_t mask, const float *t,
                                   const uint32_t *hit_kinds);

/* Writes result[word * ABI_RAY_LANES + lane] for the lanes of `mask`, of the committed hit or the candidate; zeros
 * where there is none of them. */
typedef void abi_ray_fetch_fn(struct abi_ray *const *rays, uint32_t mask, uint32_t what, bool is_committed,
                              uint32_t *result);
