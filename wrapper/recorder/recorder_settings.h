/*
 * recorder_settings - the recorder's settings, from the environment (recorder_settings.def).
 */
#ifndef RECORDER_SETTINGS_H
#define RECORDER_SETTINGS_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>

struct err;

#define RECORDER_SETTINGS_MIN_BUFFER_BYTES 4096
#define RECORDER_SETTINGS_MAX_BUFFER_BYTES (UINT64_C(1) << 36)

struct recorder_settings {
#define SETTING_TEXT                                   char *
#define SETTING_PATTERN                                char *
#define SETTING_WORD                                   char *
#define SETTING_WORDS                                  char *
#define SETTING_REGEX                                  char *
#define SETTING_NUMBERS                                char *
#define SETTING_BYTES                                  uint64_t
#define SETTING_COUNT                                  uint64_t
#define SETTING_LIMIT                                  uint64_t
#define SETTING_SECONDS                                uint64_t
#define SETTING_FLAG                                   bool
#define SETTING(kind, field, variable, fallback, text) SETTING_##kind field;
#include "recorder_settings.def"
#undef SETTING
#undef SETTING_TEXT
#undef SETTING_PATTERN
#undef SETTING_WORD
#undef SETTING_WORDS
#undef SETTING_REGEX
#undef SETTING_NUMBERS
#undef SETTING_BYTES
#undef SETTING_COUNT
#undef SETTING_LIMIT
#undef SETTING_SECONDS
#undef SETTING_FLAG
	struct array complaints; /* of char *: why variables were ignored */
};

/*
 * Read the environment into *s; release with recorder_settings_release(). An invalid variable is
 * ignored and gets a sentence in complaints. Returns 0 or ERR_NOMEM; *s is usable in either case.
 */
int recorder_settings_init(struct recorder_settings *s, struct err *err);

/* Free what *s owns. Accepts a zeroed struct. */
void recorder_settings_release(struct recorder_settings *s);

/*
 * Check a value of the environment variable `variable` (of the table); `what` is its name for the
 * user. Returns 0, ERR_USAGE with "WHAT: ..." and what is expected, or ERR_NOMEM.
 */
int recorder_settings_check(const char *variable, const char *value, const char *what,
                            struct err *err);

/* Whether the variable of a FLAG row is set to anything except "" and "0". Reads the environment,
 * for use before there is a session. */
bool recorder_settings_has_flag(const char *variable);

/*
 * Call report() for each unknown variable of the environment that begins with WARPLINE_; `nearest`
 * is the name that was probably meant, or NULL.
 */
void recorder_settings_unknown(void (*report)(void *context, const char *variable,
                                              const char *nearest),
                               void *context);

#endif
