/*
 * nvrtc_program - CUDA C++ that a program compiles while it runs (NVRTC).
 *
 * What is handed out as PTX, and as machine code, is the source with its options
 * (DEVICE_IMAGE_SOURCE): the driver's interface of ours compiles it. Compiling here only finds what
 * is wrong with it, and the kernels' names. Headers given as strings are inserted where they are
 * included. A name expression must name a kernel that is not a template: naming one does not
 * instantiate it.
 */
#ifndef NVRTC_PROGRAM_H
#define NVRTC_PROGRAM_H

#include <stddef.h>

struct err;
struct nvrtc_program;
struct str;

/*
 * nvrtc_options - the options of nvrtcCompileProgram(), in every spelling that NVRTC's user
 * guide has: "--name=value", "-n=value", the value as the next string; with one letter also
 * "-Nvalue" and "-N value".
 */

/*
 * Append what counts of them, and __CUDACC_RTC__, as one line of words in quotation marks. Returns
 * 0; ERR_USAGE with the sentence of NVRTC's log for one that NVRTC refuses; ERR_LIMIT, ERR_NOMEM.
 */
int nvrtc_options_read(struct str *out, const char *const *options, size_t count, struct err *err);

/*
 * nvrtc_source - CUDA C++ with the headers inserted that came with it as strings.
 *
 * A line that includes one of them by name is replaced by its text, recursively; preprocessor
 * conditions and comments are ignored. A header that includes itself is inserted 32 deep, which its
 * own guard makes harmless.
 */

struct nvrtc_headers {
	const char *const *texts, *const *names;
	size_t count;
};

/* On the heap; NULL with ERR_NOMEM, or ERR_LIMIT when it grows beyond 256 MiB. */
char *nvrtc_source_expand(const char *source, const struct nvrtc_headers *headers, struct err *err);

enum nvrtc_error {
#define NVRTC_ERROR(name, code, text) NVRTC_##name = (code),
#include "nvrtc_api.def"
};

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
#define NVRTC(name, params, args) int nvrtc_program_##name params;
#include "nvrtc_api.def"
/* NOLINTEND(readability-function-size) */

/* Static storage. */
const char *nvrtc_program_error_text(int error);

#endif
