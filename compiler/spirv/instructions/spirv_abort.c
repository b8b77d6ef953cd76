/* SPDX-License-Identifier: MIT
 * SPV_KHR_abort. A probe (abi/probe.h) asks for memory, which one invocation of all gets; that one stores the message there as to any address, and a
 * second probe ends the device. */
#include "compiler/instrument/instrument.h"
#include "compiler/spirv/instructions/spirv_instructions.h"

static struct abi_site *site_of(struct spirv_ctx *t, enum abi_probe probe)
{
   struct abi_site *site = ir_site_create_at(t->shader, probe, t->b.line, "abort", NULL);
   if (!site)
      spirv_fail(t, "a shader with more than %u locations that abort, print or are checked", ABI_MAX_SITES);
   return site;
}

static void store_message(struct spirv_ctx *t, const struct spirv_type *type, struct spirv_layout layout, struct ir_instr *address,
                          struct spirv_val *message)
{
   const struct spirv_pointer pointer = {.class = SPIRV_PTR_GLOBAL, .type = type, .layout = layout, .align = 1, .addr = address};
   struct ir_instr *has_memory = ir_if(&t->b, ir_alu2(&t->b, IR_ine, address, ir_const(&t->b, 64, 0)));
   const struct ir_builder saved = t->b;
   t->b = ir_builder_at_end(t->shader, has_memory->imm.cf.regions[0]);
   t->b.line = saved.line;
   spirv_store(t, &pointer, message);
   ir_jump(&t->b, IR_yield, NULL, 0, NULL);
   t->b = ir_builder_at_end(t->shader, has_memory->imm.cf.regions[1]);
   ir_jump(&t->b, IR_yield, NULL, 0, NULL);
   t->b = saved;
}

void spirv_abort(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_layout layout = {.class = SPIRV_LAYOUT_EXPLICIT};
   const struct spirv_type *type = spirv_type(t, spirv_word(t, in, 1));
   struct spirv_val *message = spirv_value(t, spirv_word(t, in, 2));
   if (!spirv_types_match(t, type, message->type))
      spirv_fail(t, "OpAbortKHR with a message of another type than it says");
   const uint64_t size_bytes = spirv_type_bytes(t, type, layout);
   if (size_bytes > ABI_MAX_ABORT_BYTES)
      spirv_fail(t, "OpAbortKHR with a message of more than %u bytes", ABI_MAX_ABORT_BYTES);
   struct ir_instr *always = ir_const(&t->b, 1, 1), *size = ir_const(&t->b, 64, size_bytes);
   struct ir_instr *address = ir_probe_value(&t->instrument, &t->b, site_of(t, ABI_PROBE_ABORT), 64, always, 1, &size);
   store_message(t, type, layout, address, message);
   ir_probe(&t->instrument, &t->b, site_of(t, ABI_PROBE_ABORTED), always, 0, NULL);
}
