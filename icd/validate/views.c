/* SPDX-License-Identifier: MIT
 * The views that shaders read and write, against the images that they declare. */
#include "abi/image.h"
#include "abi/weights.h"
#include "gen/icd_spirv.h"
#include "icd/validate/stream_check.h"
#include "icd/validate/uses.h"
#include "runtime/format/format.h"

#include <string.h>

/* Rows of weights along both axes, which shaders take for a flat array of images. */
static bool has_rows_of_weights(const struct abi_image *view)
{
   return view->dim == ABI_DIM_1D && view->num_levels == 1 && view->levels[ABI_LEVEL_FILTER_SIZE].width;
}

static bool fits_dim(const struct abi_image *view, uint32_t dim)
{
   switch (dim) {
   case SpvDim1D:
      return view->dim == ABI_DIM_1D;
   case SpvDim2D:
   case SpvDimSubpassData:
      return (view->dim == ABI_DIM_2D && !view->is_cube) || has_rows_of_weights(view);
   case SpvDim3D:
      return view->dim == ABI_DIM_3D;
   case SpvDimCube:
      return view->dim == ABI_DIM_CUBE || view->is_cube;
   case SpvDimBuffer:
      return view->dim == ABI_DIM_BUFFER;
   default:
      return true;
   }
}

#define REPORT(rule, format, ...)                                                                                      \
   icd_stream_report(walk, &use->reported, ICD_STREAM_##rule, false, "binding %u of set %u: " format, use->binding,    \
                   use->set __VA_OPT__(, ) __VA_ARGS__)

static void check_view(const struct icd_stream_walk *walk, struct icd_image_use *use, const struct abi_image *view)
{
   const struct rt_format_info *format = rt_format_info((VkFormat)view->format);
   const bool is_stencil = format->is_stencil && (!format->is_depth || view->aspect == VK_IMAGE_ASPECT_STENCIL_BIT);
   const bool is_float = !is_stencil && !format->is_int, is_signed = format->is_signed && !is_stencil;
   const bool is_64_bit = format->channels[0].bits == 64;
   const uint32_t expected = icd_spirv_image_format((VkFormat)view->format);
   if (!fits_dim(view, use->dim))
      REPORT(DIM, "a view of this type does not fit Dim %s", icd_spirv_dim_name(use->dim));
   if (is_float != (bool)use->is_float || (!is_float && is_signed != (bool)use->is_signed))
      REPORT(NUMERIC, "%s has not the numeric type of the shader's image, %s", format->name,
           use->is_float ? "float" : use->is_signed ? "signed integer" : "unsigned integer");
   if (is_64_bit != (use->width == 64))
      REPORT(WIDTH, "%s has components of another width than the shader's image, %u", format->name, use->width);
   if (!use->is_ms && view->num_samples > 1)
      REPORT(SINGLE, "an image of %u samples where the shader's has one", view->num_samples);
   if (use->is_ms && view->num_samples == 1)
      REPORT(MULTI, "an image of one sample where the shader's has more");
   if (use->written_components && use->written_components < format->num_channels)
      REPORT(WRITE, "%u components are written to %s", use->written_components, format->name);
   if (use->format != SpvImageFormatUnknown && use->format != expected)
      REPORT(FORMAT, "%s where the shader declares format %s", format->name, icd_spirv_image_format_name(use->format));
}

void icd_check_views(const struct icd_stream_walk *walk, enum rt_bind_point point)
{
   struct icd_shader_uses *uses = walk->code->uses;
   for (uint32_t i = 0; uses && i < uses->num_images; i++) {
      struct icd_image_use *use = &uses->images[i];
      const uint8_t *set = use->set < ABI_MAX_SETS ? walk->sets[point][use->set] : NULL;
      struct abi_set_head head = {0};
      if (set)
         memcpy(&head, set - sizeof(head), sizeof(head));
      for (uint32_t d = 0; head.shape == use->shape && d < use->count; d++) {
         union abi_descriptor descriptor;
         memcpy(&descriptor, set + use->offset_bytes + d * sizeof(descriptor), sizeof(descriptor));
         if (use->is_mutable && !(abi_descriptor_untag(&descriptor) & ABI_CLASS_IMAGE))
            continue;
         if (descriptor.image.image && descriptor.image.image->data)
            check_view(walk, use, descriptor.image.image);
      }
   }
}
