/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a launch file, whose checksums are put right: what it claims is refused or played.
 * The first byte chooses the recording that it belongs to. */
#include "fuzz.h"

#include "recording_chain.h"
#include "recording_sign.h"
#include "trace_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets in the trailer. */
enum { INDEX_OFFSET = 0, FILE_BYTES = 96, MAGIC = 112, ROOM = 1 << 17 };

static const char *const kinds[] = { "vadd", "loops", "sides", "deep", "wide", "atomics" };

/* As if its writer had meant it: all of its chunks are one. Returns its length. */
static size_t sign(unsigned char *file, size_t length, size_t capacity)
{
	uint64_t index;

	if (length < HEADER + CHUNK_HEADER)
		return length;
	sign_header(file);
	if (length < HEADER + CHUNK_HEADER + TRAILER ||
	    memcmp(file + length - TRAILER + MAGIC, "WLTRAIL\n", 8) != 0) {
		sign_chunk(file + HEADER, length - HEADER);
		return length;
	}
	index = get64(file + length - TRAILER + INDEX_OFFSET);
	put64(file + length - TRAILER + FILE_BYTES, length);
	if (index >= HEADER + CHUNK_HEADER && index <= length - TRAILER)
		sign_chunk(file + HEADER, index - HEADER);
	sign_index(file, &length, capacity, get32(file + 8));
	sign_trailer(file, length);
	return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chain_report report;
	unsigned char *copy;
	const char *kind;
	size_t given = size;
	char name[64];

	if (size < 1)
		return 0;
	kind = kinds[data[0] % (sizeof(kinds) / sizeof(kinds[0]))];
	copy = calloc(1, size + ROOM);
	fuzz_assert(copy != NULL, "there is memory");
	memcpy(copy, data + 1, size - 1);
	size = sign(copy, size - 1, size + ROOM);
	fuzz_recording(kind);
	snprintf(name, sizeof(name), "%s/launch-000000.wll", kind);
	fuzz_write(name, copy, size);
	free(copy);
	recording_sign_in_place(fuzz_recording(kind));
	chain_run(fuzz_recording(kind), fuzz_gpu(), NULL, &report);
	fuzz_assert(!report.refusal.code == !report.refusal.msg[0], "what is refused has a reason");
	fuzz_commands(fuzz_recording(kind), &report, data, given);
	return 0;
}
