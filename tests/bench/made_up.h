/* SPDX-License-Identifier: MIT
 * What a shader of strangers reads, made up from its reflection: descriptor sets with textures, buffers and samplers, push constants, vertices, and a vertex
 * stage for a fragment shader that comes alone. Always the same for the same module. All of it lives until the device goes. */
#pragma once

#include "tests/client/client.h"
#include "tests/clients/programs/reflection.h"

#include <stddef.h>

enum { MADE_UP_PUSH_BYTES = 256, MADE_UP_VERTICES = 3, MADE_UP_MAX_ATTRIBUTES = 8, MADE_UP_ATTRIBUTE_BYTES = 16 };

struct made_up_picture {
   uint32_t width, height; /* of what is drawn and of storage images, in texels */
   bool is_srgb;           /* textures are */
   bool is_nearest;        /* filters are, of levels too */
};

struct made_up {
   VkPipelineLayout layout;
   VkDescriptorSet sets[REFLECTION_MAX_SETS];
   uint32_t num_sets;
   uint8_t push[MADE_UP_PUSH_BYTES];
   uint32_t push_bytes;
};

/* Ends the program where the reflection asks for something that is not made here. */
struct made_up made_up_resources(struct client *client, const struct reflection *reflection, const struct made_up_picture *picture);
/* Words, from malloc(), of a vertex shader that covers the picture with three vertices and writes what the fragment shader's entry point reads: a position
 * from 0 to 1 in vectors of floats, 0 in integers. */
uint32_t *made_up_vertex_stage(spvc_compiler fragment, size_t *num_words);
/* The attributes that a vertex shader reads, and their buffer: clip coordinates at location 0 and where the name says position, else a position from 0 to 1.
 * Returns the number of attributes. */
uint32_t made_up_vertices(struct client *client, spvc_compiler vertex, VkVertexInputAttributeDescription attributes[MADE_UP_MAX_ATTRIBUTES],
                          struct client_buffer *buffer);
