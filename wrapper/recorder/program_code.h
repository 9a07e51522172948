/*
 * program_code - what a program is made of: one part, or several when it is linked, each a source
 * with its options and the headers that came with it.
 *
 * Never changes once it is made, and is shared: by programs, builds of them, and
 * what they were linked into. A code that cannot be instrumented says why. Texts
 * are references to one copy, however often a program is built.
 */
#ifndef PROGRAM_CODE_H
#define PROGRAM_CODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct program_code;
struct str;

/*
 * code_place - the folder in which a program was compiled, and whether the headers that it read
 * there are still the same.
 *
 * A header counts as changed when its file was touched in any way (ctime) since the
 * program was compiled: the instrumented program must not be another than the
 * application's.
 */

/*
 * The folder in *folder, borrowed; NULL: no part reads files. Returns 0, or ERR_UNSUPPORTED when
 * the parts were compiled in different folders.
 */
int code_place_folder(const struct program_code *code, const char **folder, struct err *err);

/*
 * `list` is the file with the paths of the headers that were read now, one a line. Returns 0;
 * ERR_UNSUPPORTED with the header's name when one has changed, or when there is no list and the
 * code is an earlier process'; ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
int code_place_check(const struct program_code *code, const char *list, struct err *err);

/*
 * program_code_file - a program_code as bytes, for a file of the cache. In the order of bytes of
 * this machine: such a file stays on it.
 */

/* Append it. False when memory ran out or the text's limit is reached. */
bool program_code_write(const struct program_code *code, struct str *out);

/*
 * Read one, of origin "binary", from exactly `length` bytes. NULL when they are not whole, or
 * memory ran out; any bytes may come.
 */
struct program_code *program_code_read(const char *bytes, size_t length);

/* Bytes followed by a NUL. */
struct shared_text {
	atomic_uint refs;
	size_t length;
	char bytes[];
};

enum code_kind { CODE_SOURCE, CODE_BITCODE, CODE_SPIRV, CODE_PTX, CODE_KINDS };

/* A header that was given to clCompileProgram(), by the name that #include has. */
struct embedded_header {
	char *name;
	struct shared_text *text;
};

struct code_part {
	enum code_kind kind;
	struct shared_text *text;
	char *options; /* it was compiled with; NULL: not yet */
	struct embedded_header *headers;
	size_t header_count;
	/* Of source that reads files (it includes something): */
	char *folder;     /* where it was compiled; else NULL */
	int64_t built_ns; /* and when, since the epoch */
	bool is_kept;     /* by an earlier process */
};

struct program_code {
	atomic_uint refs;
	const char *origin; /* as recorded_program's: static */
	char *refusal;      /* why it cannot be instrumented; NULL: it can */
	char *options;      /* of the build, or of the link */
	struct code_part *parts;
	size_t part_count;
};

/* A copy of `length` bytes, one reference. NULL: out of memory. */
struct shared_text *shared_text_create(const void *bytes, size_t length);

struct shared_text *shared_text_retain(struct shared_text *t);

void shared_text_release(struct shared_text *t); /* NULL is allowed */

/*
 * All that follow return a new code with one reference, NULL when out of memory. Of one part, which
 * takes a reference to `text`; or of none, with a printf-style reason.
 */
struct program_code *program_code_of(const char *origin, enum code_kind kind,
                                     struct shared_text *text);

struct program_code *program_code_refused(const char *origin, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The same compiled now, in the current directory, with `options`: parts that were compiled stay as
 * they are. The headers, which are copied, are of those that are compiled now.
 */
struct program_code *program_code_compile(const struct program_code *code, const char *options,
                                          const struct embedded_header *headers,
                                          size_t header_count);

/* The parts of all of `codes`, some of which may be NULL: of them nothing is known. */
struct program_code *program_code_link(struct program_code *const *codes, size_t count,
                                       const char *options);

/* The same parts in a program of another origin. */
struct program_code *program_code_of_origin(const struct program_code *code, const char *origin);

struct program_code *program_code_retain(struct program_code *code);

void program_code_release(struct program_code *code); /* NULL is allowed */

#endif
