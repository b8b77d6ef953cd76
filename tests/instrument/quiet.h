/* SPDX-License-Identifier: MIT
 * A program without a fault prints nothing: what goes to stderr meanwhile is kept. Threads: one user at a time. */
#pragma once

/* From here on, but where switches ask for more than findings; ends the program where it fails. */
void quiet_begin(void);
/* Until here. Returns what was printed, "" for nothing; valid until the next quiet_begin(). It is printed, too, so that nothing is lost. */
const char *quiet_end(void);
