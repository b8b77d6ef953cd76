/* SPDX-License-Identifier: MIT
 * The rules' checks, a file a theme. Each walks a parsed module and reports what it breaks; none changes anything.
 * Source: Vulkan Environment for SPIR-V, "Standalone" and "Runtime SPIR-V Validation". */
#pragma once

#include "icd/validate/module.h"
#include "icd/validate/report.h"
#include "icd/validate/spirv.h"

struct icd_check {
   const struct icd_spirv_module *module;
   const struct icd_validate_env *env;
   struct icd_report *report;
};

/* Reports ICD_RULE_<rule> at `inst`. */
#define ICD_BROKEN(check, rule, inst) icd_report_rule((check)->report, (check)->module, ICD_RULE_##rule, inst, NULL)
/* The same with more words. */
#define ICD_BROKEN_BECAUSE(check, rule, inst, ...)                                                                     \
   icd_report_rule((check)->report, (check)->module, ICD_RULE_##rule, inst, __VA_ARGS__)

/* All instructions of all functions; `function` is the one that `inst` is in. */
#define ICD_CHECK_BODY(check, function, inst)                                                                          \
   for (const struct icd_spirv_function *function = (check)->module->functions;                                        \
        function < (check)->module->functions + (check)->module->num_functions; function++)                            \
   ICD_SPIRV_EACH((check)->module, inst, function->begin, function->end)

/* The last version of SPIR-V in which private variables and those of functions might have a layout. */
#define ICD_SPIRV_LAST_WITH_LAYOUTS 0x10400u

/* The rule that asks for valid SPIR-V at all. */
#define ICD_RULE_VALID_SPIRV "VUID-VkShaderModuleCreateInfo-pCode-08737"

/* What comes before the first function. */
#define ICD_CHECK_GLOBALS(check, inst)                                                                                 \
   ICD_SPIRV_EACH((check)->module, inst, 5,                                                                            \
                  (check)->module->num_functions ? (check)->module->functions[0].begin : (check)->module->num_words)

/* False: out of memory, with part of the checks done. "Again": when specialization constants have values, for the entry point that
 * a pipeline chooses. */
UTIL_MUST_CHECK bool icd_check_float_controls(const struct icd_check *check);
UTIL_MUST_CHECK bool icd_check_entries(const struct icd_check *check); /* what each entry point uses; again */
UTIL_MUST_CHECK bool icd_check_paths(const struct icd_check *check);   /* what is to be on each path */
UTIL_MUST_CHECK bool icd_check_bounds(const struct icd_check *check);  /* what would take SPIRV-Tools too long */
UTIL_MUST_CHECK VkResult icd_check_tools(const struct icd_check *check); /* SPIRV-Tools; VK_ERROR_OUT_OF_HOST_MEMORY */
void icd_check_interface(const struct icd_check *check);               /* variables, their types and decorations */
void icd_check_workgroups(const struct icd_check *check);              /* again */
void icd_check_pointers(const struct icd_check *check);                /* how resources and memory are reached */
void icd_check_untyped(const struct icd_check *check);                 /* untyped pointers */
void icd_check_heaps(const struct icd_check *check);                   /* of descriptors */
void icd_check_operations(const struct icd_check *check);              /* atomics, groups, scopes */
void icd_check_matrices(const struct icd_check *check);                /* again */
void icd_check_vectors(const struct icd_check *check);                 /* cooperative ones; again */
void icd_check_images(const struct icd_check *check);                  /* again */
void icd_check_processing(const struct icd_check *check);              /* SPV_QCOM_image_processing */
void icd_check_tile_images(const struct icd_check *check);             /* their variables */
UTIL_MUST_CHECK bool icd_check_meshes(const struct icd_check *check);  /* task and mesh shaders */
void icd_check_rays(const struct icd_check *check);                    /* their flags, and what changes while shaders wait */
void icd_check_streams(const struct icd_check *check);                 /* that geometry shaders emit to */
void icd_check_capabilities(const struct icd_check *check);            /* and extensions */

/* Those of one entry point, as icd_spirv_used() has them. */
void icd_check_tile_variables(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint8_t *used);

/* What a task or mesh shader takes of memory; type_bytes, type_locations: of types, by id. */
void icd_check_mesh_memory(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint8_t *used, const uint64_t *type_bytes,
                           const uint32_t *type_locations);

/* What an entry point is as a node of execution graphs; type_bytes as below. False: out of memory. */
UTIL_MUST_CHECK bool icd_check_node(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint8_t *used, const uint64_t *type_bytes);

/* What an entry point's outputs are captured as; type_bytes: of types, by id, UINT64_MAX: unknown. False: out of memory. */
UTIL_MUST_CHECK bool icd_check_captures(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint64_t *type_bytes);

/* A variable, or a pointer to PhysicalStorageBuffer, of a type with values of 8 or 16 bits; what instructions access as such. */
void icd_check_narrow(const struct icd_check *check, const struct icd_spirv_inst *inst, SpvStorageClass where, uint32_t type);
void icd_check_narrow_access(const struct icd_check *check, const struct icd_spirv_inst *inst);
/* Bytes of the least value that a storage class may be accessed by: 1, 2 or 4. */
uint32_t icd_narrowest_access(const struct icd_check *check, SpvStorageClass where);

/* What Vulkan calls a scalar type of numbers; VK_COMPONENT_TYPE_MAX_ENUM_KHR: nothing. */
VkComponentTypeKHR icd_component_type(const struct icd_spirv_inst *scalar);

/* The highest version of SPIR-V, as in a module's header, that a version of Vulkan takes with these extensions. */
uint32_t icd_spirv_highest(uint32_t api_version, const struct icd_extension_set *extensions);

/* A memory scope among the operands of `inst`; `id` 0: none. */
void icd_check_memory_scope(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t id);
