/* SPDX-License-Identifier: MIT
 * Images, samplers and descriptors as compiled shaders and the runtime see them: plain structs in memory.
 * Spec: Resource Creation, "Image Views"; Samplers. Made by the icd, read by everyone, never written after creation. */
#pragma once

#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum abi_dim { ABI_DIM_1D, ABI_DIM_2D, ABI_DIM_3D, ABI_DIM_CUBE, ABI_DIM_BUFFER, ABI_DIM_SUBPASS };

/* What instructions of the IR, abi_tex_call and abi_image_call carry. */
enum abi_tex_op { ABI_TEX_OP_SAMPLE, ABI_TEX_OP_FETCH, ABI_TEX_OP_GATHER, ABI_TEX_OP_QUERY_LOD };
enum abi_tex_flags {
   ABI_TEX_ARRAYED = 1 << 0,
   ABI_TEX_MS = 1 << 1,
   ABI_TEX_LOD = 1 << 2,
   ABI_TEX_BIAS = 1 << 3,
   ABI_TEX_GRAD = 1 << 4,
   ABI_TEX_OFFSET = 1 << 5,
   ABI_TEX_DREF = 1 << 6,
   ABI_TEX_SAMPLE = 1 << 7,
   ABI_TEX_MIN_LOD = 1 << 8,
   ABI_TEX_COMPONENT = 1 << 9,
   ABI_TEX_SIGNED = 1 << 11,           /* integer texels are signed */
   ABI_TEX_INTEGER = 1 << 12,          /* integer texels */
   ABI_TEX_INPUT_ATTACHMENT = 1 << 14, /* coordinates are relative to the fragment */
   ABI_TEX_GATHER_OFFSETS = 1 << 15,   /* four constant offsets */
   ABI_TEX_64BIT = 1 << 16,            /* an atomic of 64 bits */
   ABI_TEX_UNWRITTEN = 1 << 18, /* `uninit`: the first result is not 0 where a texel that counts is one that nobody wrote; a store: those are written now */
   ABI_TEX_RESIDENCY = 1 << 17, /* the one result is 0 where all texels that the operation takes are resident, else 1 */
};
/* Instructions that have code of their own for some layouts of images: all lanes share image and sampler, and they ask for no more than the name says. */
enum abi_tex_class {
   ABI_TEX_CLASS_NONE,
   ABI_TEX_CLASS_SAMPLE, /* 2D */
   ABI_TEX_CLASS_COMPARE,
   ABI_TEX_CLASS_GATHER,
   ABI_TEX_CLASS_GATHER_COMPARE,
   ABI_TEX_CLASS_GATHERS, /* of several components at the same coordinates: abi_tex_call.components; what abi_tex_class() calls GATHER */
   ABI_TEX_CLASS_VOLUME, /* samples, 3D */
   ABI_TEX_CLASS_CUBE,   /* samples */
   ABI_NUM_TEX_CLASSES
};

static inline enum abi_tex_class abi_tex_class(uint32_t op, uint32_t dim, uint32_t flags)
{
   const uint32_t lods = ABI_TEX_LOD | ABI_TEX_BIAS | ABI_TEX_GRAD, others = ~(uint32_t)(ABI_TEX_SIGNED | ABI_TEX_ARRAYED | ABI_TEX_DREF);
   if (dim == ABI_DIM_3D || dim == ABI_DIM_CUBE) {
      const uint32_t is_simple = op == ABI_TEX_OP_SAMPLE && !(flags & ~(lods | ABI_TEX_SIGNED | (dim == ABI_DIM_CUBE ? ABI_TEX_ARRAYED : 0)));
      return !is_simple ? ABI_TEX_CLASS_NONE : dim == ABI_DIM_3D ? ABI_TEX_CLASS_VOLUME : ABI_TEX_CLASS_CUBE;
   }
   if (dim != ABI_DIM_2D || flags & others & ~(op == ABI_TEX_OP_SAMPLE ? lods : 0))
      return ABI_TEX_CLASS_NONE;
   if (op == ABI_TEX_OP_SAMPLE)
      return flags & ABI_TEX_DREF ? ABI_TEX_CLASS_COMPARE : ABI_TEX_CLASS_SAMPLE;
   return op != ABI_TEX_OP_GATHER ? ABI_TEX_CLASS_NONE : flags & ABI_TEX_DREF ? ABI_TEX_CLASS_GATHER_COMPARE : ABI_TEX_CLASS_GATHER;
}

enum abi_atomic {
   ABI_ATOMIC_IADD, ABI_ATOMIC_IMIN, ABI_ATOMIC_UMIN, ABI_ATOMIC_IMAX, ABI_ATOMIC_UMAX, ABI_ATOMIC_AND, ABI_ATOMIC_OR,
   ABI_ATOMIC_XOR, ABI_ATOMIC_XCHG, ABI_ATOMIC_CMPXCHG, ABI_ATOMIC_FADD, ABI_ATOMIC_FMIN, ABI_ATOMIC_FMAX,
   ABI_ATOMIC_IMUL, ABI_ATOMIC_FMUL, /* reductions of subgroups only */
};

enum {
   ABI_MAX_SETS = 32,
   ABI_MAX_PUSH_BYTES = 256,
   ABI_MAX_LEVELS = 15, /* 16384 texels */
   ABI_DESCRIPTOR_BYTES = 16,
   ABI_BLOCK = 4, /* texels along an edge of a block */
   ABI_PAGE_BYTES = 4096, /* of memory that is bound to sparse resources */
};

/* Where the texels of one mip level are.
 *
 * LINEAR images: offset = level offset + z * slice + y * row_pitch + x * texel_bytes; tile_log2 is 0.
 *
 * OPTIMAL images: tiles of (1 << tile_log2_x) x (1 << tile_log2_y) texels, tiles in rows; in a tile blocks of 4x4 texels in rows; in a block the
 * texels in Z order: index bits y1 x1 y0 x0, which is also the order of lanes in a fragment shader. A block holds all its samples: first the
 * 16 texels of sample 0, then of sample 1 and so on. With T = tile_log2_x, S = texel_bytes * samples:
 *    X(x) = (x >> T) * tile_bytes + ((x & tile mask) >> 2) * 16 * S  + ((x & 1) | (x & 2) << 1) * texel_bytes
 *    Y(y) = (y >> tile_log2_y) * tile_row_bytes + ((y & tile mask) >> 2) * block_row_bytes + ((y & 1) << 1 | (y & 2) << 2) * texel_bytes
 *    offset = level offset + slice * slice_bytes + X + Y + sample * 16 * texel_bytes
 * A "texel" of a compressed format is one compressed block; extents are then counted in those. */
struct abi_level {
   uint64_t offset_bytes;     /* from the image's base, for layer 0 */
   uint64_t slice_bytes;      /* between depth slices of a 3D image */
   uint32_t width, height, depth; /* in texels, not in compressed blocks */
   uint32_t row_pitch_bytes;  /* LINEAR: between rows */
   uint32_t tile_bytes;       /* OPTIMAL: of a whole tile, all samples */
   uint32_t tile_row_bytes;   /* OPTIMAL: between rows of tiles */
   uint32_t block_row_bytes;  /* OPTIMAL: between rows of blocks within a tile */
   uint8_t tile_log2_x, tile_log2_y; /* OPTIMAL: 2 to 6; LINEAR: 0 */
   uint8_t pad[2];
};

/* How the runtime samples an image where nothing special is asked for. */
enum abi_sampling {
   ABI_SAMPLING_GENERAL, /* by the code for everything */
   ABI_SAMPLING_ANY,     /* in registers, through the format's function */
   ABI_SAMPLING_CONVERTED, /* with a conversion */
   ABI_SAMPLING_UNORM8,  /* in registers, four channels of 8 bits */
   ABI_SAMPLING_SRGB8,   /* the same, three of them sRGB */
};
enum { ABI_CHANNEL_ZERO = 4, ABI_CHANNEL_ONE = 5 };

/* What that code can do. */
enum abi_plain { ABI_PLAIN_NEAREST = 1, ABI_PLAIN_LINEAR = 2, ABI_PLAIN_COMPARE = 4, ABI_PLAIN_GATHER = 8 };

/* What compiled code must know of a view to read and write texels itself, in one word: it compares that with what the instruction says. */
enum abi_direct {
   ABI_DIRECT_NONE,   /* by a call: other formats, components that are constants, least levels, more bytes than 32 bits count */
   ABI_DIRECT_WORD,   /* one channel of 32 bits, R; the others are 0, 0 and one */
   ABI_DIRECT_BYTES,  /* four channels of 8 bits, in any order, UNORM, or UINT to instructions with integers: these only load */
   ABI_DIRECT_HALVES, /* RGBA of 16-bit floats */
   ABI_DIRECT_SMALL,  /* R, or R and G, of 8 or 16 bits, UNORM or UINT as BYTES; 2D, one sample, all of it has memory, less than 2 GiB */
   ABI_DIRECT_SMALL_HALVES, /* the same views of 16-bit floats; loads */
   ABI_DIRECT_OTHER,  /* loads: where texels are is compiled code, what is in them the runtime knows (struct abi_texel_call); stores by a call */
   ABI_DIRECT_CLASS = 7, /* the bits of the above */
   ABI_DIRECT_TILED = 8,
   ABI_DIRECT_MS = 16,
   ABI_DIRECT_DIM_SHIFT = 5, /* enum abi_dim */
   ABI_DIRECT_FORMAT_SHIFT = 16, /* enum abi_texel_format: where a shader names it, there is code for that format alone */
};

/* Which pages of a sparse resource's addresses have memory. */
struct abi_residency {
   const uint8_t *base;
   uint64_t num_pages;
   uint64_t *pages; /* a bit each: has memory; they change while work runs: __atomic, relaxed */
};

/* One image view. Levels and layers are the view's: levels[0] is its base mip level, `data` points at its base layer.
 * A texel buffer is a LINEAR image of one level, `width` texels, dim ABI_DIM_BUFFER. */
struct abi_image {
   uint8_t *data;        /* of the base layer; NULL: null descriptor */
   uint64_t layer_bytes; /* between array layers (cube faces too) */
   uint32_t format;      /* VkFormat of the view */
   uint32_t texel_bytes; /* bytes of a texel or compressed block of the view */
   uint32_t num_levels, num_layers;
   uint32_t num_samples; /* 1, 2, 4, 8, 16 */
   uint32_t dim;         /* enum abi_dim of the view; arrays too */
   uint8_t is_tiled;     /* OPTIMAL */
   uint8_t swizzle[4];   /* VkComponentSwizzle, never IDENTITY: R, G, B, A, ZERO, ONE */
   uint8_t aspect;       /* for depth/stencil formats: VK_IMAGE_ASPECT_DEPTH_BIT or STENCIL_BIT, the one that is sampled */
   uint8_t is_arrayed;
   uint8_t is_cube;
   uint8_t sampling;     /* enum abi_sampling */
   uint8_t channels[4];  /* which channel each component is, of four 8-bit channels: which byte; or ABI_CHANNEL_* */
   uint32_t direct;         /* enum abi_direct, with what else its comment says; of views that have a class only: */
   uint8_t direct_shift[4]; /* BYTES: where each component is in the word; SMALL, SMALL_HALVES: the bits of R and G */
   uint8_t direct_log2;     /* of the bytes of a texel, all samples */
   uint8_t samples_log2;
   uint8_t texel;        /* the runtime's enum rt_texel: how texels are read a vector at a time */
   uint8_t plain;        /* enum abi_plain, of 1D and 2D images and cubes that are sampled by their numeric format's own code */
   uint8_t layout;       /* the runtime's enum rt_layout: with an instruction's class it says which code samples */
   uint8_t packing;      /* the same of its texels alone, whatever its shape */
   float min_lod;        /* VK_EXT_image_view_min_lod, relative to levels[0] */
   uint32_t base_slice;  /* 2D views of 3D images: first slice */
   const void *format_info; /* const struct rt_format_info *, for the runtime */
   const struct abi_conversion *conversion; /* of ABI_SAMPLING_CONVERTED; all else is of its luma then */
   const struct abi_residency *residency;   /* NULL: all of it has memory */
   struct abi_level levels[ABI_MAX_LEVELS];
};

enum abi_filter { ABI_FILTER_NEAREST, ABI_FILTER_LINEAR, ABI_FILTER_CUBIC }; /* the first two as VkFilter */

/* How the runtime samples with a sampler where nothing special is asked for. */
enum abi_sampler_class {
   ABI_SAMPLER_SPECIAL, /* by the code for everything: borders of u or v, cubic, reduction, unnormalized */
   ABI_SAMPLER_REPEAT,  /* u and v */
   ABI_SAMPLER_CLAMP,   /* u and v, to the edge */
   ABI_SAMPLER_MODES,   /* other address modes */
};
enum abi_sampler_path { ABI_PATH_NEAREST, ABI_PATH_LINEAR, ABI_PATH_LEVELS, ABI_PATH_LINEAR_LEVELS, ABI_NUM_PATHS };

/* One sampler. Spec: "Samplers". */
struct abi_sampler {
   uint8_t mag_filter, min_filter; /* enum abi_filter */
   uint8_t mipmap_mode;            /* VkSamplerMipmapMode */
   uint8_t address_mode[3];        /* VkSamplerAddressMode of u, v, w */
   uint8_t compare_enable, compare_op;
   uint8_t unnormalized;
   uint8_t reduction_mode; /* VkSamplerReductionMode */
   uint8_t is_non_seamless;
   uint8_t border_is_int;
   uint8_t class;   /* enum abi_sampler_class; this and paths: by rt_sampler_finish() */
   uint8_t paths[2]; /* enum abi_sampler_path: of images of one level, of more */
   uint8_t keeps_base_lod; /* a level of detail of 0 is the base level */
   uint8_t is_smooth;      /* linear, REPEAT or CLAMP */
   float lod_bias, min_lod, max_lod;
   float max_anisotropy; /* 1: off */
   union {
      float f[4];
      int32_t i[4];
      uint32_t u[4];
   } border;
};

/* How a view is sampled that has a Y'CbCr conversion: what its format consists of is sampled part by part, as images of
 * their own, then put together. Spec: Samplers, "Sampler Y'CbCr Conversion"; Image Operations, "Chroma Reconstruction". */
struct abi_conversion {
   struct abi_image parts[3];
   uint32_t num_parts;
   uint32_t subsampled;        /* a bit for each part that has fewer texels than luma */
   struct abi_sampler chroma;  /* how those are sampled */
   float chroma_offset[2];     /* what is added to normalized coordinates for them */
   uint8_t is_explicit;        /* they are sampled at the texels of luma, the results filtered */
   uint8_t has_matrix;
   uint8_t part[4], channel[4]; /* of R, G, B, A, after the swizzle: channel of a part; or channel is ABI_CHANNEL_ZERO or _ONE */
   float matrix[3][4];         /* R, G, B: factors of the sampled R, G, B, and what is added */
};

/* Shaders reach no more of a buffer through a descriptor: their offsets are then positive as signed 32-bit numbers. Those with 64-bit indices reach
 * what the field has room for. */
#define ABI_MAX_BUFFER_BYTES (UINT64_C(1) << 31)
#define ABI_MAX_LARGE_BUFFER_BYTES (UINT64_C(1) << 47)

/* Descriptors: 16 bytes each, whatever the type; arrays are contiguous. An inline uniform block stands as its bytes. */
union abi_descriptor {
   struct {
      uint8_t *data; /* NULL: null descriptor */
      uint64_t size_bytes; /* at most ABI_MAX_BUFFER_BYTES, or the large ones' */
   } buffer; /* uniform and storage buffers; dynamic ones before their offset is added */
   struct {
      const struct abi_image *image;     /* NULL: null descriptor */
      const struct abi_sampler *sampler; /* of a combined image sampler or a sampler */
   } image; /* images, samplers, texel buffers, input attachments */
};
_Static_assert(sizeof(union abi_descriptor) == ABI_DESCRIPTOR_BYTES, "descriptor size");
