/*
 * instrument_job - one run of warpline-instrument: its files, in its own folder under
 * file_temporary_folder(), its request, and the cache.
 *
 * Headers that come with a part are written under the names that the application gave them, in a
 * folder so deep that no name leads out of the job's folder.
 */
#ifndef INSTRUMENT_JOB_H
#define INSTRUMENT_JOB_H

#include "array.h"
#include "instrument_process.h"
#include "temporary.h"

struct str;

/* cached_instrument - runs warpline-instrument unless the cache on disk has the result. */

/*
 * Like instrument_process_run(). `cache` is the folder to look in and to store the result in; NULL:
 * the user's own, "off": no cache.
 */
int cached_instrument_run(const struct instrument_request *request, const char *cache,
                          struct err *err);

/* Identifies the instrumenter's file: another file, another result. On the heap; NULL when it
 * cannot be read. */
char *cached_instrument_identity(const char *instrumenter);

/*
 * The build options for OpenCL C that warpline-instrument wrote: "-w", because some drivers print
 * warnings on the terminal, then those in its first line, "// options: ...". On the heap; NULL with
 * ERR_NOMEM.
 */
char *instrument_job_build_options(const struct str *text, struct err *err);

/* A header that came with a part. */
struct job_header {
	const char *name; /* the name in #include */
	const void *bytes;
	size_t length;
};

/* A part of the program. */
struct job_part {
	const char *
		file; /* its name in the folder; the suffix gives its kind: .cl .bc .spv .ptx .cu */
	const char *name; /* its name in the tables */
	const void *bytes;
	size_t length;
	const char *options; /* NULL: none */
	const char *macros;  /* what the device's compiler defines; NULL: not known */
	const struct job_header *headers;
	size_t header_count;
};

struct instrument_job {
	/* The job sets paths and parts; the caller sets the rest and keeps it alive. */
	struct instrument_request request;
	struct temporary folder;
	struct array parts; /* struct instrument_part */
	struct array texts; /* char *: owned; the request and its parts point to them */
};

/*
 * Create the folder. `instrumenter` is the path of the program (NULL:
 * instrument_process_default()), `output` the name of the file for the instrumented code. Release
 * *j in every case. ERR_IO, ERR_NOMEM.
 */
int instrument_job_init(struct instrument_job *j, const char *instrumenter, const char *output,
                        struct err *err);

/* Remove the folder unless `keep`, and free. Accepts a zeroed struct. */
void instrument_job_release(struct instrument_job *j, bool keep);

/* The path of another file in the folder, owned by the job. NULL with ERR_NOMEM. */
const char *instrument_job_path(struct instrument_job *j, const char *name, struct err *err);

/* Set what the OpenCL device reports: CL_DEVICE_EXTENSIONS, and CL_DEVICE_VERSION, from which the
 * first number is taken. Everything is copied. ERR_NOMEM. */
int instrument_job_set_device(struct instrument_job *j, const char *extensions, const char *version,
                              struct err *err);

/* Write the files of a part and append it to the request. Everything is copied. ERR_IO, ERR_NOMEM;
 * ERR_UNSUPPORTED for a header whose name leads out of the folder or is not a file name. */
int instrument_job_add(struct instrument_job *j, const struct job_part *part, struct err *err);

/* Like cached_instrument_run(). */
int instrument_job_run(struct instrument_job *j, const char *cache, struct err *err);

#endif
