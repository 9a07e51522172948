/*
 * launched_kernels - names of kernels for messages.
 */
#ifndef LAUNCHED_KERNELS_H
#define LAUNCHED_KERNELS_H

struct recording;

enum { LAUNCHED_KERNELS_BYTES = 256 };

/*
 * "a, b, c and 4 more": the kernels that were launched, recorded or not, each once, in the order of
 * their ids; "none" when there are none. As many as fit are named. Returns `text`.
 */
const char *launched_kernels_text(char text[LAUNCHED_KERNELS_BYTES], const struct recording *r);

#endif
