/* SPDX-License-Identifier: MIT
 * What tests of the renderer share: a pool, images, a pipeline whose shaders are C functions with the ABI of compiled
 * ones. The vertex shader passes location 0 on as position and location 1 as the varying of location 0; the fragment
 * shader writes the varying to output 0. Tests replace what they want to see. */
#pragma once

#include "runtime/image/image.h"
#include "runtime/render/render.h"
#include "tests/test.h"
#include "util/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fixture_vertex {
   float position[4];
   float color[4];
};

struct fixture_image {
   struct rt_image image;
   struct abi_image view;
   uint8_t *memory;
};

struct fixture {
   struct rt_pool *pool;
   struct rt_worker worker;
   struct rt_graph *graph;
   struct rt_render *render;
   struct abi_shader_info vs, fs;
   struct rt_graphics_pipeline pipeline;
   struct rt_state state;
   struct abi_set sets[ABI_MAX_SETS];
   uint8_t push[ABI_MAX_PUSH_BYTES];
   struct abi_resources resources;
   struct rt_draw_state draw;
   struct rt_cmd_begin_rendering begin;
   bool has_failed; /* rt_pool_fail() */
};

static inline void fixture_slots(uint64_t set[3], uint32_t first, uint32_t count)
{
   for (uint32_t i = first; i < first + count; i++)
      set[i / 64] |= UINT64_C(1) << (i % 64);
}

/* Inputs: 4 rows of position, 4 of colour; outputs the same. */
static inline void fixture_vertex_shader(const struct abi_vertex_args *args, struct abi_worker *worker, uint32_t count)
{
   for (uint32_t r = 0; r < 8; r++)
      memcpy(args->outputs + r * ABI_VERTEX_BATCH, args->inputs + r * ABI_VERTEX_BATCH, count * 4);
}

static inline float fixture_plane(const struct abi_primitive *p, const struct abi_plane *plane, float x, float y)
{
   return (plane->c + plane->dx * (x - p->x0)) + plane->dy * (y - p->y0);
}

/* The window position that a lane is shaded at. */
static inline void fixture_position(const struct abi_fragment_args *args, const struct abi_block *block, uint32_t lane,
                                    float *x, float *y)
{
   *x = (float)(block->x + (int32_t)((lane & 1) + (lane >> 1 & 2))) +
        (args->per_sample ? args->sample_pos[args->sample][0] : 0.5f);
   *y = (float)(block->y + (int32_t)((lane >> 1 & 1) + (lane >> 2 & 2))) +
        (args->per_sample ? args->sample_pos[args->sample][1] : 0.5f);
}

/* Interpolates four perspective varyings. */
static inline void fixture_fragment_shader(const struct abi_fragment_args *args, struct abi_worker *worker,
                                           const struct abi_primitive *primitive, struct abi_block *blocks,
                                           uint32_t count)
{
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t i = 0; i < 16; i++) {
         float x, y;
         fixture_position(args, &blocks[b], i, &x, &y);
         const float w = 1.0f / fixture_plane(primitive, &primitive->inv_w, x, y);
         for (uint32_t c = 0; c < 4; c++) {
            const float v = fixture_plane(primitive, &primitive->planes[c], x, y) * w;
            memcpy(&blocks[b].outputs[c][i], &v, 4);
         }
      }
      blocks[b].mask_out = blocks[b].mask;
   }
}

/* Work cannot go on; as a device that is lost, it is given up. */
static inline void fixture_fail(void *data, const char *reason, const struct rt_worker *hung)
{
   struct fixture *f = data;
   f->has_failed = true;
   rt_pool_cancel(f->pool);
}

static inline void fixture_init(struct fixture *f, uint32_t num_threads)
{
   memset(f, 0, sizeof(*f));
   const struct rt_pool_options options = {.num_threads = num_threads, .on_failure = fixture_fail, .on_failure_data = f};
   if (rt_pool_create(&options, &f->pool) != VK_SUCCESS)
      abort();
   rt_worker_init(&f->worker, f->pool);
   f->graph = rt_graph_create(f->pool);
   f->render = rt_render_create(f->pool, &f->worker, f->graph);

   fixture_slots(f->vs.inputs, ABI_SLOT_USER, 8);
   fixture_slots(f->vs.outputs, ABI_SLOT_POSITION, 4);
   fixture_slots(f->vs.outputs, ABI_SLOT_USER, 4);
   fixture_slots(f->fs.inputs, ABI_SLOT_USER, 4);
   f->fs.outputs[0] = 0xf;
   f->vs.stage = ABI_STAGE_VERTEX;
   f->fs.stage = ABI_STAGE_FRAGMENT;
   f->pipeline.shaders[ABI_STAGE_VERTEX] = (struct rt_shader){.info = &f->vs, .run.vertex = fixture_vertex_shader, .name = "test"};
   f->pipeline.shaders[ABI_STAGE_FRAGMENT] = (struct rt_shader){.info = &f->fs, .run.fragment = fixture_fragment_shader, .name = "test"};

   struct rt_state *s = &f->state;
   s->vertex_input.attributes[0] =
      (struct rt_vertex_attribute){.is_enabled = 1, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .offset_bytes = 0};
   s->vertex_input.attributes[1] =
      (struct rt_vertex_attribute){.is_enabled = 1, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .offset_bytes = 16};
   s->vertex_strides.strides[0] = sizeof(struct fixture_vertex);
   s->topology.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
   s->viewport_count.count = s->scissor_count.count = 1;
   s->depth_clip.enable = 1;
   s->line_width.width = 1;
   s->rasterization_samples.samples = 1;
   s->sample_mask.mask = UINT32_MAX;
   s->color_write.enable_mask = UINT32_MAX;
   for (uint32_t i = 0; i < ABI_MAX_ATTACHMENTS; i++)
      s->color_write_mask.mask[i] = 0xf;
   f->draw.pipeline = &f->pipeline;
   f->draw.state = &f->state;
   f->resources = (struct abi_resources){f->sets, f->push};
   f->draw.resources = &f->resources;
   f->draw.dirty = RT_DIRTY_ALL;
}

static inline void fixture_finish(struct fixture *f)
{
   rt_render_destroy(f->render);
   rt_graph_destroy(f->graph);
   rt_worker_finish(&f->worker);
   rt_pool_destroy(f->pool);
}

static inline void fixture_image_init(struct fixture_image *image, VkFormat format, uint32_t width, uint32_t height,
                                      uint32_t layers, uint32_t samples, bool is_tiled)
{
   if (rt_image_init(&image->image, VK_IMAGE_TYPE_2D, format, (VkExtent3D){width, height, 1}, 1, layers, samples,
                     is_tiled, UINT64_C(1) << 32) != VK_SUCCESS)
      abort();
   image->memory = util_malloc64(image->image.size_bytes);
   memset(image->memory, 0xcd, image->image.size_bytes);
   rt_image_bind(&image->image, image->memory);
   const struct rt_format_info *info = rt_format_info(format);
   const VkImageAspectFlags aspect = info->is_depth     ? VK_IMAGE_ASPECT_DEPTH_BIT
                                     : info->is_stencil ? VK_IMAGE_ASPECT_STENCIL_BIT
                                                        : VK_IMAGE_ASPECT_COLOR_BIT;
   rt_image_view_init(&image->view, &image->image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, format, (VkComponentMapping){0}, aspect,
                      0, 1, 0, layers, 0.0f);
}

static inline void fixture_image_finish(struct fixture_image *image)
{
   util_mfree(image->memory);
}

/* The texel's bytes. */
static inline uint8_t *fixture_texel(const struct fixture_image *image, uint32_t x, uint32_t y, uint32_t layer,
                                     uint32_t sample)
{
   const struct abi_image *v = &image->view;
   return v->data + layer * v->layer_bytes +
          rt_level_offset(&v->levels[0], v->is_tiled, v->texel_bytes, x, y, 0, sample, v->num_samples);
}

/* Renders to one colour image (cleared), the whole of it, viewport and scissor too. */
static inline void fixture_target(struct fixture *f, const struct fixture_image *color,
                                  const struct fixture_image *depth)
{
   const struct abi_image *any = color ? &color->view : &depth->view;
   const uint32_t width = any->levels[0].width, height = any->levels[0].height;
   memset(&f->begin, 0, sizeof(f->begin));
   f->begin.area.extent = (VkExtent2D){width, height};
   f->begin.num_layers = 1;
   f->begin.num_colors = color ? 1 : 0;
   if (color)
      f->begin.colors[0] = (struct rt_attachment){.view = &color->view, .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR};
   if (depth)
      f->begin.depth = (struct rt_attachment){
         .view = &depth->view, .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR, .clear.depthStencil.depth = 1.0f};
   f->state.viewports.viewports[0] = (VkViewport){0, 0, (float)width, (float)height, 0, 1};
   f->state.scissors.scissors[0] = (VkRect2D){{0, 0}, {width, height}};
   f->state.rasterization_samples.samples = any->num_samples;
}

static inline void fixture_draw(struct fixture *f, const void *vertices, uint32_t count, uint32_t stride)
{
   f->draw.dirty = RT_DIRTY_ALL;
   f->draw.vertex_buffers[0] = (struct rt_vertex_buffer){vertices, (uint64_t)count * stride};
   const struct rt_draw_params params = {.count = count, .instance_count = 1};
   CHECK_EQ(rt_render_draw(f->render, &f->draw, &params), VK_SUCCESS);
}

/* One pass with one draw. */
static inline void fixture_render(struct fixture *f, const struct fixture_vertex *vertices, uint32_t count)
{
   rt_render_begin(f->render, &f->begin, 0, false);
   fixture_draw(f, vertices, count, sizeof(*vertices));
   CHECK_EQ(rt_render_end(f->render), VK_SUCCESS);
}

static inline uint32_t fixture_random(uint32_t *seed)
{
   *seed ^= *seed << 13;
   *seed ^= *seed >> 17;
   *seed ^= *seed << 5;
   return *seed;
}
