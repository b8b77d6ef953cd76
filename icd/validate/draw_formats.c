/* SPDX-License-Identifier: MIT
 * Formats of vertex attributes and of color attachments, against the types that shaders read and write. */
#include "abi/image.h"
#include "icd/device/device.h"
#include "icd/validate/stream_check.h"
#include "icd/validate/uses.h"
#include "runtime/format/format.h"

static enum icd_io_class class_of(const struct rt_format_info *format)
{
   return !format->is_int ? ICD_IO_FLOAT : format->is_signed ? ICD_IO_SINT : ICD_IO_UINT;
}

static const char *class_name(enum icd_io_class class)
{
   static const char *const names[] = {"nothing", "floats", "signed integers", "unsigned integers"};
   return names[class];
}

static void check_attribute(const struct icd_stream_walk *walk, uint32_t location, bool is_static)
{
   struct icd_shader_uses *uses = walk->code->uses;
   const struct icd_io_type *input = &uses->inputs[location];
   const struct rt_vertex_attribute *attribute = &walk->state.vertex_input.attributes[location];
   const struct rt_format_info *format = rt_format_info((VkFormat)attribute->format);
   const bool is_wide = format->channels[0].bits == 64;
#define REPORT(rule, ...) icd_stream_report(walk, &uses->reported, ICD_STREAM_ATTRIBUTE##rule, is_static, __VA_ARGS__)
   if (!attribute->is_enabled) {
      if (!walk->device->features.vertexAttributeRobustness)
         REPORT(, "the vertex shader reads location %u, which the vertex input does not have", location);
      return;
   }
   /* Numbers of another numeric type come as bits, which is what the feature asks for. */
   const bool takes_bits = !is_static && walk->device->features.legacyVertexAttributes && input->width != 64 && !is_wide;
   if (class_of(format) != input->class && !takes_bits)
      REPORT(_NUMERIC, "the vertex shader reads %s at location %u, but the attribute is %s", class_name(input->class), location, format->name);
   else if (is_wide && input->width != 64)
      REPORT(_NARROW, "the vertex shader reads %u bits at location %u, but the attribute is %s", input->width, location, format->name);
   else if (!is_wide && input->width == 64)
      REPORT(_WIDE, "the vertex shader reads 64 bits at location %u, but the attribute is %s", location, format->name);
   else if (is_wide && input->components > format->num_channels)
      REPORT(_COMPONENTS, "the vertex shader reads %u components at location %u, but the attribute is %s", input->components, location,
           format->name);
#undef REPORT
}

/* What reaches an attachment of another numeric type is the bits of the shader's value: defined here, undefined by the specification. */
static void check_attachment(const struct icd_stream_walk *walk, uint32_t index)
{
   struct icd_shader_uses *uses = walk->code->uses;
   const struct abi_image *view = walk->rendering->colors[index].view;
   const uint8_t mapped = walk->state.color_locations.location[index];
   const uint32_t location = mapped ? mapped - 1u : index;
   if (!view || mapped == RT_NO_LOCATION || location >= ABI_MAX_ATTACHMENTS || !walk->state.color_write_mask.mask[index])
      return;
   const struct icd_io_type *output = &uses->outputs[location];
   const struct rt_format_info *format = rt_format_info((VkFormat)view->format);
   if (output->class && output->class != class_of(format))
      icd_stream_report(walk, &uses->reported, ICD_STREAM_OUTPUT, false, "the fragment shader writes %s to location %u, but color attachment %u is %s",
                      class_name(output->class), location, index, format->name);
}

void icd_check_draw_formats(const struct icd_stream_walk *walk)
{
   const struct icd_shader_uses *uses = walk->code->uses;
   for (uint32_t i = 0; uses && i < RT_MAX_VERTEX_ATTRIBUTES; i++) {
      if (uses->inputs[i].class)
         check_attribute(walk, i, walk->code->has_vertex_input);
   }
   for (uint32_t i = 0; uses && walk->rendering && i < walk->rendering->num_colors; i++)
      check_attachment(walk, i);
}
