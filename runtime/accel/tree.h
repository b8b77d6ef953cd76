/* SPDX-License-Identifier: MIT
 * An acceleration structure in memory: a head, nodes of eight children, leaves. It holds no pointer into itself, so
 * that a copy of its bytes is a structure, and every number in it is checked against the size of the memory that the
 * application gave before it is followed, so that nothing depends on what it holds.
 *
 *    rt_accel_head                   at the structure's address
 *    rt_accel_node [num_nodes]       the root first, parents before their children
 *    bottom level: rt_accel_block [num_leaves]; top level: rt_accel_instance [num_leaves], by gl_InstanceID
 *    bottom level with micromaps: their addresses, uint64_t [num_micromaps], then int32_t [num_leaves][4], see micromap.h
 *
 * A micromap is a structure too, without nodes: its leaves are rt_micromap_triangle, then their data.
 *
 * Spec: Acceleration Structures. Owner: the application's buffer. Threads: written by one build at a time, read by any
 * number of rays after it. */
#pragma once

#include "abi/ray.h"

#include <stdint.h>

enum {
   RT_ACCEL_WIDTH = 8,      /* children of a node */
   RT_ACCEL_BLOCK = 4,      /* primitives of a leaf */
   RT_ACCEL_MAX_DEPTH = 16, /* nodes from a bottom level's root to a leaf */
   RT_ACCEL_MAX_DEPTH_TOP = 11,
   RT_ACCEL_ALIGN = 256, /* of a structure's address, which the API asks for */
};
_Static_assert((RT_ACCEL_WIDTH - 1) * (RT_ACCEL_MAX_DEPTH + RT_ACCEL_MAX_DEPTH_TOP) + 2 <= ABI_RAY_STACK,
               "every node on a path leaves seven behind");

#define RT_ACCEL_MAGIC UINT64_C(0x3456454552545652) /* changes with the layout */

enum rt_accel_level { RT_ACCEL_BOTTOM, RT_ACCEL_TOP, RT_ACCEL_MICROMAP };
enum rt_accel_leaf { RT_LEAF_TRIANGLES, RT_LEAF_BOXES, RT_LEAF_INSTANCES, RT_LEAF_MICROMAP, RT_LEAF_SWEPT /* spheres, swept or not */ };

/* What a structure may have that is no opaque triangle. */
enum rt_accel_contents { RT_HAS_BOXES = 1, RT_HAS_NO_OPAQUE = 2, RT_HAS_MICROMAPS = 4, RT_HAS_SWEPT = 8 };

struct rt_accel_head {
   uint64_t magic;
   uint64_t size_bytes; /* of the whole structure: what a compacted copy needs */
   uint32_t level;      /* enum rt_accel_level */
   uint32_t leaf;       /* enum rt_accel_leaf */
   uint32_t flags;      /* VkBuildAccelerationStructureFlagsKHR */
   uint32_t num_nodes;  /* 0: nothing to hit */
   uint32_t num_leaves;
   uint32_t num_geometries;
   uint64_t leaves_offset; /* from the head, bytes */
   float lo[4], hi[4];     /* of all that is in it; lo > hi: of nothing */
   uint64_t opacity_offset; /* from the head, bytes: of the micromaps' addresses; 0: none */
   uint32_t num_micromaps;  /* as many as geometries; 0: none */
   uint32_t num_top_nodes;  /* that stand before the first of the parts that threads made: whatever is below a node behind them follows it */
   uint32_t contents;       /* enum rt_accel_contents, of all that is below */
   uint8_t pad[28];
};
_Static_assert(sizeof(struct rt_accel_head) == 128, "nodes are aligned to their size");

/* What a child is: two bits of its class, 30 of its index. */
enum rt_accel_ref_class { RT_REF_NODE = 0u, RT_REF_LEAF = 1u, RT_REF_NONE = 3u };
enum { RT_REF_SHIFT = 30, RT_REF_INDEX = (1 << 30) - 1 };

static inline uint32_t rt_accel_ref(enum rt_accel_ref_class class, uint32_t index)
{
   return (uint32_t)class << RT_REF_SHIFT | index;
}

/* A child's box along an axis is origin + scale * lo to origin + scale * hi; it contains what it shall by at least
 * nothing, so that whoever asks has to allow for the rounding of his own arithmetic. Children that are not there have
 * RT_REF_NONE, lo 255 and hi 0. */
struct rt_accel_node {
   float origin[4], scale[4];            /* the last is 0; scales are powers of two */
   uint8_t bounds[3][2][RT_ACCEL_WIDTH]; /* axis, lo and hi, child */
   uint32_t refs[RT_ACCEL_WIDTH];
   uint8_t pad[16];
};
_Static_assert(sizeof(struct rt_accel_node) == 128, "two cache lines");

/* Which ends of a swept sphere there are, as a number; a sphere has both, at one position. */
enum rt_swept_form { RT_SWEPT_FIRST_CAP = 1, RT_SWEPT_LAST_CAP = 2, RT_SWEPT_IS_SPHERE = 4 };

#define RT_GEOMETRY_OPAQUE (1u << 31)
#define RT_GEOMETRY_INDEX 0xffffffu
#define RT_NO_PRIMITIVE UINT32_MAX

/* Up to four primitives, of any geometries. Lanes without one have RT_NO_PRIMITIVE and NaN for numbers. */
struct rt_accel_block {
   union {
      float vertices[3][3][RT_ACCEL_BLOCK]; /* vertex, axis; of spheres: the positions of both ends, then the radii and enum rt_swept_form */
      float boxes[2][3][RT_ACCEL_BLOCK];    /* lo and hi, axis */
   };
   uint32_t primitive[RT_ACCEL_BLOCK];
   uint32_t geometry[RT_ACCEL_BLOCK]; /* index, RT_GEOMETRY_OPAQUE */
};
_Static_assert(sizeof(struct rt_accel_block) == 176, "44 bytes a triangle");

/* Matrices are as SPIR-V has them: 4 columns of 3 rows. */
struct rt_accel_instance {
   float object_to_world[12], world_to_object[12];
   uint64_t bottom;        /* address of the structure; 0: inactive */
   uint32_t custom_index;  /* 24 bits */
   uint32_t record_offset; /* 24 bits */
   uint32_t mask;          /* 8 bits */
   uint32_t flags;         /* VkGeometryInstanceFlagsKHR */
   uint32_t contents;      /* of the structure, as the flags leave it */
   uint32_t pad;
};
_Static_assert(sizeof(struct rt_accel_instance) == 128, "two cache lines");

/* A triangle of a micromap: VkMicromapTriangleEXT, with its data within the structure. */
struct rt_micromap_triangle {
   uint64_t offset; /* from the head, bytes */
   uint16_t level, format; /* VkOpacityMicromapFormatEXT */
   uint32_t pad;
};
_Static_assert(sizeof(struct rt_micromap_triangle) == 16, "four a cache line");

/* A structure that may be read: its parts, and how many of each are within its memory. */
struct rt_accel_view {
   const uint8_t *base; /* NULL: there is none */
   const struct rt_accel_node *nodes;
   const void *leaves;
   uint64_t size_bytes;
   uint32_t num_nodes, num_leaves;
   uint32_t level, leaf;
   uint32_t contents;
   const uint64_t *micromaps; /* NULL: none */
   const int32_t (*opacity)[RT_ACCEL_BLOCK]; /* [num_leaves], with micromaps */
   uint32_t num_micromaps;
};

static inline uint64_t rt_accel_leaf_bytes(enum rt_accel_leaf leaf)
{
   return leaf == RT_LEAF_INSTANCES  ? sizeof(struct rt_accel_instance)
          : leaf == RT_LEAF_MICROMAP ? sizeof(struct rt_micromap_triangle)
                                     : sizeof(struct rt_accel_block);
}

/* The part of a bottom level that names micromaps, if it is within the memory. */
static inline void rt_accel_view_opacity(struct rt_accel_view *view, const struct rt_accel_head *head, uint64_t size)
{
   const uint64_t offset = head->opacity_offset, addresses = head->num_micromaps * (uint64_t)sizeof(uint64_t);
   if (!offset || offset > size || offset % 8 || addresses > size - offset ||
       view->num_leaves > (size - offset - addresses) / sizeof(*view->opacity))
      return;
   view->micromaps = (const uint64_t *)(view->base + offset);
   view->opacity = (const int32_t(*)[RT_ACCEL_BLOCK])(view->base + offset + addresses);
   view->num_micromaps = head->num_micromaps;
}

/* `size` bytes of memory at `base`, whatever they hold. */
static inline struct rt_accel_view rt_accel_view(const void *base, uint64_t size)
{
   struct rt_accel_view view = {0};
   if (size < sizeof(struct rt_accel_head))
      return view;
   const struct rt_accel_head *head = base;
   const uint64_t offset = head->leaves_offset, room = (size - sizeof(*head)) / sizeof(struct rt_accel_node);
   const uint64_t nodes = room < RT_REF_INDEX ? room : RT_REF_INDEX;
   if (head->magic != RT_ACCEL_MAGIC || offset > size || offset % 16)
      return view;
   view.base = base;
   view.size_bytes = size;
   view.nodes = (const struct rt_accel_node *)(view.base + sizeof(*head));
   view.leaves = view.base + offset;
   view.level = head->level <= RT_ACCEL_MICROMAP ? head->level : RT_ACCEL_BOTTOM;
   view.leaf = view.level == RT_ACCEL_TOP        ? RT_LEAF_INSTANCES
               : view.level == RT_ACCEL_MICROMAP ? RT_LEAF_MICROMAP
               : head->leaf == RT_LEAF_BOXES     ? RT_LEAF_BOXES
               : head->leaf == RT_LEAF_SWEPT     ? RT_LEAF_SWEPT
                                                 : RT_LEAF_TRIANGLES;
   view.contents = head->contents;
   const uint64_t leaves = (size - offset) / rt_accel_leaf_bytes(view.leaf);
   view.num_nodes = head->num_nodes < nodes ? head->num_nodes : (uint32_t)nodes;
   view.num_leaves = head->num_leaves < leaves ? head->num_leaves : (uint32_t)leaves;
   rt_accel_view_opacity(&view, head, size);
   return view;
}
