/* SPDX-License-Identifier: MIT */
#include "util/dma_buf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };

/* The file system that all dma-bufs are of; linux/magic.h has it since 5.1 only. */
#define DMA_BUF_FILES 0x444d4142

static const char device_path[] = "/dev/udmabuf";

size_t util_dma_buf_bytes(int fd)
{
   struct statfs files;
   if (fstatfs(fd, &files) != 0)
      return 0;
   const int seals = fcntl(fd, F_GET_SEALS);
   if (files.f_type != DMA_BUF_FILES && (seals < 0 || !(seals & F_SEAL_SHRINK)))
      return 0;
   const off_t end = lseek(fd, 0, SEEK_END); /* the one thing that a dma-buf's size can be asked by */
   return end > 0 ? (size_t)end / PAGE_BYTES * PAGE_BYTES : 0;
}

bool util_dma_buf_import(struct util_shared_memory *memory, int fd, size_t min_bytes, size_t slack_bytes)
{
   const size_t bytes = util_dma_buf_bytes(fd);
   if (!bytes || bytes < min_bytes) {
      errno = EINVAL;
      return false;
   }
   const size_t all_bytes = bytes + util_align(slack_bytes, PAGE_BYTES);
   void *data = mmap(NULL, all_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (data == MAP_FAILED)
      return false;
   if (mmap(data, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
      const int reason = errno;
      munmap(data, all_bytes);
      errno = reason;
      return false;
   }
   *memory = (struct util_shared_memory){fd, data, all_bytes};
   return true;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool can_create; /* written in `once` only */

static void look_for_device(void)
{
   struct util_shared_memory memory;
   if (access(device_path, R_OK | W_OK) != 0 || !util_shared_memory_create(&memory, "vk_swrast-dma-buf", PAGE_BYTES))
      return;
   const int fd = util_dma_buf_create(&memory);
   can_create = fd >= 0;
   if (fd >= 0)
      close(fd);
   util_shared_memory_finish(&memory);
}

bool util_dma_buf_can_create(void)
{
   pthread_once(&once, look_for_device);
   return can_create;
}

int util_dma_buf_create(const struct util_shared_memory *memory)
{
   const int device = open(device_path, O_RDWR | O_CLOEXEC);
   if (device < 0)
      return -1;
   const struct udmabuf_create create = {.memfd = (uint32_t)memory->fd, .flags = UDMABUF_FLAGS_CLOEXEC, .size = memory->size_bytes};
   const int fd = ioctl(device, UDMABUF_CREATE, &create);
   const int reason = errno;
   close(device);
   errno = reason;
   return fd;
}
