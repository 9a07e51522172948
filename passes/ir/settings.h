/* settings - what warpline-instrument was asked to do: one string per row of settings.def. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <string.h>

struct source_macros;

struct settings {
#define SETTING(name, option, value, sentence) const char *name;
#include "settings.def"
#undef SETTING
	const char *folder;               /* base of relative file names; NULL: not known */
	const struct source_macros *seen; /* what `macros` means for the source; NULL: not known */
};

/* Whether a setting was given and is `word`. */
static inline bool setting_is(const char *setting, const char *word)
{
	return setting && !strcmp(setting, word);
}

#endif
