/* settings - what warpline-instrument was asked to do: one string per row of settings.def. */
#ifndef SETTINGS_H
#define SETTINGS_H

struct settings {
#define SETTING(name, option, value, sentence) const char *name;
#include "settings.def"
#undef SETTING
};

#endif
