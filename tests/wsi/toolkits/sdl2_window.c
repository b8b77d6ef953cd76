/* SPDX-License-Identifier: MIT
 * A window of SDL2: opened, resized, closed. */
#include "tests/wsi/toolkits/frames.h"

#include <SDL.h>
#include <SDL_vulkan.h>

static void check(int is_fine, const char *what)
{
   if (is_fine)
      return;
   fprintf(stderr, "%s: %s\n", what, SDL_GetError());
   exit(1);
}

int main(int argc, char **argv)
{
   const char *extensions[8];
   unsigned count = 8;
   VkInstance instance;
   VkSurfaceKHR surface;
   check(SDL_Init(SDL_INIT_VIDEO) == 0, "SDL_Init");
   SDL_Window *window = SDL_CreateWindow("vk_swrast", 0, 0, frames_steps[0].width, frames_steps[0].height,
                                         SDL_WINDOW_VULKAN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_BORDERLESS);
   check(window != NULL, "SDL_CreateWindow");
   check(SDL_Vulkan_GetInstanceExtensions(window, &count, extensions), "SDL_Vulkan_GetInstanceExtensions");
   const PFN_vkGetInstanceProcAddr get_address = (PFN_vkGetInstanceProcAddr)SDL_Vulkan_GetVkGetInstanceProcAddr();
   const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .enabledExtensionCount = count,
      .ppEnabledExtensionNames = extensions,
   };
   check(((PFN_vkCreateInstance)get_address(NULL, "vkCreateInstance"))(&info, NULL, &instance) == VK_SUCCESS,
         "vkCreateInstance");
   check(SDL_Vulkan_CreateSurface(window, instance, &surface), "SDL_Vulkan_CreateSurface");

   struct frames *frames = frames_create(get_address, instance, surface);
   for (int i = 0; i < FRAMES_NUM_STEPS; i++) {
      SDL_SetWindowSize(window, frames_steps[i].width, frames_steps[i].height);
      while (!frames_show(frames, &frames_steps[i])) {
         SDL_Event event;
         while (SDL_PollEvent(&event)) {
         }
      }
   }
   frames_destroy(frames);
   ((PFN_vkDestroySurfaceKHR)get_address(instance, "vkDestroySurfaceKHR"))(instance, surface, NULL);
   ((PFN_vkDestroyInstance)get_address(instance, "vkDestroyInstance"))(instance, NULL);
   SDL_DestroyWindow(window);
   SDL_Quit();
   return 0;
}
