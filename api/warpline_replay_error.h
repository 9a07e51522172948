/*
 * warpline_replay_error - how functions of libwarpline-replay report errors; part of
 * warpline_replay.h.
 */
#ifndef WARPLINE_REPLAY_ERROR_H
#define WARPLINE_REPLAY_ERROR_H

#include <stddef.h>
#include <stdint.h>

/* Marks the library's interface; it exports nothing else. */
#if defined(__GNUC__)
#define WARPLINE_API __attribute__((visibility("default")))
#else
#define WARPLINE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Values are stable; new ones may be added. */
enum warpline_error_code {
	WARPLINE_OK = 0,
	WARPLINE_ERROR_NOMEM = -1,       /* out of memory */
	WARPLINE_ERROR_IO = -2,          /* a system call failed */
	WARPLINE_ERROR_FORMAT = -3,      /* a malformed file; the message has the line or place */
	WARPLINE_ERROR_VERSION = -4,     /* a format version that this library does not know */
	WARPLINE_ERROR_CONFIG = -5,      /* an invalid GPU, or it cannot hold this launch */
	WARPLINE_ERROR_USAGE = -6,       /* an unknown name, key, value or number */
	WARPLINE_ERROR_LIMIT = -7,       /* more than this library can handle */
	WARPLINE_ERROR_UNSUPPORTED = -8, /* known, but not supported */
	WARPLINE_ERROR_STOPPED = -100    /* by the caller's function */
};

struct warpline_error;

/* Create an empty error; NULL if there is no memory, which every function accepts. Free it with
 * warpline_error_free(). It can be used for any number of calls, in one thread at a time. */
WARPLINE_API struct warpline_error *warpline_error_create(void);
WARPLINE_API void warpline_error_free(struct warpline_error *error);

/* The code and message of the last failed call with this error; 0 and "" before the first. Success
 * changes neither. The message is one sentence that names the file, the place and what was
 * expected; borrowed until the next failed call. */
WARPLINE_API int warpline_error_code(const struct warpline_error *error);
WARPLINE_API const char *warpline_error_text(const struct warpline_error *error);

#ifdef __cplusplus
}
#endif

#endif
