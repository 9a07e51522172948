/*
 * recording - a recording directory, opened for reading: its manifest in memory.
 *
 * A directory holds manifest.jsonl (one JSON object a line, appended as things happen, so that a
 * killed program leaves a readable prefix), sources/ with the programs' source, one
 * launch-NNNNNN.wll for each traced launch, and launches.wlb for small ones. FORMAT.md specifies
 * them. Lists are in the order of their ids: item i has id i. Launches have numbers, and some
 * numbers have no line: see recording_find_launch().
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "launch_shape.h"
#include "recorded.h"

struct err;

/* The default directory of `warpline record`. */
#define RECORDING_DIR_DEFAULT "warpline.data"

/*
 * Explain why a folder is not a recording, from names alone: the manifest, warpline.data in the
 * folder, and the folder's neighbours. Returns 0 when `dir` has a manifest or
 * nothing is known about it; else ERR_IO with a sentence that says what `dir` is (nothing, a file,
 * a folder without a manifest) and which recording was probably meant: the folder of the file, the
 * one in it, or one of a similar name beside it; else how to make one.
 */
int recording_absent(const char *dir, struct err *err);

struct bundle_cache;
struct bypass_list;
struct launch_reader;
struct str;
struct trace_source;

struct recording {
	char *dir;
	uint32_t version; /* of the format */
	char *tool_version;
	char **command; /* the program and its arguments, command_count of them */
	size_t command_count;
	struct recorded_list bypass;  /* reads that bypass L1 in a replay, by default */
	struct recorded_list applied; /* the list by which the program's loads were changed */
	struct recorded_device *devices;
	size_t device_count;
	struct recorded_program *programs;
	size_t program_count;
	struct recorded_buffer *buffers;
	size_t buffer_count;
	struct recorded_kernel *kernels;
	size_t kernel_count;
	struct recorded_launch *launches;
	size_t launch_count;             /* launches with a line; by ascending numbers */
	struct recorded_bundle *bundles; /* of launches that share files; all are in `launches` */
	size_t bundle_count;
	uint64_t bad_bundles; /* bundles whose launches cannot be read and are not in `launches` */
	struct bundle_cache *cache;     /* for recording_open_launch() */
	struct recorded_tally *tallies; /* of launches without a line */
	size_t tally_count;
	uint64_t launches_seen;    /* their numbers are 0..launches_seen - 1 */
	uint64_t launches_unknown; /* those of them whose fate was not written */
	struct recorded_note *notes;
	size_t note_count;
	uint64_t bad_texts; /* sources and lists that are damaged or cannot be read */
	bool has_end;       /* the recorder finished */
	struct recorded_work work;
	uint64_t program_ns; /* from the program's start to its end; 0: not known */
	int exit_status;     /* of the program: 0..255, 128 + signal, or -1 when not known */
};

/*
 * Nothing outside `dir` is opened through a recording: files that its manifest names must be
 * regular files below `dir`, without symbolic links on the way (file_open_below()). `dir` itself
 * may be a link.
 */

/*
 * Read and check the manifest of `dir`, line by line, and count in bad_texts the named sources and
 * lists that are missing or changed. A last line that was cut short is ignored (has_end is then
 * false); any other damage is ERR_FORMAT with "DIR/manifest.jsonl:LINE: ...". If `dir` is not a
 * recording: ERR_IO with the sentence of recording_absent(). Also ERR_VERSION, ERR_LIMIT,
 * ERR_NOMEM. Free with recording_close(). Memory: the manifest's contents, and at most 80 MB for
 * one line.
 */
int recording_open(struct recording **out, const char *dir, struct err *err);

/* Parse a manifest in memory, without looking at any file. Returns as recording_open() does. */
int recording_parse(struct recording **out, const char *dir, const char *text, size_t length,
                    struct err *err);

/* Free. NULL is allowed. */
void recording_close(struct recording *r);

/*
 * Whether nothing is missing: has_end, no launch pending, skipped or unknown, no dropped events,
 * no unrecorded construct in a kernel that was traced or counted, no note, no bad text. Launches
 * that the user did not select or that came after the user's limit are not missing: see
 * recording_limited_launches(). When false, *why (may be NULL) gets a sentence that counts what is
 * missing, which the caller frees; NULL if out of memory.
 */
bool recording_is_complete(const struct recording *r, char **why);

/* Returns the number of selected launches that came after a limit of the user's. */
uint64_t recording_limited_launches(const struct recording *r);

/*
 * Remove the launches that is_kept() refuses, and the tallies of kernels that is_kernel_kept()
 * refuses. All later results, including what is missing, are only about the others. Numbers and
 * files do not change.
 */
struct recording_filter {
	bool (*is_kept)(const void *context, const struct recording *r,
	                const struct recorded_launch *l);
	bool (*is_kernel_kept)(const void *context, const struct recording *r, uint32_t kernel);
	const void *context;
};
void recording_keep_launches(struct recording *r, const struct recording_filter *filter);

/* Returns the groups of the launch with this index in which accesses to local memory were recorded.
 */
struct local_sample recording_local_sample(const struct recording *r, size_t launch);

/* Returns the index in `launches` of the launch with this number; launch_count: it has no line. */
size_t recording_find_launch(const struct recording *r, uint64_t number);

/* Maximum size of a program's text or a list, for readers and writers. */
#define RECORDING_TEXT_BYTES_MAX ((size_t)1 << 26)
#define RECORDING_LIST_BYTES_MAX ((size_t)1 << 24)
#define RECORDING_LIST_LINES_MAX ((size_t)1 << 19)

/*
 * Append the contents of a file of the recording to *out; `sum` is that of the manifest. Returns 0;
 * ERR_FORMAT when the file has another sum; ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
int recording_read_text(const struct recording *r, const char *file, const struct recorded_sum *sum,
                        struct str *out, struct err *err);

/* Check, in constant memory, whether recording_read_text() would succeed; *bytes (may be NULL) gets
 * the file's length. */
int recording_check_text(const struct recording *r, const char *file,
                         const struct recorded_sum *sum, uint64_t *bytes, struct err *err);

/* Returns the number of sources and lists without a checksum (before version 6), which may have
 * changed. */
uint64_t recording_unsigned_texts(const struct recording *r);

/*
 * Add the rules of `kept`, the recording's `bypass` or `applied`, to *list; nothing if there is no
 * such list. Returns 0, ERR_IO, ERR_NOMEM, ERR_LIMIT, ERR_VERSION, ERR_FORMAT with
 * "DIR/FILE:LINE: ...".
 */
int recording_read_list(const struct recording *r, const struct recorded_list *kept,
                        struct bypass_list *list, struct err *err);

/*
 * Open a traced launch, given by its index. *source must be closed with trace_source_close() after
 * the reader; NULL: the launch shares a file. r must outlive the reader. Any number of
 * threads may open launches. Returns 0; ERR_USAGE when the launch does not exist or was
 * not traced (with its reason); what launch_reader_open() returns.
 */
int recording_open_launch(const struct recording *r, size_t launch, struct trace_source **source,
                          struct launch_reader **reader, struct err *err);

#endif
