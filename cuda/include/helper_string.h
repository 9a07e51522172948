/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helper_string.h - options of programs written after CUDA's samples: -name and -name=value. C++
 * only.
 */
#ifndef WARPLINE_HELPER_STRING_H
#define WARPLINE_HELPER_STRING_H

#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
/* What follows the name of an option and its '='; "" for one without a value, NULL for none. */
static inline const char *warpline_option(int argc, const char **argv, const char *name)
{
	size_t length = strlen(name);

	for (int i = 1; i < argc; i++) {
		const char *word = argv[i] + strspn(argv[i], "-");
		if (word == argv[i] || strncmp(word, name, length))
			continue;
		if (word[length] == '=')
			return word + length + 1;
		if (!word[length])
			return word + length;
	}
	return NULL;
}

static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
	return warpline_option(argc, argv, name) != NULL;
}

static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
	const char *value = warpline_option(argc, argv, name);

	return value ? (int)strtol(value, NULL, 10) : 0;
}

static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
	const char *value = warpline_option(argc, argv, name);

	return value ? strtof(value, NULL) : 0.0f;
}

static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name,
                                            char **result)
{
	const char *value = warpline_option(argc, argv, name);

	if (value)
		*result = strdup(value);
	return value != NULL;
}
#endif

#endif
