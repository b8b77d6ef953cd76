/* SPDX-License-Identifier: MIT
 * VkShaderEXT: one stage, by itself. Code depends neither on state nor on other stages, so a shader object is a reference to a compiled
 * shader and what commands bind of it; those that are bound together become what a pipeline has, in the command stream.
 * Spec: Shaders, "Shader Objects". Owns: one reference to the shader. Threads: constant after creation. */
#pragma once

#include "icd/device/device.h"
#include "runtime/state.h"

struct icd_shader;
struct icd_shader_uses;

struct icd_shader_object {
   struct icd_object base;
   struct icd_shader *shader;
   struct rt_compute_pipeline code; /* of any stage; only a compute shader is bound by this address */
   struct icd_shader_uses *uses;    /* under VK_SWRAST_DEBUG=validate, else NULL; nothing is known of a binary */
   char label[160];                 /* what reports call it */
};

/* In a command stream: the shader objects of the graphics stages. */
struct icd_bound_shaders {
   struct rt_graphics_pipeline graphics;
   const struct icd_shader_object *objects[ABI_NUM_STAGES]; /* NULL: none */
};

/* Makes the label: at creation, and when the application has named the object. */
void icd_shader_object_label(struct icd_shader_object *object);
