/* SPDX-License-Identifier: MIT
 * A vertex and a fragment shader as pipelines of libraries, of which none knows both shaders and formats, and as shader objects: what draws say late.
 * Threads: one user at a time. */
#pragma once

#include "tests/client/client.h"

/* What the two shaders need: modules for pipelines, words for objects. */
struct objects_pair {
   const uint32_t *words[2];
   size_t size_bytes[2];
   VkDescriptorSetLayout set_layout;
   const struct client_image *target;
   uint32_t width, height;
};

/* Links the pipeline of two libraries, of which the second one has the formats. `libraries`: to be destroyed after it. */
VkPipeline objects_link(struct client *client, const struct client_graphics *info, VkPipeline libraries[2]);

/* Records a rendering into the target, which is cleared, with shader objects in `shaders`, which are made here, and all state that they need. */
void objects_begin(struct client *client, VkCommandBuffer cmd, const struct objects_pair *pair, VkShaderEXT shaders[2]);
void objects_end(struct client *client, VkCommandBuffer cmd);
void objects_destroy(struct client *client, const VkShaderEXT shaders[2]);
