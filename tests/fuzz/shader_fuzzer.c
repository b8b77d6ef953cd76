/* SPDX-License-Identifier: MIT
 * Structured SPIR-V: the bytes are the choices of random_spirv.h, so that a module is valid by construction; the first ones bend it at some operands.
 * Bytes: flags; the number of bends, 0 to 7; of each bend instruction (2), operand, class; then choices. */
#include "tests/fuzz/input.h"
#include "tests/fuzz/module_trial.h"
#include "tests/fuzz/random_spirv.h"

static struct module_trial trial;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   module_trial_init(&trial, true);
   return 0;
}

/* Another operand at one word; the words remain instructions. */
static void bend(struct spvasm *module, struct input *in)
{
   uint32_t *words = module->words;
   const uint32_t instruction = input_pick(in, 1 << 16), operand = input_byte(in), class = input_byte(in);
   size_t at = 5;
   for (uint32_t i = 0; i < instruction && at < module->num_words; i++)
      at += words[at] >> 16;
   if (at >= module->num_words || words[at] >> 16 < 2)
      return;
   uint32_t *word = &words[at + 1 + operand % ((words[at] >> 16) - 1)];
   switch (class % 4) {
   case 0: *word += 1 + (class >> 2); break;
   case 1: *word -= 1 + (class >> 2); break;
   case 2: *word = class & 4 ? UINT32_MAX : 0; break;
   default: *word ^= 1u << (class >> 2 & 31); break;
   }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct input in = {data, data + size};
   const uint32_t flags = input_byte(&in), num_bends = input_byte(&in) % 8;
   const size_t left = (size_t)(in.end - in.at), bends_bytes = num_bends * 4 < left ? num_bends * 4 : left;
   struct input bends = {in.at, in.at + bends_bytes};
   struct spvasm module;
   const struct random_choices choices = {
      .seed = flags, .is_untyped = RANDOM_SPIRV_HAS_UNTYPED && flags & 1, .bytes = in.at + bends_bytes, .num_bytes = left - bends_bytes};
   char *text = random_spirv(ABI_STAGE_COMPUTE, &choices);
   if (text && spvasm_assemble(&module, text)) {
      for (uint32_t i = 0; i < num_bends; i++)
         bend(&module, &bends);
      const struct trial_result result = module_trial_run(&trial, module.words, module.num_words, VK_SHADER_STAGE_COMPUTE_BIT, flags & 2);
      if (!num_bends && !result.is_valid) {
         fprintf(stderr, "a module that nobody bent is refused: %s\n%s", trial.f.ears.text, text);
         abort();
      }
      spvasm_free(&module);
   }
   free(text);
   return 0;
}
