/* SPDX-License-Identifier: Apache-2.0 */
#include "address_file.h"

#include "err.h"
#include "plain_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

int address_file_open(struct address_file *f, const char *path, enum address_format format,
                      struct err *err)
{
	*f = (struct address_file){ .path = path, .format = format };
	f->file = plain_file_open(path, err);
	return f->file ? 0 : ERR_IO;
}

void address_file_close(struct address_file *f)
{
	if (f->file)
		fclose(f->file);
	f->file = NULL;
}

int address_file_rewind(struct address_file *f, struct err *err)
{
	f->line = f->count = 0;
	if (!fseek(f->file, 0, SEEK_SET))
		return 0;
	return err_set(err, ERR_IO, "%s: cannot be read twice: %s", f->path, strerror(errno));
}

static int ended(const struct address_file *f, struct err *err)
{
	if (ferror(f->file))
		return err_set(err, ERR_IO, "%s: %s", f->path, strerror(errno));
	return 0;
}

static int next_u64(struct address_file *f, struct address *out, struct err *err)
{
	unsigned char bytes[8];
	size_t got = fread(bytes, 1, sizeof(bytes), f->file);

	if (!got)
		return ended(f, err);
	if (got < sizeof(bytes))
		return err_set(err, ERR_FORMAT,
		               "%s: %zu bytes after address %" PRIu64 ": expected 8", f->path, got,
		               f->count);
	out->address = 0;
	for (size_t i = sizeof(bytes); i-- > 0;)
		out->address = out->address << 8 | bytes[i];
	out->kind = ADDRESS_READ;
	return 1;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_line(int c)
{
	return c == '\n' || c == EOF;
}

static int skip_blanks(struct address_file *f, int c)
{
	while (is_blank(c))
		c = getc_unlocked(f->file);
	return c;
}

static int digit_of(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Read a hexadecimal number that begins with `c`; *next gets what follows it. False when there is
 * none, or it has more than 64 bits. */
static bool read_hex(struct address_file *f, int c, uint64_t *value, int *next)
{
	bool has_digits = false, fits = true;

	*value = 0;
	for (int digit; (digit = digit_of(c)) >= 0; c = getc_unlocked(f->file)) {
		fits = fits && !(*value >> 60);
		*value = *value << 4 | (uint64_t)digit;
		has_digits = true;
	}
	*next = c;
	return has_digits && fits;
}

/* The address of a line; `c` is the first character after the label. False if there is none. */
static bool read_address(struct address_file *f, int c, uint64_t *value, int *next)
{
	c = skip_blanks(f, c);
	if (c == '0') { /* of the number, or of 0x in front of it */
		c = getc_unlocked(f->file);
		if (c != 'x' && c != 'X') {
			*value = 0;
			*next = c;
			return digit_of(c) < 0 || read_hex(f, c, value, next);
		}
		c = getc_unlocked(f->file);
	}
	return read_hex(f, c, value, next);
}

static int next_din(struct address_file *f, struct address *out, struct err *err)
{
	int label, c;

	do {
		label = skip_blanks(f, getc_unlocked(f->file));
		f->line++;
	} while (label == '\n');
	if (label == EOF)
		return ended(f, err);
	c = getc_unlocked(f->file);
	if (label < '0' || label >= '0' + ADDRESS_KIND_COUNT || !is_blank(c))
		return err_set(err, ERR_FORMAT,
		               "%s:%" PRIu64 ": expected a label, 0 (read), 1 (write) or 2 "
		               "(fetch), and an address",
		               f->path, f->line);
	if (!read_address(f, c, &out->address, &c) || (!is_blank(c) && !ends_line(c)))
		return err_set(err, ERR_FORMAT,
		               "%s:%" PRIu64 ": expected an address of at most 64 bits in "
		               "hexadecimal after the label",
		               f->path, f->line);
	while (!ends_line(c))
		c = getc_unlocked(f->file);
	out->kind = (enum address_kind)(label - '0');
	return 1;
}

int address_file_next(struct address_file *f, struct address *out, struct err *err)
{
	int got = f->format == ADDRESS_DIN ? next_din(f, out, err) : next_u64(f, out, err);

	f->count += got == 1;
	return got;
}
