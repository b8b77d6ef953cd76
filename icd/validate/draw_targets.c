/* SPDX-License-Identifier: MIT
 * What commands render to, against what the pipeline was made for. Texels are packed in the formats of the attachments, whatever the
 * pipeline's are: a mismatch writes nothing else than the specification would have written with the right pipeline, but for components that the
 * pipeline's formats lack (icd/pipeline/ignored_outputs.h). Source: Drawing Commands, valid usage; Render Pass, "Render Pass Compatibility". */
#include "abi/image.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/pipeline/graphics_state.h"
#include "icd/render_pass.h"
#include "icd/resource/image_view.h"
#include "icd/validate/stream_check.h"
#include "icd/validate/uses.h"
#include "runtime/format/format.h"

/* ---- what a pipeline says ---- */

static void use_subpass(struct icd_target_use *target, const struct icd_render_pass *pass, uint32_t index)
{
   const struct icd_subpass *subpass = &pass->subpasses[index];
   const uint32_t depth_stencil = subpass->depth_stencil;
   target->subpass = index + 1;
   target->view_mask = subpass->view_mask;
   target->num_colors = subpass->num_colors;
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      if (subpass->colors[i] >= pass->num_attachments)
         continue;
      target->colors[i] = pass->attachments[subpass->colors[i]].format;
      target->samples = pass->attachments[subpass->colors[i]].samples;
   }
   if (depth_stencil < pass->num_attachments) {
      const VkFormat format = pass->attachments[depth_stencil].format;
      target->depth = rt_format_info(format)->is_depth ? format : VK_FORMAT_UNDEFINED;
      target->stencil = rt_format_info(format)->is_stencil ? format : VK_FORMAT_UNDEFINED;
      target->samples = pass->attachments[depth_stencil].samples;
   }
   if (subpass->implicit_samples)
      target->samples = (VkSampleCountFlagBits)subpass->implicit_samples;
}

static void use_formats(struct icd_target_use *target, const VkPipelineRenderingCreateInfo *info)
{
   target->view_mask = info->viewMask;
   target->num_colors = UTIL_MIN(info->colorAttachmentCount, (uint32_t)ABI_MAX_ATTACHMENTS);
   for (uint32_t i = 0; i < target->num_colors && info->pColorAttachmentFormats; i++)
      target->colors[i] = info->pColorAttachmentFormats[i];
   target->depth = info->depthAttachmentFormat;
   target->stencil = info->stencilAttachmentFormat;
}

/* Draws of a resolve by shaders have attachments of their own. */
static void use_resolve_formats(struct icd_target_use *target, const VkGraphicsPipelineCreateInfo *info)
{
#ifdef VK_EXT_custom_resolve
   const VkCustomResolveCreateInfoEXT *resolve = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT);
   if (!resolve || !resolve->customResolve)
      return;
   target->num_colors = UTIL_MIN(resolve->colorAttachmentCount, (uint32_t)ABI_MAX_ATTACHMENTS);
   for (uint32_t i = 0; i < target->num_colors; i++)
      target->colors[i] = resolve->pColorAttachmentFormats ? resolve->pColorAttachmentFormats[i] : VK_FORMAT_UNDEFINED;
   target->depth = resolve->depthAttachmentFormat;
   target->stencil = resolve->stencilAttachmentFormat;
#endif
}

void icd_target_use_init(struct icd_target_use *target, const VkGraphicsPipelineCreateInfo *info, VkGraphicsPipelineLibraryFlagsEXT parts)
{
   const struct icd_render_pass *pass = icd_render_pass_from_handle(info->renderPass);
   const VkPipelineRenderingCreateInfo *rendering = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   const VkRenderingAttachmentLocationInfo *locations =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO);
   *target = (struct icd_target_use){.is_known = parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
   if (!target->is_known)
      return;
   if (pass && info->subpass < pass->num_subpasses)
      use_subpass(target, pass, info->subpass);
   else if (rendering) {
      use_formats(target, rendering);
      use_resolve_formats(target, info);
   }
   if (locations)
      icd_attachment_locations(locations, target->locations);
}

/* ---- draws ---- */

#define REPORT(rule, ...) icd_stream_report(walk, &walk->code->uses->reported, ICD_STREAM_##rule, false, __VA_ARGS__)

static const char *name_of(VkFormat format)
{
   return format == VK_FORMAT_UNDEFINED ? "no attachment" : rt_format_info(format)->name;
}

/* The view's; that of the plane alone is another where depth and stencil are in one image. */
static VkFormat format_of(const struct rt_attachment *attachment, bool is_stencil)
{
   return attachment->view ? UTIL_CONTAINER_OF(attachment->view, struct icd_image_view, attachment[is_stencil])->format : VK_FORMAT_UNDEFINED;
}

/* One attachment of dynamic rendering; the rules are in the order of enum icd_stream_rule. */
static void check_format(const struct icd_stream_walk *walk, const char *what, uint32_t index, VkFormat format, VkFormat expected,
                         enum icd_stream_rule rule, bool is_used)
{
   const bool may_be_unused = walk->device->features.dynamicRenderingUnusedAttachments;
   if (format == expected)
      return;
   if (format == VK_FORMAT_UNDEFINED && may_be_unused)
      return;
   if (format == VK_FORMAT_UNDEFINED)
      rule += ICD_STREAM_COLOR_MISSING - ICD_STREAM_COLOR_FORMAT;
   else if (expected == VK_FORMAT_UNDEFINED && may_be_unused && !is_used)
      return;
   else if (expected == VK_FORMAT_UNDEFINED && may_be_unused)
      rule += ICD_STREAM_COLOR_USED - ICD_STREAM_COLOR_FORMAT;
   else if (may_be_unused)
      rule += ICD_STREAM_COLOR_OTHER - ICD_STREAM_COLOR_FORMAT;
   icd_stream_report(walk, &walk->code->uses->reported, rule, false, "%s attachment %u is %s, but the pipeline was made for %s", what, index,
                   name_of(format), name_of(expected));
}

static bool is_written(const struct icd_stream_walk *walk, uint32_t index)
{
   const uint8_t mapped = walk->state.color_locations.location[index];
   const uint32_t location = mapped ? mapped - 1u : index;
   return mapped != RT_NO_LOCATION && location < ABI_MAX_ATTACHMENTS && walk->code->uses->outputs[location].class &&
          walk->state.color_write_mask.mask[index] && walk->state.color_write.enable_mask >> index & 1;
}

static void check_samples(const struct icd_stream_walk *walk, const struct rt_attachment *attachment, enum icd_stream_rule rule,
                          const char *what)
{
   const uint32_t samples = walk->state.rasterization_samples.samples;
   if (attachment->view && attachment->view->num_samples != samples)
      icd_stream_report(walk, &walk->code->uses->reported, rule, false, "%s attachment has %u samples, but the pipeline rasterizes with %u",
                      what, attachment->view->num_samples, samples);
}

static void check_locations(const struct icd_stream_walk *walk, const struct icd_target_use *target, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const uint8_t own = target->locations[i], set = walk->state.color_locations.location[i];
      if ((own ? own : i + 1) != (set ? set : i + 1))
         REPORT(LOCATIONS, "color attachment %u has another location than in the pipeline", i);
   }
}

static void check_dynamic(const struct icd_stream_walk *walk, const struct icd_target_use *target)
{
   const struct rt_cmd_begin_rendering *rendering = walk->rendering;
   if (target->subpass) {
      REPORT(NO_PASS, "the pipeline was made for a render pass, not for dynamic rendering");
      return;
   }
   if (rendering->view_mask != target->view_mask)
      REPORT(VIEW_MASK, "a view mask of 0x%x, but the pipeline was made for 0x%x", rendering->view_mask, target->view_mask);
   if (rendering->num_colors != target->num_colors && !walk->device->features.dynamicRenderingUnusedAttachments)
      REPORT(COLOR_COUNT, "%u color attachments, but the pipeline was made for %u", rendering->num_colors, target->num_colors);
   for (uint32_t i = 0; i < rendering->num_colors; i++) {
      check_samples(walk, &rendering->colors[i], ICD_STREAM_COLOR_SAMPLES, "a color");
      if (i < target->num_colors || walk->device->features.dynamicRenderingUnusedAttachments)
         check_format(walk, "color", i, format_of(&rendering->colors[i], false), target->colors[i], ICD_STREAM_COLOR_FORMAT, is_written(walk, i));
   }
   check_locations(walk, target, UTIL_MIN(rendering->num_colors, target->num_colors));
   check_format(walk, "depth", 0, format_of(&rendering->depth, false), target->depth, ICD_STREAM_DEPTH_FORMAT, walk->state.depth_test.enable);
   check_samples(walk, &rendering->depth, ICD_STREAM_DEPTH_SAMPLES, "the depth");
   check_format(walk, "stencil", 0, format_of(&rendering->stencil, true), target->stencil, ICD_STREAM_STENCIL_FORMAT,
                walk->state.stencil_test.enable);
   check_samples(walk, &rendering->stencil, ICD_STREAM_STENCIL_SAMPLES, "the stencil");
}

static bool fits_pass(const struct icd_stream_walk *walk, const struct icd_target_use *target, const struct rt_attachment *attachment,
                      VkFormat format, VkFormat expected, const char *what, uint32_t index)
{
   if (format != expected)
      REPORT(PASS, "%s attachment %u of the subpass is %s, but of the pipeline's %s", what, index, name_of(format), name_of(expected));
   else if (attachment->view && attachment->view->num_samples != target->samples)
      REPORT(PASS, "%s attachment %u of the subpass has %u samples, but of the pipeline's %u", what, index, attachment->view->num_samples,
           target->samples);
   else
      return true;
   return false;
}

/* Render passes are compatible if all their subpasses are; what a draw depends on is this one. */
static void check_pass(const struct icd_stream_walk *walk, const struct icd_target_use *target)
{
   const struct rt_cmd_begin_rendering *rendering = walk->rendering;
   if (!target->subpass) {
      REPORT(PASS, "the pipeline was made for dynamic rendering, not for a render pass");
      return;
   }
   if (rendering->subpass != target->subpass)
      REPORT(SUBPASS, "subpass %u, but the pipeline was made for %u", rendering->subpass - 1, target->subpass - 1);
   else if (rendering->view_mask != target->view_mask)
      REPORT(PASS, "a view mask of 0x%x, but the pipeline's subpass has 0x%x", rendering->view_mask, target->view_mask);
   else {
      bool fits = true;
      for (uint32_t i = 0; i < ABI_MAX_ATTACHMENTS && fits; i++)
         fits = fits_pass(walk, target, &rendering->colors[i], format_of(&rendering->colors[i], false), target->colors[i], "color", i);
      fits = fits && fits_pass(walk, target, &rendering->depth, format_of(&rendering->depth, false), target->depth, "depth", 0) &&
             fits_pass(walk, target, &rendering->stencil, format_of(&rendering->stencil, true), target->stencil, "stencil", 0);
      if (fits && target->samples && target->samples != walk->state.rasterization_samples.samples)
         REPORT(PASS_SAMPLES, "the subpass has %u samples, but the pipeline rasterizes with %u", target->samples,
              walk->state.rasterization_samples.samples);
   }
}

void icd_check_draw_targets(const struct icd_stream_walk *walk)
{
   const struct icd_shader_uses *uses = walk->code->uses;
   if (!uses || !uses->target.is_known || !walk->rendering || walk->state.rasterizer_discard.enable)
      return;
   if (walk->rendering->subpass)
      check_pass(walk, &uses->target);
   else
      check_dynamic(walk, &uses->target);
}
