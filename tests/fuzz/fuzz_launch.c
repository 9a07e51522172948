/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a launch file, whose checksums are put right: what it claims is refused or played.
 * The first byte chooses the recording that it belongs to. */
#include "fuzz.h"

#include "recording_chain.h"
#include "trace_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Offsets in the trailer. */
enum { INDEX_OFFSET = 0, INDEX_BYTES = 8, INDEX_SUM = 24, FILE_BYTES = 96, MAGIC = 112 };

static const char *const kinds[] = { "vadd", "loops", "sides", "deep", "wide", "atomics" };

/* As if its writer had meant it: all of its chunks are one. */
static void sign(unsigned char *file, size_t length)
{
	unsigned char *trailer = file + length - TRAILER;
	uint64_t index, bytes;

	if (length < HEADER + CHUNK_HEADER)
		return;
	sign_header(file);
	if (length < HEADER + CHUNK_HEADER + TRAILER ||
	    memcmp(trailer + MAGIC + 4, "END", 3) != 0) {
		sign_chunk(file + HEADER, length - HEADER);
		return;
	}
	put64(trailer + FILE_BYTES, length);
	index = get64(trailer + INDEX_OFFSET);
	bytes = get64(trailer + INDEX_BYTES);
	if (index >= HEADER + CHUNK_HEADER && index <= length - TRAILER)
		sign_chunk(file + HEADER, index - HEADER);
	if (index <= length - TRAILER && bytes <= length - TRAILER - index)
		put64(trailer + INDEX_SUM, XXH64(file + index, bytes, 0));
	sign_trailer(file, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chain_report report;
	char *copy;
	const char *kind;
	char name[64];

	if (size < 1)
		return 0;
	kind = kinds[data[0] % (sizeof(kinds) / sizeof(kinds[0]))];
	copy = fuzz_copy(data + 1, size - 1);
	sign((unsigned char *)copy, size - 1);
	fuzz_recording(kind);
	snprintf(name, sizeof(name), "%s/launch-000000.wll", kind);
	fuzz_write(name, copy, size - 1);
	free(copy);
	chain_run(fuzz_recording(kind), fuzz_gpu(), NULL, &report);
	fuzz_assert(!report.refusal.code == !report.refusal.msg[0], "what is refused has a reason");
	return 0;
}
