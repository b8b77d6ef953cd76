/* SPDX-License-Identifier: MIT
 * A finding in words. */
#pragma once

#include "runtime/instrument/instrument.h"

enum { ICD_WHO = 256 };
enum { ICD_OBJECT_TEXT = 224 };
struct icd_finding_text {
   const char *id;       /* SANITIZE-… */
   char what[512];       /* what is wrong */
   char object[ICD_OBJECT_TEXT]; /* the resource: its variable, binding and name; "" where there is none */
   char location[512];   /* FILE:LINE; "" where the module has no debug information */
   char line[256];       /* the line's text, or "" */
   char invocation[ICD_WHO]; /* who */
   char other_location[512], other_line[256], other_invocation[ICD_WHO]; /* of a race, a hazard */
};

void icd_finding_describe(const struct rt_finding *finding, struct icd_finding_text *text);
/* By the words of an invocation. */
void icd_describe_invocation(char who[ICD_WHO], const struct abi_site *site, const uint64_t *words);
/* The finding concerns a null descriptor, which is no fault where the feature nullDescriptor is enabled. */
bool icd_finding_is_of_null(const struct rt_finding *finding);
