/*
 * warpline_replay_error - how a call of libwarpline-replay says that it failed, and why; part of
 * warpline_replay.h.
 */
#ifndef WARPLINE_REPLAY_ERROR_H
#define WARPLINE_REPLAY_ERROR_H

#include <stddef.h>
#include <stdint.h>

/* What has it is the library's interface; nothing else leaves the library. */
#if defined(__GNUC__)
#define WARPLINE_API __attribute__((visibility("default")))
#else
#define WARPLINE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Values are stable; further ones may come. */
enum warpline_error_code {
	WARPLINE_OK = 0,
	WARPLINE_ERROR_NOMEM = -1,       /* out of memory */
	WARPLINE_ERROR_IO = -2,          /* the system's call failed */
	WARPLINE_ERROR_FORMAT = -3,      /* a malformed file: line or place are in the sentence */
	WARPLINE_ERROR_VERSION = -4,     /* of a format that this library does not know */
	WARPLINE_ERROR_CONFIG = -5,      /* the GPU cannot be so, or cannot hold this launch */
	WARPLINE_ERROR_USAGE = -6,       /* a name, key, value or number that there is not */
	WARPLINE_ERROR_LIMIT = -7,       /* more than this library takes */
	WARPLINE_ERROR_UNSUPPORTED = -8, /* known, and not done */
	WARPLINE_ERROR_STOPPED = -100    /* the caller's function said so */
};

struct warpline_error;

/* No error yet; NULL without memory, which every call takes for "tell me no sentence". Free it with
 * warpline_error_free(). It may serve any number of calls, in one thread at a time. */
WARPLINE_API struct warpline_error *warpline_error_create(void);
WARPLINE_API void warpline_error_free(struct warpline_error *error);

/* Of the last failed call that was given it; success changes nothing. 0 and "" before the first.
 * One finished sentence that names the file, the place and what was expected; borrowed until the
 * next failed call. */
WARPLINE_API int warpline_error_code(const struct warpline_error *error);
WARPLINE_API const char *warpline_error_text(const struct warpline_error *error);

#ifdef __cplusplus
}
#endif

#endif
