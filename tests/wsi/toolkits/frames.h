/* SPDX-License-Identifier: MIT
 * What the programs with windows of SDL2, GLFW and Qt have in common: frames of one colour on a surface that some
 * toolkit has made, in steps that toolkit_test.c directs. Failures end the program. */
#pragma once

#define VK_NO_PROTOTYPES
#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FRAMES_NUM_STEPS = 2 };

/* A size of the window and the colour shown in it, red, green, blue from 0 to 255. */
struct frames_step {
   int width, height;
   unsigned char color[3];
};
static const struct frames_step frames_steps[FRAMES_NUM_STEPS] = {
   {320, 240, {255, 128, 0}},
   {411, 305, {0, 64, 255}},
};

struct frames;

/* Neither instance nor surface is taken. */
struct frames *frames_create(PFN_vkGetInstanceProcAddr get_address, VkInstance instance, VkSurfaceKHR surface);
/* Shows one frame; true when the step is over: the window has its size, and whoever directs us has looked at it. */
bool frames_show(struct frames *frames, const struct frames_step *step);
void frames_destroy(struct frames *frames);

#ifdef __cplusplus
}
#endif
