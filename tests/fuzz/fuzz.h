/*
 * fuzz - what the fuzzers share.
 *
 * A fuzzer is one function of the bytes of a hostile input, and asserts what must be true for any.
 * With libFuzzer it is called for ever; otherwise fuzz_corpus.c calls it for the files of a folder.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct chain_report;
struct gpu;

/* The fuzzer. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End the process with a sentence when `holds` is 0: the input is then kept. */
void fuzz_assert(int holds, const char *what);

/* A copy on the heap with a NUL behind it, the caller's; the process ends when there is no memory.
 */
char *fuzz_copy(const uint8_t *data, size_t size);

/* `name` in a folder of this process; static storage, good until the next call but two. The folder
 * is removed when the process ends by itself. */
const char *fuzz_path(const char *name);

/* Write a file of that folder, or of one in it. */
void fuzz_write(const char *name, const void *bytes, size_t size);

/* Remove a file or folder of that folder, with all that is in it. */
void fuzz_remove(const char *name);

/* Make the recording of that kind (recordings.h), once. Returns its path, in static storage. */
const char *fuzz_recording(const char *kind);

/*
 * Run some of the commands that read a recording on `dir`, which chain_run() has told of; the input
 * says which. What they end with is asserted to be one of the exit codes, with a sentence for each
 * but 0. None runs where a launch is too large to be played.
 */
void fuzz_commands(const char *dir, const struct chain_report *report, const uint8_t *data,
                   size_t size);

/* The next byte or number of a fuzzer's input, 0 behind its end. */
struct fuzz_input {
	const uint8_t *at, *end;
};
uint8_t fuzz_byte(struct fuzz_input *in);
uint64_t fuzz_number(struct fuzz_input *in);

/* A GPU of few SMs. */
const struct gpu *fuzz_gpu(void);

#endif
