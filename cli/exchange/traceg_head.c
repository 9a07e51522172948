/* SPDX-License-Identifier: Apache-2.0 */
#include "traceg_head.h"

#include "err.h"
#include "text_scan.h"

#include <stddef.h>
#include <string.h>

enum head_kind { HEAD_NAME, HEAD_TRIPLE, HEAD_NUMBER, HEAD_ADDRESS };

static const struct head_row {
	const char *text, *expected;
	enum head_kind kind;
	size_t offset;
} rows[] = {
	{ "-kernel name =", "a name after '-kernel name ='", HEAD_NAME,
	  offsetof(struct traceg_head, name) },
	{ "-grid dim =", "'-grid dim = (X,Y,Z)' with numbers from 1", HEAD_TRIPLE,
	  offsetof(struct traceg_head, grid) },
	{ "-block dim =", "'-block dim = (X,Y,Z)' with numbers from 1", HEAD_TRIPLE,
	  offsetof(struct traceg_head, group) },
	{ "-shmem =", "a number after '-shmem ='", HEAD_NUMBER,
	  offsetof(struct traceg_head, shared_bytes) },
	{ "-shmem base_addr =", "an address after '-shmem base_addr ='", HEAD_ADDRESS,
	  offsetof(struct traceg_head, shared_base) },
	{ "-local mem base_addr =", "an address after '-local mem base_addr ='", HEAD_ADDRESS,
	  offsetof(struct traceg_head, private_base) },
	{ "-accelsim tracer version =", "a number after '-accelsim tracer version ='", HEAD_NUMBER,
	  offsetof(struct traceg_head, version) },
	{ "-enable lineinfo =", "0 or 1 after '-enable lineinfo ='", HEAD_NUMBER,
	  offsetof(struct traceg_head, has_lines) },
};

static bool read_triple(const char *at, uint64_t out[3])
{
	return text_scan_fixed(&at, "(") && text_scan_triple(&at, 1, out) &&
	       text_scan_fixed(&at, ")");
}

static bool read_row(struct traceg_head *h, const struct head_row *row, const char *at)
{
	void *to = (char *)h + row->offset;

	text_scan_blanks(&at);
	switch (row->kind) {
	case HEAD_NAME:
		memcpy(to, at, strlen(at) + 1);
		return *at;
	case HEAD_TRIPLE:
		return read_triple(at, to);
	case HEAD_NUMBER:
		return text_scan_decimal(&at, UINT32_MAX, to);
	case HEAD_ADDRESS:
	default:
		return text_scan_hex(&at, UINT64_MAX, to);
	}
}

static int read_line(struct traceg_head *h, struct text_lines *lines, struct err *err)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *at = lines->text;

		if (text_scan_fixed(&at, rows[i].text))
			return read_row(h, &rows[i], at) && !lines->is_cut
			               ? 0
			               : text_lines_expected(lines, rows[i].expected, err);
	}
	if (!*lines->text || *lines->text == '-') /* facts that other tools need */
		return 0;
	return text_lines_expected(lines, "a line of the head, which begins with '-', or '#'", err);
}

int traceg_head_read(struct traceg_head *h, struct text_lines *lines, struct err *err)
{
	int ret;

	memset(h, 0, sizeof(*h));
	while ((ret = text_lines_next(lines, err)) > 0 && *lines->text != '#') {
		ret = read_line(h, lines, err);
		if (ret)
			return ret;
	}
	if (ret < 0)
		return ret;
	if (!*h->name || !h->grid[0] || !h->group[0])
		return text_lines_expected(
			lines,
			"'-kernel name =', '-grid dim =' and '-block dim =' in the lines before",
			err);
	if (ret)
		text_lines_back(lines);
	return 0;
}
