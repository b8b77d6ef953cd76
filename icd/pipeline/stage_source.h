/* SPDX-License-Identifier: MIT
 * A shader stage as a pipeline library keeps it: what linking compares with the stages of other libraries.
 * Counted: a library that is linked into a library shares it. Threads: constant after creation, the count is atomic. */
#pragma once

#include "compiler/compiler.h"

#include <stdatomic.h>

struct icd_stage_source {
   atomic_uint references;
   struct comp_shader_desc desc; /* points into the memory behind; no layout: linking has one */
};

/* A copy with one reference; NULL: out of memory. */
struct icd_stage_source *icd_stage_source_create(const struct comp_shader_desc *desc);
struct icd_stage_source *icd_stage_source_retain(struct icd_stage_source *source);
void icd_stage_source_release(struct icd_stage_source *source); /* NULL is ignored */
