/* SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"

#include <stdlib.h>

/* The public codes have the values of ours. */
#define ERR(name, value, text) _Static_assert(ERR_##name == (value), "codes are stable");
#include "errors.def"
#undef ERR
_Static_assert((int)WARPLINE_ERROR_NOMEM == (int)ERR_NOMEM, "");
_Static_assert((int)WARPLINE_ERROR_IO == (int)ERR_IO, "");
_Static_assert((int)WARPLINE_ERROR_FORMAT == (int)ERR_FORMAT, "");
_Static_assert((int)WARPLINE_ERROR_VERSION == (int)ERR_VERSION, "");
_Static_assert((int)WARPLINE_ERROR_CONFIG == (int)ERR_CONFIG, "");
_Static_assert((int)WARPLINE_ERROR_USAGE == (int)ERR_USAGE, "");
_Static_assert((int)WARPLINE_ERROR_LIMIT == (int)ERR_LIMIT, "");
_Static_assert((int)WARPLINE_ERROR_UNSUPPORTED == (int)ERR_UNSUPPORTED, "");

struct warpline_error *warpline_error_create(void)
{
	return calloc(1, sizeof(struct warpline_error));
}

void warpline_error_free(struct warpline_error *error)
{
	free(error);
}

int warpline_error_code(const struct warpline_error *error)
{
	return error ? error->err.code : 0;
}

const char *warpline_error_text(const struct warpline_error *error)
{
	return error ? error->err.msg : "";
}

int warpline_error_give(struct warpline_error *error, int code, const struct err *err)
{
	if (!code || !error)
		return code;
	error->err = *err;
	if (!*error->err.msg)
		err_set(&error->err, (enum err_code)code, "%s", err_text(code));
	error->err.code = code;
	return code;
}

const char *warpline_replay_version(void)
{
	return WARPLINE_REPLAY_VERSION_TEXT;
}
