/* SPDX-License-Identifier: MIT
 * Follows what a queue executes: its commands say what bytes they use. For `sync` shaders say it by probes, too; all of it goes to the device's hazards in
 * the order of commands, before the next dependency does. For `uninit` what a command reads and nobody wrote is reported at once, if it decides
 * something: parameters, indices. Threads: the queue's. */
#pragma once

#include "runtime/cmd/cmd.h"
#include "runtime/instrument/uses.h"

enum { RT_MAX_LABELS = 16 }; /* that are open at once; deeper ones are not reported */

struct rt_watch {
   struct rt_hazards *hazards; /* NULL: it is one of `uninit` */
   struct rt_findings *findings; /* of that */
   struct rt_uses *uses;
   uint32_t worker; /* rt_worker.index */
   uint32_t queue;  /* rt_hazards_queue() */
   struct rt_submission_id id;
   uint64_t num_renderings, rendering; /* the one in hand; 0: none */
   const struct rt_cmd_begin_rendering *begin;
   bool tests_depth, tests_stencil; /* some draw of that */
   const char *labels[RT_MAX_LABELS];
   uint32_t num_labels;
   uint32_t num_commands; /* of the submission */
   struct rt_watched_command {
      uint64_t order, rendering;
      uint32_t type, number;
      uint64_t hash; /* of its labels */
      char labels[64];
   } *commands; /* since the last rt_watch_settle() */
   size_t count, capacity;
};

/* What a draw reads before its shaders run. */
struct rt_watched_draw {
   bool is_indexed;
   uint32_t count, instance_count, first, first_instance; /* vertices or indices */
   int32_t vertex_offset;
   const struct rt_state *state;
   const struct rt_vertex_buffer *vertex_buffers;
   struct rt_vertex_buffer index_buffer;
   uint32_t index_bytes, restart_index;
   const uint64_t *inputs; /* abi_shader_info.inputs of the vertex shader; NULL: there is none */
};

/* One of `sync`, or with `hazards` NULL of `uninit`. NULL: memory is out, and that is reported. */
struct rt_watch *rt_watch_create(struct rt_hazards *hazards, struct rt_findings *findings, uint32_t worker);
void rt_watch_destroy(struct rt_watch *watch);
/* At a submission's beginning; nothing is open any more. */
void rt_watch_begin(struct rt_watch *watch, const struct rt_submission_id *id);
/* At a command buffer's beginning. */
void rt_watch_stream(struct rt_watch *watch);
/* True if all work before the command is to be over before rt_watch_command() sees it. */
bool rt_watch_waits(const struct rt_watch *watch, const struct rt_cmd *cmd);
/* Before the command is executed. `order`: its number, and the least that its shaders may have. */
void rt_watch_command(struct rt_watch *watch, const struct rt_cmd *cmd, uint64_t order);
/* Before each draw: which tests read attachments. */
void rt_watch_tests(struct rt_watch *watch, const struct rt_state *state);
/* What a draw of the last command reads. */
void rt_watch_draw(struct rt_watch *watch, const struct rt_watched_draw *draw);
/* What transform feedback wrote, at the command that ended it: [begin, end). */
void rt_watch_captured(struct rt_watch *watch, const uint8_t *begin, const uint8_t *end);
/* `uninit`: shader records that a launch of rays looks up while it runs. `address`: of a record that is not written as a whole. */
struct rt_watched_records {
   struct rt_findings *findings;
   struct rt_finding finding;
   struct rt_command_site site;
};
/* For the last command. False: memory was out. */
UTIL_MUST_CHECK bool rt_watch_records(const struct rt_watch *watch, struct rt_watched_records *records);
/* Thread-safe. */
void rt_watched_record(const struct rt_watched_records *records, uint64_t address);
/* When all work is over: looks for hazards in what was used since the last time. */
void rt_watch_settle(struct rt_watch *watch);

/* ---- below it ---- */

struct rt_watched_use {
   VkPipelineStageFlags2 stages;
   VkAccessFlags2 accesses;
   bool is_write, is_attachment;
   bool is_decisive; /* `uninit`: somebody must have written what it reads */
};
/* watch_use.c: the last command uses the bytes. */
void rt_watch_use(struct rt_watch *watch, const struct rt_watched_use *use, uint64_t begin, uint64_t end);
/* What a command is called in reports. `shader` may be NULL. */
void rt_watch_describe(const struct rt_watch *watch, const struct rt_watched_command *command, const char *shader, char *text, size_t size);
/* A site that stands for a command: it is reported once for its type and labels. */
const struct abi_site *rt_watch_site(struct rt_command_site *room, const struct rt_watched_command *command);
/* watch_accel.c: what builds, copies and questions about acceleration structures use. */
void rt_watch_accel(struct rt_watch *watch, const struct rt_cmd *cmd);
/* watch_commands.c: true if it reads something that decides what it does. */
bool rt_watch_decides(const struct rt_cmd *cmd);
/* What a command uses by itself. */
void rt_watch_uses(struct rt_watch *watch, const struct rt_cmd *cmd);
