/* SPDX-License-Identifier: MIT
 * VkPipelineBinaryKHR: the code of one stage, as pipelines share it. Spec: Pipelines, "Pipeline Binaries". Constant after creation. */
#pragma once

#include "icd/cache/shader.h"
#include "icd/object.h"

struct icd_pipeline_binary {
   struct icd_object base;
   struct icd_shader *shader; /* a reference */
};

/* Whether a pipeline is made of binaries, whose stages need no module then. */
bool icd_has_binaries(const VkPipelineBinaryInfoKHR *info);
/* The code of the index-th stage of that kind; NULL: it is not among them. No reference is given. */
struct icd_shader *icd_binary_of_stage(const VkPipelineBinaryInfoKHR *info, enum abi_stage stage, uint32_t index);
