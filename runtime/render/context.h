/* SPDX-License-Identifier: MIT
 * What a draw's stages derive from its state. Spec: Pipelines. */
#pragma once

#include "runtime/draw/context.h"

/* xfb: memory for what is captured, of the context's life; may be NULL if state->xfb is. */
void rt_context_init(struct rt_context *context, const struct rt_draw_state *state, const struct rt_target *target,
                     struct rt_xfb_layout *xfb);
