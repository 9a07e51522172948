/*
 * recorder_settings - what the environment tells the recorder (recorder_settings.def).
 */
#ifndef RECORDER_SETTINGS_H
#define RECORDER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct err;

#define RECORDER_SETTINGS_MIN_BUFFER_BYTES 4096
#define RECORDER_SETTINGS_MAX_BUFFER_BYTES (UINT64_C(1) << 36)

struct recorder_settings {
#define SETTING_TEXT                                   char *
#define SETTING_BYTES                                  uint64_t
#define SETTING_FLAG                                   bool
#define SETTING(kind, field, variable, fallback, text) SETTING_##kind field;
#include "recorder_settings.def"
#undef SETTING
#undef SETTING_TEXT
#undef SETTING_BYTES
#undef SETTING_FLAG
};

/*
 * Read the environment into *s; release with recorder_settings_release(). A bad number is ERR_USAGE
 * with the variable's name (*s then has defaults there and is usable); also ERR_NOMEM.
 */
int recorder_settings_init(struct recorder_settings *s, struct err *err);

/* Free what *s owns. Accepts a zeroed struct. */
void recorder_settings_release(struct recorder_settings *s);

#endif
