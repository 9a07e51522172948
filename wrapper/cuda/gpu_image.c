/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_image.h"

#include "err.h"
#include "fatbin.h"
#include "file.h"
#include "str.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_PTX_BYTES  (256u << 20)
#define LIMIT_FILE_BYTES (1u << 30)
#define WRAPPER_MAGIC    0x466243b1u
#define FATBIN_HEADER    16u

/* What nvcc puts around a fat binary (fatbinary_section.h of the toolkit). */
struct image_wrapper {
	uint32_t magic, version;
	const void *data;
	void *file_name;
};

static uint32_t magic_of(const void *image)
{
	uint32_t magic;

	memcpy(&magic, image, sizeof(magic));
	return magic;
}

/* Bytes of a container in memory, as its header says. */
static size_t container_bytes(const void *data)
{
	uint16_t header;
	uint64_t entries;

	memcpy(&header, (const char *)data + 6, sizeof(header));
	memcpy(&entries, (const char *)data + 8, sizeof(entries));
	return entries < SIZE_MAX / 2 ? header + (size_t)entries : SIZE_MAX / 2;
}

/* The newest PTX that is not too new; best->length stays 0 when there is none. */
static int find_best(const void *data, size_t limit, unsigned arch, struct fatbin_entry *best,
                     struct err *err)
{
	struct fatbin container;
	struct fatbin_entry entry;
	int rc = fatbin_open(&container, data, limit, err);

	if (rc < 0)
		return rc;
	while ((rc = fatbin_next(&container, &entry, err)) == 1)
		if (entry.kind == FATBIN_PTX && (!arch || entry.arch <= arch) &&
		    (!best->length || entry.arch > best->arch))
			*best = entry;
	return rc;
}

static int read_container(const void *data, size_t limit, unsigned arch, struct str *out,
                          struct err *err)
{
	struct fatbin_entry best = { 0 };
	int rc = find_best(data, limit, arch, &best, err);

	if (rc < 0)
		return rc;
	if (!best.length)
		return err_set(err, ERR_UNSUPPORTED,
		               "its device code is machine code only, without PTX that this "
		               "device takes: build it with PTX (nvcc -gencode "
		               "arch=compute_XX,code=compute_XX)");
	return fatbin_unpack(&best, out, err);
}

/* Whether it begins as a text does. */
static int check_text(const char *text, struct err *err)
{
	if (strstr(text, ".version") && strstr(text, ".target"))
		return 0;
	return err_set(err, ERR_UNSUPPORTED, "its device code is in a form that is not known");
}

static int read_image(const void *image, size_t limit, unsigned arch, struct str *out,
                      struct err *err)
{
	if (magic_of(image) == FATBIN_MAGIC)
		return read_container(image, limit ? limit : container_bytes(image), arch, out,
		                      err);
	if (!memcmp(image, "\177ELF", 4))
		return err_set(err, ERR_UNSUPPORTED,
		               "its device code is machine code only (an ELF file), without PTX");
	if (check_text(image, err) < 0)
		return ERR_UNSUPPORTED;
	return str_append(out, image, strlen(image), err);
}

/* `limit` is 0 for what is in memory: it says itself how long it is. */
static int read_ptx(const void *image, size_t limit, unsigned arch, char **ptx, struct err *err)
{
	struct str out;
	int rc;

	str_init(&out, LIMIT_PTX_BYTES);
	rc = read_image(image, limit, arch, &out, err);
	*ptx = rc == 0 ? str_take(&out) : NULL;
	str_release(&out);
	return rc == 0 && !*ptx ? err_set(err, ERR_UNSUPPORTED, "its PTX is empty") : rc;
}

int gpu_image_ptx(const void *image, unsigned arch, char **ptx, struct err *err)
{
	struct image_wrapper wrapper;

	*ptx = NULL;
	if (magic_of(image) != WRAPPER_MAGIC)
		return read_ptx(image, 0, arch, ptx, err);
	memcpy(&wrapper, image, sizeof(wrapper));
	if (!wrapper.data)
		return err_set(err, ERR_FORMAT, "its fat binary is empty");
	return read_ptx(wrapper.data, 0, arch, ptx, err);
}

int gpu_image_ptx_file(const char *path, unsigned arch, char **ptx, struct err *err)
{
	struct str text;
	int rc;

	*ptx = NULL;
	str_init(&text, LIMIT_FILE_BYTES);
	rc = file_read(path, &text, err);
	if (rc == 0 && text.length < FATBIN_HEADER)
		rc = err_set(err, ERR_FORMAT, "%s: too short for device code", path);
	if (rc == 0)
		rc = read_ptx(text.text, text.length, arch, ptx, err);
	str_release(&text);
	return rc;
}
