/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"
#include "command.h"
#include "err.h"
#include "file.h"
#include "program_check.h"
#include "record_environment.h"
#include "record_options.h"
#include "record_progress.h"
#include "record_report.h"
#include "recording_dir.h"
#include "recording_name.h"
#include "recording_writer.h"
#include "say.h"
#include "str.h"
#include "temporary.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program being recorded. */
struct record {
	const struct record_options *options;
	char **argv;
	char *program; /* its file */
	struct record_environment environment;
	struct temporary seen; /* the reports of its recorders */
	struct app_end end;
	bool is_lost; /* a recording was begun and has disappeared */
	bool is_full; /* something is missing because a disk is full */
};

/*
 * Create the file to which recorders report. A program that drops its privileges must be able to
 * write to it, so anybody may append and nobody may read. So lines that name anything but a
 * recording of this run are ignored.
 */
static int make_seen(struct record *r, struct err *err)
{
	int ret;

	temporary_sweep();
	ret = temporary_make_file(&r->seen, TEMPORARY_SEEN, err);
	if (!ret)
		(void)chmod(r->seen.path, S_IRUSR | S_IWUSR | S_IWGRP | S_IWOTH);
	return ret;
}

/* Report on a recording. Returns whether it has launches. */
static bool finish_recording(struct record *r, const char *dir)
{
	struct err err = { 0 };
	const struct record_talk talk = { .loudness = r->options->is_quiet     ? RECORD_QUIET
		                                      : r->options->is_verbose ? RECORD_VERBOSE
		                                                               : RECORD_NORMAL,
		                          .is_cost = r->options->is_cost };

	if (recording_append_exit(dir, r->end.status, r->end.ran_ns, &err)) {
		say_line("record", "%s", err.msg);
		r->is_lost = r->is_lost || !recording_dir_is_recording(dir);
		if (r->is_lost)
			return false;
	}
	return record_report(dir, &talk, &r->is_full);
}

/* Returns an absolute path relative to the current directory, if it is below it, or unchanged. */
static const char *from_here(const char *path)
{
	char here[PATH_MAX];
	size_t length = getcwd(here, sizeof(here)) ? strlen(here) : 0;

	if (length && !strncmp(path, here, length) && path[length] == '/' && path[length + 1])
		return path + length + 1;
	return path;
}

/* Whether a program that drops its privileges cannot reach the file. */
static bool is_closed_to_others(const char *file)
{
	char *path = str_copy(file, NULL), *end;
	struct stat facts;
	bool is_closed = false;

	while (path && !is_closed && (end = strrchr(path, '/')) && end != path) {
		*end = '\0';
		is_closed = stat(path, &facts) || !(facts.st_mode & S_IXOTH);
	}
	free(path);
	return is_closed && geteuid() == 0;
}

/* Print why there is no recording, as far as known. */
static void say_nothing_seen(const struct record *r, const char *inner)
{
	struct program_check check = { 0 };
	char *const *findings;

	if (inner) {
		say_line("record",
		         "nothing was recorded here: the program was recorded by another "
		         "warpline record that it runs under, in %s; one of the two is enough",
		         from_here(inner));
		return;
	}
	if (is_closed_to_others(r->seen.path)) {
		say_line("record",
		         "no recorder reported; to check:\n"
		         "  whether the program gives up its rights: others may not enter %s, to "
		         "report there; its own messages are above",
		         file_temporary_folder());
	} else {
		say_line("record", "no OpenCL call was seen, so nothing was recorded; to check:");
	}
	(void)program_check_make(&check, r->program, r->argv, NULL);
	findings = check.findings.data;
	for (size_t i = 0; i < check.findings.count; i++)
		fprintf(stderr, "  %s\n", findings[i]);
	if (!check.findings.count)
		fprintf(stderr,
		        "  whether the program uses OpenCL, and passes its environment on to "
		        "the programs that it starts\n");
	program_check_release(&check);
}

/* Report on the recordings of all processes. */
static void finish(struct record *r)
{
	struct seen_list seen = { 0 };
	struct err err = { 0 };
	const char *dir, *types, *why;
	bool has_launches = false;

	if (seen_list_read(&seen, r->seen.path, r->environment.pattern, &err))
		say_line("record", "%s", err.msg);
	for (size_t i = 0; (dir = seen_list_text(&seen, SEEN_RECORDING, i)); i++)
		has_launches = finish_recording(r, from_here(dir)) || has_launches;
	for (size_t i = 0; (why = seen_list_text(&seen, SEEN_FAILURE, i)); i++) {
		say_line("record", "nothing was recorded: %s", why);
		r->is_full = r->is_full || record_report_is_full(why);
	}
	types = seen_list_text(&seen, SEEN_NO_DEVICE, 0);
	if (types && !has_launches)
		say_line("record",
		         "nothing was recorded: the program asked for a device of type %s, which "
		         "no platform has; --any-device gives it what there is",
		         types);
	else if (!seen_list_text(&seen, SEEN_RECORDING, 0) &&
	         !seen_list_text(&seen, SEEN_FAILURE, 0))
		say_nothing_seen(r, seen_list_text(&seen, SEEN_INNER, 0));
	seen_list_release(&seen);
}

static int run(struct record *r, struct err *err)
{
	struct app_terms terms = { 0 };
	struct record_progress progress = { 0 };
	int ret = recording_dir_make_room_for(r->environment.pattern, err);

	if (!ret)
		ret = make_seen(r, err);
	if (ret)
		return ret;
	seen_list_add(getenv("WARPLINE_SEEN"), SEEN_INNER, r->environment.pattern);
	record_environment_set_report(&r->environment, r->seen.path);
	terms.variables = r->environment.items;
	terms.variable_count = r->environment.count;
	if (!r->options->is_quiet) {
		record_progress_begin(&progress, r->seen.path, r->environment.pattern,
		                      STDERR_FILENO);
		if (progress.line.is_possible)
			terms.watch = (struct app_watch){ record_progress_look, &progress,
				                          RECORD_PROGRESS_EVERY_MS };
	}
	ret = app_run(r->argv, &terms, &r->end, err);
	record_progress_end(&progress);
	if (!ret)
		finish(r);
	if (ret || r->end.status)
		return ret ? ret : r->end.status;
	if (r->is_lost)
		return EXIT_FAILED;
	return r->is_full ? EXIT_INCOMPLETE : EXIT_DONE;
}

int cmd_record(const void *settings, const struct operands *operands, struct err *err)
{
	struct record r = { .options = settings, .argv = operands->items };
	int ret;

	if (r.options->is_quiet && r.options->is_verbose)
		return err_set(err, ERR_USAGE, "--quiet: contradicts --verbose");
	ret = record_environment_init(&r.environment, r.options, err);
	if (!ret) {
		record_options_warn("record");
		ret = app_check(operands->items[0], &r.program, err);
		if (ret > 0)
			say_line("record", "%s", err->msg);
	}
	if (!ret)
		ret = record_environment_add_cuda(&r.environment, r.options, r.program, err);
	if (!ret)
		ret = run(&r, err);
	record_environment_release(&r.environment);
	temporary_remove(&r.seen);
	free(r.program);
	return ret;
}
