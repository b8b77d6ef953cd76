// SPDX-License-Identifier: MIT
// For vkfft.sh: transforms random numbers by VkFFT, compares with a DFT in double precision, and back with what they were.
#include "vkFFT.h"

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

typedef std::complex<double> number;

static void check(int64_t result, const char *what)
{
   if (result) {
      printf("%s: %lld\n", what, (long long)result);
      exit(1);
   }
}

struct gpu {
   VkInstance instance;
   VkPhysicalDevice physical;
   VkDevice device;
   VkQueue queue;
   VkCommandPool pool;
   VkFence fence;
   VkBuffer buffer;
   VkDeviceMemory memory;
   float *map;
};

static const uint64_t MAX_BYTES = 1 << 22;

static gpu init()
{
   gpu g = {};
   VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
   app.apiVersion = VK_API_VERSION_1_1;
   VkInstanceCreateInfo instance = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
   instance.pApplicationInfo = &app;
   check(vkCreateInstance(&instance, NULL, &g.instance), "vkCreateInstance");
   uint32_t count = 1;
   vkEnumeratePhysicalDevices(g.instance, &count, &g.physical);
   const float priority = 1;
   VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
   queue.queueCount = 1;
   queue.pQueuePriorities = &priority;
   VkDeviceCreateInfo device = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
   device.queueCreateInfoCount = 1;
   device.pQueueCreateInfos = &queue;
   check(vkCreateDevice(g.physical, &device, NULL, &g.device), "vkCreateDevice");
   vkGetDeviceQueue(g.device, 0, 0, &g.queue);
   VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, NULL, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
   check(vkCreateCommandPool(g.device, &pool, NULL, &g.pool), "vkCreateCommandPool");
   VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   check(vkCreateFence(g.device, &fence, NULL, &g.fence), "vkCreateFence");
   VkBufferCreateInfo buffer = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, NULL, 0, MAX_BYTES,
                                VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   check(vkCreateBuffer(g.device, &buffer, NULL, &g.buffer), "vkCreateBuffer");
   VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, MAX_BYTES, 0}; // a software driver has memory for all in type 0
   check(vkAllocateMemory(g.device, &memory, NULL, &g.memory), "vkAllocateMemory");
   check(vkBindBufferMemory(g.device, g.buffer, g.memory, 0), "vkBindBufferMemory");
   check(vkMapMemory(g.device, g.memory, 0, VK_WHOLE_SIZE, 0, (void **)&g.map), "vkMapMemory");
   return g;
}

static void transform(gpu &g, VkFFTApplication *fft, int direction)
{
   VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, g.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
   VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   VkCommandBuffer cmd;
   check(vkAllocateCommandBuffers(g.device, &allocate, &cmd), "vkAllocateCommandBuffers");
   check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   VkFFTLaunchParams launch = {};
   launch.commandBuffer = &cmd;
   check(VkFFTAppend(fft, direction, &launch), "VkFFTAppend");
   check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
   submit.commandBufferCount = 1;
   submit.pCommandBuffers = &cmd;
   check(vkQueueSubmit(g.queue, 1, &submit, g.fence), "vkQueueSubmit");
   check(vkWaitForFences(g.device, 1, &g.fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
   vkResetFences(g.device, 1, &g.fence);
   vkFreeCommandBuffers(g.device, g.pool, 1, &cmd);
}

// Along one dimension, whose elements are `stride` apart.
static void dft(std::vector<number> &values, uint64_t size, uint64_t stride)
{
   std::vector<number> roots(size), line(size);
   for (uint64_t i = 0; i < size; i++)
      roots[i] = std::polar(1.0, -2 * M_PI * (double)i / (double)size);
   for (uint64_t first = 0; first < values.size(); first++) {
      if (first / stride % size)
         continue;
      for (uint64_t k = 0; k < size; k++) {
         line[k] = 0;
         for (uint64_t i = 0; i < size; i++)
            line[k] += values[first + i * stride] * roots[i * k % size];
      }
      for (uint64_t k = 0; k < size; k++)
         values[first + k * stride] = line[k];
   }
}

// The error relative to the root mean square, the worse of there and back.
static double error_of(gpu &g, const uint64_t size[3], uint64_t batch, bool is_real)
{
   const uint64_t volume = size[0] * size[1] * size[2], half = size[0] / 2 + 1, rows = volume / size[0] * batch;
   std::mt19937 random(1);
   std::vector<number> values(volume);
   std::vector<float> before(is_real ? 0 : volume * batch * 2);
   uint64_t bytes = is_real ? half * 8 * rows : volume * batch * 8;
   for (uint64_t i = 0; i < volume * batch; i++) {
      const double re = random() / 4294967296.0 - 0.5, im = is_real ? 0 : random() / 4294967296.0 - 0.5;
      if (i < volume)
         values[i] = number((float)re, (float)im);
      if (is_real) {
         g.map[i / size[0] * half * 2 + i % size[0]] = (float)re;
      } else {
         g.map[i * 2] = before[i * 2] = (float)re;
         g.map[i * 2 + 1] = before[i * 2 + 1] = (float)im;
      }
   }
   VkFFTConfiguration config = {};
   VkFFTApplication fft = {};
   config.FFTdim = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
   for (int d = 0; d < 3; d++)
      config.size[d] = size[d];
   config.numberBatches = batch;
   config.performR2C = is_real;
   config.normalize = 1;
   config.physicalDevice = &g.physical;
   config.device = &g.device;
   config.queue = &g.queue;
   config.commandPool = &g.pool;
   config.fence = &g.fence;
   config.buffer = &g.buffer;
   config.bufferSize = &bytes;
   check(initializeVkFFT(&fft, config), "initializeVkFFT");
   transform(g, &fft, -1);
   uint64_t stride = 1;
   for (int d = 0; d < 3; stride *= size[d++])
      dft(values, size[d], stride);
   double worst = 0;
   for (uint64_t i = 0; i < volume; i++) {
      if (is_real && i % size[0] >= half)
         continue;
      const uint64_t at = is_real ? i / size[0] * half + i % size[0] : i;
      worst = std::max(worst, std::abs(number(g.map[at * 2], g.map[at * 2 + 1]) - values[i]) / sqrt((double)volume));
   }
   transform(g, &fft, 1);
   for (uint64_t i = 0; i < before.size(); i++)
      worst = std::max(worst, (double)std::abs(g.map[i] - before[i]));
   deleteVkFFT(&fft);
   return worst;
}

int main()
{
   // Powers of two beside and beyond one workgroup's memory, small factors, primes by Rader's algorithm, more dimensions.
   static const uint64_t sizes[][3] = {{8, 1, 1},   {256, 1, 1}, {4096, 1, 1},  {8192, 1, 1}, {16384, 1, 1}, {243, 1, 1}, {625, 1, 1}, {1001, 1, 1},
                                       {17, 1, 1},  {257, 1, 1}, {1009, 1, 1},  {769, 1, 1},  {64, 64, 1},   {60, 35, 1}, {16, 16, 16}, {12, 10, 14}};
   gpu g = init();
   int num_good = 0, num = 0;
   for (const uint64_t *size : sizes) {
      for (int variant = 0; variant < 3; variant++) {
         const bool is_real = variant == 2;
         if (is_real && size[0] % 2)
            continue;
         const double error = error_of(g, size, variant == 1 ? 5 : 1, is_real);
         printf("%llu x %llu x %llu%s: %.3g\n", (unsigned long long)size[0], (unsigned long long)size[1], (unsigned long long)size[2],
                is_real ? ", real" : variant ? ", 5 of them" : "", error);
         num_good += error < 1e-5;
         num++;
      }
   }
   printf("%d of %d transforms right\n", num_good, num);
   return num_good != num;
}
