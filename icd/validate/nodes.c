/* SPDX-License-Identifier: MIT
 * Nodes of execution graphs and their payloads. The rules speak of the first revision's output variables; those of the second are payload arrays that
 * instructions allocate. Spec: Vulkan Environment for SPIR-V. */
#include "icd/validate/check.h"

#include "util/alloc.h"

static bool is_node_model(const struct icd_spirv_entry *entry)
{
   return entry->model == SpvExecutionModelGLCompute || entry->model == SpvExecutionModelMeshEXT;
}

/* Bytes of one payload of an array, or of what is none; 0: unknown. */
static uint64_t payload_bytes(const struct icd_check *check, uint32_t type, const uint64_t *type_bytes)
{
   const struct icd_spirv_inst array = icd_spirv_definition(check->module, type);
   const uint32_t payload = array.op == SpvOpTypeNodePayloadArrayAMDX ? icd_spirv_word(&array, 2) : type;
   return payload < check->module->bound && type_bytes[payload] != UINT64_MAX ? type_bytes[payload] : 0;
}

/* The payload array that the instruction allocates one of; 0: none. */
static uint32_t allocated_type(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   SpvStorageClass where;
   return inst->op == SpvOpAllocateNodePayloadsAMDX ? icd_spirv_pointee(check->module, icd_spirv_word(inst, 1), &where) : 0;
}

/* Payload arrays that take the resources of another one count by the largest of them; each counts once. False: out of memory. */
static bool sum_outputs(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint64_t *type_bytes, uint64_t *sum)
{
   uint64_t *largest = util_calloc(check->module->bound, sizeof(*largest)); /* by type that has the resources */
   if (!largest)
      return false;
   ICD_CHECK_BODY(check, function, inst) {
      const uint32_t type = function->stages & entry->stage ? allocated_type(check, &inst) : 0;
      const uint32_t owner = icd_spirv_decorated(check->module, type, UINT32_MAX, SpvDecorationNodeSharesPayloadLimitsWithAMDX, type);
      const uint64_t bytes = payload_bytes(check, type, type_bytes);
      if (!type || owner >= check->module->bound || bytes <= largest[owner])
         continue;
      *sum += bytes - largest[owner];
      largest[owner] = bytes;
   }
   util_mfree(largest);
   return true;
}

static void check_allocations(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint64_t *type_bytes)
{
   const struct icd_properties *limits = check->env->properties;
   uint32_t count = 0;
   ICD_CHECK_BODY(check, function, inst) {
      const uint32_t type = function->stages & entry->stage ? allocated_type(check, &inst) : 0;
      if (!type)
         continue;
      uint32_t max;
      const uint64_t bytes = payload_bytes(check, type, type_bytes);
      if (bytes > limits->maxExecutionGraphShaderPayloadSize)
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_maxExecutionGraphShaderPayloadSize_09194, &inst, "%llu of %u bytes", (unsigned long long)bytes,
                            limits->maxExecutionGraphShaderPayloadSize);
      if (icd_spirv_constant(check->module, icd_spirv_decorated(check->module, type, UINT32_MAX, SpvDecorationNodeMaxPayloadsAMDX, 0), &max) &&
          max > limits->maxExecutionGraphShaderPayloadCount)
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_maxExecutionGraphShaderPayloadCount_09196, &inst, "%u of %u", max,
                            limits->maxExecutionGraphShaderPayloadCount);
      if (++count == limits->maxExecutionGraphShaderOutputNodes + 1)
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_maxExecutionGraphShaderOutputNodes_09197, &inst, "more than %u",
                            limits->maxExecutionGraphShaderOutputNodes);
   }
}

bool icd_check_node(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint8_t *used, const uint64_t *type_bytes)
{
   const uint32_t limit = check->env->properties->maxExecutionGraphShaderPayloadSize;
   uint64_t sum = 0;
   if (!icd_spirv_has_capability(check->module, SpvCapabilityShaderEnqueueAMDX))
      return true;
   if (!is_node_model(entry))
      ICD_BROKEN(check, RuntimeSpirv_ShaderEnqueueAMDX_09191, &entry->inst);
   ICD_CHECK_GLOBALS(check, inst) {
      SpvStorageClass where = SpvStorageClassMax;
      const uint32_t id = icd_spirv_word(&inst, 2);
      if (inst.op != SpvOpVariable || id >= check->module->bound || !used[id])
         continue;
      const uint32_t type = icd_spirv_variable_type(check->module, &inst, &where);
      if (where != SpvStorageClassNodePayloadAMDX)
         continue;
      const uint64_t bytes = payload_bytes(check, type, type_bytes);
      sum += bytes;
      if (!is_node_model(entry))
         ICD_BROKEN(check, RuntimeSpirv_NodePayloadAMDX_09192, &inst);
      if (bytes > limit)
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_maxExecutionGraphShaderPayloadSize_09193, &inst, "%llu of %u bytes", (unsigned long long)bytes, limit);
   }
   check_allocations(check, entry, type_bytes);
   const bool has_memory = sum_outputs(check, entry, type_bytes, &sum);
   if (sum > limit)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_maxExecutionGraphShaderPayloadSize_09195, &entry->inst, "%llu of %u bytes", (unsigned long long)sum, limit);
   return has_memory;
}
