/* SPDX-License-Identifier: MIT
 * Shaders that abort: the device is lost, and what the first invocation says comes as it was laid out.
 * Spec: SPV_KHR_abort; Debugging, "Device Fault Diagnosis", "Shader Abort Messages". */
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "triangle.h"

#include "fans.vert.h"
#include "hang.mesh.h"
#include "waves.tesc.h"
#include "waves.tese.h"

#include <stdio.h>
#include <string.h>

#ifdef VK_KHR_shader_abort

enum { LOCAL_SIZE = 64, GROUPS = 3, INVOCATIONS = LOCAL_SIZE * GROUPS, NUM_EXTENSIONS = 3 };

static const char *const extensions[NUM_EXTENSIONS] = {VK_KHR_DEVICE_FAULT_EXTENSION_NAME, VK_KHR_SHADER_CONSTANT_DATA_EXTENSION_NAME,
                                                       VK_KHR_SHADER_ABORT_EXTENSION_NAME};

/* Of each stage: what comes before the types, what the message's words are made of. The message has a gap, two vectors and an array. */
#define MESSAGE_TYPES                                                                                                  \
   "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n%v2 = OpTypeVector %uint 2\n" \
   "%v3 = OpTypeVector %uint 3\n%v4 = OpTypeVector %float 4\n%c0 = OpConstant %uint 0\n%c7 = OpConstant %uint 7\n%c3 = OpConstant %uint 3\n" \
   "%list = OpTypeArray %uint %c3\n%plain_list = OpTypeArray %uint %c3\n%message = OpTypeStruct %uint %v2 %list\n%plain = OpTypeStruct %uint %v2 %plain_list\n"
#define MESSAGE_LAYOUT                                                                                                 \
   "OpDecorate %list ArrayStride 8\nOpMemberDecorate %message 0 Offset 0\nOpMemberDecorate %message 1 Offset 8\nOpMemberDecorate %message 2 Offset 16\n"
/* From %x, a word. */
#define ABORT                                                                                                          \
   "%xy = OpCompositeConstruct %v2 %c7 %x\n%l = OpCompositeConstruct %plain_list %c3 %x %c7\n%m = OpCompositeConstruct %plain %x %xy %l\n" \
   "OpAbortKHR %message %m\n"

/* Each invocation whose word is 7 aborts; the others set theirs to 1. */
static const char compute[] =
   "OpCapability Shader\nOpCapability AbortKHR\nOpExtension \"SPV_KHR_abort\"\nOpMemoryModel Logical GLSL450\n"
   "OpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 64 1 1\nOpDecorate %id BuiltIn GlobalInvocationId\n"
   "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\nOpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\n"
   "OpDecorate %array ArrayStride 4\n" MESSAGE_LAYOUT MESSAGE_TYPES
   "%c1 = OpConstant %uint 1\n%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n%ptr_block = OpTypePointer Uniform %block\n"
   "%ptr = OpTypePointer Uniform %uint\n%buffer = OpVariable %ptr_block Uniform\n%ptr_id = OpTypePointer Input %v3\n%id = OpVariable %ptr_id Input\n"
   "%main = OpFunction %void None %fn\n%entry = OpLabel\n%ids = OpLoad %v3 %id\n%x = OpCompositeExtract %uint %ids 0\n"
   "%at = OpAccessChain %ptr %buffer %c0 %x\n%word = OpLoad %uint %at\n%aborts = OpIEqual %bool %word %c7\n"
   "OpSelectionMerge %end None\nOpBranchConditional %aborts %yes %end\n%yes = OpLabel\n" ABORT
   "%end = OpLabel\nOpStore %at %c1\nOpReturn\nOpFunctionEnd\n";

static const char fragment[] =
   "OpCapability Shader\nOpCapability AbortKHR\nOpExtension \"SPV_KHR_abort\"\nOpMemoryModel Logical GLSL450\n"
   "OpEntryPoint Fragment %main \"main\" %at %color\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %at BuiltIn FragCoord\nOpDecorate %color Location 0\n"
   MESSAGE_LAYOUT MESSAGE_TYPES
   "%ptr_at = OpTypePointer Input %v4\n%ptr_color = OpTypePointer Output %v4\n%at = OpVariable %ptr_at Input\n%color = OpVariable %ptr_color Output\n"
   "%main = OpFunction %void None %fn\n%entry = OpLabel\n%p = OpLoad %v4 %at\n%px = OpCompositeExtract %float %p 0\n%x = OpConvertFToU %uint %px\n" ABORT
   "OpFunctionEnd\n";

static const char vertex[] =
   "OpCapability Shader\nOpCapability AbortKHR\nOpExtension \"SPV_KHR_abort\"\nOpMemoryModel Logical GLSL450\n"
   "OpEntryPoint Vertex %main \"main\" %at %position\nOpDecorate %at BuiltIn VertexIndex\nOpDecorate %position BuiltIn Position\n" MESSAGE_LAYOUT MESSAGE_TYPES
   "%ptr_at = OpTypePointer Input %uint\n%ptr_position = OpTypePointer Output %v4\n%at = OpVariable %ptr_at Input\n%position = OpVariable %ptr_position Output\n"
   "%main = OpFunction %void None %fn\n%entry = OpLabel\n%x = OpLoad %uint %at\n" ABORT "OpFunctionEnd\n";

/* A stage whose invocations all abort with the built-in input of that name, which is 0 for the first one. */
#define ABORTING(comment, capabilities, model, modes, input, before, after)                                                                   \
   comment "OpCapability Shader\nOpCapability AbortKHR\n" capabilities "OpExtension \"SPV_KHR_abort\"\nOpMemoryModel Logical GLSL450\n" \
   "OpEntryPoint " model " %main \"main\" %at\n" modes "OpDecorate %at BuiltIn " input "\n" MESSAGE_LAYOUT MESSAGE_TYPES       \
   "%ptr_at = OpTypePointer Input %uint\n%at = OpVariable %ptr_at Input\n"                                                     \
   "%main = OpFunction %void None %fn\n%entry = OpLabel\n%x = OpLoad %uint %at\n" before ABORT after "OpFunctionEnd\n"

static const char control[] = ABORTING("", "OpCapability Tessellation\n", "TessellationControl", "OpExecutionMode %main OutputVertices 3\n", "InvocationId", "", "");
static const char evaluation[] = ABORTING("", "OpCapability Tessellation\n", "TessellationEvaluation",
   "OpExecutionMode %main Triangles\nOpExecutionMode %main SpacingEqual\nOpExecutionMode %main VertexOrderCcw\n", "PrimitiveId", "", "");
static const char geometry[] = ABORTING("", "OpCapability Geometry\n", "Geometry",
   "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 2\nOpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 3\n",
   "InvocationId", "", "");
static const char task[] = ABORTING("; spirv: 1.4\n", "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n", "TaskEXT",
   "OpExecutionMode %main LocalSize 4 1 1\n", "LocalInvocationIndex",
   "%small = OpULessThan %bool %x %c7\nOpSelectionMerge %end None\nOpBranchConditional %small %yes %end\n%yes = OpLabel\n",
   "%end = OpLabel\nOpEmitMeshTasksEXT %c3 %c3 %c3\n");
static const char mesh[] = ABORTING("; spirv: 1.4\n", "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n", "MeshEXT",
   "OpExecutionMode %main LocalSize 33 1 1\nOpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 1\n"
   "OpExecutionMode %main OutputTrianglesEXT\n", "LocalInvocationIndex", "", "");

static const char idle_fragment[] = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"\n"
   "OpExecutionMode %main OriginUpperLeft\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\n"
   "OpFunctionEnd\n";

static const VkPhysicalDeviceShaderAbortFeaturesKHR abort_features = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR, .shaderAbort = VK_TRUE};
static const VkPhysicalDeviceFaultFeaturesKHR features = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, .pNext = (void *)(uintptr_t)&abort_features, .deviceFault = VK_TRUE};

/* False: this SPIRV-Tools is too old, and then the driver does not offer it. */
static bool assemble(struct spvasm *module, const char *text)
{
   static const char known[] = "OpCapability Shader\nOpCapability AbortKHR\nOpExtension \"SPV_KHR_abort\"\nOpMemoryModel Logical GLSL450\n";
   if (!spvasm_assemble(module, known)) {
      printf("this SPIRV-Tools does not know SPV_KHR_abort\n");
      return false;
   }
   spvasm_free(module);
   CHECK(spvasm_assemble(module, text));
   return true;
}

/* Whether the driver has warned of a capability whose feature is not enabled. */
static bool is_warned;

static void listen(void *data, const char *id, const char *message)
{
   is_warned |= strstr(id, "VkShaderModuleCreateInfo-pCode-08740") != NULL && strstr(message, "AbortKHR") != NULL;
}

static void init(struct client *client, const void *next)
{
   is_warned = false;
   client_init(client, &(struct client_options){
                          .on_message = listen, .next = next, .device_extensions = extensions, .num_device_extensions = NUM_EXTENSIONS, .api_version = VK_API_VERSION_1_3});
}

static VkResult run(struct client *client, VkCommandBuffer cmd)
{
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   client_end(cmd);
   client_check(vk.QueueSubmit(client->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
   return vk.QueueWaitIdle(client->queue);
}

#define DEVICE_FUNCTION(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

/* The message with `x` in it. */
static void check_message(struct client *client, uint32_t x)
{
   const uint32_t expected[11] = {36, 0, x, 0, 7, x, 3, 0, x, 0, 7}; /* size, then the words with their gaps */
   uint32_t words[16];
   VkDeviceFaultShaderAbortMessageInfoKHR message = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR};
   VkDeviceFaultDebugInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR, .pNext = &message, .vendorBinarySize = 5, .pVendorBinaryData = words};
   const PFN_vkGetDeviceFaultDebugInfoKHR get = DEVICE_FUNCTION(client, GetDeviceFaultDebugInfoKHR);
   CHECK_EQ(get(client->device, &info), VK_SUCCESS);
   CHECK_EQ(info.vendorBinarySize, 0);
   CHECK_EQ(message.messageDataSize, sizeof(expected));
   /* Too little room, none, and more than enough. */
   static const uint64_t rooms[] = {0, 5, 8, 14, 44, 64};
   for (uint32_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
      memset(words, 0xcd, sizeof(words));
      message.messageDataSize = rooms[i];
      message.pMessageData = words;
      CHECK_EQ(get(client->device, &info), rooms[i] < 44 ? VK_INCOMPLETE : VK_SUCCESS);
      const size_t copied = rooms[i] < 8 ? 0 : rooms[i] < 44 ? (size_t)rooms[i] : 44;
      CHECK(memcmp(words, expected, copied) == 0);
      for (size_t k = copied; k < sizeof(words); k++)
         CHECK_EQ(((const uint8_t *)words)[k], 0xcd);
   }
}

/* One report, once. */
static void check_report(struct client *client)
{
   const PFN_vkGetDeviceFaultReportsKHR get = DEVICE_FUNCTION(client, GetDeviceFaultReportsKHR);
   VkDeviceFaultInfoKHR report = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};
   uint32_t count = 9;
   CHECK_EQ(get(client->device, UINT64_MAX, &count, NULL), VK_SUCCESS);
   CHECK_EQ(count, 1);
   count = 0;
   CHECK_EQ(get(client->device, UINT64_MAX, &count, &report), VK_INCOMPLETE);
   count = 3;
   CHECK_EQ(get(client->device, UINT64_MAX, &count, &report), VK_SUCCESS);
   CHECK_EQ(count, 1);
   CHECK_EQ(report.flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
   CHECK(strstr(report.description, "aborted") != NULL);
   count = 3;
   CHECK_EQ(get(client->device, 1000, &count, &report), VK_TIMEOUT);
   CHECK_EQ(count, 0);
}

static void dispatch(uint32_t first_aborting, uint32_t step)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   struct spvasm words;
   if (!assemble(&words, compute))
      return;
   init(&client, &features);
   struct client_buffer buffer = client_buffer_create(&client, INVOCATIONS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_set set = client_set_create(&client, 1, &type);
   VkShaderModule module = client_shader(&client, words.words, words.num_words * 4);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   client_set_buffer(&client, &set, 0, type, &buffer);
   const bool aborts = first_aborting < INVOCATIONS;
   for (uint32_t i = first_aborting; i < INVOCATIONS; i += step)
      ((uint32_t *)buffer.map)[i] = 7;
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdDispatch(cmd, GROUPS, 1, 1);
   client_barrier(cmd);
   CHECK_EQ(run(&client, cmd), aborts ? VK_ERROR_DEVICE_LOST : VK_SUCCESS);
   if (aborts) {
      check_message(&client, first_aborting);
      check_report(&client);
   } else {
      uint32_t count = 1;
      VkDeviceFaultInfoKHR report = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};
      CHECK_EQ(DEVICE_FUNCTION(&client, GetDeviceFaultReportsKHR)(client.device, 0, &count, &report), VK_TIMEOUT);
      CHECK_EQ(count, 0);
      for (uint32_t i = 0; i < INVOCATIONS; i++)
         CHECK_EQ(((const uint32_t *)buffer.map)[i], 1);
   }
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &buffer);
   client_finish(&client);
   spvasm_free(&words);
}

TEST(nobody_aborts)
{
   dispatch(INVOCATIONS, 1);
}

TEST(one_aborts)
{
   dispatch(0, INVOCATIONS);
   dispatch(77, INVOCATIONS);
   dispatch(INVOCATIONS - 1, INVOCATIONS);
}

/* Of one workgroup: its invocations go in order. */
TEST(many_abort)
{
   dispatch(LOCAL_SIZE * (GROUPS - 1) + 5, 3);
   dispatch(LOCAL_SIZE * (GROUPS - 1), 1);
}

/* In other stages, which have words of their own. */
static void draw(const char *text, bool is_vertex)
{
   struct spvasm words;
   struct triangle t;
   if (!assemble(&words, text))
      return;
   struct triangle_options options = {.extensions = extensions, .num_extensions = NUM_EXTENSIONS, .device_next = &features};
   *(is_vertex ? &options.vertex : &options.fragment) = words.words;
   *(is_vertex ? &options.vertex_bytes : &options.fragment_bytes) = words.num_words * 4;
   triangle_init_with(&t, &options);
   VkCommandBuffer cmd = triangle_begin(&t);
   triangle_begin_pass(&t, cmd);
   triangle_draw(&t, cmd, (const float[3][4]){{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}});
   vk.CmdEndRenderPass(cmd);
   CHECK_EQ(run(&t.client, cmd), VK_ERROR_DEVICE_LOST);
   check_message(&t.client, 0);
   triangle_finish(&t);
   spvasm_free(&words);
}

TEST(stages_of_draws)
{
   draw(fragment, false);
   draw(vertex, true);
}

/* One of the stages between, with others that do not abort around it. The aborting one is what `stage` says. */
static void draw_between(const char *text, VkShaderStageFlagBits stage)
{
   static const char *const all[] = {VK_KHR_DEVICE_FAULT_EXTENSION_NAME, VK_KHR_SHADER_CONSTANT_DATA_EXTENSION_NAME, VK_KHR_SHADER_ABORT_EXTENSION_NAME,
                                     VK_EXT_MESH_SHADER_EXTENSION_NAME};
   const bool is_mesh = stage == VK_SHADER_STAGE_TASK_BIT_EXT || stage == VK_SHADER_STAGE_MESH_BIT_EXT;
   const bool is_divided = stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT || stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
   const VkPhysicalDeviceFeatures core = {.tessellationShader = VK_TRUE, .geometryShader = VK_TRUE};
   const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = (void *)(uintptr_t)&features,
                                                         .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   struct client client;
   struct spvasm words, idle;
   if (!assemble(&words, text))
      return;
   CHECK(spvasm_assemble(&idle, idle_fragment));
   client_init(&client, &(struct client_options){.on_message = listen, .features = &core, .next = &meshes, .device_extensions = all, .num_device_extensions = 4,
                                                 .api_version = VK_API_VERSION_1_3});
   struct client_image color = client_image_create(&client, format, 32, 32, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   VkRenderPass pass = client_render_pass(&client, format, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(&client, pass, 1, &color.view, 32, 32);
   VkShaderModule aborting = client_shader(&client, words.words, words.num_words * 4), fragments = client_shader(&client, idle.words, idle.num_words * 4);
   VkShaderModule vertices = client_shader(&client, fans_vert, sizeof(fans_vert)), other = VK_NULL_HANDLE;
   struct client_graphics info = {.vertex = is_mesh ? VK_NULL_HANDLE : vertices, .fragment = fragments, .pass = pass, .width = 32, .height = 32,
                                  .layout = client_pipeline_layout(&client, NULL, 4), .samples = VK_SAMPLE_COUNT_1_BIT, .patch_vertices = 3,
                                  .topology = is_divided ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   switch (stage) {
   case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      info.evaluation = other = client_shader(&client, waves_tese, sizeof(waves_tese));
      info.control = aborting;
      break;
   case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      info.control = other = client_shader(&client, waves_tesc, sizeof(waves_tesc));
      info.evaluation = aborting;
      break;
   case VK_SHADER_STAGE_GEOMETRY_BIT: info.geometry = aborting; break;
   case VK_SHADER_STAGE_TASK_BIT_EXT:
      info.mesh = other = client_shader(&client, hang_mesh, sizeof(hang_mesh));
      info.task = aborting;
      break;
   default: info.mesh = aborting; break;
   }
   VkPipeline pipeline = client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
   VkCommandBuffer cmd = client_begin(&client);
   client_begin_pass(cmd, pass, framebuffer, 32, 32, 1, &(const VkClearValue){0});
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdPushConstants(cmd, info.layout, VK_SHADER_STAGE_ALL, 0, 4, &(const uint32_t){0});
   if (is_mesh)
      DEVICE_FUNCTION(&client, CmdDrawMeshTasksEXT)(cmd, 1, 1, 1);
   else
      vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
   CHECK_EQ(run(&client, cmd), VK_ERROR_DEVICE_LOST);
   check_message(&client, 0);
   check_report(&client);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, info.layout, NULL);
   const VkShaderModule modules[] = {aborting, fragments, vertices, other};
   for (uint32_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
      vk.DestroyShaderModule(client.device, modules[i], NULL);
   vk.DestroyFramebuffer(client.device, framebuffer, NULL);
   vk.DestroyRenderPass(client.device, pass, NULL);
   client_image_destroy(&client, &color);
   client_finish(&client);
   spvasm_free(&words);
   spvasm_free(&idle);
}

TEST(tessellation_aborts)
{
   draw_between(control, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
   draw_between(evaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
}

TEST(geometry_aborts)
{
   draw_between(geometry, VK_SHADER_STAGE_GEOMETRY_BIT);
}

TEST(tasks_and_meshes_abort)
{
   draw_between(task, VK_SHADER_STAGE_TASK_BIT_EXT);
   draw_between(mesh, VK_SHADER_STAGE_MESH_BIT_EXT);
}

/* Modules that a device cannot take. */
static VkResult try_module(const char *text, const void *next)
{
   struct spvasm words;
   struct client client;
   VkShaderModule module = VK_NULL_HANDLE;
   VkPipeline pipeline = VK_NULL_HANDLE;
   CHECK(spvasm_assemble(&words, text));
   init(&client, next);
   const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = words.num_words * 4, .pCode = words.words};
   VkResult result = vk.CreateShaderModule(client.device, &info, NULL, &module);
   VkPipelineLayout layout = client_pipeline_layout(&client, NULL, 0);
   const VkComputePipelineCreateInfo pipeline_info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main"},
      .layout = layout};
   if (result == VK_SUCCESS)
      result = vk.CreateComputePipelines(client.device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_finish(&client);
   spvasm_free(&words);
   return result;
}

/* A message of so many words; of the type that it says or of another. */
static const char *message_of(uint32_t words, const char *type)
{
   static char text[2048];
   snprintf(text, sizeof(text),
            "OpCapability Shader\nOpCapability AbortKHR\nOpExtension \"SPV_KHR_abort\"\nOpMemoryModel Logical GLSL450\n"
            "OpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\nOpDecorate %%list ArrayStride 4\n"
            "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%uint = OpTypeInt 32 0\n%%n = OpConstant %%uint %u\n%%list = OpTypeArray %%uint %%n\n"
            "%%m = OpConstantNull %%list\n%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\nOpAbortKHR %%%s %%m\nOpFunctionEnd\n",
            words, type);
   return text;
}

TEST(what_cannot_be)
{
   struct spvasm words;
   if (!assemble(&words, compute))
      return;
   spvasm_free(&words);
   CHECK_EQ(try_module(message_of(16, "list"), &features), VK_SUCCESS);
   CHECK(!is_warned);
   CHECK_EQ(try_module(message_of(16, "list"), NULL), VK_SUCCESS); /* the feature is not enabled */
   CHECK(is_warned);
   CHECK(try_module(message_of(16, "uint"), &features) != VK_SUCCESS);
   CHECK(try_module(message_of(16385, "list"), &features) != VK_SUCCESS); /* maxShaderAbortMessageSize */
}

#else

TEST(not_in_these_headers)
{
}

#endif

TEST_MAIN
