/* SPDX-License-Identifier: MIT
 * One dispatch, or one shader over a whole picture, again and again: what the rows of ordinary shaders and of texel access measure. */
#pragma once

#include "tests/client/client.h"

struct bench_shader {
   const uint32_t *words;
   size_t size_bytes;
};

struct bench_work {
   struct client *client;
   struct client_image color; /* of pictures, like pass and framebuffer */
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkShaderModule modules[2];
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkCommandBuffer cmd;
};

/* Dispatches groups[0] by groups[1] workgroups with `set` bound. The set outlives the work. */
struct bench_work bench_work_dispatch(struct client *client, const struct client_set *set, struct bench_shader shader, const uint32_t groups[2]);
/* Draws width by height pixels of rgba8 by a fragment shader with `set` bound; it is given the position from 0 to 1. */
struct bench_work bench_work_picture(struct client *client, const struct client_set *set, struct bench_shader shader, uint32_t width, uint32_t height);
/* For bench_median(): submits a struct bench_work and waits. */
void bench_work_submit(void *data);
void bench_work_destroy(struct bench_work *work);
