/* SPDX-License-Identifier: MIT
 * Some triangles that are drawn by a pipeline, or by shader objects and commands for all state. */
#pragma once

#include "tests/icd/fixture.h"

enum { SIZE = 48, NUM_STAGES = 3, NUM_LOOKS = 13 };

struct scene {
   struct fixture f;
   struct fixture_image color[2], depth[2]; /* of one sample and of four */
   struct fixture_buffer vertices, tint, pixels;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkPipelineLayout layout;
   VkShaderModule modules[NUM_STAGES];
};

/* What is drawn with. */
struct look {
   VkPrimitiveTopology topology;
   VkCullModeFlags cull;
   VkFrontFace front;
   VkPolygonMode polygon;
   VkSampleCountFlagBits samples;
   bool has_geometry, has_blend, has_depth, has_stencil, has_logic, has_bias, has_restart, is_discarded, lacks_fragment;
   VkColorComponentFlags mask; /* that are not written */
   /* A pipeline's alone. */
   const VkPipelineDiscardRectangleStateCreateInfoEXT *discard; /* NULL: none */
   const VkPipelineDynamicStateCreateInfo *dynamic;             /* NULL: all is static */
};

extern const struct look scene_looks[NUM_LOOKS];
/* Vertex, geometry, fragment. */
extern const VkShaderStageFlagBits scene_stages[NUM_STAGES];

void scene_init(struct scene *s);
void scene_finish(struct scene *s);

/* ---- as a pipeline ---- */

VkPipeline scene_make_pipeline(const struct scene *s, const struct look *look);

/* ---- as shader objects ---- */

VkPushConstantRange scene_push_range(void);
/* What may follow a stage differs with what is linked. */
VkShaderCreateInfoEXT scene_shader_info(const struct scene *s, uint32_t stage, const VkPushConstantRange *range);
/* All three, or those that a look has, linked. */
void scene_make_objects(const struct scene *s, const struct look *linked, VkShaderEXT objects[NUM_STAGES]);
void scene_destroy_objects(const struct scene *s, const VkShaderEXT objects[NUM_STAGES]);
void scene_bind_objects(const struct scene *s, const struct look *look, const VkShaderEXT objects[NUM_STAGES]);
void scene_set_state(const struct scene *s, const struct look *look);

/* ---- pictures ---- */

void scene_begin(const struct scene *s, const struct look *look);
void scene_draw(const struct scene *s, float x);
/* Ends, runs, and takes what is seen; of a picture without a fragment shader, its depth. */
void scene_end(struct scene *s, const struct look *look, uint32_t pixels[SIZE * SIZE]);
bool scene_is_same(const uint32_t *a, const uint32_t *b);
/* Changes of color from pixel to pixel. */
uint32_t scene_count_colors(const uint32_t *pixels);
