/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include "array.h"
#include "bypass_list.h"
#include "clock.h"
#include "err.h"
#include "file.h"
#include "instrument_cache.h"
#include "instrument_process.h"
#include "recorder.h"
#include "recorder_settings.h"
#include "recording_name.h"
#include "session_memory.h"
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

/* Write a list into the recording unless it could not be read. */
static void keep_list(struct recorder *recorder, const char *type, struct bypass_list *list, int rc,
                      const struct err *err)
{
	if (rc)
		problem("the bypass list is not kept: %s", err->msg);
	else
		recorder_list(recorder, type, list);
	bypass_list_release(list);
}

/* Write the lists that the settings name: --bypass gives a file or rules, --apply a file's text. */
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

/* Note in the recording which variables were ignored. */
static void note_complaints(struct recorder *recorder, const struct recorder_settings *settings)
{
	char *const *complaints = settings->complaints.data;

	for (size_t i = 0; i < settings->complaints.count; i++)
		recorder_note(recorder, "setting that was ignored", complaints[i]);
}

/* Make the folder in which instrumented programs are kept; without it none are kept. */
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

/*
 * Begin the recording that the settings name, with the process's command line, the settings' bypass
 * lists and complaints. Makes the cache's folder; if that fails settings->cache becomes "off".
 * Returns 0 or as recorder_create(); *out is freed with recorder_free().
 */
static int recorder_start(struct recorder **out, struct recorder_settings *settings,
                          struct err *err)
{
	int rc = open_recording(out, settings, err);

	if (rc < 0)
		return rc;
	note_complaints(*out, settings);
	open_cache(settings);
	return 0;
}

static void report_unknown(void *context, const char *variable, const char *nearest)
{
	problem("%s is not a variable of Warpline%s%s", variable,
	        nearest ? "; the nearest is " : "", nearest ? nearest : "");
}

/* Report that WARPLINE_DIR is set and yet nothing is recorded. */
static void report_no_dir(const struct recorder_settings *settings)
{
	char *const *complaints = settings->complaints.data;
	const char *dir = getenv("WARPLINE_DIR");

	for (size_t i = 0; dir && *dir && i < settings->complaints.count; i++)
		problem("nothing is recorded: %s", complaints[i]);
}

/* Read the settings and report on stderr what is wrong with them. False: nothing is recorded, and
 * there is nothing to release. */
static bool recorder_start_settings(struct recorder_settings *settings)
{
	struct err err = { 0 };

	if (recorder_settings_init(settings, &err) < 0)
		problem("nothing is recorded: %s", err.msg);
	if (!err.code && !settings->dir)
		report_no_dir(settings);
	if (err.code || !settings->dir) {
		recorder_settings_release(settings);
		return false;
	}
	/* `warpline record` has reported these already. */
	if (!settings->seen)
		recorder_settings_unknown(report_unknown, NULL);
	return true;
}

void work_clock_end(const struct session *s, uint64_t since)
{
	recorder_add_work(s->recorder, RECORDER_WORK, clock_now_ns() - since);
}

void work_clock_part(const struct session *s, enum recorder_work part, uint64_t since,
                     uint64_t without_ns)
{
	uint64_t ns = clock_now_ns() - since;

	if (ns > without_ns)
		recorder_add_work(s->recorder, part, ns - without_ns);
}

#define LIMIT_RANGES (1 << 24)

/* The only mutable global of a library that records. At exit the session is not freed: driver
 * threads and static destructors may come late. */
static _Atomic(struct session *) current;

static _Atomic(const struct session_part *) asked;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static int open_part(struct session *s, struct err *err)
{
	s->part = calloc(1, s->interface->bytes);
	if (!s->part)
		return err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	return s->interface->init(s, err);
}

/* Make a session, which takes the settings. NULL, with a line on stderr, when it cannot record. */
static struct session *make(const struct session_part *interface, struct recorder_settings settings)
{
	struct session *s = calloc(1, sizeof(*s));
	struct err err = { 0 };

	if (!s) {
		recorder_settings_release(&settings);
		return NULL;
	}
	s->interface = interface;
	s->settings = settings;
	pthread_mutex_init(&s->lock, NULL);
	launch_tallies_init(&s->tallies, clock_now_ns());
	array_init(&s->ranges, sizeof(struct address_range), LIMIT_RANGES, "allocations");
	launch_quota_init(&s->quota, &s->settings, clock_now_ns());
	if (launch_filter_init(&s->filter, &s->settings, &err) < 0 ||
	    recorder_start(&s->recorder, &s->settings, &err) < 0 || open_part(s, &err) < 0) {
		problem("nothing is recorded: %s", err.msg);
		seen_list_add(s->settings.seen, SEEN_FAILURE, err.msg);
		session_free(s);
		return NULL;
	}
	s->has_selection =
		s->filter.has_kernel || s->filter.launches || launch_quota_is_set(&s->quota);
	atomic_store_explicit(&current, s, memory_order_release);
	return s;
}

/* A forked child has the parent's memory but neither its threads nor its recording. The parent's
 * session is abandoned here, and the child's first object begins another. */
static void leave_to_parent(void)
{
	static const pthread_once_t fresh = PTHREAD_ONCE_INIT;

	atomic_store_explicit(&current, NULL, memory_order_release);
	once = fresh;
}

static void begin(void)
{
	const struct session_part *interface = atomic_load(&asked);
	struct recorder_settings settings;

	if (!recorder_start_settings(&settings) || !make(interface, settings))
		return;
	pthread_atfork(NULL, NULL, leave_to_parent);
	if (interface->begun)
		interface->begun();
}

struct session *session_begin(const struct session_part *interface)
{
	atomic_store_explicit(&asked, interface, memory_order_relaxed);
	pthread_once(&once, begin);
	return session_current();
}

struct session *session_current(void)
{
	return atomic_load_explicit(&current, memory_order_acquire);
}

struct session *session_create(const struct session_part *interface, const char *dir,
                               const char *instrumenter, uint64_t buffer_bytes)
{
	struct recorder_settings settings;
	int rc = recorder_settings_init(&settings, NULL);

	free(settings.dir);
	free(settings.instrumenter);
	settings.dir = str_copy(dir, NULL);
	settings.instrumenter = str_copy(instrumenter, NULL);
	settings.buffer_bytes = buffer_bytes;
	if (rc == 0 && settings.dir && settings.instrumenter)
		return make(interface, settings);
	recorder_settings_release(&settings);
	return NULL;
}

static void end(struct session *s, void (*last)(struct session *s))
{
	if (last)
		last(s);
	session_write_counts(s);
	recorder_end(s->recorder);
}

void session_end(void)
{
	struct session *s = atomic_exchange(&current, NULL);

	if (s)
		end(s, s->interface->end);
}

/* Runs after the application's own destructors, which may still launch. The driver may be gone. */
__attribute__((destructor)) static void end_with_process(void)
{
	struct session *s = atomic_exchange(&current, NULL);

	if (s)
		end(s, s->interface->lose);
}

void session_free(struct session *s)
{
	if (s->part)
		s->interface->release(s);
	free(s->part);
	array_release(&s->ranges);
	recorder_free(s->recorder);
	launch_tallies_release(&s->tallies);
	launch_filter_release(&s->filter);
	launch_quota_release(&s->quota);
	recorder_settings_release(&s->settings);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void session_lock(struct session *s)
{
	pthread_mutex_lock(&s->lock);
}

void session_unlock(struct session *s)
{
	pthread_mutex_unlock(&s->lock);
}

void session_set_request(const struct session *s, struct instrument_request *request)
{
	const struct recorder_settings *settings = &s->settings;

	request->limit_ns = settings->instrument_limit_ns;
	request->records = settings->records;
	request->slots = settings->atomics ? "0" : "1";
	request->opt = settings->opt;
	request->spaces = settings->spaces;
}

void session_count(struct session *s, struct launch_tally *tally, enum tally_reason reason,
                   uint64_t number)
{
	s->interface->counted(s, launch_tally_count(&s->tallies, tally, reason, number));
}

void session_write_counts(struct session *s)
{
	launch_tallies_write(&s->tallies, s->recorder, clock_now_ns());
}
