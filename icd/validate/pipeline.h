/* SPDX-License-Identifier: MIT
 * The rules that only a pipeline decides: a stage against the next one, against the layout and with its specialization.
 * Source: Shader Interfaces, "Interface Matching", "Shader Resource Interface", "Push Constant Interface". Threads: pure. */
#pragma once

#include "compiler/compiler.h"
#include "icd/validate/module.h"
#include "icd/validate/spirv.h"

struct icd_check;

/* What a pipeline says of its fragment shader's invocations. */
struct icd_sample_shading {
   bool is_enabled;
   uint32_t samples; /* 0: commands say */
   float min;
   bool has_fragment_regions; /* the subpass has whole fragments alone */
};

/* Checks the stages of a pipeline, given in any order. `shading`: NULL: there is none, or it is not known. What is broken is added
 * to *report. VK_SUCCESS (also then), VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_validate_stages(const struct icd_validate_env *env, const struct comp_shader_desc *const *stages,
                                             uint32_t num_stages, const struct icd_sample_shading *shading,
                                             struct icd_report *report);

/* A module of a pipeline, parsed, with the entry point that was asked for. */
struct icd_check_stage {
   const struct comp_shader_desc *desc;
   struct icd_spirv_module module; /* functions[].stages: those that the entry point reaches */
   struct icd_spirv_entry *entry;  /* NULL: there is none of that name and stage */
   VkShaderStageFlags stage;
};

/* Parses a stage, which icd_spirv_finish(&stage->module) frees in any case. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_check_stage_open(struct icd_check_stage *stage, const struct comp_shader_desc *desc);

/* Locations that `next` reads against those that `previous` writes. */
void icd_check_stage_pair(const struct icd_validate_env *env, const struct icd_check_stage *previous,
                          const struct icd_check_stage *next, struct icd_report *report);

enum icd_io_class { ICD_IO_NONE, ICD_IO_FLOAT, ICD_IO_SINT, ICD_IO_UINT };
struct icd_io_type {
   uint8_t class, width, components; /* enum icd_io_class, bits, of the vector that begins here */
};
/* What begins at the first `count` locations; others stay as they are. `where`: Input or Output. */
void icd_stage_locations(const struct icd_check_stage *stage, SpvStorageClass where, struct icd_io_type *types, uint32_t count);
/* Lengths, sizes and offsets of 64 bits. The stage has an entry point. */
void icd_check_indexing(const struct icd_check *check, const struct icd_check_stage *stage);
/* Reads of tile images, which depend on it. */
void icd_check_tile_reads(const struct icd_check *check, const struct icd_sample_shading *shading);
/* A resource against what it is mapped to. block_bytes: of what a buffer holds. */
void icd_check_mapping(const struct icd_check *check, const struct icd_check_stage *stage, const struct icd_spirv_inst *variable, uint64_t block_bytes);
/* Resources and push constants against the layout, if there is one. False: out of memory. */
bool icd_check_stage_layout(const struct icd_validate_env *env, const struct icd_check_stage *stage, struct icd_report *report);
