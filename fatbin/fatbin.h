/*
 * fatbin - the container of device code that nvcc embeds (magic 0xBA55ED50): its entries, unpacked.
 *
 * A header of 16 bytes (magic, version, header bytes, bytes of entries), then entries, each a
 * header and what it describes: PTX or an ELF of machine code, plain, or packed by LZ4 or zstd.
 * Several containers may follow each other. Nothing outside the bytes given is read, whatever they
 * say.
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
	unsigned kind; /* enum fatbin_kind, or a number that is not known here */
	unsigned arch; /* 75 for compute_75, sm_75 */
	enum fatbin_packing packing;
	const unsigned char *bytes; /* as they lie in the container, borrowed */
	size_t length;
	uint64_t unpacked_bytes; /* what the entry says; 0: plain */
};

struct fatbin {
	const unsigned char *at, *end; /* what is left of the entries */
};

/* Begin with a container at `data`, of which `limit` bytes may be read. Returns 0, or ERR_FORMAT.
 */
int fatbin_open(struct fatbin *f, const void *data, size_t limit, struct err *err);

/* The next entry. Returns 1, 0 at the end, ERR_FORMAT when what is left is no entry. */
int fatbin_next(struct fatbin *f, struct fatbin_entry *entry, struct err *err);

/* Append an entry's unpacked contents. Returns 0, ERR_FORMAT for damaged bytes, ERR_LIMIT,
 * ERR_NOMEM. */
int fatbin_unpack(const struct fatbin_entry *entry, struct str *out, struct err *err);

#endif
