/* SPDX-License-Identifier: MIT
 * What the machine itself can do, measured by plain code on as many threads as drivers use by default (VK_SWRAST_THREADS sets both):
 * the rows that give percentages compare with it. Each call measures anew, since a busy machine has less to give at times. */
#pragma once

/* 10^9 single-precision operations a second of fused multiply-adds in registers, two an add; of multiply and add where there is no FMA. */
double bench_machine_gflops(void);
/* 10^9 bytes a second, read and written ones both counted, of memcpy() between two areas of 64 MB. */
double bench_machine_copy_gbs(void);
