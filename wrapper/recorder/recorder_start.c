/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder_start.h"

#include "array.h"
#include "bypass_list.h"
#include "err.h"
#include "file.h"
#include "instrument_cache.h"
#include "problem.h"
#include "recorder.h"
#include "recorder_settings.h"
#include "seen_list.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define COMMAND_LIMIT_BYTES (1 << 20)

/* The program and its arguments, NULL-terminated; free both *text and the result. */
static char **read_command(char **text, struct err *err)
{
	struct str line;
	char **words;
	size_t count = 0;

	str_init(&line, COMMAND_LIMIT_BYTES);
	if (file_read("/proc/self/cmdline", &line, NULL) < 0 || !line.length) {
		str_release(&line);
		str_append(&line, "?", 2, err);
	}
	for (size_t i = 0; i < line.length; i++)
		count += !line.text[i];
	words = array_alloc(count + 1, sizeof(*words), "command line", err);
	for (size_t i = 0, word = 0; words && word < count; word++) {
		words[word] = line.text + i;
		i += strlen(line.text + i) + 1;
	}
	*text = str_take(&line);
	return words;
}

/* Keep a list in the recording; one that cannot be read is none. */
static void keep_list(struct recorder *recorder, const char *type, struct bypass_list *list, int rc,
                      const struct err *err)
{
	if (rc)
		problem("the bypass list is not kept: %s", err->msg);
	else
		recorder_list(recorder, type, list);
	bypass_list_release(list);
}

/* The lists that the settings name: of --bypass a file or rules, of --apply the text of a file. */
static void keep_lists(struct recorder *recorder, const struct recorder_settings *settings)
{
	const char *bypass = settings->bypass, *apply = settings->apply;
	struct bypass_list list = { 0 };
	struct err err = { 0 };
	char *text;
	int rc;

	if (bypass) {
		rc = bypass_list_load(&list, bypass, &err);
		keep_list(recorder, "bypass", &list, rc, &err);
	}
	if (!apply)
		return;
	err.code = 0;
	text = str_copy(apply, &err);
	rc = text ? bypass_list_read_text(&list, "WARPLINE_APPLY", text, strlen(text), &err)
	          : ERR_NOMEM;
	keep_list(recorder, "applied", &list, rc, &err);
	free(text);
}

static int open_recording(struct recorder **recorder, const struct recorder_settings *settings,
                          struct err *err)
{
	char *text = NULL;
	char **command = read_command(&text, err);
	int rc = ERR_NOMEM;

	if (command)
		rc = recorder_create(recorder, settings->dir, command, err);
	if (rc == 0)
		seen_list_add(settings->seen, SEEN_RECORDING, recorder_dir(*recorder));
	free(command);
	free(text);
	if (rc == 0)
		keep_lists(*recorder, settings);
	return rc;
}

/* Tell the recording which variables were ignored. */
static void note_complaints(struct recorder *recorder, const struct recorder_settings *settings)
{
	char *const *complaints = settings->complaints.data;

	for (size_t i = 0; i < settings->complaints.count; i++)
		recorder_note(recorder, "setting that was ignored", complaints[i]);
}

/* Make the folder that instrumented programs are to be kept in; without it nothing is kept. */
static void open_cache(struct recorder_settings *settings)
{
	struct err err = { 0 };
	char *off;

	if (!settings->cache || !strcmp(settings->cache, "off") ||
	    instrument_cache_make(settings->cache, &err) == 0)
		return;
	problem("instrumented programs are not kept: WARPLINE_CACHE: %s", err.msg);
	off = str_copy("off", NULL);
	if (!off)
		return;
	free(settings->cache);
	settings->cache = off;
}

int recorder_start(struct recorder **out, struct recorder_settings *settings, struct err *err)
{
	int rc = open_recording(out, settings, err);

	if (rc < 0)
		return rc;
	note_complaints(*out, settings);
	open_cache(settings);
	return 0;
}

static void tell_unknown(void *context, const char *variable, const char *nearest)
{
	problem("%s is not a variable of Warpline%s%s", variable,
	        nearest ? "; the nearest is " : "", nearest ? nearest : "");
}

/* Why there is no directory although there is a variable for it. */
static void tell_no_dir(const struct recorder_settings *settings)
{
	char *const *complaints = settings->complaints.data;
	const char *dir = getenv("WARPLINE_DIR");

	for (size_t i = 0; dir && *dir && i < settings->complaints.count; i++)
		problem("nothing is recorded: %s", complaints[i]);
}

bool recorder_start_settings(struct recorder_settings *settings)
{
	struct err err = { 0 };

	if (recorder_settings_init(settings, &err) < 0)
		problem("nothing is recorded: %s", err.msg);
	if (!err.code && !settings->dir)
		tell_no_dir(settings);
	if (err.code || !settings->dir) {
		recorder_settings_release(settings);
		return false;
	}
	/* `warpline record` has told of these before. */
	if (!settings->seen)
		recorder_settings_unknown(tell_unknown, NULL);
	return true;
}
