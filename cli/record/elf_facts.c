/* SPDX-License-Identifier: Apache-2.0 */
#include "elf_facts.h"

#include "err.h"
#include "file.h"
#include "str.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT    ((size_t)1 << 28)
#define NEEDED_LIMIT  4096
#define HEADERS_LIMIT 4096
#define ENTRIES_LIMIT ((size_t)1 << 16)

/* A file in memory; nothing in it is trusted. */
struct image {
	const char *path, *bytes;
	size_t length;
	Elf64_Ehdr head;
};

/* Where the dynamic section and its strings are. */
struct dynamic {
	size_t offset, count;
	const char *strings; /* NULL: not found */
	size_t strings_bytes;
};

/* Copy `size` bytes at `offset` to `out`. */
static bool take(const struct image *image, uint64_t offset, void *out, size_t size)
{
	if (offset > image->length || size > image->length - offset)
		return false;
	memcpy(out, image->bytes + offset, size);
	return true;
}

static bool take_header(const struct image *image, size_t i, Elf64_Phdr *header)
{
	return i < image->head.e_phnum && i < HEADERS_LIMIT &&
	       image->head.e_phentsize >= sizeof(*header) &&
	       take(image, image->head.e_phoff + i * image->head.e_phentsize, header,
	            sizeof(*header));
}

/* Find the segment of a type. */
static bool find_segment(const struct image *image, uint32_t type, Elf64_Phdr *header)
{
	for (size_t i = 0; take_header(image, i, header); i++)
		if (header->p_type == type)
			return true;
	return false;
}

/* The offset in the file of an address. */
static bool find_address(const struct image *image, uint64_t address, uint64_t *offset)
{
	Elf64_Phdr header;

	for (size_t i = 0; take_header(image, i, &header); i++) {
		if (header.p_type != PT_LOAD || address < header.p_vaddr ||
		    address - header.p_vaddr >= header.p_filesz)
			continue;
		*offset = header.p_offset + (address - header.p_vaddr);
		return true;
	}
	return false;
}

static bool take_entry(const struct image *image, const struct dynamic *d, size_t i, Elf64_Dyn *out)
{
	return i < d->count && take(image, d->offset + i * sizeof(*out), out, sizeof(*out)) &&
	       out->d_tag != DT_NULL;
}

/* The value of the first entry with a tag. */
static bool find_entry(const struct image *image, const struct dynamic *d, int64_t tag,
                       uint64_t *value)
{
	Elf64_Dyn entry;

	for (size_t i = 0; take_entry(image, d, i, &entry); i++) {
		if (entry.d_tag != tag)
			continue;
		*value = entry.d_un.d_val;
		return true;
	}
	return false;
}

static void find_strings(const struct image *image, struct dynamic *d)
{
	uint64_t address, bytes, offset;

	if (!find_entry(image, d, DT_STRTAB, &address) || !find_entry(image, d, DT_STRSZ, &bytes) ||
	    !find_address(image, address, &offset) || offset > image->length ||
	    bytes > image->length - offset)
		return;
	d->strings = image->bytes + offset;
	d->strings_bytes = bytes;
}

/* The string at an offset in the strings, or NULL. */
static const char *text_at(const struct dynamic *d, uint64_t at)
{
	if (!d->strings || at >= d->strings_bytes ||
	    !memchr(d->strings + at, '\0', d->strings_bytes - at))
		return NULL;
	return d->strings + at;
}

static int add_needed(struct elf_facts *f, const char *name, struct err *err)
{
	char **slot = array_push(&f->needed, 1, err);

	if (slot)
		*slot = str_copy(name, err);
	return slot && *slot ? 0 : ERR_NOMEM;
}

/* Append `text` with $ORIGIN and ${ORIGIN} replaced by the directory of `path`. */
static char *with_origin(const char *text, const char *path, struct err *err)
{
	static const char *const names[] = { "$ORIGIN", "${ORIGIN}" };
	const char *slash = strrchr(path, '/');
	struct str out;
	int ret = 0;

	str_init(&out, 1 << 16);
	while (*text && !ret) {
		size_t length = 0;

		for (size_t i = 0; i < 2; i++)
			if (!strncmp(text, names[i], strlen(names[i])))
				length = strlen(names[i]);
		if (length && slash)
			ret = str_append(&out, path, (size_t)(slash - path), err);
		else
			ret = str_append(&out, length ? "." : text, 1, err);
		text += length ? length : 1;
	}
	if (ret)
		str_release(&out);
	return str_take(&out);
}

static int read_dynamic(struct elf_facts *f, const struct image *image, const struct dynamic *d,
                        struct err *err)
{
	const char *text = NULL;
	uint64_t at;
	Elf64_Dyn entry;
	int ret = 0;

	for (size_t i = 0; !ret && take_entry(image, d, i, &entry); i++) {
		const char *name = entry.d_tag == DT_NEEDED ? text_at(d, entry.d_un.d_val) : NULL;

		if (name && f->needed.count < NEEDED_LIMIT)
			ret = add_needed(f, name, err);
	}
	if (find_entry(image, d, DT_RUNPATH, &at) || find_entry(image, d, DT_RPATH, &at))
		text = text_at(d, at);
	if (!ret && text && *text) {
		f->run_path = with_origin(text, image->path, err);
		ret = f->run_path ? 0 : ERR_NOMEM;
	}
	return ret;
}

/* The machine of this program. */
static uint16_t own_machine(void)
{
	Elf64_Ehdr head = { 0 };
	FILE *self = fopen("/proc/self/exe", "rbe");

	if (self && fread(&head, sizeof(head), 1, self) != 1)
		head.e_machine = 0;
	if (self)
		fclose(self);
	return head.e_machine;
}

int elf_facts_parse(struct elf_facts *f, const char *path, const char *bytes, size_t length,
                    struct err *err)
{
	struct image image = { .path = path, .bytes = bytes, .length = length };
	struct dynamic d = { 0 };
	Elf64_Phdr header;
	unsigned char kind;

	memset(f, 0, sizeof(*f));
	array_init(&f->needed, sizeof(char *), NEEDED_LIMIT, "needed libraries");
	f->is_elf = length > EI_CLASS && !memcmp(bytes, ELFMAG, SELFMAG);
	if (!f->is_elf)
		return 0;
	f->names_opencl = memmem(bytes, length, "libOpenCL", strlen("libOpenCL"));
	f->has_cuda_code = memmem(bytes, length, ".nv_fatbin", strlen(".nv_fatbin"));
	kind = (unsigned char)bytes[EI_CLASS];
	f->bits = kind == ELFCLASS64 ? 64 : kind == ELFCLASS32 ? 32 : 0;
	f->is_foreign = kind != ELFCLASS64 || !take(&image, 0, &image.head, sizeof(image.head)) ||
	                image.head.e_machine != own_machine();
	if (f->is_foreign)
		return 0;
	f->is_static = !find_segment(&image, PT_INTERP, &header);
	if (!find_segment(&image, PT_DYNAMIC, &header))
		return 0;
	d.offset = header.p_offset;
	d.count = header.p_filesz / sizeof(Elf64_Dyn);
	d.count = d.count < ENTRIES_LIMIT ? d.count : ENTRIES_LIMIT;
	find_strings(&image, &d);
	return read_dynamic(f, &image, &d, err);
}

int elf_facts_read(struct elf_facts *f, const char *path, struct err *err)
{
	struct str text;
	int ret;

	memset(f, 0, sizeof(*f));
	str_init(&text, FILE_LIMIT);
	ret = file_read(path, &text, err);
	if (!ret)
		ret = elf_facts_parse(f, path, text.text, text.length, err);
	str_release(&text);
	return ret;
}

const char *elf_facts_opencl(const struct elf_facts *f)
{
	char *const *needed = f->needed.data;

	for (size_t i = 0; i < f->needed.count; i++)
		if (!strncmp(needed[i], "libOpenCL", strlen("libOpenCL")))
			return needed[i];
	return NULL;
}

void elf_facts_release(struct elf_facts *f)
{
	char **needed = f->needed.data;

	for (size_t i = 0; i < f->needed.count; i++)
		free(needed[i]);
	array_release(&f->needed);
	free(f->run_path);
	memset(f, 0, sizeof(*f));
}
