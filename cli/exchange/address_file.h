/*
 * address_file - a list of memory accesses in a file, as cache simulators take them.
 *
 *   din   Dinero's text: a line has a label and an address in hexadecimal; what follows them is
 *         ignored. Labels: 0 read, 1 write, 2 instruction fetch; others are refused
 *   u64   raw addresses of 8 bytes, little-endian, each a read
 *
 * It is read as a stream: memory does not grow with the file, which is a plain one (plain_file.h).
 */
#ifndef ADDRESS_FILE_H
#define ADDRESS_FILE_H

#include <stdint.h>
#include <stdio.h>

struct err;

enum address_format { ADDRESS_DIN, ADDRESS_U64 };

/* Dinero's labels. */
enum address_kind { ADDRESS_READ, ADDRESS_WRITE, ADDRESS_FETCH, ADDRESS_KIND_COUNT };

struct address {
	uint64_t address;
	enum address_kind kind;
};

struct address_file {
	FILE *file;
	const char *path; /* borrowed */
	enum address_format format;
	uint64_t line;  /* of text, read so far */
	uint64_t count; /* addresses read so far */
};

/* Returns 0 or ERR_IO. Close it in every case. */
int address_file_open(struct address_file *f, const char *path, enum address_format format,
                      struct err *err);
void address_file_close(struct address_file *f);

/* Read the next: 1, or 0 at the end, or ERR_FORMAT with "FILE:LINE: ..." or ERR_IO. */
int address_file_next(struct address_file *f, struct address *out, struct err *err);

/* Begin again. Returns 0 or ERR_IO. */
int address_file_rewind(struct address_file *f, struct err *err);

#endif
