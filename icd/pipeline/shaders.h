/* SPDX-License-Identifier: MIT
 * The shaders that a pipeline has, and what reports call them. */
#pragma once

#include "icd/cache/shader.h"
#include "icd/pipeline.h"

/* What reports call a shader: its own name, and what the application calls the pipeline or shader object (`class`) that has it. */
void icd_shader_label(char label[160], const struct icd_shader *shader, const char *class, const char *name);

/* Makes it the pipeline's shader of its stage; takes over a reference. The bind point must be set. */
void icd_pipeline_add_shader(struct icd_pipeline *pipeline, struct icd_shader *shader);

/* Makes the labels: at creation, and when the application has named the pipeline. */
void icd_pipeline_label(struct icd_pipeline *pipeline);
