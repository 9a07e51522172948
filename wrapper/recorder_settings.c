/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder_settings.h"

#include "err.h"
#include "number.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static int read_TEXT(char **out, const char *variable, const char *fallback, struct err *err)
{
	const char *text = getenv(variable);

	if (!text || !*text)
		text = fallback;
	*out = text ? str_copy(text, err) : NULL;
	return text && !*out ? ERR_NOMEM : 0;
}

static int read_BYTES(uint64_t *out, const char *variable, const char *fallback, struct err *err)
{
	const char *text = getenv(variable);
	int rc = number_parse(fallback, variable, RECORDER_SETTINGS_MIN_BUFFER_BYTES,
	                      RECORDER_SETTINGS_MAX_BUFFER_BYTES, out, err);

	if (rc || !text || !*text)
		return rc;
	return number_parse(text, variable, RECORDER_SETTINGS_MIN_BUFFER_BYTES,
	                    RECORDER_SETTINGS_MAX_BUFFER_BYTES, out, err);
}

static int read_FLAG(bool *out, const char *variable, const char *fallback, struct err *err)
{
	const char *text = getenv(variable);

	*out = text && *text && strcmp(text, "0") != 0;
	return 0;
}

int recorder_settings_init(struct recorder_settings *s, struct err *err)
{
	int rc, first = 0;

	memset(s, 0, sizeof(*s));
#define SETTING(kind, field, variable, fallback, text)                                             \
	rc = read_##kind(&s->field, variable, fallback, err);                                      \
	first = first ? first : rc;
#include "recorder_settings.def"
#undef SETTING
	return first;
}

static void release_TEXT(char **text)
{
	free(*text);
}

static void release_BYTES(uint64_t *bytes)
{
	*bytes = 0;
}

static void release_FLAG(bool *flag)
{
	*flag = false;
}

void recorder_settings_release(struct recorder_settings *s)
{
#define SETTING(kind, field, variable, fallback, text) release_##kind(&s->field);
#include "recorder_settings.def"
#undef SETTING
	memset(s, 0, sizeof(*s));
}
