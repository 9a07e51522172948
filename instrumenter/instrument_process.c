/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument_process.h"

#include "array.h"
#include "err.h"
#include "hidden_child.h"
#include "str.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPLAINT_BYTES      4096
#define LIMIT_SECONDS        60
#define LIMIT_BYTES_A_SECOND 512
#define NS_PER_SECOND        UINT64_C(1000000000)

enum {
#define REQUEST(field, option, is_key, sentence) REQUEST_##field,
#include "instrument_request.def"
#undef REQUEST
	REQUEST_COUNT
};

enum {
#define PART_REQUEST(field, option, is_key, sentence) PART_REQUEST_##field,
#include "instrument_request.def"
#undef PART_REQUEST
	PART_REQUEST_COUNT
};

struct option_row {
	const char *option, *value;
};

/* Variables that would load this library into the child. */
static bool is_ours(const char *variable)
{
	static const char *const names[] = { "LD_PRELOAD=", "OPENCL_LAYERS=", "WARPLINE_DIR=" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(variable, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* The environment without them; the strings stay the application's. Free the array only. */
static char **clean_environment(struct err *err)
{
	size_t count = 0, kept = 0;
	char **clean;

	while (environ && environ[count])
		count++;
	clean = array_alloc(count + 1, sizeof(*clean), "environment", err);
	for (size_t i = 0; clean && i < count; i++)
		if (!is_ours(environ[i]))
			clean[kept++] = environ[i];
	return clean;
}

/* Whether the child must change to the folder first: paths may be relative to the current one. */
static bool must_go(const char *folder)
{
	char *here = folder ? getcwd(NULL, 0) : NULL;
	bool is_elsewhere = here && strcmp(here, folder) != 0;

	free(here);
	return is_elsewhere;
}

/* Append the rows that have a value; returns the end of the words. exec takes char * but does not
 * change them. */
static char **add_words(char **words, const struct option_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!rows[i].value)
			continue;
		memcpy(words++, &rows[i].option, sizeof(*words));
		memcpy(words++, &rows[i].value, sizeof(*words));
	}
	return words;
}

static char **add_part(char **words, const struct instrument_part *part)
{
	const struct option_row rows[] = {
#define PART_REQUEST(field, option, is_key, sentence) { option, part->field },
#include "instrument_request.def"
#undef PART_REQUEST
	};

	return add_words(words, rows, PART_REQUEST_COUNT);
}

/* The words of the command line; the caller frees the array only. */
static char **make_words(const struct instrument_request *r, struct err *err)
{
	const struct option_row rows[] = {
#define REQUEST(field, option, is_key, sentence) { option, r->field },
#include "instrument_request.def"
#undef REQUEST
	};
	size_t count =
		2 + 2 * (size_t)REQUEST_COUNT + 2 * (size_t)PART_REQUEST_COUNT * r->part_count;
	char **words = array_alloc(count, sizeof(*words), "command line", err), **at = words;

	if (!words)
		return NULL;
	memcpy(at++, &r->instrumenter, sizeof(*at));
	at = add_words(at, rows, REQUEST_COUNT);
	for (size_t i = 0; i < r->part_count; i++)
		at = add_part(at, &r->parts[i]);
	return words;
}

/* The time limit. */
static uint64_t limit_of(const struct instrument_request *r)
{
	uint64_t bytes = 0;

	if (r->limit_ns)
		return r->limit_ns;
	for (size_t i = 0; i < r->part_count; i++) {
		struct stat facts;

		if (r->parts[i].source && !stat(r->parts[i].source, &facts) && facts.st_size > 0)
			bytes += (uint64_t)facts.st_size;
	}
	return (LIMIT_SECONDS + bytes / LIMIT_BYTES_A_SECOND) * NS_PER_SECOND;
}

/* Run it to its end, with a pipe for its error messages. */
static int run(struct hidden_child *command, const int ends[2], char complaint[COMPLAINT_BYTES],
               int *status)
{
	struct hidden_process process;
	size_t kept;
	int error;

	command->output = ends[1];
	error = hidden_child_start(&process, command);
	close(ends[1]);
	*complaint = '\0';
	if (error)
		return error;
	kept = hidden_child_read(&process, ends[0], complaint, COMPLAINT_BYTES - 1);
	complaint[kept] = '\0';
	complaint[strcspn(complaint, "\r\n")] = '\0';
	*status = hidden_child_wait(&process, &error);
	return error;
}

static int cannot_start(const struct instrument_request *r, int error, struct err *err)
{
	return err_set(err, ERR_SUBPROCESS, "cannot start %s: %s", r->instrumenter,
	               strerror(error));
}

static int is_stopped(const struct instrument_request *r, uint64_t limit_ns, struct err *err)
{
	return err_set(err, ERR_LIMIT,
	               "%s did not finish within %.1f s and was stopped; "
	               "WARPLINE_INSTRUMENT_LIMIT=SECONDS changes the limit",
	               r->instrumenter, (double)limit_ns / (double)NS_PER_SECOND);
}

static int judge(const struct instrument_request *r, int status, const char *complaint,
                 struct err *err)
{
	bool has_files = access(r->output, R_OK) == 0 && access(r->table, R_OK) == 0 &&
	                 (!r->cuda_table || access(r->cuda_table, R_OK) == 0);

	if (has_files && status <= 0)
		return 0;
	if (*complaint)
		return err_set(err, ERR_SUBPROCESS, "%s", complaint);
	return err_set(err, ERR_SUBPROCESS, "%s exited with status %d and printed nothing",
	               r->instrumenter, status);
}

int instrument_process_run(const struct instrument_request *request, struct err *err)
{
	char **argv = make_words(request, err),
	     **environment = argv ? clean_environment(err) : NULL;
	struct hidden_child command = { .program = request->instrumenter,
		                        .limit_ns = limit_of(request) };
	char complaint[COMPLAINT_BYTES];
	int ends[2], status = -1, rc = ERR_NOMEM;

	if (environment && pipe2(ends, O_CLOEXEC) < 0) {
		rc = err_set(err, ERR_IO, "pipe: %s", strerror(errno));
	} else if (environment) {
		command.argv = argv;
		command.environment = environment;
		command.folder = must_go(request->folder) ? request->folder : NULL;
		rc = run(&command, ends, complaint, &status);
		if (rc == ETIMEDOUT)
			rc = is_stopped(request, command.limit_ns, err);
		else
			rc = rc ? cannot_start(request, rc, err)
			        : judge(request, status, complaint, err);
		close(ends[0]);
	}
	free(environment);
	free(argv);
	return rc;
}

char *instrument_process_default(struct err *err)
{
	static const char name[] = "warpline-instrument";
	static const char *const places[] = { "", "../", "../bin/" };
	Dl_info here;
	int length;

	if (!dladdr(name, &here) || !here.dli_fname)
		return str_copy(name, err);
	length = (int)(strrchr(here.dli_fname, '/')
	                       ? strrchr(here.dli_fname, '/') + 1 - here.dli_fname
	                       : 0);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path = str_format(err, "%.*s%s%s", length, here.dli_fname, places[i], name);

		if (!path || access(path, X_OK) == 0)
			return path;
		free(path);
	}
	return str_copy(name, err);
}
