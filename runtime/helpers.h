/* SPDX-License-Identifier: MIT
 * The functions that compiled shaders call: the table that workers carry. */
#pragma once

#include "abi/shader.h"

extern const struct abi_helpers rt_helpers;
