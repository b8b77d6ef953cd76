/* SPDX-License-Identifier: MIT
 * VkPipelineBinaryKHR: the code of one stage, as pipelines share it. Spec: Pipelines, "Pipeline Binaries". Constant after creation. */
#pragma once

#include "icd/cache/shader.h"
#include "icd/object.h"

struct icd_pipeline_binary {
   struct icd_object base;
   struct icd_shader *shader; /* a reference */
};
