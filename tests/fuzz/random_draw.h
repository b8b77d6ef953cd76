/* SPDX-License-Identifier: MIT
 * Draws that run a random shader (random_spirv.h) of a graphics stage, with fixed shaders in the stages around it, and what came out of its outputs.
 * Threads: one user. */
#pragma once

#include "tests/client/client.h"
#include "tests/fuzz/random_spirv.h"

enum { RANDOM_DRAW_COLORS = RANDOM_SPIRV_OUTPUTS / 4, RANDOM_DRAW_TEXELS = RANDOM_SPIRV_COLUMNS * RANDOM_SPIRV_ROWS };

struct random_draw {
   struct client *client;
   const struct client_set *set;
   VkPipelineLayout layout;
   VkShaderModule fixed[ABI_STAGE_FRAGMENT + 1]; /* null: there is none of the stage */
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   struct client_image images[RANDOM_DRAW_COLORS];
   struct client_buffer words; /* of each image the texels, of each texel four words */
   PFN_vkCmdDrawMeshTasksEXT draw_mesh_tasks;
};

/* set, layout: what shaders read and write. The device has all stages, and stores in each of them. */
void random_draw_init(struct random_draw *draw, struct client *client, const struct client_set *set, VkPipelineLayout layout);
void random_draw_finish(struct random_draw *draw);

/* Runs as many invocations of `stage` as there are texels, of any number of its lanes, and waits. */
void random_draw_run(struct random_draw *draw, enum abi_stage stage, VkShaderModule shader);
/* Word `word` of RANDOM_SPIRV_OUTPUTS that the invocation wrote to its outputs. */
uint32_t random_draw_word(const struct random_draw *draw, uint32_t invocation, uint32_t word);
/* False: the stage has no outputs that reach a texel. */
bool random_draw_has_words(enum abi_stage stage);
