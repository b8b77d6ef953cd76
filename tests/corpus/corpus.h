/* SPDX-License-Identifier: MIT
 * The corpus of compute shaders, and what runs them. Threads: one user at a time. */
#pragma once

#include "tests/client/client.h"

struct corpus_shader {
   const char *name;
   const uint32_t *words;
   size_t size_bytes;
};
extern const struct corpus_shader corpus_shaders[];
extern const uint32_t corpus_num_shaders;

enum { CORPUS_ELEMENTS = 16384, CORPUS_RESULTS = 65536, CORPUS_GROUPS = 4 /* in x and y */ };

struct corpus {
   struct client *client;
   struct client_buffer floats, words, results;
   struct client_set set;
   VkPipelineLayout layout;
};

/* Buffers with the operands, the same everywhere. */
void corpus_init(struct corpus *corpus, struct client *client);
void corpus_finish(struct corpus *corpus);
/* Compiles a shader; `seconds` of processor time, which a busy machine does not change. May be NULL. */
VkPipeline corpus_compile(struct corpus *corpus, uint32_t shader, double *seconds);
/* Compiles all shaders in one call: corpus_num_shaders pipelines. */
void corpus_compile_all(struct corpus *corpus, VkPipeline *pipelines);
/* Runs a pipeline in `groups` x `groups` workgroups; results start at zero and stand in corpus->results afterwards. */
void corpus_run(struct corpus *corpus, VkPipeline pipeline, uint32_t groups);
