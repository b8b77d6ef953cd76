/* SPDX-License-Identifier: MIT
 * icd/resource/external_memory.c, icd/sync/external.c: memory, fences and semaphores of two processes; memory of the
 * application; what is no descriptor of ours is refused. */
#include "tests/icd/fixture.h"
#include "tests/test.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS(n) ((n) * UINT64_C(1000000000))

enum { SIZE = 1 << 20, WORDS = SIZE / 4 };

/* ---- making and importing ---- */

static VkDeviceMemory allocate(const struct fixture *f, VkDeviceSize size, const void *chain, VkResult expected)
{
   VkDeviceMemory memory = VK_NULL_HANDLE;
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, chain, size, 0};
   CHECK_EQ(icd_AllocateMemory(f->device, &info, NULL, &memory), expected);
   return memory;
}

static VkDeviceMemory allocate_exportable(const struct fixture *f, VkDeviceSize size)
{
   const VkExportMemoryAllocateInfo export = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, NULL,
                                              VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   return allocate(f, size, &export, VK_SUCCESS);
}

static VkDeviceMemory import_memory(const struct fixture *f, VkDeviceSize size, int fd, VkResult expected)
{
   const VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, NULL,
                                           VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, fd};
   return allocate(f, size, &import, expected);
}

static int memory_fd(const struct fixture *f, VkDeviceMemory memory)
{
   int fd = -1;
   const VkMemoryGetFdInfoKHR info = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, NULL, memory,
                                      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   fixture_require(icd_GetMemoryFdKHR(f->device, &info, &fd), "vkGetMemoryFdKHR");
   return fd;
}

static VkBuffer bind_buffer(const struct fixture *f, VkDeviceMemory memory)
{
   VkBuffer buffer;
   const VkExternalMemoryBufferCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, NULL,
                                                      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &external, .size = SIZE, .usage = 0x1ff};
   fixture_require(icd_CreateBuffer(f->device, &info, NULL, &buffer), "vkCreateBuffer");
   fixture_require(icd_BindBufferMemory(f->device, buffer, memory, 0), "vkBindBufferMemory");
   return buffer;
}

static VkSemaphore create_semaphore(const struct fixture *f, VkSemaphoreType type, bool is_exported)
{
   VkSemaphore semaphore;
   const VkExportSemaphoreCreateInfo export = {VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, NULL,
                                               VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
   const VkSemaphoreTypeCreateInfo type_info = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                                is_exported ? &export : NULL, type, 0};
   const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type_info, 0};
   fixture_require(icd_CreateSemaphore(f->device, &info, NULL, &semaphore), "vkCreateSemaphore");
   return semaphore;
}

static int semaphore_fd(const struct fixture *f, VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type)
{
   int fd = -2;
   const VkSemaphoreGetFdInfoKHR info = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, NULL, semaphore, type};
   fixture_require(icd_GetSemaphoreFdKHR(f->device, &info, &fd), "vkGetSemaphoreFdKHR");
   return fd;
}

static VkResult import_semaphore(const struct fixture *f, VkSemaphore semaphore, VkSemaphoreImportFlags flags,
                                 VkExternalSemaphoreHandleTypeFlagBits type, int fd)
{
   const VkImportSemaphoreFdInfoKHR info = {
      VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR, NULL, semaphore, flags, type, fd};
   return icd_ImportSemaphoreFdKHR(f->device, &info);
}

static VkFence create_fence(const struct fixture *f, VkFenceCreateFlags flags, bool is_exported)
{
   VkFence fence;
   const VkExportFenceCreateInfo export = {VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO, NULL,
                                           VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
   const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, is_exported ? &export : NULL, flags};
   fixture_require(icd_CreateFence(f->device, &info, NULL, &fence), "vkCreateFence");
   return fence;
}

static int fence_fd(const struct fixture *f, VkFence fence, VkExternalFenceHandleTypeFlagBits type)
{
   int fd = -2;
   const VkFenceGetFdInfoKHR info = {VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, NULL, fence, type};
   fixture_require(icd_GetFenceFdKHR(f->device, &info, &fd), "vkGetFenceFdKHR");
   return fd;
}

static VkResult import_fence(const struct fixture *f, VkFence fence, VkFenceImportFlags flags,
                             VkExternalFenceHandleTypeFlagBits type, int fd)
{
   const VkImportFenceFdInfoKHR info = {VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR, NULL, fence, flags, type, fd};
   return icd_ImportFenceFdKHR(f->device, &info);
}

/* ---- descriptors between processes ---- */

enum { MEMORY, TIMELINE, BINARY, FENCE, NUM_FDS };

static void send_fds(int socket, const int fds[NUM_FDS])
{
   char byte = 0;
   union {
      char bytes[CMSG_SPACE(NUM_FDS * sizeof(int))];
      struct cmsghdr align;
   } control = {{0}};
   struct iovec data = {&byte, 1};
   struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
   struct cmsghdr *header = CMSG_FIRSTHDR(&message);
   header->cmsg_level = SOL_SOCKET;
   header->cmsg_type = SCM_RIGHTS;
   header->cmsg_len = CMSG_LEN(NUM_FDS * sizeof(int));
   memcpy(CMSG_DATA(header), fds, NUM_FDS * sizeof(int));
   CHECK_EQ(sendmsg(socket, &message, 0), 1);
}

static bool receive_fds(int socket, int fds[NUM_FDS])
{
   char byte;
   union {
      char bytes[CMSG_SPACE(NUM_FDS * sizeof(int))];
      struct cmsghdr align;
   } control;
   struct iovec data = {&byte, 1};
   struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
   if (recvmsg(socket, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
      return false;
   memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&message)), NUM_FDS * sizeof(int));
   return true;
}

/* ---- two processes ---- */

/* Fills the buffer after a wait for one point, and signals two others. */
static void submit_fill(const struct fixture *f, VkBuffer buffer, uint32_t word, VkSemaphore wait, uint64_t wait_value,
                        VkSemaphore signal, uint64_t signal_value, VkSemaphore signal_binary, VkFence fence)
{
   const VkCommandBufferSubmitInfo command = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, NULL, f->commands, 0};
   const VkSemaphoreSubmitInfo waits = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, NULL, wait, wait_value,
                                        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
   const VkSemaphoreSubmitInfo signals[2] = {
      {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, NULL, signal, signal_value, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
      {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, NULL, signal_binary, 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
   };
   const VkSubmitInfo2 submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
      .waitSemaphoreInfoCount = wait ? 1 : 0,
      .pWaitSemaphoreInfos = &waits,
      .commandBufferInfoCount = 1,
      .pCommandBufferInfos = &command,
      .signalSemaphoreInfoCount = signal_binary ? 2 : 1,
      .pSignalSemaphoreInfos = signals,
   };
   fixture_begin(f->commands);
   icd_CmdFillBuffer(f->commands, buffer, 0, SIZE, word);
   fixture_require(icd_EndCommandBuffer(f->commands), "vkEndCommandBuffer");
   fixture_require(icd_QueueSubmit2(f->queue, 1, &submit, fence), "vkQueueSubmit2");
}

static VkResult wait_timeline(const struct fixture *f, VkSemaphore semaphore, uint64_t value)
{
   const VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, NULL, 0, 1, &semaphore, &value};
   return icd_WaitSemaphores(f->device, &info, SECONDS(20));
}

static bool is_filled(const uint32_t *words, uint32_t word)
{
   for (uint32_t i = 0; i < WORDS; i++) {
      if (words[i] != word)
         return false;
   }
   return true;
}

/* Returns a step that went wrong; 0: none. */
static int run_child(int socket)
{
   struct fixture f;
   int fds[NUM_FDS];
   void *data;
   fixture_init(&f, NULL);
   if (!receive_fds(socket, fds))
      return 1;
   const VkDeviceMemory memory = import_memory(&f, SIZE, fds[MEMORY], VK_SUCCESS);
   const VkSemaphore timeline = create_semaphore(&f, VK_SEMAPHORE_TYPE_TIMELINE, false);
   const VkSemaphore binary = create_semaphore(&f, VK_SEMAPHORE_TYPE_BINARY, false);
   const VkFence fence = create_fence(&f, 0, false);
   if (!memory ||
       import_semaphore(&f, timeline, 0, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, fds[TIMELINE]) ||
       import_semaphore(&f, binary, 0, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, fds[BINARY]) ||
       import_fence(&f, fence, 0, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT, fds[FENCE]))
      return 2;
   const VkBuffer buffer = bind_buffer(&f, memory);
   if (icd_MapMemory(f.device, memory, 0, VK_WHOLE_SIZE, 0, &data))
      return 3;

   /* The host waits for the other's queue; then a queue waits for the other's host. */
   if (wait_timeline(&f, timeline, 1) || !is_filled(data, 0x11111111))
      return 4;
   submit_fill(&f, buffer, 0x22222222, timeline, 2, timeline, 3, binary, fence);
   if (wait_timeline(&f, timeline, 4))
      return 5;
   if (!is_filled(data, 0x33333333))
      return 6;
   icd_QueueWaitIdle(f.queue);
   icd_DestroyBuffer(f.device, buffer, NULL);
   icd_FreeMemory(f.device, memory, NULL);
   icd_DestroySemaphore(f.device, timeline, NULL);
   icd_DestroySemaphore(f.device, binary, NULL);
   icd_DestroyFence(f.device, fence, NULL);
   fixture_finish(&f, NULL);
   return 0;
}

static void run_parent(int socket)
{
   struct fixture f;
   void *data;
   fixture_init(&f, NULL);
   const VkDeviceMemory memory = allocate_exportable(&f, SIZE);
   const VkBuffer buffer = bind_buffer(&f, memory);
   const VkSemaphore timeline = create_semaphore(&f, VK_SEMAPHORE_TYPE_TIMELINE, true);
   const VkSemaphore binary = create_semaphore(&f, VK_SEMAPHORE_TYPE_BINARY, true);
   const VkFence fence = create_fence(&f, VK_FENCE_CREATE_SIGNALED_BIT, true);
   const int fds[NUM_FDS] = {
      [MEMORY] = memory_fd(&f, memory),
      [TIMELINE] = semaphore_fd(&f, timeline, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT),
      [BINARY] = semaphore_fd(&f, binary, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT),
      [FENCE] = fence_fd(&f, fence, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT),
   };
   CHECK_EQ(icd_ResetFences(f.device, 1, &fence), VK_SUCCESS);
   send_fds(socket, fds);
   for (int i = 0; i < NUM_FDS; i++)
      close(fds[i]);
   fixture_require(icd_MapMemory(f.device, memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");

   submit_fill(&f, buffer, 0x11111111, VK_NULL_HANDLE, 0, timeline, 1, VK_NULL_HANDLE, VK_NULL_HANDLE);
   CHECK_EQ(icd_QueueWaitIdle(f.queue), VK_SUCCESS);
   usleep(20000); /* the child has taken its look, or is asleep */
   const VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, NULL, timeline, 2};
   CHECK_EQ(icd_SignalSemaphore(f.device, &signal), VK_SUCCESS);
   /* The fence, with another that never comes; then the binary semaphore, whose signal has been submitted. */
   const VkFence never = create_fence(&f, 0, false), both[2] = {never, fence};
   CHECK_EQ(icd_WaitForFences(f.device, 2, both, VK_FALSE, SECONDS(20)), VK_SUCCESS);
   CHECK_EQ(icd_GetFenceStatus(f.device, fence), VK_SUCCESS);
   CHECK(is_filled(data, 0x22222222));
   submit_fill(&f, buffer, 0x33333333, binary, 0, timeline, 4, VK_NULL_HANDLE, VK_NULL_HANDLE);
   CHECK_EQ(icd_QueueWaitIdle(f.queue), VK_SUCCESS);
   CHECK_EQ(wait_timeline(&f, timeline, 4), VK_SUCCESS);

   icd_DestroyBuffer(f.device, buffer, NULL);
   icd_FreeMemory(f.device, memory, NULL);
   icd_DestroySemaphore(f.device, timeline, NULL);
   icd_DestroySemaphore(f.device, binary, NULL);
   icd_DestroyFence(f.device, fence, NULL);
   icd_DestroyFence(f.device, never, NULL);
   fixture_finish(&f, NULL);
}

TEST(two_processes)
{
   int sockets[2], status = -1;
   CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
   fflush(NULL);
   const pid_t child = fork();
   if (child == 0) {
      close(sockets[0]);
      _exit(run_child(sockets[1]));
   }
   close(sockets[1]);
   run_parent(sockets[0]);
   close(sockets[0]);
   CHECK_EQ(waitpid(child, &status, 0), child);
   CHECK(WIFEXITED(status));
   CHECK_EQ(WEXITSTATUS(status), 0);
}

/* ---- temporary imports ---- */

static void submit_empty(const struct fixture *f, VkSemaphore wait, VkSemaphore signal, VkFence fence)
{
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .waitSemaphoreCount = wait ? 1 : 0,
      .pWaitSemaphores = &wait,
      .pWaitDstStageMask = &stage,
      .signalSemaphoreCount = signal ? 1 : 0,
      .pSignalSemaphores = &signal,
   };
   fixture_require(icd_QueueSubmit(f->queue, 1, &submit, fence), "vkQueueSubmit");
}

TEST(temporary_semaphores_last_for_one_wait)
{
   struct fixture f;
   fixture_init(&f, NULL);
   const VkSemaphore from = create_semaphore(&f, VK_SEMAPHORE_TYPE_BINARY, true);
   const VkSemaphore to = create_semaphore(&f, VK_SEMAPHORE_TYPE_BINARY, false);
   submit_empty(&f, VK_NULL_HANDLE, to, VK_NULL_HANDLE); /* of its own payload */
   submit_empty(&f, VK_NULL_HANDLE, from, VK_NULL_HANDLE);
   for (int i = 0; i < 2; i++) {
      const int fd = semaphore_fd(&f, from, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
      CHECK_EQ(import_semaphore(&f, to, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                                VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, fd),
               VK_SUCCESS);
      submit_empty(&f, to, from, VK_NULL_HANDLE); /* takes the signal of `from` and gives it the next one */
   }
   submit_empty(&f, to, VK_NULL_HANDLE, VK_NULL_HANDLE); /* what it had before */
   submit_empty(&f, from, VK_NULL_HANDLE, VK_NULL_HANDLE);
   CHECK_EQ(icd_QueueWaitIdle(f.queue), VK_SUCCESS);
   icd_DestroySemaphore(f.device, from, NULL);
   icd_DestroySemaphore(f.device, to, NULL);
   fixture_finish(&f, NULL);
}

TEST(temporary_fences_last_until_reset)
{
   struct fixture f;
   fixture_init(&f, NULL);
   const VkFence from = create_fence(&f, VK_FENCE_CREATE_SIGNALED_BIT, true), to = create_fence(&f, 0, false);
   const int fd = fence_fd(&f, from, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT);
   CHECK_EQ(import_fence(&f, to, VK_FENCE_IMPORT_TEMPORARY_BIT, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT, fd),
            VK_SUCCESS);
   CHECK_EQ(icd_GetFenceStatus(f.device, to), VK_SUCCESS);
   CHECK_EQ(icd_ResetFences(f.device, 1, &to), VK_SUCCESS);
   CHECK_EQ(icd_GetFenceStatus(f.device, to), VK_NOT_READY);
   CHECK_EQ(icd_GetFenceStatus(f.device, from), VK_SUCCESS); /* the reset was not of this payload */
   submit_empty(&f, VK_NULL_HANDLE, VK_NULL_HANDLE, to);
   CHECK_EQ(icd_WaitForFences(f.device, 1, &to, VK_TRUE, SECONDS(20)), VK_SUCCESS);
   icd_DestroyFence(f.device, from, NULL);
   icd_DestroyFence(f.device, to, NULL);
   fixture_finish(&f, NULL);
}

/* ---- sync files ---- */

static void *write_later(void *arg)
{
   usleep(20000);
   CHECK_EQ(write(*(const int *)arg, "x", 1), 1);
   return NULL;
}

TEST(sync_files)
{
   struct fixture f;
   int pipes[2];
   pthread_t thread;
   fixture_init(&f, NULL);
   const VkSemaphore semaphore = create_semaphore(&f, VK_SEMAPHORE_TYPE_BINARY, false);
   const VkFence fence = create_fence(&f, 0, false), imported = create_fence(&f, 0, false);
   /* What stands for "signaled already" */
   CHECK_EQ(import_semaphore(&f, semaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                             VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT, -1),
            VK_SUCCESS);
   submit_empty(&f, semaphore, VK_NULL_HANDLE, fence);
   CHECK_EQ(icd_WaitForFences(f.device, 1, &fence, VK_TRUE, SECONDS(20)), VK_SUCCESS);
   /* Exporting a copy waits, and takes the signal away. */
   CHECK_EQ(fence_fd(&f, fence, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT), -1);
   CHECK_EQ(icd_GetFenceStatus(f.device, fence), VK_NOT_READY);
   submit_empty(&f, VK_NULL_HANDLE, semaphore, VK_NULL_HANDLE);
   CHECK_EQ(semaphore_fd(&f, semaphore, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT), -1);
   /* A file that becomes readable later: a queue waits for it as semaphore, the host as fence. */
   CHECK_EQ(pipe(pipes), 0);
   CHECK_EQ(import_fence(&f, imported, VK_FENCE_IMPORT_TEMPORARY_BIT, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT,
                         dup(pipes[0])),
            VK_SUCCESS);
   CHECK_EQ(import_semaphore(&f, semaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                             VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT, pipes[0]),
            VK_SUCCESS);
   submit_empty(&f, semaphore, VK_NULL_HANDLE, fence);
   CHECK_EQ(icd_GetFenceStatus(f.device, fence), VK_NOT_READY);
   CHECK_EQ(icd_GetFenceStatus(f.device, imported), VK_NOT_READY);
   CHECK_EQ(icd_WaitForFences(f.device, 1, &imported, VK_TRUE, 1000000), VK_TIMEOUT);
   CHECK_EQ(pthread_create(&thread, NULL, write_later, &pipes[1]), 0);
   CHECK_EQ(icd_WaitForFences(f.device, 1, &fence, VK_TRUE, SECONDS(20)), VK_SUCCESS);
   CHECK_EQ(icd_WaitForFences(f.device, 1, &imported, VK_TRUE, SECONDS(20)), VK_SUCCESS);
   pthread_join(thread, NULL);
   close(pipes[1]);
   icd_DestroySemaphore(f.device, semaphore, NULL);
   icd_DestroyFence(f.device, fence, NULL);
   icd_DestroyFence(f.device, imported, NULL);
   fixture_finish(&f, NULL);
}

/* ---- what is refused ---- */

TEST(wrong_descriptors_are_refused)
{
   struct fixture f;
   int pipes[2];
   fixture_init(&f, NULL);
   const VkDeviceMemory memory = allocate_exportable(&f, SIZE);
   const VkSemaphore timeline = create_semaphore(&f, VK_SEMAPHORE_TYPE_TIMELINE, true);
   const VkFence fence = create_fence(&f, 0, false);
   const int unsealed = memfd_create("test", MFD_CLOEXEC), of_memory = memory_fd(&f, memory);
   const int of_timeline = semaphore_fd(&f, timeline, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
   CHECK_EQ(pipe(pipes), 0);
   CHECK_EQ(ftruncate(unsealed, SIZE), 0);
   import_memory(&f, SIZE, pipes[0], VK_ERROR_INVALID_EXTERNAL_HANDLE);
   import_memory(&f, 4096, unsealed, VK_ERROR_INVALID_EXTERNAL_HANDLE);
   import_memory(&f, 2 * SIZE, of_memory, VK_ERROR_INVALID_EXTERNAL_HANDLE);
   const VkExternalFenceHandleTypeFlagBits opaque = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
   CHECK_EQ(import_fence(&f, fence, 0, opaque, of_timeline), VK_ERROR_INVALID_EXTERNAL_HANDLE);
   CHECK_EQ(import_fence(&f, fence, 0, opaque, of_memory), VK_ERROR_INVALID_EXTERNAL_HANDLE);
   CHECK_EQ(import_fence(&f, fence, 0, opaque, pipes[0]), VK_ERROR_INVALID_EXTERNAL_HANDLE);
   CHECK_EQ(import_fence(&f, fence, 0, opaque, 12345), VK_ERROR_INVALID_EXTERNAL_HANDLE);
   CHECK_EQ(import_fence(&f, fence, 1, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT, 12345),
            VK_ERROR_INVALID_EXTERNAL_HANDLE);
   CHECK_EQ(icd_GetFenceStatus(f.device, fence), VK_NOT_READY); /* still works */
   /* A refused descriptor stays the caller's. */
   CHECK_EQ(close(of_timeline), 0);
   CHECK_EQ(close(of_memory), 0);
   CHECK_EQ(close(unsealed), 0);
   CHECK_EQ(close(pipes[0]), 0);
   CHECK_EQ(close(pipes[1]), 0);
   icd_FreeMemory(f.device, memory, NULL);
   icd_DestroySemaphore(f.device, timeline, NULL);
   icd_DestroyFence(f.device, fence, NULL);
   fixture_finish(&f, NULL);
}

/* ---- memory of the application ---- */

/* What stands behind memory of the driver's can be read, so that images take no more than their texels; behind that of the application it cannot. */
TEST(sizes_of_images)
{
   struct fixture f;
   VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
   VkExternalMemoryImageCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO};
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .pNext = &external, .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {128, 128, 1}, .mipLevels = 1, .arrayLayers = 2,
                                   .samples = VK_SAMPLE_COUNT_1_BIT, .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
   const VkDeviceImageMemoryRequirements wanted = {.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
   fixture_init(&f, NULL);
   for (uint32_t is_host = 0; is_host < 2; is_host++) {
      external.handleTypes = is_host ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT : VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
      icd_GetDeviceImageMemoryRequirements(f.device, &wanted, &requirements);
      CHECK_EQ(requirements.memoryRequirements.size, 2 * 128 * 128 * 4 + is_host * 64);
   }
   fixture_finish(&f, NULL);
}

TEST(host_memory)
{
   struct fixture f;
   fixture_init(&f, NULL);
   uint32_t *words = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   VkMemoryHostPointerPropertiesEXT properties = {VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
   const VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
   CHECK(words != MAP_FAILED);
   CHECK_EQ(icd_GetMemoryHostPointerPropertiesEXT(f.device, type, words, &properties), VK_SUCCESS);
   CHECK(properties.memoryTypeBits & 1);
   const VkImportMemoryHostPointerInfoEXT import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, NULL, type,
                                                    words};
   const VkDeviceMemory memory = allocate(&f, SIZE, &import, VK_SUCCESS);
   const VkBuffer buffer = bind_buffer(&f, memory);
   fixture_begin(f.commands);
   icd_CmdFillBuffer(f.commands, buffer, 0, SIZE, 0x44444444);
   fixture_run(&f);
   CHECK(is_filled(words, 0x44444444));
   icd_DestroyBuffer(f.device, buffer, NULL);
   icd_FreeMemory(f.device, memory, NULL);
   words[0] = 1; /* still the application's */
   munmap(words, SIZE);
   fixture_finish(&f, NULL);
}

TEST_MAIN
