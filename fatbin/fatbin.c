/* SPDX-License-Identifier: Apache-2.0 */
#include "fatbin.h"

#include "array.h"
#include "err.h"
#include "str.h"

#include <limits.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define ENTRY_HEADER_BYTES   64 /* at least */
#define FLAG_LZ4             0x2000u
#define FLAG_ZSTD            0x8000u
#define UNPACKED_LIMIT_BYTES (1u << 30)
#define PACKING_RATIO_MAX    32768u /* zstd's own bound: 128 KiB from 4 bytes */

struct container_header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes; /* after the header */
};

struct entry_header {
	uint16_t kind, version;
	uint32_t header_bytes;
	uint64_t bytes; /* after the header, with padding */
	uint32_t packed_bytes, options_at;
	uint16_t minor, major;
	uint32_t arch, name_at, name_bytes;
	uint64_t flags, zero, unpacked_bytes;
};

_Static_assert(sizeof(struct container_header) == 16, "layout");
_Static_assert(sizeof(struct entry_header) == ENTRY_HEADER_BYTES, "layout");

int fatbin_open(struct fatbin *f, const void *data, size_t limit, struct err *err)
{
	struct container_header head;

	*f = (struct fatbin){ NULL, NULL };
	if (limit < sizeof(head))
		return err_set(err, ERR_FORMAT, "fat binary: ends within its header");
	memcpy(&head, data, sizeof(head));
	if (head.magic != FATBIN_MAGIC)
		return err_set(err, ERR_FORMAT, "fat binary: begins with %08x, not with %08x",
		               head.magic, FATBIN_MAGIC);
	if (head.header_bytes < sizeof(head) || head.header_bytes > limit ||
	    head.bytes > limit - head.header_bytes)
		return err_set(err, ERR_FORMAT, "fat binary: says that it has %llu bytes, of %zu",
		               (unsigned long long)head.bytes, limit);
	f->at = (const unsigned char *)data + head.header_bytes;
	f->end = f->at + head.bytes;
	return 0;
}

static enum fatbin_packing packing_of(uint64_t flags)
{
	if (flags & FLAG_ZSTD)
		return FATBIN_ZSTD;
	return flags & FLAG_LZ4 ? FATBIN_LZ4 : FATBIN_PLAIN;
}

int fatbin_next(struct fatbin *f, struct fatbin_entry *entry, struct err *err)
{
	size_t left = (size_t)(f->end - f->at);
	struct entry_header head;

	if (left == 0)
		return 0;
	if (left < sizeof(head))
		return err_set(err, ERR_FORMAT, "fat binary: ends within the header of an entry");
	memcpy(&head, f->at, sizeof(head));
	if (head.header_bytes < sizeof(head) || head.header_bytes > left ||
	    head.bytes > left - head.header_bytes)
		return err_set(err, ERR_FORMAT, "fat binary: an entry of %llu bytes, %zu are left",
		               (unsigned long long)head.bytes, left);
	*entry = (struct fatbin_entry){ .kind = head.kind,
		                        .arch = head.arch,
		                        .packing = packing_of(head.flags),
		                        .bytes = f->at + head.header_bytes,
		                        .length = head.bytes,
		                        .unpacked_bytes = head.unpacked_bytes };
	if (entry->packing != FATBIN_PLAIN && head.packed_bytes > head.bytes)
		return err_set(err, ERR_FORMAT, "fat binary: %u packed bytes in an entry of %llu",
		               head.packed_bytes, (unsigned long long)head.bytes);
	if (entry->packing != FATBIN_PLAIN)
		entry->length = head.packed_bytes;
	f->at = entry->bytes + head.bytes;
	return 1;
}

/* Unpack into `to`, which has unpacked_bytes. Returns the number of bytes written, or -1. */
static long long unpack(const struct fatbin_entry *e, void *to)
{
	size_t got;

	if (e->packing == FATBIN_LZ4)
		return e->length > INT_MAX
		               ? -1
		               : LZ4_decompress_safe((const char *)e->bytes, to, (int)e->length,
		                                     (int)e->unpacked_bytes);
	got = ZSTD_decompress(to, (size_t)e->unpacked_bytes, e->bytes, e->length);
	return ZSTD_isError(got) ? -1 : (long long)got;
}

int fatbin_unpack(const struct fatbin_entry *entry, struct str *out, struct err *err)
{
	void *bytes;
	int rc;

	if (entry->packing == FATBIN_PLAIN)
		return str_append(out, entry->bytes, entry->length, err);
	if (entry->unpacked_bytes > UNPACKED_LIMIT_BYTES)
		return err_set(err, ERR_LIMIT, "fat binary: an entry of %llu bytes, %u are allowed",
		               (unsigned long long)entry->unpacked_bytes, UNPACKED_LIMIT_BYTES);
	if (entry->unpacked_bytes > entry->length * PACKING_RATIO_MAX)
		return err_set(err, ERR_FORMAT,
		               "fat binary: an entry claims %llu bytes, packed in %zu",
		               (unsigned long long)entry->unpacked_bytes, entry->length);
	bytes = array_alloc((size_t)entry->unpacked_bytes, 1, "entry of a fat binary", err);
	if (!bytes)
		return ERR_NOMEM;
	if (unpack(entry, bytes) != (long long)entry->unpacked_bytes)
		rc = err_set(err, ERR_FORMAT, "fat binary: an entry packed by %s is damaged",
		             entry->packing == FATBIN_LZ4 ? "LZ4" : "zstd");
	else
		rc = str_append(out, bytes, (size_t)entry->unpacked_bytes, err);
	free(bytes);
	return rc;
}
