/*
 * kernel_names - names of kernels for messages.
 */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

struct recording;

enum { KERNEL_NAMES_BYTES = 256 };

/*
 * "a, b, c and 4 more": the kernels that were launched, recorded or not, each once, in the order of
 * their ids; "none" when there are none. As many as fit are named. Returns `text`.
 */
const char *kernel_names_text(char text[KERNEL_NAMES_BYTES], const struct recording *r);

#endif
