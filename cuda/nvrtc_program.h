/*
 * nvrtc_program - CUDA C++ that a program compiles at run time (NVRTC).
 *
 * The "PTX" and "machine code" that programs get are the source with its options
 * (DEVICE_IMAGE_SOURCE), which our driver library compiles. Compiling here only finds errors and
 * the kernels' names. Headers passed as strings are inserted where they are included. A name
 * expression must name a kernel that is not a template, since naming it does not instantiate it.
 */
#ifndef NVRTC_PROGRAM_H
#define NVRTC_PROGRAM_H

#include <stddef.h>

struct err;
struct nvrtc_program;
struct str;

/*
 * nvrtc_options - the options of nvrtcCompileProgram(), in every spelling of NVRTC's user
 * guide: "--name=value", "-n=value", or the value as the next string; with one letter also
 * "-Nvalue" and
 * "-N value".
 */

/*
 * Append the relevant options, and __CUDACC_RTC__, as one line of quoted words. Returns 0;
 * ERR_USAGE with a sentence for NVRTC's log about an option that NVRTC refuses; ERR_LIMIT,
 * ERR_NOMEM.
 */
int nvrtc_options_read(struct str *out, const char *const *options, size_t count, struct err *err);

/*
 * nvrtc_source - CUDA C++ with the headers that were passed as strings inserted.
 *
 * A line that includes one of them by name is replaced by its text, recursively; preprocessor
 * conditions and comments are ignored. A header that includes itself is inserted 32 levels deep,
 * which is harmless if it has a guard.
 */

struct nvrtc_headers {
	const char *const *texts, *const *names;
	size_t count;
};

/* Returns the source on the heap; NULL with ERR_NOMEM, or ERR_LIMIT when it exceeds 256 MiB. */
char *nvrtc_source_expand(const char *source, const struct nvrtc_headers *headers, struct err *err);

enum nvrtc_error {
#define NVRTC_ERROR(name, code, text) NVRTC_##name = (code),
#include "nvrtc_api.def"
};

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
#define NVRTC(name, params, args) int nvrtc_program_##name params;
#include "nvrtc_api.def"
/* NOLINTEND(readability-function-size) */

/* Returns the name of an error. Static storage. */
const char *nvrtc_program_error_text(int error);

#endif
