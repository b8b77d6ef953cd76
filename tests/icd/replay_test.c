/* SPDX-License-Identifier: MIT
 * Addresses that a tool captured are had again by whoever replays them: those of memory, of the buffers in it, of sparse buffers and of
 * acceleration structures; an address that is in use is an error. */
#include "tests/icd/fixture.h"
#include "tests/test.h"
#include "util/macros.h"

enum { MEMORY_BYTES = 100000, BUFFER_BYTES = 5000, OFFSET = 4096 };

static VkResult allocate(const struct fixture *f, const void *next, uint64_t address, VkDeviceSize size, VkDeviceMemory *memory)
{
   const VkMemoryOpaqueCaptureAddressAllocateInfo captured = {VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO, next, address};
   const VkMemoryAllocateFlagsInfo flags = {
      VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, &captured,
      VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT, 0};
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, size, 0};
   return icd_AllocateMemory(f->device, &info, NULL, memory);
}

static uint64_t memory_address(const struct fixture *f, VkDeviceMemory memory)
{
   const VkDeviceMemoryOpaqueCaptureAddressInfo info = {VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO, NULL, memory};
   return icd_GetDeviceMemoryOpaqueCaptureAddress(f->device, &info);
}

static VkBuffer make_buffer(const struct fixture *f, VkBufferCreateFlags flags, uint64_t address)
{
   VkBuffer buffer = VK_NULL_HANDLE;
   const VkBufferOpaqueCaptureAddressCreateInfo captured = {VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO, NULL, address};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &captured,
                                    .flags = flags | VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT, .size = BUFFER_BYTES,
                                    .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
   const VkResult result = icd_CreateBuffer(f->device, &info, NULL, &buffer);
   CHECK(result == VK_SUCCESS || (address && result == VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS));
   return buffer;
}

static uint64_t buffer_address(const struct fixture *f, VkBuffer buffer, bool is_opaque)
{
   const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, NULL, buffer};
   return is_opaque ? icd_GetBufferOpaqueCaptureAddress(f->device, &info) : icd_GetBufferDeviceAddress(f->device, &info);
}

/* Small and large memory, and such as other processes can import. */
TEST(memory_and_buffers)
{
   static const VkExportMemoryAllocateInfo shared = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, NULL,
                                                     VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   static const struct {
      const void *next;
      VkDeviceSize size;
   } rows[] = {{NULL, 10000}, {NULL, MEMORY_BYTES}, {&shared, MEMORY_BYTES}};
   struct fixture f;
   fixture_init(&f, NULL);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      VkDeviceMemory memory, second;
      uint64_t addresses[2][3];
      CHECK_EQ(allocate(&f, rows[i].next, 0, rows[i].size, &memory), VK_SUCCESS);
      const uint64_t captured = memory_address(&f, memory);
      CHECK_EQ(allocate(&f, rows[i].next, captured, rows[i].size, &second), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
      for (uint32_t turn = 0; turn < 2; turn++) {
         void *data;
         if (turn)
            CHECK_EQ(allocate(&f, rows[i].next, captured, rows[i].size, &memory), VK_SUCCESS);
         VkBuffer buffer = make_buffer(&f, 0, turn ? addresses[0][2] : 0);
         CHECK_EQ(icd_BindBufferMemory(f.device, buffer, memory, OFFSET), VK_SUCCESS);
         CHECK_EQ(icd_MapMemory(f.device, memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
         CHECK_EQ(((char *)data)[rows[i].size - 1], 0);
         ((char *)data)[rows[i].size - 1] = 1;
         addresses[turn][0] = memory_address(&f, memory);
         addresses[turn][1] = buffer_address(&f, buffer, false);
         addresses[turn][2] = buffer_address(&f, buffer, true);
         CHECK_EQ(addresses[turn][1], captured + OFFSET);
         icd_DestroyBuffer(f.device, buffer, NULL);
         icd_FreeMemory(f.device, memory, NULL);
      }
      CHECK(!memcmp(addresses[0], addresses[1], sizeof(addresses[0])));
   }
   fixture_finish(&f, NULL);
}

TEST(sparse_buffers)
{
   struct fixture f;
   fixture_init(&f, NULL);
   VkBuffer buffer = make_buffer(&f, VK_BUFFER_CREATE_SPARSE_BINDING_BIT, 0);
   const uint64_t opaque = buffer_address(&f, buffer, true), address = buffer_address(&f, buffer, false);
   CHECK(!make_buffer(&f, VK_BUFFER_CREATE_SPARSE_BINDING_BIT, opaque));
   icd_DestroyBuffer(f.device, buffer, NULL);
   buffer = make_buffer(&f, VK_BUFFER_CREATE_SPARSE_BINDING_BIT, opaque);
   CHECK_EQ(buffer_address(&f, buffer, false), address);
   icd_DestroyBuffer(f.device, buffer, NULL);
   fixture_finish(&f, NULL);
}

TEST(acceleration_structures)
{
   struct fixture f;
   VkAccelerationStructureKHR structure;
   fixture_init(&f, NULL);
   struct fixture_buffer buffer = fixture_buffer(&f, 4096);
   VkAccelerationStructureCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                .createFlags = VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR,
                                                .buffer = buffer.buffer, .offset = 1024, .size = 1024,
                                                .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
   CHECK_EQ(icd_CreateAccelerationStructureKHR(f.device, &info, NULL, &structure), VK_SUCCESS);
   const VkAccelerationStructureDeviceAddressInfoKHR which = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, NULL, structure};
   info.deviceAddress = icd_GetAccelerationStructureDeviceAddressKHR(f.device, &which);
   icd_DestroyAccelerationStructureKHR(f.device, structure, NULL);
   CHECK_EQ(icd_CreateAccelerationStructureKHR(f.device, &info, NULL, &structure), VK_SUCCESS);
   icd_DestroyAccelerationStructureKHR(f.device, structure, NULL);
   info.deviceAddress += 256;
   CHECK_EQ(icd_CreateAccelerationStructureKHR(f.device, &info, NULL, &structure), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
   fixture_buffer_destroy(&f, &buffer);
   fixture_finish(&f, NULL);
}

TEST_MAIN
