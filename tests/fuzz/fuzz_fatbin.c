/* SPDX-License-Identifier: Apache-2.0 */
/* A fat binary, whose header is made right for every other input: its entries are found and
 * unpacked, or refused. */
#include "fuzz.h"

#include "err.h"
#include "fatbin.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 16, UNPACKED_MAX = 1 << 24 };

static void sign(unsigned char *bytes, size_t size)
{
	const uint32_t magic = FATBIN_MAGIC;
	const uint16_t version = 1, header = HEADER;
	const uint64_t length = size - HEADER;

	memcpy(bytes, &magic, 4);
	memcpy(bytes + 4, &version, 2);
	memcpy(bytes + 6, &header, 2);
	memcpy(bytes + 8, &length, 8);
}

static void unpack(const struct fatbin_entry *e)
{
	struct err err = { 0 };
	struct str out;

	str_init(&out, UNPACKED_MAX);
	if (fatbin_unpack(e, &out, &err))
		fuzz_assert(err.msg[0] != '\0', "what is refused has a reason");
	else if (e->packing != FATBIN_PLAIN)
		fuzz_assert(out.length <= e->unpacked_bytes,
		            "no more comes out than the entry says");
	str_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fatbin_entry entry;
	struct err err = { 0 };
	unsigned char *bytes;
	struct fatbin f;
	int ret;

	if (!size)
		return 0;
	bytes = (unsigned char *)fuzz_copy(data, size - 1);
	if (data[size - 1] % 2 == 0 && size - 1 >= HEADER)
		sign(bytes, size - 1);
	ret = fatbin_open(&f, bytes, size - 1, &err);
	while (!ret && (ret = fatbin_next(&f, &entry, &err)) > 0) {
		fuzz_assert(entry.bytes >= bytes && entry.length <= size - 1 &&
		                    entry.bytes + entry.length <= bytes + size - 1,
		            "an entry lies in the container");
		unpack(&entry);
		ret = 0;
	}
	fuzz_assert(!ret || err.msg[0], "what is refused has a reason");
	free(bytes);
	return 0;
}
