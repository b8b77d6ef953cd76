/* SPDX-License-Identifier: MIT */ struct ir_interp_unused;
