/* SPDX-License-Identifier: MIT
 * What draws and dispatches give their shaders, against what these declare: under VK_SWRAST_DEBUG=validate only, when work is
 * submitted. Results are defined whatever is found; messages say what the application did not mean.
 * Source: Drawing Commands and Dispatching Commands, valid usage; Fixed-Function Vertex Processing; Shader Interfaces, "Fragment Output
 * Interface"; Vulkan Environment for SPIR-V, "Compatibility Between SPIR-V Image Dimensions and Vulkan ImageView Types" and "Image
 * Formats and Vulkan Formats". */
#pragma once

struct icd_device;
struct rt_cmd_stream;

/* Looks at every draw and dispatch of a stream. Does nothing where the switch is off. */
void icd_validate_stream(struct icd_device *device, const struct rt_cmd_stream *stream);
