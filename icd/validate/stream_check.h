/* SPDX-License-Identifier: MIT
 * The checks of command streams: what they see of a stream, and the messages that they send. */
#pragma once

#include "runtime/cmd/cmd.h"

#include <stdbool.h>
#include <stdint.h>

struct icd_device;
struct icd_object;
struct icd_shader_uses;

/* A pipeline or a shader object that is bound. */
struct icd_stream_code {
   const struct icd_object *object;
   const char *label;
   struct icd_shader_uses *uses; /* NULL: nothing is known */
   bool has_vertex_input;        /* brings it, as static state */
};

/* What a command stream has set so far. */
struct icd_stream_walk {
   struct icd_device *device;
   const char *command; /* vkCmdDraw, … */
   const struct icd_stream_code *code; /* that is looked at */
   const uint8_t *sets[RT_NUM_BIND_POINTS][ABI_MAX_SETS];
   const struct rt_cmd_begin_rendering *rendering; /* NULL: outside */
   struct rt_state state;
};

enum icd_stream_rule {
   /* of views */
   ICD_STREAM_DIM, ICD_STREAM_NUMERIC, ICD_STREAM_WRITE, ICD_STREAM_WIDTH, ICD_STREAM_SINGLE, ICD_STREAM_MULTI, ICD_STREAM_FORMAT,
   /* of vertex input */
   ICD_STREAM_ATTRIBUTE, ICD_STREAM_ATTRIBUTE_NUMERIC, ICD_STREAM_ATTRIBUTE_NARROW, ICD_STREAM_ATTRIBUTE_WIDE,
   ICD_STREAM_ATTRIBUTE_COMPONENTS,
   /* of attachments */
   ICD_STREAM_OUTPUT,
   /* of what is rendered to; of each type of attachment: another format; where attachments may be unused: another format; none; one
    * that the pipeline uses without having it; another number of samples */
   ICD_STREAM_COLOR_FORMAT, ICD_STREAM_COLOR_OTHER, ICD_STREAM_COLOR_MISSING, ICD_STREAM_COLOR_USED, ICD_STREAM_COLOR_SAMPLES,
   ICD_STREAM_DEPTH_FORMAT, ICD_STREAM_DEPTH_OTHER, ICD_STREAM_DEPTH_MISSING, ICD_STREAM_DEPTH_USED, ICD_STREAM_DEPTH_SAMPLES,
   ICD_STREAM_STENCIL_FORMAT, ICD_STREAM_STENCIL_OTHER, ICD_STREAM_STENCIL_MISSING, ICD_STREAM_STENCIL_USED, ICD_STREAM_STENCIL_SAMPLES,
   ICD_STREAM_COLOR_COUNT, ICD_STREAM_VIEW_MASK, ICD_STREAM_LOCATIONS, ICD_STREAM_NO_PASS, ICD_STREAM_PASS, ICD_STREAM_SUBPASS,
   ICD_STREAM_PASS_SAMPLES,
   ICD_NUM_STREAM_RULES
};

/* A message, once: *reported has a bit a rule. `is_static`: what the rule is about was decided by the pipeline. */
UTIL_PRINTF(5, 6) void icd_stream_report(const struct icd_stream_walk *walk, uint64_t *reported, enum icd_stream_rule rule, bool is_static,
                                         const char *format, ...);

void icd_check_views(const struct icd_stream_walk *walk, enum rt_bind_point point);
void icd_check_draw_formats(const struct icd_stream_walk *walk); /* of attributes and attachments */
void icd_check_draw_targets(const struct icd_stream_walk *walk); /* what the pipeline was made to render to */
