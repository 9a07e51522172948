/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "fatbin.h"
#include "str.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define TEXT        ".version 7.0 .target sm_70 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HEAD_BYTES  16
#define ENTRY_BYTES 64
#define FLAG_LZ4    0x2000u
#define FLAG_ZSTD   0x8000u

/* A container under construction. */
struct container {
	unsigned char bytes[4096];
	size_t length;
};

static void put(struct container *c, size_t at, unsigned long long value, size_t bytes)
{
	memcpy(c->bytes + at, &value, bytes); /* little-endian, as the format */
}

static void begin(struct container *c)
{
	memset(c, 0, sizeof(*c));
	put(c, 0, FATBIN_MAGIC, 4);
	put(c, 4, 1, 2);
	put(c, 6, HEAD_BYTES, 2);
	c->length = HEAD_BYTES;
}

/* Add an entry with the TEXT in it, padded to 8 bytes as nvcc does; the head is brought up to date.
 */
static void add(struct container *c, unsigned kind, unsigned arch, unsigned flags)
{
	size_t at = c->length, payload = at + ENTRY_BYTES, length = strlen(TEXT), padded;

	if (flags & FLAG_LZ4)
		length = (size_t)LZ4_compress_default(TEXT, (char *)c->bytes + payload, (int)length,
		                                      1024);
	else if (flags & FLAG_ZSTD)
		length = ZSTD_compress(c->bytes + payload, 1024, TEXT, length, 3);
	else
		memcpy(c->bytes + payload, TEXT, length);
	padded = (length + 7) / 8 * 8;
	put(c, at, kind, 2);
	put(c, at + 2, 0x101, 2);
	put(c, at + 4, ENTRY_BYTES, 4);
	put(c, at + 8, padded, 8);
	put(c, at + 16, flags ? length : 0, 4);
	put(c, at + 28, arch, 4);
	put(c, at + 40, 0x11 | flags, 8);
	put(c, at + 56, flags ? strlen(TEXT) : 0, 8);
	c->length = payload + padded;
	put(c, 8, c->length - HEAD_BYTES, 8);
}

static void entries_come_unpacked_whatever_packed_them(void **state)
{
	static const struct {
		unsigned flags;
		enum fatbin_packing packing;
	} rows[] = { { 0, FATBIN_PLAIN }, { FLAG_LZ4, FATBIN_LZ4 }, { FLAG_ZSTD, FATBIN_ZSTD } };
	struct container c;
	struct fatbin f;
	struct fatbin_entry entry;

	begin(&c);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		add(&c, FATBIN_PTX, 70 + (unsigned)i, rows[i].flags);
	assert_int_equal(fatbin_open(&f, c.bytes, c.length, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct str text;

		str_init(&text, 1u << 20);
		assert_int_equal(fatbin_next(&f, &entry, NULL), 1);
		assert_int_equal(entry.kind, FATBIN_PTX);
		assert_int_equal(entry.arch, 70 + i);
		assert_int_equal(entry.packing, rows[i].packing);
		assert_int_equal(fatbin_unpack(&entry, &text, NULL), 0);
		assert_true(text.length >= strlen(TEXT));
		assert_memory_equal(text.text, TEXT, strlen(TEXT));
		str_release(&text);
	}
	assert_int_equal(fatbin_next(&f, &entry, NULL), 0);
}

/* Read all entries with what they hold; whatever comes, nothing outside is read. */
static int read_all(const void *bytes, size_t length)
{
	struct err err = { 0 };
	struct fatbin f;
	struct fatbin_entry entry;
	int rc = fatbin_open(&f, bytes, length, &err);

	while (rc == 0 && (rc = fatbin_next(&f, &entry, &err)) > 0) {
		struct str text;

		str_init(&text, 1u << 20);
		rc = fatbin_unpack(&entry, &text, &err);
		str_release(&text);
	}
	assert_int_equal(rc < 0, err.code < 0);
	return rc;
}

/* In memory of exactly that size, so that a sanitizer sees what lies behind it read. */
static int read_copy(const void *bytes, size_t length)
{
	void *copy = malloc(length + (length == 0));
	int rc;

	memcpy(copy, bytes, length);
	rc = read_all(copy, length);
	free(copy);
	return rc;
}

static void a_container_that_ends_early_is_refused(void **state)
{
	struct container c;

	begin(&c);
	add(&c, FATBIN_PTX, 70, FLAG_LZ4);
	add(&c, FATBIN_PTX, 75, FLAG_ZSTD);
	assert_int_equal(read_copy(c.bytes, c.length), 0);
	for (size_t length = 0; length < c.length; length++)
		assert_true(read_copy(c.bytes, length) < 0);
}

static void no_changed_byte_leads_outside(void **state)
{
	struct container c;

	begin(&c);
	add(&c, FATBIN_PTX, 70, FLAG_LZ4);
	add(&c, FATBIN_PTX, 75, FLAG_ZSTD);
	for (size_t at = 0; at < c.length; at++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			c.bytes[at] ^= (unsigned char)(1u << bit);
			(void)read_copy(c.bytes, c.length);
			c.bytes[at] ^= (unsigned char)(1u << bit);
		}
	}
}

static void damage_is_told_in_a_sentence(void **state)
{
	struct container c;
	struct err err = { 0 };
	struct fatbin f;
	struct fatbin_entry entry;
	struct str text;

	begin(&c);
	add(&c, FATBIN_PTX, 70, FLAG_ZSTD);
	c.bytes[HEAD_BYTES + ENTRY_BYTES] ^= 0xff; /* zstd's magic */
	assert_int_equal(fatbin_open(&f, c.bytes, c.length, &err), 0);
	assert_int_equal(fatbin_next(&f, &entry, &err), 1);
	str_init(&text, 1u << 20);
	assert_int_equal(fatbin_unpack(&entry, &text, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "packed by zstd is damaged"));
	str_release(&text);
}

static void an_entry_that_wants_too_much_is_refused(void **state)
{
	struct container c;
	struct err err = { 0 };
	struct fatbin f;
	struct fatbin_entry entry;
	struct str text;

	begin(&c);
	add(&c, FATBIN_PTX, 70, FLAG_ZSTD);
	put(&c, HEAD_BYTES + 56, 1ull << 40, 8);
	assert_int_equal(fatbin_open(&f, c.bytes, c.length, &err), 0);
	assert_int_equal(fatbin_next(&f, &entry, &err), 1);
	str_init(&text, 1u << 20);
	assert_int_equal(fatbin_unpack(&entry, &text, &err), ERR_LIMIT);
	str_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_come_unpacked_whatever_packed_them),
		cmocka_unit_test(a_container_that_ends_early_is_refused),
		cmocka_unit_test(no_changed_byte_leads_outside),
		cmocka_unit_test(damage_is_told_in_a_sentence),
		cmocka_unit_test(an_entry_that_wants_too_much_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
