/* SPDX-License-Identifier: MIT
 * Numbers of SPIR-V that came after the oldest headers that we build with. Source: SPIRV-Headers, spirv.core.grammar.json. What they are of is
 * offered where SPIRV-Tools knows it: gen/icd_spirv.py. */
#pragma once

enum util_spirv_number {
   UTIL_SPV_ENCODING_BFLOAT16 = 0,        /* SPV_KHR_bfloat16 */
   UTIL_SPV_ENCODING_E4M3 = 4214,         /* SPV_EXT_float8 */
   UTIL_SPV_ENCODING_E5M2 = 4215,
   UTIL_SPV_DECORATION_SATURATES = 4216,  /* SaturatedToLargestFloat8NormalConversionEXT */
   UTIL_SPV_OP_FMA = 4427,                /* SPV_KHR_fma */
   UTIL_SPV_OP_CONSTANT_DATA = 5147,      /* SPV_KHR_constant_data */
   UTIL_SPV_OP_SPEC_CONSTANT_DATA = 5148,
   UTIL_SPV_OP_BARRIER_ARRIVE = 6142,     /* SPV_EXT_split_barrier */
   UTIL_SPV_OP_BARRIER_WAIT = 6143,
};
