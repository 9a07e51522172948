/*
 * nvrtc_source - CUDA C++ with the headers in it that came with it as texts.
 *
 * A line that includes one of them by its name is replaced by its text, and so on in there; the
 * preprocessor's conditions are not looked at, nor are comments. A header that includes itself is
 * put in 32 deep, which its own guard makes harmless.
 */
#ifndef NVRTC_SOURCE_H
#define NVRTC_SOURCE_H

#include <stddef.h>

struct err;

struct nvrtc_headers {
	const char *const *texts, *const *names;
	size_t count;
};

/* On the heap; NULL with ERR_NOMEM, or ERR_LIMIT when it grows beyond 256 MiB. */
char *nvrtc_source_expand(const char *source, const struct nvrtc_headers *headers, struct err *err);

#endif
