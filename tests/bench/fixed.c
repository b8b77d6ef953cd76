/* SPDX-License-Identifier: MIT
 * Rows of fixed functions around shaders that do little: depth, stencil, samples, points and lines. Eight layers over 1024 x 1024 pixels, each nearer
 * than the one before, or a grid of small primitives. */
#include "tests/bench/bench.h"

#include "fixed_frag.h"
#include "fixed_discard.h"
#include "fixed_depth.h"
#include "fixed_vert.h"
#include "fixed_grid.h"
#include "fixed_lines.h"

#include "util/macros.h"

enum { SIZE = 1024, LAYERS = 8, GRID = 256 };

enum shader { PLAIN, DISCARDS, WRITES_DEPTH, NONE };

struct fixed {
   VkFormat depth;
   VkSampleCountFlagBits samples;
   enum shader shader;
   VkCompareOp compare;
   bool writes_depth, tests_stencil;
   VkStencilOpState stencil;
   VkPrimitiveTopology topology; /* not triangles: a grid of such primitives */
   float width;                  /* of lines */
   bool covers_by_alpha, shades_samples, counts;
   bool has_repeat; /* all layers at one depth */
};

static VkPipeline create_pipeline(struct client *client, const struct fixed *fixed, const struct client_graphics *info)
{
   const VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = fixed->compare != VK_COMPARE_OP_NEVER,
                                                        .depthWriteEnable = fixed->writes_depth,
                                                        .depthCompareOp = fixed->compare,
                                                        .stencilTestEnable = fixed->tests_stencil,
                                                        .front = fixed->stencil,
                                                        .back = fixed->stencil};
   struct client_graphics with = *info;
   with.depth_stencil = &depth;
   return client_graphics_pipeline(client, &with, VK_NULL_HANDLE);
}

struct job {
   struct client *client;
   VkCommandBuffer cmd;
};

static void submit(void *data)
{
   struct job *job = data;
   client_submit(job->client, job->cmd);
}

static VkShaderModule fragment_shader(struct client *client, enum shader shader)
{
   switch (shader) {
   case DISCARDS: return client_shader(client, fixed_discard, sizeof(fixed_discard));
   case WRITES_DEPTH: return client_shader(client, fixed_depth, sizeof(fixed_depth));
   case NONE: return VK_NULL_HANDLE;
   default: return client_shader(client, fixed_frag, sizeof(fixed_frag));
   }
}

static VkShaderModule vertex_shader(struct client *client, VkPrimitiveTopology topology)
{
   switch (topology) {
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST: return client_shader(client, fixed_vert, sizeof(fixed_vert));
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST: return client_shader(client, fixed_lines, sizeof(fixed_lines));
   default: return client_shader(client, fixed_grid, sizeof(fixed_grid));
   }
}

/* Gpixel/s of layers, or millions of primitives. */
static double measure(struct client *client, const struct fixed *fixed)
{
   const bool is_grid = fixed->topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
   struct client_image images[3];
   VkImageView views[3];
   uint32_t count = 1;
   images[0] = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, fixed->samples,
                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   if (fixed->depth)
      images[count++] = client_image_create(client, fixed->depth, SIZE, SIZE, 1, fixed->samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   if (fixed->samples > 1)
      images[count++] = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   for (uint32_t i = 0; i < count; i++)
      views[i] = images[i].view;
   const VkRenderPass pass =
      client_render_pass(client, VK_FORMAT_R8G8B8A8_UNORM, fixed->depth, fixed->samples, fixed->samples > 1, VK_ATTACHMENT_LOAD_OP_CLEAR);
   const VkFramebuffer framebuffer = client_framebuffer(client, pass, count, views, SIZE, SIZE);
   const struct client_graphics info = {.vertex = vertex_shader(client, fixed->topology),
                                        .fragment = fragment_shader(client, fixed->shader),
                                        .layout = client_pipeline_layout(client, NULL, 0),
                                        .pass = pass,
                                        .width = SIZE,
                                        .height = SIZE,
                                        .samples = fixed->samples,
                                        .topology = fixed->topology,
                                        .covers_by_alpha = fixed->covers_by_alpha,
                                        .shades_samples = fixed->shades_samples,
                                        .line_width = fixed->width};
   const VkPipeline pipeline = create_pipeline(client, fixed, &info);
   const VkQueryPoolCreateInfo query_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
   VkQueryPool queries;
   client_check(vk.CreateQueryPool(client->device, &query_info, NULL, &queries), "vkCreateQueryPool");
   const VkClearValue clears[3] = {{.color.float32 = {0}}, {.depthStencil = {1, 0}}, {.depthStencil = {1, 0}}};
   struct job job = {client, client_begin(client)};
   vk.CmdResetQueryPool(job.cmd, queries, 0, 1);
   client_begin_pass(job.cmd, pass, framebuffer, SIZE, SIZE, count, clears);
   vk.CmdBindPipeline(job.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   if (fixed->counts)
      vk.CmdBeginQuery(job.cmd, queries, 0, 0);
   if (is_grid)
      vk.CmdDraw(job.cmd, GRID * GRID * (fixed->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ? 2 : 1), 1, 0, 0);
   for (uint32_t i = 0; i < (is_grid ? 0 : LAYERS); i++)
      vk.CmdDraw(job.cmd, 3, 1, 0, fixed->has_repeat ? 0 : i);
   if (fixed->counts)
      vk.CmdEndQuery(job.cmd, queries, 0);
   vk.CmdEndRenderPass(job.cmd);
   client_end(job.cmd);
   const double seconds = bench_median(0.25, submit, &job);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &job.cmd);
   vk.DestroyQueryPool(client->device, queries, NULL);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyShaderModule(client->device, info.vertex, NULL);
   vk.DestroyShaderModule(client->device, info.fragment, NULL);
   vk.DestroyPipelineLayout(client->device, info.layout, NULL);
   vk.DestroyFramebuffer(client->device, framebuffer, NULL);
   vk.DestroyRenderPass(client->device, pass, NULL);
   for (uint32_t i = 0; i < count; i++)
      client_image_destroy(client, &images[i]);
   return is_grid ? GRID * GRID / seconds * 1e-6 : (double)LAYERS * SIZE * SIZE / seconds * 1e-9;
}

#define STENCIL(op, with, reference_) {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_##op, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_##with, 0xff, 0xff, reference_}
#define LAYERED(id, text, vk_format, with, writes, ...)                                                                \
   X(id, text, "Gpixel/s", .depth = VK_FORMAT_##vk_format, .samples = 1, .compare = VK_COMPARE_OP_##with, .writes_depth = writes, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, __VA_ARGS__)
#define ROWS                                                                                                           \
   LAYERED(d16, "fixed: each nearer, d16", D16_UNORM, LESS, true)                                                      \
   LAYERED(d24s8, "fixed: each nearer, d24s8", D24_UNORM_S8_UINT, LESS, true)                                          \
   LAYERED(d32, "fixed: each nearer, d32", D32_SFLOAT, LESS, true)                                                     \
   LAYERED(d32_4x, "fixed: each nearer, d32, 4x", D32_SFLOAT, LESS, true, .samples = 4)                                \
   LAYERED(equal, "fixed: at one depth, less or equal", D32_SFLOAT, LESS_OR_EQUAL, true, .has_repeat = true)           \
   LAYERED(farther, "fixed: each nearer, greater", D32_SFLOAT, GREATER, true)                                          \
   LAYERED(no_write, "fixed: tested, not written, d24s8", D24_UNORM_S8_UINT, LESS, false)                              \
   LAYERED(depth_d16, "fixed: depth alone, d16", D16_UNORM, LESS, true, .shader = NONE)                                \
   LAYERED(depth_d32, "fixed: depth alone, d32", D32_SFLOAT, LESS, true, .shader = NONE)                               \
   LAYERED(discards, "fixed: discards, d32", D32_SFLOAT, LESS, true, .shader = DISCARDS)                               \
   LAYERED(discards_4x, "fixed: discards, d32, 4x", D32_SFLOAT, LESS, true, .shader = DISCARDS, .samples = 4)          \
   LAYERED(writes_depth, "fixed: depth by the shader, d32", D32_SFLOAT, LESS, true, .shader = WRITES_DEPTH)            \
   LAYERED(stencil_count, "fixed: stencil counts, d24s8", D24_UNORM_S8_UINT, LESS, true, .tests_stencil = true,        \
           .stencil = STENCIL(INCREMENT_AND_WRAP, ALWAYS, 0))                                                          \
   LAYERED(stencil_alone, "fixed: stencil counts, s8", S8_UINT, NEVER, false, .tests_stencil = true,                   \
           .stencil = STENCIL(INCREMENT_AND_CLAMP, ALWAYS, 0))                                                         \
   LAYERED(stencil_equal, "fixed: stencil equal, keep, d24s8", D24_UNORM_S8_UINT, NEVER, false, .tests_stencil = true, \
           .stencil = STENCIL(KEEP, EQUAL, 0))                                                                         \
   LAYERED(stencil_never, "fixed: stencil not equal, d24s8", D24_UNORM_S8_UINT, NEVER, false, .tests_stencil = true,   \
           .stencil = STENCIL(KEEP, NOT_EQUAL, 0))                                                                     \
   LAYERED(occlusion, "fixed: counted, each nearer, d32", D32_SFLOAT, LESS, true, .counts = true)                      \
   LAYERED(occlusion_none, "fixed: counted, no depth", UNDEFINED, NEVER, false, .counts = true)                        \
   LAYERED(fill_4x, "fixed: fill, 4x", UNDEFINED, NEVER, false, .samples = 4)                                          \
   LAYERED(samples_4x, "fixed: shaded by sample, 4x", UNDEFINED, NEVER, false, .samples = 4, .shades_samples = true)   \
   LAYERED(alpha_4x, "fixed: coverage by alpha, 4x", UNDEFINED, NEVER, false, .samples = 4, .covers_by_alpha = true)   \
   GRIDDED(points, "fixed: points of 1 pixel", POINT_LIST, 1)                                                          \
   GRIDDED(lines, "fixed: lines of 8 pixels", LINE_LIST, 1)                                                            \
   GRIDDED(lines_wide, "fixed: lines of 8 pixels, 4 wide", LINE_LIST, 4)                                               \
   GRIDDED(strip, "fixed: line strip", LINE_STRIP, 1)
#define GRIDDED(id, text, primitive, line_width)                                                                            \
   X(id, text, "Mprimitive/s", .samples = 1, .compare = VK_COMPARE_OP_NEVER, .topology = VK_PRIMITIVE_TOPOLOGY_##primitive, .width = line_width)

#pragma GCC diagnostic ignored "-Woverride-init"
#define X(id, text, unit, ...)                                                                                         \
   static double run_##id(struct client *client)                                                                       \
   {                                                                                                                   \
      static const struct fixed fixed = {__VA_ARGS__};                                                                 \
      return measure(client, &fixed);                                                                                  \
   }
ROWS
#undef X

const struct bench_row bench_fixed_rows[] = {
#define X(id, text, unit, ...) {text, unit, false, run_##id},
   ROWS
#undef X
   {NULL, NULL, false, NULL},
};
