/* SPDX-License-Identifier: MIT
 * The nodes of an execution graph pipeline, its own and those of linked libraries, which compute pipelines may be.
 * Spec: Execution Graphs, "Pipeline Creation". Owns: one reference to each shader. Threads: constant after creation. */
#pragma once

#include "icd/pipeline.h"

struct icd_nodes {
   uint32_t num_nodes, num_slots;
   struct icd_shader **shaders; /* [num_nodes] */
   struct rt_node *nodes;       /* [num_nodes] */
   char (*labels)[160];         /* [num_nodes] */
   uint32_t *slots;             /* [num_slots], a power of two */
   uint32_t *sharers;           /* [num_nodes] */
};

/* Room for so many nodes, each to be set. NULL: memory is out. */
struct icd_nodes *icd_nodes_create(uint32_t num_nodes);
/* Releases shaders and memory; NULL is ignored. */
void icd_nodes_destroy(struct icd_nodes *nodes);

/* Takes over a reference. What a stage's chain says of name and index counts for more than the shader. */
void icd_nodes_set(struct icd_nodes *nodes, uint32_t index, struct icd_shader *shader, const VkPipelineShaderStageCreateInfo *stage);
/* Those of a library, from `first` on. */
void icd_nodes_add_library(struct icd_nodes *nodes, uint32_t first, const struct icd_nodes *library);
/* All are there: who is found by which name, who shares whose input. */
struct rt_node_pipeline icd_nodes_link(struct icd_nodes *nodes);

struct abi_node_name icd_node_name(const char *name);
/* Whether pipelines made with these flags may be libraries of execution graphs. */
bool icd_is_for_graphs(VkPipelineCreateFlags2KHR flags);
