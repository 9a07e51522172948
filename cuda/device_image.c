/* SPDX-License-Identifier: Apache-2.0 */
#include "device_image.h"

#include "err.h"
#include "fatbin.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BITCODE_WRAPPER 0x0B17C0DEu
#define BITCODE_MAGIC   0xDEC04342u
#define WORD            ((size_t)4)

static uint32_t word_at(const unsigned char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/*
 * A unit begins with the abbreviation 1 in two bits, its number (8 bits at a time), the width of
 * its own abbreviations (4 at a time), then from the next multiple of 32 bits its size in words.
 * Numbers of units that a file has outside all others: 8 module, 13 identification, 23 names, 25
 * symbols; all fit 8 bits.
 */
static bool is_unit(uint32_t first)
{
	uint32_t number = first >> 2 & 0xff, width = first >> 10 & 0xf;

	return (first & 3) == 1 && first >> 14 == 0 && width < 8 &&
	       (number == 8 || number == 13 || number == 23 || number == 25);
}

size_t bitcode_extent(const void *data, size_t limit)
{
	const unsigned char *bytes = data;
	size_t at = WORD;

	if (limit >= 5 * WORD && word_at(bytes) == BITCODE_WRAPPER) {
		uint64_t end = (uint64_t)word_at(bytes + 2 * WORD) + word_at(bytes + 3 * WORD);

		return end <= limit ? (size_t)end : 0;
	}
	if (limit < WORD || word_at(bytes) != BITCODE_MAGIC)
		return 0;
	while (limit - at >= 2 * WORD && is_unit(word_at(bytes + at))) {
		uint64_t size = (uint64_t)word_at(bytes + at + WORD) * WORD + 2 * WORD;

		if (size > limit - at)
			return 0;
		at += (size_t)size;
	}
	return at > WORD ? at : 0;
}

#define LIMIT_BYTES   (1u << 30)
#define WRAPPER_MAGIC 0x466243b1u
#define ELF_MAGIC     0x464c457fu

struct wrapper {
	uint32_t magic, version;
	const void *data;
	const void *more;
};

/* A search for the segment that holds an address. */
struct segment_search {
	uintptr_t address;
	size_t left; /* bytes from there to the segment's end */
};

static int look_at_object(struct dl_phdr_info *object, size_t size, void *context)
{
	struct segment_search *s = context;

	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD || s->address < begin || s->address - begin >= p->p_memsz)
			continue;
		s->left = p->p_memsz - (s->address - begin);
		return 1;
	}
	return 0;
}

/* Bytes that may be read at `data`: those of its segment; on the heap the code itself must tell. */
static size_t readable(const void *data)
{
	struct segment_search s = { (uintptr_t)data, 0 };

	return dl_iterate_phdr(look_at_object, &s) ? s.left : SIZE_MAX / 2;
}

/* Take the entry if it is PTX for a higher architecture than what there is. */
static int consider(struct device_image *image, const struct fatbin_entry *entry, unsigned *best,
                    struct err *err)
{
	if (entry->kind != FATBIN_PTX || entry->arch < *best)
		return 0;
	*best = entry->arch;
	image->kind = DEVICE_IMAGE_PTX;
	str_release(&image->text);
	str_init(&image->text, LIMIT_BYTES);
	return fatbin_unpack(entry, &image->text, err);
}

static int take_fatbin(struct device_image *image, const void *data, size_t length, struct err *err)
{
	struct fatbin_entry entry;
	struct fatbin f;
	unsigned best = 0, machine = 0;
	int rc = fatbin_open(&f, data, length, err);

	while (rc == 0 && (rc = fatbin_next(&f, &entry, err)) > 0) {
		if (entry.kind == FATBIN_ELF)
			machine = entry.arch;
		rc = consider(image, &entry, &best, err);
	}
	if (rc == 0 && image->kind != DEVICE_IMAGE_PTX)
		rc = err_set(err, ERR_UNSUPPORTED,
		             machine ? "the program holds machine code for sm_%u alone, no PTX: "
		                       "build it with -gencode arch=compute_%u,code=compute_%u"
		                     : "the fat binary holds no PTX",
		             machine, machine, machine);
	/* A NUL that ends the text is none of it. */
	while (rc == 0 && image->text.length && !image->text.text[image->text.length - 1])
		image->text.length--;
	return rc;
}

/* Behind the mark: a line of options, then the source. */
static int take_source(struct device_image *image, const char *text, size_t bytes, struct err *err)
{
	size_t head = strlen(DEVICE_IMAGE_SOURCE);
	size_t line = head + strcspn(text + head, "\n");

	image->kind = DEVICE_IMAGE_CUDA;
	image->options = str_format(err, "%.*s", (int)(line - head), text + head);
	line += line < bytes;
	return image->options ? str_append(&image->text, text + line, bytes - line, err)
	                      : ERR_NOMEM;
}

static int take_text(struct device_image *image, const char *text, size_t length, struct err *err)
{
	size_t bytes = strnlen(text, length < LIMIT_BYTES ? length : LIMIT_BYTES);

	if (bytes < length && bytes >= strlen(DEVICE_IMAGE_SOURCE) &&
	    !memcmp(text, DEVICE_IMAGE_SOURCE, strlen(DEVICE_IMAGE_SOURCE)))
		return take_source(image, text, bytes, err);

	if (!memmem(text, bytes, ".version", strlen(".version")))
		return err_set(err, ERR_FORMAT,
		               "device code that is neither PTX, bitcode nor a fat binary");
	image->kind = DEVICE_IMAGE_PTX;
	return str_append(&image->text, text, bytes, err);
}

int device_image_init(struct device_image *image, const void *data, size_t length, struct err *err)
{
	struct wrapper wrapper;
	uint32_t magic = 0;
	size_t bytes;

	*image = (struct device_image){ .kind = DEVICE_IMAGE_BITCODE };
	str_init(&image->text, LIMIT_BYTES);
	length = length ? length : readable(data);
	if (length >= sizeof(magic))
		memcpy(&magic, data, sizeof(magic));
	if (magic == WRAPPER_MAGIC && length >= sizeof(wrapper)) {
		memcpy(&wrapper, data, sizeof(wrapper));
		data = wrapper.data;
		length = data ? readable(data) : 0;
		magic = 0;
		if (length >= sizeof(magic))
			memcpy(&magic, data, sizeof(magic));
	}
	if (magic == FATBIN_MAGIC)
		return take_fatbin(image, data, length, err);
	if (magic == ELF_MAGIC)
		return err_set(err, ERR_UNSUPPORTED,
		               "the module is machine code (cubin): only PTX can be traced");
	if (!data || !length)
		return err_set(err, ERR_FORMAT, "there is no device code");
	bytes = bitcode_extent(data, length);
	return bytes ? str_append(&image->text, data, bytes, err)
	             : take_text(image, data, length, err);
}

void device_image_release(struct device_image *image)
{
	str_release(&image->text);
	free(image->options);
	*image = (struct device_image){ .kind = DEVICE_IMAGE_BITCODE };
}
