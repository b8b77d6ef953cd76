/* SPDX-License-Identifier: MIT
 * How the runtime calls compiled shaders: what a shader says about itself, its arguments, its entry point.
 * Compiled code reads these structs by offset; compiler/llvm takes the offsets from here with offsetof().
 *
 * Arrays of one value per invocation are "structure of arrays": 32-bit lanes side by side, 64-byte aligned.
 * 64-bit values take two slots, low half first; 16-bit and 8-bit ones the low bits of a slot. */
#pragma once

#include "abi/image.h"
#include "abi/matrix.h"
#include "abi/node.h"
#include "abi/ray.h"
#include "abi/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* The stages that are compiled, those of a pipeline in the order of execution: X(NAME, name); abi_<name>_fn is the entry point. */
#define ABI_STAGES(X)                                                                                                  \
   X(VERTEX, vertex)                                                                                                   \
   X(CONTROL, control)                                                                                                 \
   X(EVALUATION, evaluation)                                                                                           \
   X(GEOMETRY, geometry)                                                                                               \
   X(TASK, task)                                                                                                       \
   X(MESH, mesh)                                                                                                       \
   X(FRAGMENT, fragment)                                                                                               \
   X(COMPUTE, compute)                                                                                                 \
   X(RAYGEN, raygen)                                                                                                   \
   X(ANY_HIT, any_hit)                                                                                                 \
   X(CLOSEST_HIT, closest_hit)                                                                                         \
   X(MISS, miss)                                                                                                       \
   X(INTERSECTION, intersection)                                                                                       \
   X(CALLABLE, callable)

enum abi_stage {
#define X(NAME, name) ABI_STAGE_##NAME,
   ABI_STAGES(X)
#undef X
   ABI_NUM_STAGES
};

/* Its invocations are those of workgroups, which share memory. */
static inline bool abi_has_workgroups(uint32_t stage)
{
   return stage == ABI_STAGE_COMPUTE || stage == ABI_STAGE_TASK || stage == ABI_STAGE_MESH;
}

/* Interface slots: one 32-bit component each. User variables stand at ABI_SLOT_USER + location * 4 + component, those of patches at
 * ABI_SLOT_PATCH + location * 4 + component. */
enum {
   ABI_SLOT_POSITION = 0, /* x y z w in clip coordinates */
   ABI_SLOT_POINT_SIZE = 4,
   ABI_SLOT_LAYER = 5,
   ABI_SLOT_VIEWPORT = 6,
   ABI_SLOT_PRIMITIVE_ID = 7,
   ABI_SLOT_CLIP_DISTANCE = 8,  /* 8 slots, clip distances first, then cull distances */
   ABI_SLOT_USER = 16,
   ABI_MAX_LOCATIONS = 32,
   ABI_SLOT_BARYCENTRIC = ABI_SLOT_USER + ABI_MAX_LOCATIONS * 4, /* fragment inputs: 3 slots with perspective, 3 linear */
   ABI_SLOT_BARYCENTRIC_END = ABI_SLOT_BARYCENTRIC + 6,
   ABI_SLOT_VERTEX_FLAGS = ABI_SLOT_BARYCENTRIC_END, /* of a vertex that a geometry shader emits: ABI_VERTEX_* */
   ABI_SLOT_TESS_OUTER, /* of a patch: 4 levels, then 2 inner ones */
   ABI_SLOT_TESS_INNER = ABI_SLOT_TESS_OUTER + 4,
   ABI_SLOT_INDICES = ABI_SLOT_TESS_INNER + 2, /* of a primitive that a mesh shader makes: its vertices, 3 slots at most */
   ABI_SLOT_CULL_PRIMITIVE = ABI_SLOT_INDICES + 3, /* the same: nonzero, it is dropped */
   ABI_SLOT_SHADING_RATE, /* of the primitive that this vertex provokes, or of the primitive: PrimitiveShadingRateKHR */
   /* `uninit`: which slots have been written, a bit each, of a vertex; the same of the provoking vertex, which fragments read; of the patch or primitive.
    * Instrumented code alone has them. */
   ABI_SLOT_WRITTEN,
   ABI_WRITTEN_WORDS = 5, /* of slots below 160 */
   ABI_SLOT_WRITTEN_FLAT = ABI_SLOT_WRITTEN + ABI_WRITTEN_WORDS,
   ABI_SLOT_WRITTEN_OF_PRIMITIVE = ABI_SLOT_WRITTEN_FLAT + ABI_WRITTEN_WORDS,
   ABI_NUM_SLOTS = ABI_SLOT_WRITTEN_OF_PRIMITIVE + ABI_WRITTEN_WORDS,
   ABI_SLOT_NUM_VERTICES = ABI_NUM_SLOTS, /* of the invocation, not of a vertex: abi_geometry_args.num_vertices */
   /* Of what control shaders write and evaluation shaders read alone: patches have locations of their own beside those of their vertices. */
   ABI_SLOT_PATCH = 3 * 64,
   ABI_NUM_PATCH_SLOTS = ABI_SLOT_PATCH + ABI_MAX_LOCATIONS * 4,
   ABI_PATCH_SLOT_WORDS = ABI_NUM_PATCH_SLOTS / 64,

   /* Fragment outputs: attachments' components at location * 4 + component, then: */
   ABI_FRAG_DEPTH = 32,
   ABI_FRAG_STENCIL = 33,
   ABI_FRAG_SAMPLE_MASK = 34,
   ABI_FRAG_DUAL_SOURCE = 36, /* 4 slots a location: index 1 */
   ABI_MAX_DUAL_SOURCES = 2,  /* locations that have it */
   ABI_FRAG_NUM_OUTPUTS = ABI_FRAG_DUAL_SOURCE + 4 * ABI_MAX_DUAL_SOURCES,

   ABI_MIN_LANES = 4, ABI_MAX_LANES = 32, /* invocations a vector */
   ABI_MAX_WORKGROUPS = 65535, /* of a dispatch, in each dimension; more are run, if all together are not too many */
   ABI_MAX_ATTACHMENTS = 8,
   ABI_ATTACHMENT_DEPTH = ABI_MAX_ATTACHMENTS, ABI_ATTACHMENT_STENCIL, ABI_NUM_ATTACHMENTS,
   ABI_VERTEX_BATCH = 64,   /* vertices a call, at most */
   ABI_BLOCK_TEXELS = 16,   /* fragments a block */
   ABI_FRAGMENT_BATCH = 16, /* blocks a call, at most */
   ABI_MAX_PLANES = 128,    /* user components a fragment shader may read */

   ABI_MAX_PATCH_VERTICES = 32,
   ABI_NO_ROW = UINT16_MAX,

   ABI_MAX_EMITTED = 1024,      /* vertices of a geometry shader's invocation */
   ABI_MAX_VERTICES_IN = 6,     /* of the primitive that it reads */
   ABI_VERTEX_BEGINS = 1,       /* the vertex is the first of a strip */
   ABI_VERTEX_STREAM_SHIFT = 1, /* its stream */
   ABI_MAX_STREAMS = 4,

   ABI_MAX_MESH_VERTICES = 256, /* of a mesh shader's workgroup */
   ABI_MAX_MESH_PRIMITIVES = 256,
   ABI_MAX_MESH_WORKGROUPS = 1 << 22, /* that a task may ask for */
   ABI_MAX_PAYLOAD_BYTES = 16384,

   ABI_MAX_XFB_BUFFERS = 4,   /* of transform feedback */
   ABI_MAX_XFB_RANGES = 160,  /* slots of a vertex, and those of builtin variables that are cut */
   ABI_MAX_XFB_BYTES = 2048,  /* offsets and strides */
};

/* Slots of a vertex, one after the other, that transform feedback captures. */
struct abi_xfb_range {
   uint8_t slot, count, buffer, stream;
   uint16_t offset_bytes;
};

enum abi_domain { ABI_DOMAIN_TRIANGLES = 1, ABI_DOMAIN_QUADS, ABI_DOMAIN_ISOLINES };
enum abi_spacing { ABI_SPACING_EQUAL = 1, ABI_SPACING_EVEN, ABI_SPACING_ODD };
enum abi_vertex_order { ABI_ORDER_CW = 1, ABI_ORDER_CCW };

/* What a compiled shader is; stored in front of its object code, so it holds no pointers. What is declared stays so however little
 * of it is used; "left": what is so after the passes, set by compiler/analyze/summary. */
struct abi_shader_info {
   uint32_t stage; /* enum abi_stage */
   uint32_t lanes; /* invocations a vector */

   /* stages that have workgroups */
   uint32_t local_size[3];
   uint32_t shared_bytes;  /* of the worker's memory, in this order: payload, outputs, variables that invocations share */
   uint32_t frame_bytes;   /* of the worker's frame: values across barriers, per-invocation arrays; all stages */
   uint8_t zero_shared;    /* each workgroup clears shared memory, in compiled code */

   /* pre-rasterization and fragment: bit sets over slots */
   uint64_t inputs[ABI_PATCH_SLOT_WORDS]; /* left: slots that are read: vertex attributes at ABI_SLOT_USER + location * 4 + component, or varyings */
   uint64_t outputs[3]; /* left: vertex: slots that are written; fragment: bits over ABI_FRAG_NUM_OUTPUTS */
   uint8_t num_clip_distances, num_cull_distances;
   uint8_t has_loops; /* left: given garbage, it may run for long, or its subgroups see it */

   uint8_t num_clip_distances_in; /* stages that read vertices: cull distances that are read stand behind so many */

   /* tessellation: what this stage says of the patches; 0 where it says nothing. Either stage may say it. */
   uint8_t domain;       /* enum abi_domain */
   uint8_t spacing;      /* enum abi_spacing */
   uint8_t vertex_order; /* enum abi_vertex_order */
   uint8_t point_mode;
   uint8_t vertices_out; /* of the patches that control shaders make */
   /* control: rows of what one patch writes: abi_control_args.outputs. Those of vertex v stand v * rows_per_vertex further. */
   uint16_t num_rows, rows_per_vertex;
   uint16_t rows[ABI_NUM_PATCH_SLOTS];         /* by slot; ABI_NO_ROW: not declared */
   uint64_t patch_slots[ABI_PATCH_SLOT_WORDS]; /* of these, those that the whole patch has once */

   /* geometry */
   uint8_t vertices_in, corners_out;    /* of the primitive that is read: 1, 2, 3, 4, 6; of those that are made: 1, 2, 3 */
   uint8_t streams;                     /* bit set of those that vertices go to */
   uint16_t max_vertices, num_invocations;

   /* task and mesh: what stands in shared memory in front of the variables, each at a multiple of 64 bytes */
   uint32_t payload_bytes; /* from 0 on */
   uint32_t output_offset; /* bytes; there: struct abi_task_output or abi_mesh_output, then a mesh shader's rows */
   uint32_t output_bytes;
   uint32_t shared_shadow; /* `uninit`, compute too: where the shadow of shared memory begins; 0: there is none */
   /* mesh: rows of 32 bits a vertex or primitive, in the order of slots: first those of info.outputs, which vertices have,
    * then those of primitive_slots. max_vertices and corners_out count here too. */
   uint16_t max_primitives;
   uint64_t primitive_slots[3];

   /* transform feedback, of a shader with the execution mode Xfb */
   uint16_t num_xfb_ranges;
   uint16_t xfb_strides[ABI_MAX_XFB_BUFFERS]; /* bytes from vertex to vertex; multiples of 4 */
   struct abi_xfb_range xfb_ranges[ABI_MAX_XFB_RANGES];

   struct abi_node_info node; /* compute */

   /* ray pipelines */
   uint32_t payload_words; /* of the incoming payload or callable data */

   /* fragment */
   uint8_t interp[ABI_NUM_SLOTS];  /* left: enum ir_interp by input slot: 0 perspective, 1 linear, 2 flat, 3 per vertex */
   uint8_t early_tests;       /* EarlyFragmentTests execution mode */
   uint8_t uses_discard;      /* left: demote or kill: coverage may shrink */
   uint8_t uses_sample;       /* SampleId, SamplePosition or `sample` inputs in the interface: runs once a sample */
   uint8_t has_side_effects;  /* left: writes buffers, images: must run even where nothing is stored */
   uint8_t post_depth_coverage;
   uint8_t uses_derivatives;  /* left: also for implicit levels of detail */
   uint8_t reads_attachments; /* left: input attachments: its own stores must not be seen by what it reads */
   uint8_t reads_tiles;       /* left: of these, such as stand in TileImageEXT */
   uint8_t reads_coverage;    /* left: which samples are covered, in SampleMask or by centroids: else blocks need not say it */
   uint8_t output_is_int[ABI_MAX_ATTACHMENTS]; /* 0 float, 1 signed, 2 unsigned, by location */
   uint8_t keeps_bits; /* by location: float outputs whose NaN may be data, and where one is computed it is the one NaN */

   uint64_t source_hash; /* of the SPIR-V, for reports */
};

/* A descriptor set as it is bound. */
struct abi_set {
   const uint8_t *data;             /* descriptor memory, at the offsets of comp_binding; NULL: none bound */
   const uint32_t *dynamic_offsets; /* how many, then each in bytes; that of comp_binding.dynamic_index is 0 beyond */
};

/* Descriptor sets and push constants that are bound: each part is made anew when it changes, and shared until then. */
struct abi_resources {
   const struct abi_set *sets; /* [ABI_MAX_SETS] */
   const uint8_t *push;        /* [ABI_MAX_PUSH_BYTES] */
};

struct abi_tex_call;
struct abi_image_call;
struct abi_texel_call;
struct rt_accel_table;
struct rt_worker;
struct abi_probe_call;
struct abi_race_log;
struct abi_site;
struct abi_worker;

/* Functions of the runtime that compiled code calls; all pointers stay valid while the device lives. */
struct abi_helpers {
   /* Sampling, fetching, gathering, lod query. */
   void (*tex)(const struct abi_tex_call *call);
   /* Loads, stores and atomics on storage images and texel buffers. */
   void (*image_access)(const struct abi_image_call *call);
   /* The same with ABI_TEX_UNWRITTEN: of instrumented code alone. */
   void (*tex_unwritten)(const struct abi_tex_call *call);
   void (*image_unwritten)(const struct abi_image_call *call);
   /* Components of texels whose indices are known. */
   void (*texels)(const struct abi_texel_call *call);
   /* Rays: abi/ray.h. */
   abi_ray_proceed_fn *ray_proceed;
   abi_ray_commit_fn *ray_commit;
   abi_ray_fetch_fn *ray_fetch;
   /* Shaders of ray pipelines: abi/trace.h. */
   abi_trace_ray_fn *trace_ray;
   abi_trace_object_fn *trace_object;
   abi_execute_object_fn *execute_object;
   abi_call_shader_fn *call_shader;
   abi_report_hit_fn *report_hit;
   abi_multiply_matrices_fn *multiply_matrices; /* abi/matrix.h */
   abi_transpose_matrix_fn *transpose_matrix;
   abi_node_call_fn *node_call; /* abi/node.h */
   /* What a check found, or follows (abi/probe.h): called by instrumented code alone. */
   void (*probe)(const struct abi_probe_call *call);
   /* The same, of races and barriers in compute shaders: a workgroup begins; `lanes` invocations from `local` on access memory at [lanes] addresses, those
    * that are on in the mask; all vectors of the workgroup have reached a barrier, or never will. */
   void (*follow_workgroup)(struct abi_worker *worker, const uint32_t id[3]);
   void (*follow_access)(struct abi_worker *worker, const struct abi_site *site, uint32_t mask, uint32_t local, const uint64_t *addresses);
   /* The same of all lanes with one step: `shape` is lanes << 1 | 1 where it is 0, else it is the site's bytes. */
   void (*follow_stride)(struct abi_worker *worker, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape);
   void (*follow_barrier)(struct abi_worker *worker, const struct abi_site *site);
};

/* One per thread that executes work. */
struct abi_worker {
   const struct abi_helpers *helpers;
   const uint32_t *cancel; /* non-zero: give up; polled at back edges with a plain load */
   uint8_t *shared;        /* abi_shader_info.shared_bytes, 64-byte aligned */
   uint8_t *frame;         /* abi_shader_info.frame_bytes, 64-byte aligned */
   const struct rt_accel_table *structures; /* the runtime's: which addresses are acceleration structures; NULL: none */
   void *launch;           /* the runtime's, while rays are launched or nodes run */
   const char *gave_up_at; /* set where a loop gives up, if NULL: its "file:line", as long as the code lives */
   struct rt_worker *owner; /* the runtime's; of a shader that another one called too, whose abi_worker is a copy */
   struct abi_race_log *race_log; /* abi/probe.h; of instrumented code alone */
   uint32_t *reached;      /* by vector: lanes that have reached the barrier in hand; of instrumented code alone */
};

/* ---- compute ---- */

struct abi_compute_args {
   const struct abi_resources *resources;
   uint32_t num_workgroups[3];
   uint32_t base[3]; /* vkCmdDispatchBase: added to workgroup ids */
   uint32_t device_index;
   uint32_t view_index, draw_index; /* task and mesh */
   const struct abi_node *node;     /* of shaders with the capability for it that run as a node; NULL: none */
};

/* Runs `count` workgroups, at least 1: (x, y, z), (x + 1, y, z)… without base. Clears or poisons nothing. */
typedef void abi_compute_fn(const struct abi_compute_args *args, struct abi_worker *worker, uint32_t x, uint32_t y,
                            uint32_t z, uint32_t count);

/* ---- task and mesh ---- */

/* As compute; one workgroup a call, since what it makes stands in shared memory. There the caller puts the payload for a mesh
 * shader, and zeros where outputs go. */
typedef abi_compute_fn abi_task_fn, abi_mesh_fn;

/* The grid of mesh workgroups that a task workgroup asks for. */
struct abi_task_output {
   uint32_t count[3];
};

/* What the shader has set, whatever that is; rows of the vertices from `rows` on. */
struct abi_mesh_output {
   uint32_t num_vertices, num_primitives, unused[14];
   uint32_t rows[];
};

/* Where the variables that invocations share begin, bytes. */
static inline uint32_t abi_first_variable(const struct abi_shader_info *info)
{
   return (info->output_offset + info->output_bytes + 63) & ~63u;
}

/* Words from row to row. */
static inline uint32_t abi_mesh_stride(uint32_t max_vertices_or_primitives)
{
   return (max_vertices_or_primitives + 15) & ~15u;
}

/* ---- vertex ---- */

struct abi_vertex_args {
   const struct abi_resources *resources;
   const uint32_t *inputs;      /* [number of set bits in info.inputs, in slot order][ABI_VERTEX_BATCH] */
   uint32_t *outputs;           /* [number of set bits in info.outputs, in slot order][ABI_VERTEX_BATCH] */
   const uint32_t *vertex_index;   /* [ABI_VERTEX_BATCH]: gl_VertexIndex */
   const uint32_t *instance_index; /* [ABI_VERTEX_BATCH]: gl_InstanceIndex */
   uint32_t base_vertex, base_instance, draw_index, view_index;
};

/* Runs the first `count` (1 to ABI_VERTEX_BATCH) invocations; entries up to the next multiple of 16 may be read and written. */
typedef void abi_vertex_fn(const struct abi_vertex_args *args, struct abi_worker *worker, uint32_t count);

/* ---- tessellation control ---- */

/* Patches a call, at most: the lanes of each row, those of the inputs too. */
static inline uint32_t abi_control_batch(uint32_t num_rows)
{
   return num_rows <= 256 ? 64 : num_rows <= 1024 ? 32 : 16;
}

struct abi_control_args {
   const struct abi_resources *resources;
   const uint32_t *inputs;       /* [number of set bits in info.inputs, in slot order][vertices_in][batch] */
   uint32_t *outputs;            /* [info.num_rows][batch] */
   const uint32_t *primitive_id; /* [batch]: gl_PrimitiveID */
   uint32_t vertices_in;         /* of a patch that is read, 1 to ABI_MAX_PATCH_VERTICES */
   uint32_t view_index;
   uint32_t taken_levels;        /* `uninit`: levels that the tessellator takes, a bit each: four outer ones, two inner ones */
};

/* Runs all invocations of the first `count` (1 to the batch) patches; a lane is a patch. Entries up to the next multiple of 16
 * may be read and written. */
typedef void abi_control_fn(const struct abi_control_args *args, struct abi_worker *worker, uint32_t count);

/* ---- tessellation evaluation ---- */

/* Where an input stands in `inputs`, in words: at patch p and vertex v in first + v * stride + p. */
struct abi_patch_input {
   uint32_t first, stride;
};

struct abi_evaluation_args {
   const struct abi_resources *resources;
   uint32_t *outputs;            /* [number of set bits in info.outputs, in slot order][ABI_VERTEX_BATCH] */
   const uint32_t *inputs;       /* what the control shader wrote; readable for a vector of lanes beyond the last patch */
   const struct abi_patch_input *patch_inputs; /* [number of set bits in info.inputs, in slot order] */
   const float *coords;          /* [3][ABI_VERTEX_BATCH]: gl_TessCoord */
   const uint32_t *primitive_id; /* [patches] */
   uint32_t patch, patch_step;   /* of the first invocation; 0: all have this one, 1: each has the next one */
   uint32_t vertices_in;         /* of a patch that is read, 1 to ABI_MAX_PATCH_VERTICES */
   uint32_t view_index;
};

/* Runs the first `count` (1 to ABI_VERTEX_BATCH) invocations; entries up to the next multiple of 16 may be read and written. */
typedef void abi_evaluation_fn(const struct abi_evaluation_args *args, struct abi_worker *worker, uint32_t count);

/* ---- geometry ---- */

/* Invocations a call, at most: the lanes of each row. */
static inline uint32_t abi_geometry_batch(uint32_t max_vertices)
{
   return max_vertices <= 48 ? 64 : max_vertices <= 96 ? 32 : 16;
}

struct abi_geometry_args {
   const struct abi_resources *resources;
   const uint32_t *inputs; /* [number of set bits in info.inputs, in slot order][info.vertices_in][batch] */
   uint32_t *outputs;      /* [info.max_vertices][number of set bits in info.outputs, in slot order][batch] */
   uint32_t *num_vertices; /* [batch] that each invocation has emitted, info.max_vertices at most */
   const uint32_t *primitive_id, *invocation_id; /* [batch]: gl_PrimitiveIDIn, gl_InvocationID */
   uint32_t view_index;
};

/* Runs the first `count` (1 to the batch) invocations; entries up to the next multiple of 16 may be read and written. */
typedef void abi_geometry_fn(const struct abi_geometry_args *args, struct abi_worker *worker, uint32_t count);

/* ---- fragment ---- */

/* value(x, y) = c + dx * (x - x0) + dy * (y - y0), in this order with separate roundings, (x0, y0) of the primitive.
 * Perspective values are planes of value/w, multiplied by 1 / (plane of 1/w) at the sample; flat ones have dx = dy = 0 and raw bits in c;
 * inputs that are read per vertex have the raw bits of vertices 0, 1 and 2 in c, dx and dy. */
struct abi_plane {
   float c, dx, dy;
};

struct abi_primitive {
   float x0, y0;            /* window coordinates of the reference point */
   struct abi_plane z;      /* depth after viewport transform and depth bias, before clamping */
   struct abi_plane inv_w;  /* 1 / w of clip space */
   uint32_t is_front, primitive_id, layer, viewport, view_index; /* layer: of the target; with multiview the view's */
   float point_center[2], point_inv_size; /* gl_PointCoord = (fragment - center) * inv_size + 0.5 */
   const struct abi_plane *planes; /* [number of set bits in info.inputs, in slot order] */
};

/* 4x4 fragments from texel (x, y) on, multiples of 4 fragments; lanes in Z order (see abi/image.h). A fragment is one texel, or a rectangle of
 * them: abi_fragment_args.size_log2. */
struct abi_block {
   int32_t x, y;
   uint32_t mask;                   /* covered fragments, 16 bits; with per-sample shading: covered at that sample */
   uint32_t mask_out;               /* mask without the fragments that were discarded */
   uint32_t sample_masks[16] __attribute__((aligned(64))); /* per fragment: covered samples, by their coverage index; for shaders with reads_coverage */
   uint32_t outputs[ABI_FRAG_NUM_OUTPUTS][ABI_BLOCK_TEXELS] __attribute__((aligned(64)));
};

struct abi_fragment_args {
   const struct abi_resources *resources;
   uint32_t num_samples;   /* of a fragment: those of all its texels, 32 at most */
   uint32_t size_log2[2];  /* of a fragment, texels: 0 to 2 */
   uint32_t sample;        /* per-sample shading: which; else 0 */
   uint32_t per_sample;    /* shading runs once a sample: interpolate at sample positions */
   float sample_pos[32][2]; /* of the samples by coverage index, texels from the fragment's corner */
   const struct abi_image *const *attachments; /* [ABI_NUM_ATTACHMENTS] that are rendered to; NULL: there is none */
   uint32_t taken_outputs; /* `uninit`: components that attachments take, bits by ABI_FRAG_* slot */
};

/* Runs `count` (at most ABI_FRAGMENT_BATCH) blocks of one primitive. Fragments outside `mask` run as helpers: no stores, no atomics. */
typedef void abi_fragment_fn(const struct abi_fragment_args *args, struct abi_worker *worker,
                             const struct abi_primitive *primitive, struct abi_block *blocks, uint32_t count);

/* The entry point of a shader; which one its stage says. */
union abi_code {
#define X(NAME, name) abi_##name##_fn *name;
   ABI_STAGES(X)
#undef X
   void *entry;
};

/* ---- calls into the runtime ---- */

/* Arrays have `lanes` entries; lanes outside `mask` are neither read through nor written. At most 32 lanes. */
struct abi_tex_call {
   uint32_t lanes;
   uint32_t mask;
   uint32_t op, dim, flags; /* enum abi_tex_op, enum abi_dim, enum abi_tex_flags */
   uint32_t quad_size;      /* 4: lanes form quads, derivatives by difference of neighbours; 0: no implicit derivatives (lod 0) */
   const struct abi_image *const *images;     /* per lane; see is_uniform */
   const struct abi_sampler *const *samplers; /* per lane */
   uint32_t is_uniform;     /* only entry 0 of images and samplers is valid and counts for all lanes */
   uint32_t view_index;
   uint32_t unread;         /* a bit for each component of the result that nobody reads: what is written there may be anything */
   uint32_t is_base_lod;    /* the level of detail is 0 in all lanes, but for what the sampler says; lod has it nevertheless */
   uint32_t class;          /* enum abi_tex_class; NONE where not is_uniform */
   uint32_t gathered;       /* without ABI_TEX_COMPONENT: the component of all lanes */
   const uint32_t *coords[4]; /* floats, or integers for fetches; array layer after the coordinates */
   const uint32_t *lod;       /* lod or bias by flags */
   const uint32_t *ddx[3], *ddy[3];
   const uint32_t *offset[3];
   const uint32_t *gather_offsets[4][2];
   const uint32_t *dref;
   const uint32_t *sample;
   const uint32_t *min_lod;
   const uint32_t *component;
   uint32_t *result[4];       /* [lanes] each, with room for 8; QUERY_LOD fills two */
   uint32_t *gathers[4][4];   /* ABI_TEX_CLASS_GATHERS, instead of result: of each component the four texels */
   uint32_t components;       /* the same: a bit for each component that is gathered */
};

enum abi_image_op { ABI_IMAGE_LOAD, ABI_IMAGE_STORE, ABI_IMAGE_ATOMIC };

struct abi_image_call {
   uint32_t lanes;
   uint32_t mask;
   uint32_t op;      /* enum abi_image_op */
   uint32_t dim, flags;
   uint32_t atomic;  /* enum abi_atomic */
   const struct abi_image *const *images;
   uint32_t is_uniform;
   const uint32_t *coords[4];
   const uint32_t *sample, *lod;
   const uint32_t *data[4]; /* stores: value; atomics: [0] data, [1] compare; with ABI_TEX_64BIT data and result have 64-bit lanes */
   uint32_t *result[4];      /* as above */
};

/* Loads from a view that has ABI_DIRECT_OTHER. */
struct abi_texel_call {
   uint32_t lanes;
   uint32_t inside;       /* lanes whose texels are in the image; all others get what lies outside */
   const struct abi_image *image;
   const uint8_t *base;   /* of the level */
   const uint32_t *index; /* texels from there */
   const uint32_t *slice; /* 32-bit words more: of layers and slices; NULL: none */
   uint32_t *result[4];   /* as above */
};
