/* SPDX-License-Identifier: MIT
 * A small Vulkan application for demo, benchmarks and tests: reaches a driver through the real loader, with plain Vulkan 1.0.
 * Everything that fails ends the program with a message: these are tools, not libraries.
 * Threads: one user at a time. */
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIENT_GLOBAL_FUNCTIONS(X) X(CreateInstance) X(EnumerateInstanceLayerProperties) X(EnumerateInstanceExtensionProperties)
#define CLIENT_INSTANCE_FUNCTIONS(X)                                                                                   \
   X(DestroyInstance) X(EnumeratePhysicalDevices) X(GetPhysicalDeviceProperties) X(GetPhysicalDeviceFeatures)          \
   X(GetPhysicalDeviceMemoryProperties) X(GetPhysicalDeviceQueueFamilyProperties)                                      \
   X(GetPhysicalDeviceFormatProperties) X(EnumerateDeviceExtensionProperties) X(CreateDevice) X(GetDeviceProcAddr)
#define CLIENT_DEVICE_FUNCTIONS(X)                                                                                     \
   X(DestroyDevice) X(GetDeviceQueue) X(QueueSubmit) X(QueueWaitIdle) X(DeviceWaitIdle)                                \
   X(AllocateMemory) X(FreeMemory) X(MapMemory) X(CreateBuffer) X(DestroyBuffer) X(GetBufferMemoryRequirements)        \
   X(BindBufferMemory) X(CreateImage) X(DestroyImage) X(GetImageMemoryRequirements) X(BindImageMemory)                 \
   X(CreateImageView) X(DestroyImageView) X(CreateSampler) X(DestroySampler) X(CreateShaderModule)                     \
   X(DestroyShaderModule) X(CreatePipelineCache) X(DestroyPipelineCache) X(GetPipelineCacheData)                       \
   X(CreatePipelineLayout) X(DestroyPipelineLayout) X(CreateComputePipelines) X(CreateGraphicsPipelines)               \
   X(DestroyPipeline) X(CreateDescriptorSetLayout) X(DestroyDescriptorSetLayout) X(CreateDescriptorPool)               \
   X(DestroyDescriptorPool) X(AllocateDescriptorSets) X(UpdateDescriptorSets) X(CreateRenderPass)                      \
   X(DestroyRenderPass) X(CreateFramebuffer) X(DestroyFramebuffer) X(CreateCommandPool) X(DestroyCommandPool)          \
   X(AllocateCommandBuffers) X(FreeCommandBuffers) X(BeginCommandBuffer) X(EndCommandBuffer) X(ResetCommandBuffer)     \
   X(CmdBindPipeline) X(CmdBindDescriptorSets) X(CmdPushConstants) X(CmdDispatch) X(CmdPipelineBarrier)                \
   X(CmdCopyBuffer) X(CmdFillBuffer) X(CmdUpdateBuffer) X(CmdCopyBufferToImage) X(CmdCopyImageToBuffer)                \
   X(CmdBlitImage) X(CmdClearColorImage) X(CmdBeginRenderPass) X(CmdEndRenderPass) X(CmdBindVertexBuffers)             \
   X(CmdBindIndexBuffer) X(CmdDraw) X(CmdDrawIndexed) X(CmdDrawIndirect) X(CmdDrawIndexedIndirect) X(CmdSetViewport) X(CmdSetScissor)            \
   X(CreateFence) X(DestroyFence) X(ResetFences) X(WaitForFences) X(GetFenceStatus) X(CreateQueryPool)                 \
   X(DestroyQueryPool) X(CmdResetQueryPool) X(CmdBeginQuery) X(CmdEndQuery) X(CmdWriteTimestamp)                       \
   X(GetQueryPoolResults) X(CmdResolveImage) X(CmdClearAttachments)

struct client_functions {
#define X(name) PFN_vk##name name;
   CLIENT_GLOBAL_FUNCTIONS(X) CLIENT_INSTANCE_FUNCTIONS(X) CLIENT_DEVICE_FUNCTIONS(X)
#undef X
};

/* The functions of the last client made: vk.CmdDraw(...). */
extern struct client_functions vk;

struct client {
   VkInstance instance;
   VkPhysicalDevice physical_device;
   VkDevice device;
   VkQueue queue;
   VkCommandPool pool;
   VkPhysicalDeviceProperties properties;
   VkPhysicalDeviceMemoryProperties memory;
   VkDebugUtilsMessengerEXT messenger;
   uint32_t num_messages; /* errors and warnings of layers and driver */
   bool is_validated;
   PFN_vkGetInstanceProcAddr get;
   void (*on_message)(void *data, const char *id, const char *message);
   void *on_message_data;
};

struct client_options {
   /* VK_LAYER_KHRONOS_validation, also where the environment has CLIENT_VALIDATE: its messages are printed and counted, and any is an
    * error at the end. The program ends with 77, as a test that is skipped, if the layer is not there. */
   bool wants_validation;
   /* Hears the driver's own messages; any thread may call it. May be NULL. */
   void (*on_message)(void *data, const char *id, const char *message);
   void *on_message_data;
   bool wants_prints; /* hears those of INFO severity too */
   const char *library;   /* NULL: libvulkan.so.1 */
   const VkPhysicalDeviceFeatures *features; /* to enable; NULL: none */
   const void *next;                         /* of VkDeviceCreateInfo: further features */
   const char *instance_extensions[4], *device_extension; /* further ones, or NULL */
   const char *const *device_extensions;     /* instead of the one above, if not NULL */
   uint32_t num_device_extensions;
   uint32_t api_version;                     /* 0: 1.0 */
   uint32_t num_queues;                      /* of the first family, at most 4; 0: one */
};

/* Instance, first physical device, device with one queue, command pool. */
void client_init(struct client *client, const struct client_options *options);
void client_finish(struct client *client);
/* What the driver's messages call an object. Does nothing unless messages are wanted. */
void client_name(struct client *client, VkObjectType type, uint64_t handle, const char *name);

/* Ends the program if `result` is an error; `what` says where. */
void client_check(VkResult result, const char *what);
_Noreturn __attribute__((format(printf, 1, 2))) void client_die(const char *format, ...);
double client_now_s(void);

struct client_buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
   void *map; /* host visible and coherent, zero-filled */
   size_t size_bytes;
};
struct client_buffer client_buffer_create(struct client *client, size_t size_bytes, VkBufferUsageFlags usage);
/* Not mapped: `map` is NULL. */
struct client_buffer client_buffer_create_unwritten(struct client *client, size_t size_bytes, VkBufferUsageFlags usage);
/* Mapped, of memory that is not coherent; .buffer is null if there is none. */
struct client_buffer client_buffer_create_cached(struct client *client, size_t size_bytes, VkBufferUsageFlags usage);
void client_buffer_destroy(struct client *client, struct client_buffer *buffer);

struct client_image {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view; /* all levels, 2D, the aspects that the format has */
   VkFormat format;
   uint32_t width, height, num_levels;
   VkSampleCountFlagBits samples;
};
/* What the format has. */
VkImageAspectFlags client_aspects(VkFormat format);
struct client_image client_image_create(struct client *client, VkFormat format, uint32_t width, uint32_t height,
                                        uint32_t num_levels, VkSampleCountFlagBits samples, VkImageUsageFlags usage);
struct client_image client_image_create_flags(struct client *client, VkImageCreateFlags flags, VkFormat format, uint32_t width, uint32_t height,
                                              uint32_t num_levels, VkSampleCountFlagBits samples, VkImageUsageFlags usage);
/* Another image of that one's memory, which is not its own; both have VK_IMAGE_CREATE_ALIAS_BIT, and the same usage. */
struct client_image client_image_create_alias(struct client *client, const struct client_image *of, VkImageUsageFlags usage);
void client_image_destroy(struct client *client, struct client_image *image);

VkShaderModule client_shader(struct client *client, const uint32_t *words, size_t size_bytes);
VkSampler client_sampler(struct client *client, VkFilter filter, VkSamplerMipmapMode mipmap, VkSamplerAddressMode address);

/* One descriptor set: binding i has type types[i]. */
struct client_set {
   VkDescriptorSetLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};
struct client_set client_set_create(struct client *client, uint32_t count, const VkDescriptorType *types);
/* Binding i has counts[i] descriptors, NULL: one. Binding 0 has an immutable sampler; VK_NULL_HANDLE: none. */
struct client_set client_set_create_with(struct client *client, uint32_t count, const VkDescriptorType *types, const uint32_t *counts, VkSampler sampler);
/* The same with bindings of which some descriptors are never written (VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT). */
struct client_set client_set_create_partial(struct client *client, uint32_t count, const VkDescriptorType *types, const uint32_t *counts);
void client_set_destroy(struct client *client, struct client_set *set);
void client_set_buffer(struct client *client, const struct client_set *set, uint32_t binding, VkDescriptorType type,
                       const struct client_buffer *buffer);
void client_set_image(struct client *client, const struct client_set *set, uint32_t binding, VkDescriptorType type,
                      VkImageView view, VkSampler sampler, VkImageLayout layout);

/* `set` may be NULL; push constants for all stages. */
VkPipelineLayout client_pipeline_layout(struct client *client, const struct client_set *set, uint32_t push_bytes);
VkPipeline client_compute_pipeline(struct client *client, VkShaderModule module, VkPipelineLayout layout,
                                   VkPipelineCache cache, const VkSpecializationInfo *specialization);

/* A graphics pipeline with what a row or scene varies; everything else is plain. Viewport and scissor are static. */
struct client_graphics {
   VkShaderModule vertex, fragment;
   VkShaderModule control, evaluation; /* may be null, both */
   const VkSpecializationInfo *tessellation_constants; /* of both; may be NULL */
   uint32_t patch_vertices;
   VkShaderModule geometry; /* may be null */
   VkShaderModule task, mesh; /* mesh: instead of all before the fragment shader; task may be null */
   const VkSpecializationInfo *mesh_constants; /* may be NULL */
   VkPipelineLayout layout;
   VkRenderPass pass;
   uint32_t subpass;
   uint32_t width, height;
   VkSampleCountFlagBits samples;
   VkPrimitiveTopology topology;
   VkCullModeFlags cull;
   uint32_t num_colors; /* attachments, up to 4; 0: one */
   bool has_depth, has_depth_write, has_blend, has_restart;
   bool is_discarded; /* nothing is rasterized */
   bool covers_by_alpha, shades_samples;
   float line_width; /* 0: 1 */
   uint32_t stride_bytes; /* of binding 0; 0: no vertex input */
   bool is_by_instance;   /* binding 0 */
   uint32_t num_attributes;
   VkVertexInputAttributeDescription attributes[8];
   const void *next, *rasterization_next, *multisample_next; /* of the pipeline and of these states; may be NULL */
   const void *stage_next; /* of all stages; may be NULL */
   const VkSpecializationInfo *fragment_constants;    /* may be NULL */
   const VkPipelineDepthStencilStateCreateInfo *depth_stencil; /* instead of what has_depth says; may be NULL */
};
VkPipeline client_graphics_pipeline(struct client *client, const struct client_graphics *info, VkPipelineCache cache);

/* A pass of one subpass: colour, optional depth and stencil, optional resolve of the colour (formats VK_FORMAT_UNDEFINED: none). Cleared at its start; final layout of
 * what is kept: TRANSFER_SRC_OPTIMAL. */
VkRenderPass client_render_pass(struct client *client, VkFormat color, VkFormat depth, VkSampleCountFlagBits samples,
                                bool resolves, VkAttachmentLoadOp load_op);
VkFramebuffer client_framebuffer(struct client *client, VkRenderPass pass, uint32_t count, const VkImageView *views,
                                 uint32_t width, uint32_t height);

VkCommandBuffer client_begin(struct client *client);
/* Ends, submits, waits and frees. */
void client_run(struct client *client, VkCommandBuffer cmd);
/* Runs so many workgroups in a row, with the set as number 0, and waits; the host sees what they write. */
void client_dispatch(struct client *client, VkPipeline pipeline, VkPipelineLayout layout, const struct client_set *set, uint32_t num_groups);
/* Ends the command buffer; client_submit() may run it many times, and waits. */
void client_end(VkCommandBuffer cmd);
void client_submit(struct client *client, VkCommandBuffer cmd);
/* The same; returns what waiting gives. */
VkResult client_submit_result(struct client *client, VkCommandBuffer cmd);

/* Begins a render pass on the whole framebuffer, which has this size; `count` clear values. */
void client_begin_pass(VkCommandBuffer cmd, VkRenderPass pass, VkFramebuffer framebuffer, uint32_t width, uint32_t height, uint32_t count,
                       const VkClearValue *clears);

/* What shader objects need beside vertex input and blending: triangles over all of the target, of one attachment, without tests. */
void client_set_states(const struct client *client, VkCommandBuffer cmd, uint32_t width, uint32_t height);
/* A full memory barrier, also towards the host. */
void client_barrier(VkCommandBuffer cmd);
/* A full barrier with a layout transition of some mip levels. */
void client_transition(VkCommandBuffer cmd, const struct client_image *image, uint32_t first_level, uint32_t num_levels,
                       VkImageLayout from, VkImageLayout to);

/* Writes RGBA8 pixels; ends the program if the file cannot be written. */
void client_write_png(const char *path, const void *rgba, uint32_t width, uint32_t height);
