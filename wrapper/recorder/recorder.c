/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder.h"

#include "err.h"
#include "quiet_signals.h"
#include "recording_name.h"
#include "str.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void problem(const char *fmt, ...)
{
	char line[1024] = "warpline: ";
	struct quiet_signals quiet;
	size_t length = strlen(line);
	va_list args;
	ssize_t put;

	va_start(args, fmt);
	vsnprintf(line + length, sizeof(line) - length - 1, fmt, args);
	va_end(args);
	length = strlen(line);
	line[length++] = '\n';
	/* Not through stdio: the application may have locked, redirected or closed its stream. */
	quiet_signals_begin(&quiet);
	put = write(STDERR_FILENO, line, length);
	quiet_signals_end(&quiet, put < 0);
}

#define END_SECONDS 2

struct recorder {
	atomic_uint_fast64_t work_ns[RECORDER_WORK_COUNT];
	pthread_mutex_t lock; /* of everything below */
	struct recording_writer *writer;
	bool is_open;
};

/* Whether another process has begun a recording in `dir`: `sources` is the first thing it makes. */
static bool is_taken(const char *dir)
{
	char *sources = str_format(NULL, "%s/sources", dir);
	bool taken = sources && access(sources, F_OK) == 0;

	free(sources);
	return taken;
}

/* Create the recording with the first free name that the pattern has for this process. */
static int create_writer(struct recording_writer **out, const char *pattern, char *const command[],
                         struct err *err)
{
	bool taken;
	int rc;

	for (unsigned i = 1; i <= RECORDING_NAME_LAST; i++) {
		struct err own = { 0 };
		char *name = recording_name_make(pattern, (long)getpid(), i, err);

		if (!name)
			return err ? err->code : ERR_NOMEM;
		rc = recording_writer_create(out, name, WARPLINE_VERSION, command, &own);
		taken = rc < 0 && is_taken(name);
		free(name);
		if (!taken)
			return rc ? err_set(err, (enum err_code)rc, "%s", own.msg) : 0;
	}
	return err_set(err, ERR_LIMIT, "%s: expected fewer than %d recordings of one name", pattern,
	               RECORDING_NAME_LAST);
}

int recorder_create(struct recorder **out, const char *pattern, char *const command[],
                    struct err *err)
{
	struct recorder *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	pthread_mutex_init(&r->lock, NULL);
	rc = create_writer(&r->writer, pattern, command, err);
	if (rc < 0) {
		recorder_free(r);
		return rc;
	}
	r->is_open = true;
	*out = r;
	return 0;
}

const char *recorder_dir(const struct recorder *r)
{
	return recording_writer_dir(r->writer);
}

bool recorder_is_open(struct recorder *r)
{
	bool is_open;

	pthread_mutex_lock(&r->lock);
	is_open = r->is_open;
	pthread_mutex_unlock(&r->lock);
	return is_open;
}

/* End a write: the first that fails ends the recording. Called and left with the lock held. */
static bool settle(struct recorder *r, int rc, const struct err *err)
{
	if (rc == 0)
		return true;
	r->is_open = false;
	problem("recording stops here: %s", err->msg);
	return false;
}

#define WRITE(r, call)                                                                             \
	struct err err = { 0 };                                                                    \
	bool is_written;                                                                           \
                                                                                                   \
	pthread_mutex_lock(&(r)->lock);                                                            \
	is_written = (r)->is_open && settle((r), (call), &err);                                    \
	pthread_mutex_unlock(&(r)->lock);                                                          \
	return is_written;

bool recorder_list(struct recorder *r, const char *type, const struct bypass_list *list)
{
	WRITE(r, recording_writer_list(r->writer, type, list, &err))
}

bool recorder_device(struct recorder *r, const struct recorded_device *device, uint32_t *id)
{
	WRITE(r, recording_writer_device(r->writer, device, id, &err))
}

bool recorder_program(struct recorder *r, const struct recorded_program *program,
                      const char *source, size_t length, uint32_t *id)
{
	WRITE(r, recording_writer_program(r->writer, program, source, length, id, &err))
}

bool recorder_source(struct recorder *r, uint32_t program, const char *name, const char *source,
                     size_t length)
{
	WRITE(r, recording_writer_source(r->writer, program, name, source, length, &err))
}

bool recorder_buffer(struct recorder *r, const struct recorded_buffer *buffer, uint32_t *id)
{
	WRITE(r, recording_writer_buffer(r->writer, buffer, id, &err))
}

bool recorder_kernel(struct recorder *r, const struct recorded_kernel *kernel, uint32_t *id)
{
	WRITE(r, recording_writer_kernel(r->writer, kernel, id, &err))
}

bool recorder_launch(struct recorder *r, const struct recorded_launch *launch, uint32_t *id)
{
	WRITE(r, recording_writer_launch(r->writer, launch, id, &err))
}

bool recorder_launch_if(struct recorder *r, const struct recorded_launch *launch,
                        bool (*wants)(void *context, uint64_t number), void *context,
                        uint64_t *number)
{
	struct err err = { 0 };
	bool is_written;

	pthread_mutex_lock(&r->lock);
	*number = recording_writer_take_number(r->writer);
	is_written =
		r->is_open && wants(context, *number) &&
		(!launch ||
	         settle(r, recording_writer_launch_at(r->writer, launch, *number, &err), &err));
	pthread_mutex_unlock(&r->lock);
	return is_written;
}

bool recorder_tally(struct recorder *r, const struct recorded_tally *tally,
                    uint32_t *id){ WRITE(r, recording_writer_tally(r -> writer, tally, id, &err)) }

uint64_t recorder_take_number(struct recorder *r)
{
	return recording_writer_take_number(r->writer);
}

bool recorder_take_number_if(struct recorder *r,
                             bool (*takes)(const void *context, uint64_t number),
                             const void *context, uint64_t *number)
{
	return recording_writer_take_number_if(r->writer, takes, context, number);
}

bool recorder_return_number(struct recorder *r, uint64_t number)
{
	return recording_writer_return_number(r->writer, number);
}

bool recorder_late_launch(struct recorder *r, const struct recorded_launch *launch)
{
	WRITE(r, recording_writer_late_launch(r->writer, launch, launch->number, &err))
}

bool recorder_small_launch(struct recorder *r, const struct small_launch *launch, bool *has_room)
{
	WRITE(r, recording_writer_small_launch(r->writer, launch, has_room, &err))
}

bool recorder_flush(struct recorder *r){ WRITE(r, recording_writer_flush(r -> writer, &err)) }

uint64_t recorder_small_bytes(struct recorder *r)
{
	uint64_t bytes;

	pthread_mutex_lock(&r->lock);
	bytes = recording_writer_small_bytes(r->writer);
	pthread_mutex_unlock(&r->lock);
	return bytes;
}

bool recorder_fate(struct recorder *r, uint32_t id, const struct recorded_launch *launch)
{
	WRITE(r, recording_writer_fate(r->writer, id, launch, &err))
}

static bool write_note(struct recorder *r, const char *what, const char *reason)
{
	WRITE(r, recording_writer_note(r->writer, what, reason, 1, &err))
}

void recorder_note(struct recorder *r, const char *what, const char *reason)
{
	(void)write_note(r, what, reason);
}

struct launch_writer *recorder_open_launch(struct recorder *r, uint32_t id,
                                           const struct launch_shape *shape,
                                           const struct kernel_table *table, struct err *err)
{
	struct launch_writer *writer = NULL;

	pthread_mutex_lock(&r->lock);
	if (!r->is_open)
		err_set(err, ERR_IO, "the recording is closed");
	else
		(void)recording_writer_open_launch(r->writer, id, shape, table, &writer, err);
	pthread_mutex_unlock(&r->lock);
	return writer;
}

static bool remove_launch(struct recorder *r, uint32_t id)
{
	WRITE(r, recording_writer_remove_launch(r->writer, id, &err))
}

void recorder_remove_launch(struct recorder *r, uint32_t id)
{
	(void)remove_launch(r, id);
}

void recorder_add_work(struct recorder *r, enum recorder_work work, uint64_t ns)
{
	atomic_fetch_add_explicit(&r->work_ns[work], ns, memory_order_relaxed);
}

static uint64_t work_of(struct recorder *r, enum recorder_work work, uint64_t most)
{
	uint64_t ns = atomic_load(&r->work_ns[work]);

	return ns < most ? ns : most;
}

static bool write_time(struct recorder *r)
{
	struct recorded_work work = { .all_ns = work_of(r, RECORDER_WORK, UINT64_MAX) };
	uint64_t left = work.all_ns;

	/* Work that is not done yet is in no sum, so its parts are subtracted. */
#define WORK_PART(NAME, name, what, advice)                                                        \
	work.name##_ns = work_of(r, RECORDER_##NAME, left);                                        \
	left -= work.name##_ns;
#include "work_parts.def"
#undef WORK_PART
	WRITE(r, recording_writer_time(r->writer, &work, &err))
}

static bool write_end(struct recorder *r)
{
	WRITE(r, recording_writer_end(r->writer, &err))
}

/* Whether the lock can be taken soon. A program may end in a signal's handler, which has
 * interrupted one of our calls while it held the lock: then there is no end line. */
static bool is_free(struct recorder *r)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += END_SECONDS;
	if (pthread_mutex_timedlock(&r->lock, &until))
		return false;
	pthread_mutex_unlock(&r->lock);
	return true;
}

void recorder_end(struct recorder *r)
{
	if (!is_free(r))
		return;
	(void)(write_time(r) && write_end(r));
	pthread_mutex_lock(&r->lock);
	r->is_open = false;
	pthread_mutex_unlock(&r->lock);
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	recording_writer_close(r->writer);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
