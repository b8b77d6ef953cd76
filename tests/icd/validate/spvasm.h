/* SPDX-License-Identifier: MIT
 * Modules of the tests from files: words (.spv), headers of words in hexadecimal as glslang writes them (.h), and assembly (.spvasm), which
 * is assembled with SPIRV-Tools and whose comments are answered.
 *
 * Comments of the form "; key: values" before the first instruction describe what a module is made for:
 *   env        version of the device: 1.0 to 1.4, default 1.3
 *   spirv      version of the words: 1.0 to 1.6, default 1.3
 *   enable, disable      features: fields of struct icd_features
 *   extension, without   device extensions that are enabled, or not
 *   needs      a device extension that is not offered with older headers or SPIRV-Tools: without it the module is left out
 *   limit      name=value of properties, maxComputeWorkGroupSize[0]=64 for arrays
 *   also       rules that are broken too
 *   pipeline   the rule is one of pipelines: the stages, from the entry points "main" of this one module
   sample_shading       the pipeline's minSampleShading, with four samples; 0: not enabled
   fragment_regions     1: the pipeline's subpass has VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM
 * Owns: text and words, freed by spvasm_free(). Threads: none shared. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spvasm {
   char *text;
   uint32_t *words;
   size_t num_words;
};

/* Reads a file of one of these formats. False, with a line on stderr, if there is no such file or it is wrong. */
bool spvasm_load(struct spvasm *module, const char *path);
/* The same of an assembly's text alone, for its comments. */
bool spvasm_read(struct spvasm *module, const char *path);
/* Assembles a text, which is copied. */
bool spvasm_assemble(struct spvasm *module, const char *text);
void spvasm_free(struct spvasm *module);

/* The values of a key, word by word: copies the `index`-th into `word`. False if there are fewer. */
bool spvasm_value(const struct spvasm *module, const char *key, unsigned index, char *word, size_t size);
/* A version as "1.3" in tenths: 13; `otherwise` if the key is missing. */
unsigned spvasm_version(const struct spvasm *module, const char *key, unsigned otherwise);
