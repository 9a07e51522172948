/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include "command_chain.h"
#include "err.h"
#include "gpu.h"
#include "recording_chain.h"
#include "recording_writer.h"
#include "recordings.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];
static pid_t owner;

void fuzz_assert(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "not true: %s\n", what);
	abort();
}

char *fuzz_copy(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	(void)facts;
	(void)kind;
	(void)where;
	return remove(path);
}

static void remove_folder(void)
{
	if (getpid() == owner)
		nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_path(const char *name)
{
	static char paths[3][256];
	static unsigned turn;
	char *path = paths[turn++ % 3];

	if (!folder[0]) {
		snprintf(folder, sizeof(folder), "/tmp/warpline-fuzz-XXXXXX");
		fuzz_assert(mkdtemp(folder) != NULL, "there is a folder for temporary files");
		owner = getpid();
		atexit(remove_folder);
	}
	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

void fuzz_write(const char *name, const void *bytes, size_t size)
{
	FILE *file = fopen(fuzz_path(name), "wb");

	fuzz_assert(file && fwrite(bytes, 1, size, file) == size && !fclose(file),
	            "a temporary file can be written");
}

void fuzz_remove(const char *name)
{
	nftw(fuzz_path(name), remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_recording(const char *kind)
{
	static char path[256];
	struct err err = { 0 };

	snprintf(path, sizeof(path), "%s", fuzz_path(kind));
	if (access(path, F_OK) == 0)
		return path;
	if (recording_make(kind, path, &err) || recording_append_exit(path, 0, 0, &err))
		fuzz_assert(0, err.msg);
	return path;
}

/* How many commands an input is tried on. */
enum { COMMANDS = 3 };

void fuzz_commands(const char *dir, const struct chain_report *report, const uint8_t *data,
                   size_t size)
{
	char good[256], out[256], tested[256];
	uint32_t which = 0;

	if (report->is_large)
		return;
	snprintf(tested, sizeof(tested), "%s", dir);
	snprintf(good, sizeof(good), "%s", fuzz_recording("loops"));
	snprintf(out, sizeof(out), "%s", fuzz_path("out"));
	setenv("WARPLINE_GPUS", SOURCE_DIR "/gpus", 1);
	setenv("WARPLINE_GPU", "gtx480", 1);
	for (size_t i = 0; i < size; i++)
		which = which * 31 + data[i];
	for (uint32_t i = 0; i < COMMANDS; i++) {
		struct command_outcome o;

		command_chain_run((which + i * 17) % command_chain_count(), tested, good, out, &o);
		if (o.status < 0 || o.status > 6 ||
		    (o.status > 1 && !o.said[0] && strncmp(o.words, "verify", 6) != 0)) {
			fprintf(stderr, "'%s' ended with %d: %s\n", o.words, o.status, o.said);
			abort();
		}
	}
}

uint8_t fuzz_byte(struct fuzz_input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

/* A byte of its length, then so many bytes; or, from 9 on, a number that is often special. */
uint64_t fuzz_number(struct fuzz_input *in)
{
	static const uint64_t special[] = { UINT64_MAX, UINT64_MAX - 1,
		                            INT64_MAX,  UINT64_C(1) << 63,
		                            UINT32_MAX, UINT64_C(1) << 32,
		                            INT32_MAX,  UINT64_C(1) << 31,
		                            128,        127,
		                            1 << 20 };
	uint8_t kind = fuzz_byte(in);
	uint64_t number = 0;

	if (kind > 8)
		return special[(kind - 9u) % (sizeof(special) / sizeof(special[0]))];
	for (uint8_t i = 0; i < kind; i++)
		number |= (uint64_t)fuzz_byte(in) << 8 * i;
	return number;
}

const struct gpu *fuzz_gpu(void)
{
	static struct gpu gpu;
	struct err err = { 0 };

	if (!gpu.sm_count && (gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, &err) ||
	                      gpu_set(&gpu, "sm_count=3", &err)))
		fuzz_assert(0, err.msg);
	return &gpu;
}
