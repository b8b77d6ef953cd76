/* SPDX-License-Identifier: MIT
 * A window of GLFW: opened, resized, closed. */
#include "tests/wsi/toolkits/frames.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int is_fine, const char *what)
{
   const char *reason = "";
   if (is_fine)
      return;
   glfwGetError(&reason);
   fprintf(stderr, "%s: %s\n", what, reason);
   exit(1);
}

int main(void)
{
   uint32_t count = 0;
   VkInstance instance;
   VkSurfaceKHR surface;
   check(glfwInit() && glfwVulkanSupported(), "glfwInit");
   glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
   glfwWindowHint(GLFW_DECORATED, GLFW_FALSE);
   GLFWwindow *window = glfwCreateWindow(frames_steps[0].width, frames_steps[0].height, "vk_swrast", NULL, NULL);
   check(window != NULL, "glfwCreateWindow");
   glfwSetWindowPos(window, 0, 0);
   const char **extensions = glfwGetRequiredInstanceExtensions(&count);
   const PFN_vkGetInstanceProcAddr get_address =
      (PFN_vkGetInstanceProcAddr)glfwGetInstanceProcAddress(NULL, "vkGetInstanceProcAddr");
   const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .enabledExtensionCount = count,
      .ppEnabledExtensionNames = extensions,
   };
   check(((PFN_vkCreateInstance)get_address(NULL, "vkCreateInstance"))(&info, NULL, &instance) == VK_SUCCESS,
         "vkCreateInstance");
   check(glfwCreateWindowSurface(instance, window, NULL, &surface) == VK_SUCCESS, "glfwCreateWindowSurface");

   struct frames *frames = frames_create(get_address, instance, surface);
   for (int i = 0; i < FRAMES_NUM_STEPS; i++) {
      glfwSetWindowSize(window, frames_steps[i].width, frames_steps[i].height);
      while (!frames_show(frames, &frames_steps[i]))
         glfwPollEvents();
   }
   frames_destroy(frames);
   ((PFN_vkDestroySurfaceKHR)get_address(instance, "vkDestroySurfaceKHR"))(instance, surface, NULL);
   ((PFN_vkDestroyInstance)get_address(instance, "vkDestroyInstance"))(instance, NULL);
   glfwDestroyWindow(window);
   glfwTerminate();
   return 0;
}
