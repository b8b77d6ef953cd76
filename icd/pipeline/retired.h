/* SPDX-License-Identifier: MIT
 * Pipelines that are destroyed while commands that use them are executed. The specification forbids it; DXVK's Direct3D 9 does it with the
 * shaders that convert texels, which it destroys before it waits for the device, and others' drivers let it pass.
 * Spec: Pipelines, "Pipeline Destruction". Threads: all from any, but icd_retired_finish(), after the queues. */
#pragma once

#include "icd/pipeline.h"

/* Takes the pipeline if a submission that came before is not over yet and the application has no allocator that ought to get its memory back
 * now. Else false. Frees those that were taken earlier and whose submissions are over. */
UTIL_MUST_CHECK bool icd_pipeline_retire(struct icd_device *device, struct icd_pipeline *pipeline, const VkAllocationCallbacks *allocator);
void icd_pipeline_free(struct icd_device *device, struct icd_pipeline *pipeline, const VkAllocationCallbacks *allocator);
/* Frees all that were taken; the device's queues are gone. */
void icd_retired_finish(struct icd_device *device);
