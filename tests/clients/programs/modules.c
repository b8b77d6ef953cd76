/* SPDX-License-Identifier: MIT */
/*
 * Gives SPIR-V modules that other compilers and programs have made to a driver, each in a process of its own: to vkCreateShaderModule, then
 * every entry point to vkCreateShadersEXT with the layouts that the module's reflection asks for.
 *
 *    modules [--slow MS] [--list] FILE.spv...
 *
 * Prints a line for each module that is not taken, crashes, or takes longer than MS milliseconds (default: 1,000), with --list for each, then
 * `N of M modules, K of L entry points`. Exit status: 0, or 1 where a module ended its process or its time (20 s).
 */
#include "reflection.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { TIMEOUT_S = 20 };

/* What a module's process reports to its parent. */
struct outcome {
   double ms;
   uint32_t num_entries;
   uint32_t num_compiled;
   bool is_module;
   bool is_done;
   char why[1000]; /* the driver's last error, or what this program does not do */
};

struct device {
   VkInstance instance;
   VkDevice handle;
   PFN_vkCreateShadersEXT create_shaders;
   PFN_vkDestroyShaderEXT destroy_shader;
};

static struct outcome *outcome; /* shared with the process of the module */

/* Ends the module's process; what the driver said before comes first. */
static void fail(const char *what)
{
   if (!outcome->why[0])
      snprintf(outcome->why, sizeof outcome->why, "%s", what);
   _exit(2);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
   (void)types, (void)user;
   if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT && !outcome->why[0])
      snprintf(outcome->why, sizeof outcome->why, "%s", data->pMessage);
   return VK_FALSE;
}

/* All features of the first physical device, and every extension that adds features without asking for others to be off. */
static struct device make_device(void)
{
   static const char *const names[] = {
      VK_EXT_SHADER_OBJECT_EXTENSION_NAME, VK_EXT_MESH_SHADER_EXTENSION_NAME, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
      VK_KHR_RAY_QUERY_EXTENSION_NAME, VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,
      VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME, VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME, VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
      VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME, VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME,
      VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME, VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME, VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME,
      VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME,
      VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME, VK_EXT_SHADER_TILE_IMAGE_EXTENSION_NAME, VK_KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION_NAME,
      VK_KHR_SHADER_QUAD_CONTROL_EXTENSION_NAME, VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME, VK_KHR_SHADER_RELAXED_EXTENDED_INSTRUCTION_EXTENSION_NAME,
      VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME, VK_KHR_RAY_TRACING_POSITION_FETCH_EXTENSION_NAME, VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
   };
   struct device d = {0};
   const char *instance_extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
   VkDebugUtilsMessengerCreateInfoEXT messenger = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = listen};
   VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_4};
   VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app, .enabledExtensionCount = 1, .ppEnabledExtensionNames = instance_extensions};
   if (vkCreateInstance(&info, NULL, &d.instance))
      fail("no instance");
   PFN_vkCreateDebugUtilsMessengerEXT create_messenger = (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(d.instance, "vkCreateDebugUtilsMessengerEXT");
   VkDebugUtilsMessengerEXT unused;
   create_messenger(d.instance, &messenger, NULL, &unused);
   VkPhysicalDevice physical;
   uint32_t one = 1;
   if (vkEnumeratePhysicalDevices(d.instance, &one, &physical) < 0 || !one)
      fail("no device");

   uint32_t num_offered = 0;
   vkEnumerateDeviceExtensionProperties(physical, NULL, &num_offered, NULL);
   VkExtensionProperties *offered = calloc(num_offered, sizeof *offered);
   vkEnumerateDeviceExtensionProperties(physical, NULL, &num_offered, offered);
   const char *enabled[ARRAY_COUNT(names)];
   uint32_t num_enabled = 0;
   for (size_t i = 0; i < ARRAY_COUNT(names); i++)
      for (uint32_t k = 0; k < num_offered; k++)
         if (!strcmp(names[i], offered[k].extensionName))
            enabled[num_enabled++] = names[i];

   /* A structure of features whose extension is not there stays all zeros in the chain that is asked. */
   VkPhysicalDeviceVulkan11Features f11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
   VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
   VkPhysicalDeviceVulkan13Features f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
   VkPhysicalDeviceVulkan14Features f14 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES};
   struct {
      const char *extension;
      VkStructureType type;
      uint32_t num_bits;
   } extra[] = {
      {VK_EXT_SHADER_OBJECT_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, 1},
      {VK_EXT_MESH_SHADER_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, 5},
      {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, 5},
      {VK_KHR_RAY_QUERY_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, 1},
      {VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, 12},
      {VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT, 12},
      {VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, 2},
      {VK_KHR_SHADER_CLOCK_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR, 2},
      {VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR, 1},
      {VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, 3},
      {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR, 2},
      {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR, 3},
      {VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR, 2},
      {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, 2},
      {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, 3},
      {VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, 4},
      {VK_EXT_SHADER_TILE_IMAGE_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TILE_IMAGE_FEATURES_EXT, 3},
      {VK_KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR, 1},
      {VK_KHR_SHADER_QUAD_CONTROL_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_QUAD_CONTROL_FEATURES_KHR, 1},
      {VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR, 1},
      {VK_KHR_SHADER_RELAXED_EXTENDED_INSTRUCTION_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_RELAXED_EXTENDED_INSTRUCTION_FEATURES_KHR, 1},
      {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, 1},
      {VK_KHR_RAY_TRACING_POSITION_FETCH_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_POSITION_FETCH_FEATURES_KHR, 1},
   };
   struct {
      VkBaseOutStructure head;
      VkBool32 bits[12];
   } chain[ARRAY_COUNT(extra)] = {0};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &f11};
   f11.pNext = &f12, f12.pNext = &f13, f13.pNext = &f14;
   void **tail = &f14.pNext;
   for (size_t i = 0; i < ARRAY_COUNT(extra); i++) {
      bool is_enabled = false;
      for (uint32_t k = 0; k < num_enabled; k++)
         is_enabled |= !strcmp(enabled[k], extra[i].extension);
      if (!is_enabled)
         continue;
      chain[i].head.sType = extra[i].type;
      *tail = &chain[i];
      tail = (void **)&chain[i].head.pNext;
   }
   vkGetPhysicalDeviceFeatures2(physical, &features);
   f14.hostImageCopy = VK_FALSE; /* no shader needs these */
   f12.bufferDeviceAddressCaptureReplay = VK_FALSE;

   float priority = 1;
   VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue,
                                .enabledExtensionCount = num_enabled, .ppEnabledExtensionNames = enabled};
   if (vkCreateDevice(physical, &device, NULL, &d.handle))
      fail("no logical device");
   d.create_shaders = (PFN_vkCreateShadersEXT)vkGetDeviceProcAddr(d.handle, "vkCreateShadersEXT");
   d.destroy_shader = (PFN_vkDestroyShaderEXT)vkGetDeviceProcAddr(d.handle, "vkDestroyShaderEXT");
   if (!d.create_shaders)
      fail("no shader objects");
   free(offered);
   return d;
}

static const struct {
   SpvExecutionModel model;
   VkShaderStageFlagBits stage;
   VkShaderStageFlags next;
} stages[] = {
   {SpvExecutionModelVertex, VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT},
   {SpvExecutionModelTessellationControl, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
   {SpvExecutionModelTessellationEvaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_FRAGMENT_BIT},
   {SpvExecutionModelGeometry, VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT},
   {SpvExecutionModelFragment, VK_SHADER_STAGE_FRAGMENT_BIT, 0},
   {SpvExecutionModelGLCompute, VK_SHADER_STAGE_COMPUTE_BIT, 0},
   {SpvExecutionModelTaskEXT, VK_SHADER_STAGE_TASK_BIT_EXT, VK_SHADER_STAGE_MESH_BIT_EXT},
   {SpvExecutionModelMeshEXT, VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT},
};

/* Compiles one entry point; false: the driver refuses it. Ray stages have no shader objects and count as taken. */
static bool compile(const struct device *d, const uint32_t *words, size_t num_words, const spvc_entry_point *entry)
{
   size_t s = 0;
   while (s < ARRAY_COUNT(stages) && stages[s].model != entry->execution_model)
      s++;
   if (s == ARRAY_COUNT(stages))
      return true;
   spvc_context context;
   spvc_parsed_ir ir;
   spvc_compiler compiler;
   if (spvc_context_create(&context) || spvc_context_parse_spirv(context, words, num_words, &ir) ||
       spvc_context_create_compiler(context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler) ||
       spvc_compiler_set_entry_point(compiler, entry->name, entry->execution_model))
      fail("SPIRV-Cross does not reflect it");
   static struct reflection layout;
   layout = (struct reflection){0};
   if (!reflect(&layout, compiler, stages[s].stage))
      fail("its layout is not made here");

   VkDescriptorSetLayout sets[REFLECTION_MAX_SETS];
   for (uint32_t i = 0; i < layout.num_sets; i++) {
      VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = layout.num_bindings[i], .pBindings = layout.bindings[i]};
      if (vkCreateDescriptorSetLayout(d->handle, &info, NULL, &sets[i]))
         fail("no descriptor set layout");
   }
   VkPushConstantRange range = {.stageFlags = stages[s].stage, .size = layout.push_bytes};
   VkShaderCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT, .stage = stages[s].stage, .nextStage = stages[s].next, .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
      .codeSize = num_words * 4, .pCode = words, .pName = entry->name, .setLayoutCount = layout.num_sets, .pSetLayouts = sets,
      .pushConstantRangeCount = layout.push_bytes > 0, .pPushConstantRanges = &range};
   VkShaderEXT shader = VK_NULL_HANDLE;
   VkResult result = d->create_shaders(d->handle, 1, &info, NULL, &shader);
   if (!result)
      d->destroy_shader(d->handle, shader, NULL);
   else if (!outcome->why[0])
      snprintf(outcome->why, sizeof outcome->why, "%s: VkResult %d", entry->name, result);
   for (uint32_t i = 0; i < layout.num_sets; i++)
      vkDestroyDescriptorSetLayout(d->handle, sets[i], NULL);
   spvc_context_destroy(context);
   return !result;
}

static double now_ms(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static uint32_t *read_words(const char *path, size_t *num_words)
{
   FILE *f = fopen(path, "rb");
   if (!f)
      fail(strerror(errno));
   fseek(f, 0, SEEK_END);
   long bytes = ftell(f);
   rewind(f);
   uint32_t *words = malloc((size_t)bytes + 4);
   *num_words = (size_t)bytes / 4;
   if (!words || fread(words, 4, *num_words, f) != *num_words)
      fail("cannot be read");
   fclose(f);
   return words;
}

/* In the module's own process. */
static void give(const char *path)
{
   alarm(TIMEOUT_S);
   size_t num_words;
   uint32_t *words = read_words(path, &num_words);
   struct device d = make_device();
   double start = now_ms();
   VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = num_words * 4, .pCode = words};
   VkShaderModule module;
   if (vkCreateShaderModule(d.handle, &info, NULL, &module))
      fail("refused");
   vkDestroyShaderModule(d.handle, module, NULL);
   outcome->is_module = true;

   spvc_context context;
   spvc_parsed_ir ir;
   spvc_compiler compiler;
   const spvc_entry_point *entries;
   size_t count;
   if (spvc_context_create(&context) || spvc_context_parse_spirv(context, words, num_words, &ir) ||
       spvc_context_create_compiler(context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler) ||
       spvc_compiler_get_entry_points(compiler, &entries, &count))
      fail("SPIRV-Cross does not reflect it");
   outcome->num_entries = (uint32_t)count;
   for (size_t i = 0; i < count; i++)
      outcome->num_compiled += compile(&d, words, num_words, &entries[i]);
   outcome->ms = now_ms() - start;
   vkDestroyDevice(d.handle, NULL);
   outcome->is_done = true;
   _exit(0);
}

int main(int argc, char **argv)
{
   double slow_ms = 1000;
   bool is_list = false, is_bad = false;
   int first = 1;
   for (; first < argc && !strncmp(argv[first], "--", 2); first++) {
      if (!strcmp(argv[first], "--slow") && first + 1 < argc)
         slow_ms = atof(argv[++first]);
      else if (!strcmp(argv[first], "--list"))
         is_list = true;
      else
         return fprintf(stderr, "modules [--slow MS] [--list] FILE.spv...\n"), 2;
   }
   outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   uint32_t num_taken = 0, num_modules = 0, num_compiled = 0, num_entries = 0;
   for (int i = first; i < argc; i++) {
      *outcome = (struct outcome){0};
      pid_t child = fork();
      if (!child)
         give(argv[i]);
      int status = 0;
      waitpid(child, &status, 0);
      num_modules++, num_taken += outcome->is_module;
      num_entries += outcome->num_entries, num_compiled += outcome->num_compiled;
      if (WIFSIGNALED(status)) {
         is_bad = true;
         printf("%s: ended by signal %d\n", argv[i], WTERMSIG(status));
      } else if (!outcome->is_done || outcome->num_compiled < outcome->num_entries) {
         printf("%s: %s: %s\n", argv[i], outcome->is_module ? "not compiled" : "refused", outcome->why);
      } else if (is_list || outcome->ms > slow_ms) {
         printf("%s: %.1f ms\n", argv[i], outcome->ms);
      }
      fflush(stdout);
   }
   printf("%u of %u modules, %u of %u entry points\n", num_taken, num_modules, num_compiled, num_entries);
   return is_bad;
}
