/* SPDX-License-Identifier: MIT
 * Variables: their types, decorations and storage classes against the enabled features. */
#include "icd/validate/check.h"
#include "util/spirv_numbers.h"

static bool is_block(const struct icd_check *check, uint32_t type)
{
   return icd_spirv_find(check->module, icd_spirv_strip_arrays(check->module, type, NULL), UINT32_MAX, SpvDecorationBlock) != NULL;
}

/* ---- images as variables ---- */

static void check_image_variable(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t type)
{
   const struct icd_spirv_module *module = check->module;
   const uint32_t id = icd_spirv_word(inst, 2);
   uint32_t levels;
   const struct icd_spirv_inst image = icd_spirv_definition(module, icd_spirv_strip_arrays(module, type, &levels));
   if (image.op != SpvOpTypeImage)
      return;

   if (icd_spirv_word(&image, 3) == SpvDimSubpassData && !icd_spirv_find(module, id, UINT32_MAX, SpvDecorationInputAttachmentIndex)) {
      if (levels)
         ICD_BROKEN(check, RuntimeSpirv_OpTypeImage_09644, inst);
      else if (!check->env->features->dynamicRenderingLocalRead)
         ICD_BROKEN(check, RuntimeSpirv_None_09558, inst);
   }
   const bool has_format_features = check->env->properties->core.apiVersion >= VK_API_VERSION_1_3 ||
                                    icd_has_extension(check->env->extensions, ICD_EXT_KHR_format_feature_flags2);
   if (has_format_features || icd_spirv_word(&image, 7) != 2 || icd_spirv_word(&image, 8) != SpvImageFormatUnknown ||
       icd_spirv_word(&image, 3) == SpvDimSubpassData)
      return;
   if (!check->env->features->shaderStorageImageWriteWithoutFormat &&
       !icd_spirv_find(module, id, UINT32_MAX, SpvDecorationNonWritable))
      ICD_BROKEN(check, RuntimeSpirv_apiVersion_07954, inst);
   if (!check->env->features->shaderStorageImageReadWithoutFormat &&
       !icd_spirv_find(module, id, UINT32_MAX, SpvDecorationNonReadable))
      ICD_BROKEN(check, RuntimeSpirv_apiVersion_07955, inst);
}

/* ---- storage classes ---- */

/* Of the rule's list, and of what extensions of this device add to it: all others are of OpenCL, of OpenGL or of nobody. */
static bool is_of_vulkan(uint32_t where)
{
   switch (where) {
   case SpvStorageClassUniformConstant: case SpvStorageClassInput: case SpvStorageClassUniform: case SpvStorageClassOutput:
   case SpvStorageClassWorkgroup: case SpvStorageClassPrivate: case SpvStorageClassFunction: case SpvStorageClassPushConstant:
   case SpvStorageClassImage: case SpvStorageClassStorageBuffer: case SpvStorageClassRayPayloadKHR: case SpvStorageClassIncomingRayPayloadKHR:
   case SpvStorageClassHitAttributeKHR: case SpvStorageClassCallableDataKHR: case SpvStorageClassIncomingCallableDataKHR:
   case SpvStorageClassShaderRecordBufferKHR: case SpvStorageClassPhysicalStorageBuffer: case SpvStorageClassTileImageEXT:
   case SpvStorageClassTaskPayloadWorkgroupEXT: case SpvStorageClassHitObjectAttributeNV: case SpvStorageClassNodePayloadAMDX:
   case UTIL_SPV_STORAGE_CLASS_HIT_OBJECT_ATTRIBUTE: return true;
   default: return false;
   }
}

static void check_class(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const bool is_pointer = inst->op == SpvOpTypePointer || inst->op == SpvOpTypeForwardPointer || inst->op == SpvOpTypeUntypedPointerKHR;
   if ((is_pointer && !is_of_vulkan(icd_spirv_word(inst, 2))) || (icd_spirv_is_variable(inst->op) && !is_of_vulkan(icd_spirv_word(inst, 3))))
      ICD_BROKEN(check, StandaloneSpirv_None_04643, inst);
}

/* ---- transform feedback ---- */

/* An offset of an output, without a buffer to be captured in: of the variable or of a member at any depth, which says itself where it is captured, or
 * inherits it from the whole block. */
static void check_output_offset(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t type)
{
   const uint32_t id = icd_spirv_word(inst, 2), block = icd_spirv_strip_arrays(check->module, type, NULL);
   const bool has_offset = icd_spirv_find(check->module, id, UINT32_MAX, SpvDecorationOffset);
   const uint32_t flags = icd_spirv_type_flags(check->module, type);
   bool is_broken = false;
   static const struct {
      SpvDecoration name;
      uint32_t flag;
   } needed[] = {{SpvDecorationXfbBuffer, ICD_TYPE_HAS_OFFSET_WITHOUT_BUFFER}, {SpvDecorationXfbStride, ICD_TYPE_HAS_OFFSET_WITHOUT_STRIDE}};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(needed); i++)
      is_broken |= (has_offset || flags & needed[i].flag) && !icd_spirv_find(check->module, id, UINT32_MAX, needed[i].name) &&
                   !icd_spirv_find(check->module, block, UINT32_MAX, needed[i].name);
   if (is_broken)
      ICD_BROKEN(check, StandaloneSpirv_Offset_04716, inst);
}

/* Buffers of the oldest form are in the same storage class, and may; other uses of such arrays and untyped variables have rules of their own. */
static void check_uniform_block(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t type)
{
#ifdef VK_EXT_shader_uniform_buffer_unsized_array
   if (check->env->features->shaderUniformBufferUnsizedArray)
      return;
#endif
   const uint32_t block = icd_spirv_strip_arrays(check->module, type, NULL);
   const struct icd_spirv_inst members = icd_spirv_definition(check->module, block);
   if (members.op == SpvOpTypeStruct && members.count > 2 && !icd_spirv_find(check->module, block, UINT32_MAX, SpvDecorationBufferBlock) &&
       icd_spirv_definition(check->module, icd_spirv_word(&members, members.count - 1)).op == SpvOpTypeRuntimeArray)
      ICD_BROKEN(check, RuntimeSpirv_shaderUniformBufferUnsizedArray_11806, inst);
}

/* ---- arrays sized by specialization ---- */

/* Such an array may be the whole variable; inside of something larger offsets would depend on it. */
static void check_spec_array(const struct icd_check *check, const struct icd_spirv_inst *inst, SpvStorageClass where, uint32_t type)
{
   if (where == SpvStorageClassFunction || where == SpvStorageClassPrivate ||
       (where == SpvStorageClassWorkgroup && !is_block(check, type)))
      return;
   const struct icd_spirv_inst outer = icd_spirv_definition(check->module, type);
   uint32_t inner = type;
   if (outer.op == SpvOpTypeArray || outer.op == SpvOpTypeRuntimeArray)
      inner = icd_spirv_word(&outer, 2);
   /* an interface variable's own array holds one element a vertex */
   const bool has_arrayed_interface = where == SpvStorageClassInput || where == SpvStorageClassOutput;
   const struct icd_spirv_inst element = icd_spirv_definition(check->module, inner);
   if (has_arrayed_interface && inner != type && element.op == SpvOpTypeArray)
      inner = icd_spirv_word(&element, 2);
   if (icd_spirv_type_flags(check->module, inner) & ICD_TYPE_HAS_SPEC)
      ICD_BROKEN(check, StandaloneSpirv_Function_04681, inst);
}

/* ---- layouts ---- */

/* Variables that are in no memory of the application have no layout; up to SPIR-V 1.4 those of one invocation might. */
static void check_layout(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t type = icd_spirv_variable_type(check->module, inst, &where);
   const bool is_shared = where == SpvStorageClassWorkgroup && !icd_spirv_has_capability(check->module, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR);
   const bool is_own = (where == SpvStorageClassFunction || where == SpvStorageClassPrivate) && check->module->version > ICD_SPIRV_LAST_WITH_LAYOUTS;
   if ((is_shared || is_own || where == SpvStorageClassUniformConstant) && icd_spirv_type_flags(check->module, type) & ICD_TYPE_HAS_LAYOUT)
      ICD_BROKEN(check, StandaloneSpirv_None_10684, inst);
}

/* ---- decorations ---- */

/* Built-ins of SPIR-V that Vulkan does not have; the instance of a hit is one that it has. */
static bool is_foreign_builtin(const struct icd_check *check, uint32_t builtin)
{
   static const uint32_t foreign[] = {
      SpvBuiltInVertexId,        SpvBuiltInInstanceId,         SpvBuiltInWorkDim,         SpvBuiltInGlobalSize,
      SpvBuiltInEnqueuedWorkgroupSize, SpvBuiltInGlobalOffset, SpvBuiltInGlobalLinearId, SpvBuiltInSubgroupMaxSize,
      SpvBuiltInNumEnqueuedSubgroups,
   };
   if (builtin == SpvBuiltInInstanceId && icd_spirv_has_capability(check->module, SpvCapabilityRayTracingKHR))
      return false;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(foreign); i++) {
      if (foreign[i] == builtin)
         return true;
   }
   return false;
}

/* The type that a decoration stands on: of a member or of what a variable points to. */
static uint32_t decorated_type(const struct icd_check *check, const struct icd_spirv_decoration *decoration)
{
   SpvStorageClass where;
   const struct icd_spirv_inst target = icd_spirv_definition(check->module, decoration->target);
   if (decoration->member != UINT32_MAX)
      return decoration->member < UINT32_MAX - 2 ? icd_spirv_word(&target, decoration->member + 2) : 0;
   return icd_spirv_pointee(check->module, icd_spirv_result_type(&target), &where);
}

static void check_decorations(const struct icd_check *check)
{
   for (uint32_t i = 0; i < check->module->num_decorations; i++) {
      const struct icd_spirv_decoration *decoration = &check->module->decorations[i];
      const struct icd_spirv_inst target = icd_spirv_definition(check->module, decoration->target);
      if (decoration->name == SpvDecorationBuiltIn && decoration->num_operands &&
          is_foreign_builtin(check, check->module->words[decoration->offset]))
         ICD_BROKEN(check, StandaloneSpirv_BuiltIn_04668, &target);
      if (decoration->name == SpvDecorationComponent) {
         const uint32_t type = icd_spirv_strip_arrays(check->module, decorated_type(check, decoration), NULL);
         const struct icd_spirv_inst inner = icd_spirv_definition(check->module, type);
         if (inner.op == SpvOpTypeMatrix || inner.op == SpvOpTypeStruct)
            ICD_BROKEN(check, StandaloneSpirv_Component_04924, &target);
      }
   }
}

/* How many a specialization makes of them is the compiler's to refuse. */
static void check_vector(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const uint32_t components = icd_spirv_components(check->module, inst);
   if ((uint32_t)inst->op == UTIL_SPV_OP_TYPE_VECTOR_ID && icd_spirv_has_capability(check->module, SpvCapabilityCooperativeVectorNV))
      return; /* a cooperative one: icd_check_vectors() */
#ifdef VK_EXT_shader_long_vector
   if (components > check->env->properties->maxVectorComponents)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_longVector_12296, inst, "%u of at most %u", components, check->env->properties->maxVectorComponents);
#else
   (void)components;
#endif
}

void icd_check_interface(const struct icd_check *check)
{
   ICD_CHECK_GLOBALS(check, inst) {
      SpvStorageClass where = SpvStorageClassMax;
      const uint32_t addressing = icd_spirv_word(&inst, 1);
      if (inst.op == SpvOpMemoryModel && addressing != SpvAddressingModelLogical &&
          addressing != SpvAddressingModelPhysicalStorageBuffer64)
         ICD_BROKEN(check, StandaloneSpirv_None_04635, &inst);
      if (inst.op == SpvOpTypePointer && icd_spirv_word(&inst, 2) == SpvStorageClassPhysicalStorageBuffer)
         icd_check_narrow(check, &inst, SpvStorageClassPhysicalStorageBuffer, icd_spirv_word(&inst, 3));
      check_class(check, &inst);
      check_vector(check, &inst);
      if (!icd_spirv_is_variable(inst.op))
         continue;
      const uint32_t type = icd_spirv_variable_type(check->module, &inst, &where);
      icd_check_narrow(check, &inst, where, type);
      check_layout(check, &inst);
      check_image_variable(check, &inst, type);
      check_spec_array(check, &inst, where, type);
      if (where == SpvStorageClassUniform && inst.op == SpvOpVariable)
         check_uniform_block(check, &inst, type);
      if (where == SpvStorageClassOutput)
         check_output_offset(check, &inst, type);
      if ((where == SpvStorageClassInput || where == SpvStorageClassOutput) &&
          icd_spirv_type_flags(check->module, type) & ICD_TYPE_HAS_ADDRESS)
         ICD_BROKEN(check, StandaloneSpirv_Input_09557, &inst);
      if (where == SpvStorageClassWorkgroup && inst.count > (inst.op == SpvOpVariable ? 4 : 5) && !check->env->features->shaderZeroInitializeWorkgroupMemory)
         ICD_BROKEN(check, RuntimeSpirv_shaderZeroInitializeWorkgroupMemory_06372, &inst);
   }
   ICD_CHECK_BODY(check, function, inst) {
      if (icd_spirv_is_variable(inst.op))
         check_layout(check, &inst);
   }
   check_decorations(check);
}
