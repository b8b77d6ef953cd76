/* SPDX-License-Identifier: MIT
 * Types, and where the parts of a value of a type stand in memory.
 * Spec: SPIR-V, "Type-Declaration Instructions"; Vulkan, "Offset and Stride Assignment". */
#pragma once

#include "compiler/spirv/spirv_context.h"
#include "util/spirv_numbers.h"

enum spirv_type_class {
   SPIRV_TYPE_VOID,
   SPIRV_TYPE_BOOL,
   SPIRV_TYPE_INT,
   SPIRV_TYPE_FLOAT,
   SPIRV_TYPE_NARROW, /* float of another encoding than those of IEEE 754: bits that are moved and converted */
   SPIRV_TYPE_VECTOR,
   SPIRV_TYPE_MATRIX,
   SPIRV_TYPE_ARRAY,
   SPIRV_TYPE_RUNTIME_ARRAY,
   SPIRV_TYPE_STRUCT,
   SPIRV_TYPE_COOPERATIVE, /* matrix of a subgroup: what an invocation has of it, as an array of scalars */
   SPIRV_TYPE_RAY_QUERY,
   SPIRV_TYPE_HIT_OBJECT,
   SPIRV_TYPE_POINTER,
   SPIRV_TYPE_FUNCTION,
   SPIRV_TYPE_IMAGE,
   SPIRV_TYPE_SAMPLER,
   SPIRV_TYPE_SAMPLED_IMAGE,
   SPIRV_TYPE_ACCELERATION, /* structure: its address */
   SPIRV_TYPE_BUFFER,       /* descriptor of one, in a heap */
};

enum { SPIRV_MAX_TENSOR_DIMS = 5 };

/* How values stand in memory. */
enum spirv_layout_class {
   SPIRV_LAYOUT_CELLS,    /* variables of an invocation: no scalar below 4 bytes */
   SPIRV_LAYOUT_TIGHT,    /* shared memory: scalars at their own size; booleans 4 bytes */
   SPIRV_LAYOUT_EXPLICIT, /* Offset, ArrayStride, MatrixStride */
};

struct spirv_layout {
   uint8_t class;          /* enum spirv_layout_class */
   bool is_row_major;      /* matrices in here */
   uint32_t matrix_stride; /* matrices in here; 0: packed */
   uint32_t vector_stride; /* between components; 0: packed */
};

struct spirv_member {
   const struct spirv_type *type;
   uint32_t offset[3]; /* by enum spirv_layout_class, bytes */
   uint32_t matrix_stride;
   bool is_row_major;
   uint8_t access; /* enum ir_access */
};

struct spirv_type {
   uint8_t class; /* enum spirv_type_class */
   uint8_t depth; /* of nested composites, clamped */
   bool is_signed;
   bool is_block, is_buffer_block;
   bool is_untyped; /* pointer without a pointee: elem is NULL */
   bool is_payload_array; /* runtime array of a node's payloads */
   bool has_long_vector; /* is or contains one of more than four components */
   uint16_t encoding; /* narrow floats: UTIL_SPV_ENCODING_* */
   uint32_t id;
   uint32_t bits;  /* of a scalar, or of a vector's or matrix's components */
   uint32_t count; /* components, columns, elements, members, an invocation's components; runtime arrays: 0 */
   const struct spirv_type
      *elem; /* component, column, element, pointee, returned type, sampled type, image of a sampled image */
   struct spirv_member *members;
   const struct spirv_type **params; /* functions */
   uint32_t array_stride; /* explicit; 0: none. Also of pointers. */
   uint32_t storage;      /* SpvStorageClass of pointers */
   uint32_t size[2], align[2]; /* CELLS and TIGHT, bytes */
   uint32_t num_parts;  /* of the type written out, itself included; an array has one element */
   uint32_t num_leaves; /* scalars, vectors and handles of a value, saturated; of rays none */
   union {
      struct {
         uint32_t rows, columns, use;
      } matrix; /* cooperative */
      struct {
         uint8_t dims; /* 0: the structure is none */
         bool is_view, has_dimensions; /* a view; with its own dimensions */
         uint8_t clamp_mode;           /* SpvTensorClampMode, of a layout */
         uint8_t permutation[SPIRV_MAX_TENSOR_DIMS]; /* of a view */
      } tensor; /* layout or view: a structure of numbers */
   };
   struct {
      uint8_t dim; /* enum abi_dim */
      bool is_arrayed, is_ms, is_depth;
      uint8_t sampled; /* 1 with a sampler, 2 storage */
      uint32_t format; /* SpvImageFormat */
   } image;
};

/* What memory without a type is made of. */
extern const struct spirv_type spirv_type_u8, spirv_type_u16, spirv_type_u32, spirv_type_u64;

/* Adds the type that the instruction declares. False: not a type declaration. */
bool spirv_parse_type(struct spirv_ctx *t, const struct spirv_instr *in);

/* Offsets and strides that constants give (OffsetIdEXT, ArrayStrideIdEXT), once all of those are read. */
void spirv_resolve_layouts(struct spirv_ctx *t);

struct spirv_type *spirv_type(struct spirv_ctx *t, uint32_t id);

static inline bool spirv_is_scalar(const struct spirv_type *type)
{
   return type->class == SPIRV_TYPE_BOOL || type->class == SPIRV_TYPE_INT || type->class == SPIRV_TYPE_FLOAT || type->class == SPIRV_TYPE_NARROW;
}
static inline bool spirv_is_scalar_or_vector(const struct spirv_type *type)
{
   return spirv_is_scalar(type) || type->class == SPIRV_TYPE_VECTOR;
}
/* Scalar type of a scalar, vector or matrix. */
static inline const struct spirv_type *spirv_scalar_type(const struct spirv_type *type)
{
   while (type->class == SPIRV_TYPE_VECTOR || type->class == SPIRV_TYPE_MATRIX || type->class == SPIRV_TYPE_COOPERATIVE)
      type = type->elem;
   return type;
}
/* Of an encoding UTIL_SPV_ENCODING_*: 4 to 16; 0: it is none that is known. Values of fewer than 8 have the other bits of a byte clear. */
static inline uint32_t spirv_narrow_bits(uint32_t encoding)
{
   switch (encoding) {
   case UTIL_SPV_ENCODING_BFLOAT16: return 16;
   case UTIL_SPV_ENCODING_E4M3:
   case UTIL_SPV_ENCODING_E5M2:
   case UTIL_SPV_ENCODING_E8M0:
   case UTIL_SPV_ENCODING_MXINT8: return 8;
   case UTIL_SPV_ENCODING_E2M3:
   case UTIL_SPV_ENCODING_E3M2: return 6;
   case UTIL_SPV_ENCODING_E2M1: return 4;
   default: return 0;
   }
}
static inline bool spirv_is_narrow(const struct spirv_type *type)
{
   return spirv_scalar_type(type)->class == SPIRV_TYPE_NARROW;
}
static inline bool spirv_is_float(const struct spirv_type *type)
{
   return spirv_scalar_type(type)->class == SPIRV_TYPE_FLOAT;
}
/* Narrow or not. */
static inline bool spirv_has_exponent(const struct spirv_type *type)
{
   return spirv_is_float(type) || spirv_is_narrow(type);
}
/* What stands in a variable as a struct abi_ray. */
static inline bool spirv_is_ray(const struct spirv_type *type)
{
   return type->class == SPIRV_TYPE_RAY_QUERY || type->class == SPIRV_TYPE_HIT_OBJECT;
}
/* Values that are a short array of scalars of the IR: scalars, vectors, handles, pointers. */
static inline bool spirv_is_leaf(const struct spirv_type *type)
{
   return spirv_is_scalar_or_vector(type) || type->class == SPIRV_TYPE_POINTER || type->class >= SPIRV_TYPE_IMAGE;
}
/* Of a leaf: how many IR values it is, and the bits of each (a boolean's are 1). */
/* True if sizes of buffers, and offsets into them, have 64 bits. */
bool spirv_is_indexed_by_64_bits(const struct spirv_ctx *t, uint32_t storage);
uint32_t spirv_leaf_count(struct spirv_ctx *t, const struct spirv_type *type);
uint32_t spirv_leaf_bits(struct spirv_ctx *t, const struct spirv_type *type, uint32_t index);
/* Components or children. */
uint32_t spirv_num_children(struct spirv_ctx *t, const struct spirv_type *type);

/* The child `index` of a composite or vector in memory; for arrays, matrices and vectors, offset = index * stride. */
struct spirv_step {
   const struct spirv_type *type;
   struct spirv_layout layout;
   uint32_t offset, stride; /* bytes */
   uint8_t access;          /* enum ir_access that the member adds */
};
struct spirv_step spirv_step_into(struct spirv_ctx *t, const struct spirv_type *type, struct spirv_layout layout,
                                  uint32_t index);

/* Bytes of a scalar of so many bits in memory. */
static inline uint32_t spirv_scalar_bytes(uint32_t layout_class, uint32_t bits)
{
   if (bits == 1)
      return 4;
   return layout_class == SPIRV_LAYOUT_CELLS ? UTIL_MAX(bits / 8, 4u) : bits / 8;
}
/* Size of a value in memory without trailing padding; explicit layouts too. */
uint64_t spirv_type_bytes(struct spirv_ctx *t, const struct spirv_type *type, struct spirv_layout layout);
/* Bytes from one payload of a node to the next where the array does not say; fails where a payload is too large. */
uint32_t spirv_payload_stride(struct spirv_ctx *t, const struct spirv_type *payload);
/* Structural equality up to decorations: what OpCopyLogical allows. */
/* Counts the parts of a type that an instruction is about to look at one by one; the sum is bounded. */
void spirv_take_apart(struct spirv_ctx *t, const struct spirv_type *type);
bool spirv_types_match(struct spirv_ctx *t, const struct spirv_type *a, const struct spirv_type *b);
