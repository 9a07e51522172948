/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "address_file.h"
#include "err.h"
#include "file.h"
#include "import.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX", path[64];

static int make_directory(void **state)
{
	(void)state;
	if (!mkdtemp(work_dir))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/list", work_dir);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(work_dir);
}

/* The file as "r1c w20 ", the letter and the address in hexadecimal of each access; or what is
 * wrong, with the folder taken off. */
static const char *read_all(enum address_format format, const char *bytes, size_t length)
{
	static char text[1024];
	struct address_file f;
	struct address a;
	struct err err = { 0 };
	size_t used = 0;
	int got;

	assert_int_equal(file_write(path, bytes, length, NULL), 0);
	assert_int_equal(address_file_open(&f, path, format, NULL), 0);
	text[0] = '\0';
	while ((got = address_file_next(&f, &a, &err)) == 1)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%c%llx ", "rwf"[a.kind],
		                         (unsigned long long)a.address);
	if (!got) {
		assert_int_equal(address_file_rewind(&f, NULL), 0);
		assert_int_equal(address_file_next(&f, &a, NULL), used > 0);
	}
	address_file_close(&f);
	if (got)
		snprintf(text, sizeof(text), "%s", *err.msg ? err.msg + strlen(work_dir) + 1 : "?");
	return text;
}

#define NO_LABEL   "expected a label, 0 (read), 1 (write) or 2 (fetch), and an address"
#define NO_ADDRESS "expected an address of at most 64 bits in hexadecimal after the label"

static void text_of_dinero_is_labels_and_addresses(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "" },
		{ "\n \n", "" },
		{ "0 1c\n1 20\n2 400\n", "r1c w20 f400 " },
		{ "0 0x1C and more\r\n\n\t1   0X20", "r1c w20 " },
		{ "0 0\n0 00\n0 0a\n0 0xa\n", "r0 r0 ra ra " },
		{ "0 ffffffffffffffff\n", "rffffffffffffffff " },
		{ "0 0000ffffffffffffffff\n", "rffffffffffffffff " },
		{ "0 10000000000000000\n", "list:1: " NO_ADDRESS },
		{ "0 1\n3 2\n", "list:2: " NO_LABEL },
		{ "0 1\n\n00 2\n", "list:3: " NO_LABEL },
		{ "r 1\n", "list:1: " NO_LABEL },
		{ "0", "list:1: " NO_LABEL },
		{ "0 \n1 2\n", "list:1: " NO_ADDRESS },
		{ "0 0x\n", "list:1: " NO_ADDRESS },
		{ "0 12g4\n", "list:1: " NO_ADDRESS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(read_all(ADDRESS_DIN, rows[i].text, strlen(rows[i].text)),
		                    rows[i].want);
}

static void raw_addresses_are_reads_of_eight_bytes(void **state)
{
	static const char bytes[] = "\x80\0\0\0\0\0\0\0\xef\xcd\xab\x89\x67\x45\x23\x01";

	(void)state;
	assert_string_equal(read_all(ADDRESS_U64, bytes, 0), "");
	assert_string_equal(read_all(ADDRESS_U64, bytes, 16), "r80 r123456789abcdef ");
	assert_string_equal(read_all(ADDRESS_U64, bytes, 13),
	                    "list: 5 bytes after address 1: expected 8");
}

static void a_file_that_cannot_be_imported_is_named(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(import_addresses("/no/such", ADDRESS_DIN, UINT64_MAX, work_dir, &err),
	                 ERR_IO);
	assert_string_equal(err.msg, "/no/such: No such file or directory");
	assert_int_equal(file_write(path, "\n", 1, NULL), 0);
	err = (struct err){ 0 };
	assert_int_equal(import_addresses(path, ADDRESS_DIN, UINT64_MAX, work_dir, &err),
	                 ERR_FORMAT);
	assert_string_equal(err.msg + strlen(work_dir), "/list: holds no address");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_of_dinero_is_labels_and_addresses),
		cmocka_unit_test(raw_addresses_are_reads_of_eight_bytes),
		cmocka_unit_test(a_file_that_cannot_be_imported_is_named),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
