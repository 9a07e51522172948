/*
 * cuda_output - what a program of the corpus printed, and the tagged lines of its source.
 *
 * Lines "buffer NAME ADDRESS BYTES" and "number NAME VALUE" of the output, lines that end with
 * "// @N" of the source. Other lines are passed over.
 */
#ifndef CUDA_OUTPUT_H
#define CUDA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUDA_BUFFERS_MAX 32
#define CUDA_TAGS_MAX    64
#define CUDA_SOURCES_MAX 4

struct cuda_buffer {
	char name[32];
	uint64_t address, bytes;
};

struct cuda_number {
	char name[32];
	int64_t value;
};

struct cuda_output {
	struct cuda_buffer buffers[CUDA_BUFFERS_MAX];
	size_t buffer_count;
	struct cuda_number numbers[CUDA_BUFFERS_MAX];
	size_t number_count;
	const char *sources[CUDA_SOURCES_MAX]; /* names, without folders */
	size_t source_count;
	struct {
		const char *file; /* without folder; NULL: there is no such tag */
		uint32_t line;
	} tags[CUDA_TAGS_MAX];
};

/* Add a file to *o, zeroed at first: what was printed; a source, whose path is borrowed. Returns 0,
 * or -1 with a sentence in message[size]. */
int cuda_output_read(struct cuda_output *o, const char *path, char *message, size_t size);
int cuda_output_read_source(struct cuda_output *o, const char *path, char *message, size_t size);

/* Whether it was read as a source; both without folder. */
bool cuda_output_is_source(const struct cuda_output *o, const char *file);

/* The buffer that holds the address, or NULL: the last one printed, as memory may be used again. */
const struct cuda_buffer *cuda_output_at(const struct cuda_output *o, uint64_t address);

#endif
