/*
 * nvrtc_options - the options of nvrtcCompileProgram(), in every way of writing them that NVRTC's
 * user guide has: "--name=value", "-n=value", the value as the next string; of one letter also
 * "-Nvalue" and
 * "-N value".
 */
#ifndef NVRTC_OPTIONS_H
#define NVRTC_OPTIONS_H

#include <stddef.h>

struct err;
struct str;

/*
 * Append what counts of them, and __CUDACC_RTC__, as one line of words in quotation marks. Returns
 * 0; ERR_USAGE with the sentence of NVRTC's log for one that NVRTC refuses; ERR_LIMIT, ERR_NOMEM.
 */
int nvrtc_options_read(struct str *out, const char *const *options, size_t count, struct err *err);

#endif
