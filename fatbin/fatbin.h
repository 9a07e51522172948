/*
 * fatbin - reads the container of device code that nvcc embeds (magic 0xBA55ED50), and unpacks its
 * entries.
 *
 * A container has a header of 16 bytes (magic, version, bytes of the header, bytes of the entries),
 * then entries. Each entry has a header and its contents: PTX, or an ELF file of machine code,
 * uncompressed or compressed with LZ4 or zstd. Several containers may follow each other. Only the
 * given bytes are read, whatever the headers contain.
 */
#ifndef FATBIN_H
#define FATBIN_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct str;

#define FATBIN_MAGIC 0xBA55ED50u

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_ELF = 2 };
enum fatbin_packing { FATBIN_PLAIN, FATBIN_LZ4, FATBIN_ZSTD };

struct fatbin_entry {
	unsigned kind; /* enum fatbin_kind, or an unknown number */
	unsigned arch; /* 75 for compute_75, sm_75 */
	enum fatbin_packing packing;
	const unsigned char *bytes; /* as stored in the container; borrowed */
	size_t length;
	uint64_t unpacked_bytes; /* size in the entry's header; 0 if plain */
};

struct fatbin {
	const unsigned char *at, *end; /* the entries not read yet */
};

/* Open a container at `data`, of which `limit` bytes may be read. Returns 0, or ERR_FORMAT. */
int fatbin_open(struct fatbin *f, const void *data, size_t limit, struct err *err);

/* Read the next entry into *entry. Returns 1, 0 at the end, or ERR_FORMAT if the remaining bytes
 * are not an entry. */
int fatbin_next(struct fatbin *f, struct fatbin_entry *entry, struct err *err);

/* Append an entry's unpacked contents to *out. Returns 0, ERR_FORMAT for damaged bytes, ERR_LIMIT
 * or ERR_NOMEM. */
int fatbin_unpack(const struct fatbin_entry *entry, struct str *out, struct err *err);

#endif
