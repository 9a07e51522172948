/*
 * program_code - what a program is made of: one part, or several when it is linked, each a source
 * with its options and embedded headers.
 *
 * Immutable, and shared by programs, their builds and the programs they are linked into. A code
 * that cannot be instrumented says why. Texts are references to one copy, however often a program
 * is built.
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
 * there are unchanged.
 *
 * A header counts as changed when its file was touched in any way (ctime) since the program was
 * compiled: the instrumented program must be the same as the application's.
 */

/*
 * Get the folder, borrowed; NULL: no part reads files. Returns 0, or ERR_UNSUPPORTED when the parts
 * were compiled in different folders.
 */
int code_place_folder(const struct program_code *code, const char **folder, struct err *err);

/*
 * Check the headers that were read now; `list` is a file with their paths, one a line. Returns 0;
 * ERR_UNSUPPORTED with the header's name when one has changed, or when there is no list and the
 * code is from an earlier process; ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
int code_place_check(const struct program_code *code, const char *list, struct err *err);

/*
 * program_code_file - a program_code as bytes, for a file of the cache. In the machine's byte
 * order, since the file stays on this machine.
 */

/* Append a code. False when memory ran out or the string's limit is reached. */
bool program_code_write(const struct program_code *code, struct str *out);

/*
 * Read a code, with origin "binary", from exactly `length` bytes, which may be anything. NULL when
 * they are not valid or memory ran out.
 */
struct program_code *program_code_read(const char *bytes, size_t length);

/* Bytes followed by a NUL. */
struct shared_text {
	atomic_uint refs;
	size_t length;
	char bytes[];
};

enum code_kind { CODE_SOURCE, CODE_BITCODE, CODE_SPIRV, CODE_PTX, CODE_KINDS };

/* A header passed to clCompileProgram(), with its name in #include. */
struct embedded_header {
	char *name;
	struct shared_text *text;
};

struct code_part {
	enum code_kind kind;
	struct shared_text *text;
	char *options; /* with which it was compiled; NULL: not compiled yet */
	struct embedded_header *headers;
	size_t header_count;
	/* Of source that reads files (it includes something): */
	char *folder;     /* where it was compiled; else NULL */
	int64_t built_ns; /* when, since the epoch */
	bool is_kept;     /* stored by an earlier process */
};

struct program_code {
	atomic_uint refs;
	const char *origin; /* static; as in struct recorded_program */
	char *refusal;      /* why it cannot be instrumented; NULL: it can */
	char *options;      /* of the build, or of the link */
	struct code_part *parts;
	size_t part_count;
};

/* Copy `length` bytes; returns one reference. NULL: out of memory. */
struct shared_text *shared_text_create(const void *bytes, size_t length);

struct shared_text *shared_text_retain(struct shared_text *t);

void shared_text_release(struct shared_text *t); /* NULL is allowed */

/*
 * The functions below return a new code with one reference, or NULL when out of memory. These two:
 * of one part, with a reference to `text`; and of no part, with a printf-style refusal.
 */
struct program_code *program_code_of(const char *origin, enum code_kind kind,
                                     struct shared_text *text);

struct program_code *program_code_refused(const char *origin, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The code compiled now in the current directory, with `options` and copies of the headers. Parts
 * that were compiled before stay unchanged.
 */
struct program_code *program_code_compile(const struct program_code *code, const char *options,
                                          const struct embedded_header *headers,
                                          size_t header_count);

/* The parts of all `codes` linked; a NULL code is unknown. */
struct program_code *program_code_link(struct program_code *const *codes, size_t count,
                                       const char *options);

/* The same parts with another origin. */
struct program_code *program_code_of_origin(const struct program_code *code, const char *origin);

struct program_code *program_code_retain(struct program_code *code);

void program_code_release(struct program_code *code); /* NULL is allowed */

#endif
