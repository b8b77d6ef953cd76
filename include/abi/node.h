/* SPDX-License-Identifier: MIT
 * Nodes of execution graphs: what a compute shader says of itself as a node, the record that it is dispatched for, and its calls, by which it
 * allocates payloads for other nodes and gives them away.
 * Spec: Vulkan, "Execution Graphs"; SPIR-V, SPV_AMDX_shader_enqueue. Threads: a call's data is the caller's; struct abi_node belongs to a dispatch. */
#pragma once

#include <stdint.h>

struct abi_worker;

enum {
   ABI_NODE_LANES = 32,             /* of a call, at most */
   ABI_MAX_NODE_PAYLOAD_BYTES = 32768,
   ABI_MAX_NODE_PAYLOADS = 65535,   /* of one allocation; each a record */
   ABI_MAX_NODE_OUTPUTS = 256,      /* that a shader allocates payloads for: instructions */
   ABI_MAX_NODE_DEPTH = 32,         /* nodes, one dispatched by the other */
};

/* Where the numbers of workgroups come from that a record dispatches. */
enum abi_node_grid {
   ABI_NODE_DYNAMIC,    /* the payload, within limits */
   ABI_NODE_STATIC,     /* the shader */
   ABI_NODE_COALESCING, /* a workgroup takes several records */
};

/* A node is named by a hash of its name, as there are no strings in compiled code, and its index. */
struct abi_node_name {
   uint64_t hash[2];
};

/* What a shader says: part of struct abi_shader_info. */
struct abi_node_info {
   struct abi_node_name shares_name; /* with which node it shares its input */
   uint32_t shares_index;
   uint32_t index;            /* of the node, unless the pipeline gives another */
   uint32_t payload_bytes;    /* of what it reads; 0: nothing */
   uint32_t stride_bytes;     /* between payloads */
   uint32_t max_payloads;     /* that a workgroup takes, where they are coalesced */
   uint32_t max_recursion;    /* how often it may enqueue itself */
   uint32_t grid[3];          /* static: the numbers; dynamic: no more than these */
   uint32_t grid_offset;      /* dynamic: bytes; where the numbers stand in the payload */
   uint8_t grid_components;   /* 1 to 3; those that are not there are 1 */
   uint8_t grid_component_bytes; /* 1, 2 or 4 */
   uint8_t grid_class;        /* enum abi_node_grid */
   uint8_t is_node;           /* it may stand in an execution graph alone */
   uint8_t shares_input;
   uint8_t is_no_entry;       /* commands do not dispatch it */
   uint8_t calls;             /* struct abi_node_call: it runs a workgroup a call */
};

/* What a workgroup is dispatched for. */
struct abi_node {
   uint8_t *payloads;
   uint32_t payload_bytes; /* of all payloads together */
   uint32_t num_payloads;
   uint32_t index;         /* of the node */
   uint32_t remaining_recursion;
};

/* A payload array that a shader allocates: constants. */
struct abi_node_output {
   struct abi_node_name name;
   uint32_t base_index;
   uint32_t max_payloads; /* 1 to ABI_MAX_NODE_PAYLOADS */
   uint32_t payload_bytes, stride_bytes;
};

enum abi_node_op {
   ABI_NODE_ALLOCATE, /* operands: count, index. Results: an address, bytes; both 0 where there is no such node, or nothing is to be allocated */
   ABI_NODE_ENQUEUE,  /* operand: an address of ALLOCATE, of this workgroup. No results */
   ABI_NODE_IS_VALID, /* operand: index. Result: payloads can be allocated */
   ABI_NODE_FINISH,   /* result: all workgroups that have the payload are here */
};

/* One vector of a workgroup calls. What the workgroup has together is the same for all of its vectors, which make the same such calls in
 * the same order. Lanes outside `mask` are neither read nor written. */
struct abi_node_call {
   const struct abi_node_output *output; /* NULL: ENQUEUE, FINISH */
   uint32_t op;        /* enum abi_node_op */
   uint32_t lanes, mask;
   uint32_t local;     /* which invocation of the workgroup lane 0 is */
   uint32_t is_shared; /* ALLOCATE, FINISH: for the whole workgroup; results are in entry 0 */
   uint32_t unused[9];
   uint64_t operands[2][ABI_NODE_LANES];
   uint64_t results[2][ABI_NODE_LANES];
};

typedef void abi_node_call_fn(struct abi_worker *worker, struct abi_node_call *call);
