/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Imports Accel-Sim's traces of kernels, as its NVBit tracer and post-traces-processing write them:
 * kernel-N.traceg, or kernelslist.g, which names several in the same folder. Versions of the tracer
 * up to 6 are known. Within a group, each warp has its instructions. One with a width has addresses
 * in one of three forms: all of them (0), the first and the step from lane to lane (1), or the
 * first and the difference to the next for each (2).
 */
#include "import.h"

#include "err.h"
#include "import_warps.h"
#include "str.h"
#include "text_lines.h"
#include "text_scan.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS_MAX = 64 };

/* The version from which an instruction's line does not repeat group and warp. */
enum { VERSION_SHORT = 3 };

/* The contents of the first lines. */
struct traceg_head {
	char name[TEXT_LINE_BYTES];
	uint64_t grid[3], group[3]; /* groups, and work-items of one; 0: not given */
	uint64_t shared_bytes, shared_base, private_base;
	uint64_t version;   /* of the tracer; 0: not given */
	uint64_t has_lines; /* an instruction's line begins with that of the source */
};

enum head_kind { HEAD_NAME, HEAD_TRIPLE, HEAD_NUMBER, HEAD_ADDRESS };

static const struct head_row {
	const char *text, *expected;
	enum head_kind kind;
	size_t offset;
} head_rows[] = {
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

static int read_head_line(struct traceg_head *h, struct text_lines *lines, struct err *err)
{
	for (size_t i = 0; i < sizeof(head_rows) / sizeof(head_rows[0]); i++) {
		const char *at = lines->text;

		if (text_scan_fixed(&at, head_rows[i].text))
			return read_row(h, &head_rows[i], at) && !lines->is_cut
			               ? 0
			               : text_lines_expected(lines, head_rows[i].expected, err);
	}
	if (!*lines->text || *lines->text == '-') /* facts that other tools need */
		return 0;
	return text_lines_expected(lines, "a line of the head, which begins with '-', or '#'", err);
}

/* Read up to the first line that begins with '#', which remains the next one. Returns 0,
 * ERR_FORMAT, ERR_IO. */
static int read_head(struct traceg_head *h, struct text_lines *lines, struct err *err)
{
	int ret;

	memset(h, 0, sizeof(*h));
	while ((ret = text_lines_next(lines, err)) > 0 && *lines->text != '#') {
		ret = read_head_line(h, lines, err);
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

/* The trace of a kernel being read. */
struct traceg {
	struct text_lines lines;
	struct traceg_head head;
	struct warp_trace *trace;
	uint32_t launch, warps; /* warps of a group */
	uint64_t group, warp;
	uint64_t instructions; /* left for the warp */
	bool is_in_group, has_group, has_warp;
};

static int expected(const struct traceg *t, const char *what, struct err *err)
{
	return text_lines_expected(&t->lines, what, err);
}

/* Skip a number of registers, and that many names. */
static bool skip_registers(const char **at)
{
	char word[WARP_OPCODE_BYTES];
	uint64_t count;

	text_scan_blanks(at);
	if (!text_scan_decimal(at, REGISTERS_MAX, &count))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		text_scan_blanks(at);
		if (**at != 'R' || !text_scan_word(at, word, sizeof(word)))
			return false;
	}
	return true;
}

static bool scan_address(const char **at, uint64_t *out)
{
	text_scan_blanks(at);
	return text_scan_hex(at, UINT64_MAX, out);
}

static bool scan_step(const char **at, uint64_t *out)
{
	text_scan_blanks(at);
	return text_scan_signed(at, out);
}

/* Read the addresses of the lanes, in the form that the text begins with. */
static bool read_addresses(const char **at, struct warp_request *r)
{
	uint64_t form, step = 0, address = 0;
	bool is_first = true;

	text_scan_blanks(at);
	if (!text_scan_decimal(at, 2, &form) || (form && !scan_address(at, &address)) ||
	    (form == 1 && !scan_step(at, &step)))
		return false;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (!(r->mask >> lane & 1))
			continue;
		if ((!form && !scan_address(at, &address)) ||
		    (form == 2 && !is_first && !scan_step(at, &step)))
			return false;
		address += is_first ? 0 : step;
		is_first = false;
		r->addresses[lane] = address;
	}
	return !**at || **at == ' ' || **at == '\t';
}

/* Read what old versions repeat in each line, and the line of the source. */
static bool read_prefix(const struct traceg *t, const char **at, struct warp_instruction *i)
{
	uint64_t number;

	for (int n = t->head.version < VERSION_SHORT ? 4 : 0; n; n--) {
		if (!text_scan_decimal(at, UINT32_MAX, &number))
			return false;
		text_scan_blanks(at);
	}
	if (!t->head.has_lines)
		return true;
	if (!text_scan_decimal(at, UINT32_MAX, &number))
		return false;
	i->line = (uint32_t)number;
	text_scan_blanks(at);
	return true;
}

static int read_instruction(struct traceg *t, struct err *err)
{
	static const char *const what =
		"an instruction: PC, mask, registers written, name, registers "
		"read, width, and with a width the addresses of its lanes";
	struct warp_instruction i = {
		.request = { .launch = t->launch, .group = t->group, .warp = (uint32_t)t->warp }
	};
	char opcode[WARP_OPCODE_BYTES];
	const char *at = t->lines.text;
	uint64_t mask, width;

	if (!t->instructions)
		return expected(t, "no more instructions of this warp than 'insts =' says", err);
	t->instructions--;
	if (t->lines.is_cut || !read_prefix(t, &at, &i) || !text_scan_hex(&at, INT64_MAX, &i.pc))
		return expected(t, what, err);
	text_scan_blanks(&at);
	if (!text_scan_hex(&at, UINT32_MAX, &mask) || !skip_registers(&at))
		return expected(t, what, err);
	text_scan_blanks(&at);
	if (!text_scan_word(&at, opcode, sizeof(opcode)) || !skip_registers(&at))
		return expected(t, what, err);
	text_scan_blanks(&at);
	if (!text_scan_decimal(&at, UINT32_MAX, &width))
		return expected(t, what, err);
	i.opcode = opcode;
	i.has_address = width > 0;
	i.request.mask = (uint32_t)mask;
	/* bulk copies have addresses in other forms */
	if (i.has_address && warp_opcode_read(opcode, true).class != WARP_BULK &&
	    !read_addresses(&at, &i.request))
		return expected(t, what, err);
	return warp_trace_add(t->trace, &i, err);
}

/* Check that a warp is complete, before anything but an instruction. */
static int end_warp(struct traceg *t, struct err *err)
{
	if (t->instructions)
		return expected(t, "as many instructions of the warp before as its 'insts =' says",
		                err);
	t->has_warp = false;
	return 0;
}

static int begin_group(struct traceg *t, const char *at, struct err *err)
{
	const uint64_t *grid = t->head.grid;
	uint64_t id[3];

	text_scan_blanks(&at);
	if (!t->is_in_group || t->has_group || !text_scan_triple(&at, 0, id) || id[0] >= grid[0] ||
	    id[1] >= grid[1] || id[2] >= grid[2])
		return expected(t, "'thread block = X,Y,Z' once after #BEGIN_TB, inside the grid",
		                err);
	t->group = id[0] + grid[0] * (id[1] + grid[1] * id[2]);
	t->has_group = true;
	return warp_trace_group(t->trace, t->launch, t->group, err);
}

static int begin_warp(struct traceg *t, const char *at, struct err *err)
{
	int ret = end_warp(t, err);

	text_scan_blanks(&at);
	if (!ret && (!t->has_group || !text_scan_decimal(&at, t->warps - 1, &t->warp)))
		ret = expected(t, "'warp = N' after 'thread block =', below the warps of a group",
		               err);
	t->has_warp = !ret;
	return ret;
}

static int begin_instructions(struct traceg *t, const char *at, struct err *err)
{
	text_scan_blanks(&at);
	if (t->has_warp && !t->instructions &&
	    text_scan_decimal(&at, UINT32_MAX, &t->instructions) && !*at)
		return 0;
	return expected(t, "'insts = N' after 'warp ='", err);
}

/* Read a line that begins with '#'. */
static int read_mark(struct traceg *t, struct err *err)
{
	bool begins = !strncmp(t->lines.text, "#BEGIN_TB", 9);
	int ret;

	if (!begins && strncmp(t->lines.text, "#END_TB", 7) != 0)
		return 0;
	ret = end_warp(t, err);
	if (!ret && begins == t->is_in_group)
		ret = expected(t,
		               begins ? "#END_TB before the next #BEGIN_TB"
		                      : "#BEGIN_TB before #END_TB",
		               err);
	t->is_in_group = begins;
	t->has_group = false;
	return ret;
}

static int read_line(struct traceg *t, struct err *err)
{
	const char *at = t->lines.text;

	if (!*at)
		return 0;
	if (*at == '#')
		return read_mark(t, err);
	if (text_scan_fixed(&at, "thread block ="))
		return begin_group(t, at, err);
	if (text_scan_fixed(&at, "cluster "))
		return 0;
	if (text_scan_fixed(&at, "warp ="))
		return begin_warp(t, at, err);
	if (text_scan_fixed(&at, "insts ="))
		return begin_instructions(t, at, err);
	if (t->has_warp)
		return read_instruction(t, err);
	return expected(t,
	                "#BEGIN_TB, 'thread block =', 'warp =' and 'insts =' before instructions, "
	                "as post-traces-processing writes them",
	                err);
}

/* Read the rest of a file whose first non-empty line is the current one. */
static int read_kernel(struct traceg *t, struct err *err)
{
	struct warp_launch launch = { 0 };
	uint64_t items;
	int ret;

	text_lines_back(&t->lines);
	ret = read_head(&t->head, &t->lines, err);
	if (!ret)
		ret = warp_trace_kernel(t->trace, t->head.name, &launch.kernel, err);
	launch.local_bytes = t->head.shared_bytes;
	launch.shared_base = t->head.shared_base;
	launch.private_base = t->head.private_base;
	if (!ret)
		ret = warp_trace_launch(t->trace, &launch, t->head.grid, t->head.group, err);
	if (ret)
		return ret;
	items = t->head.group[0] * t->head.group[1] * t->head.group[2];
	t->launch = (uint32_t)(t->trace->launches.count - 1);
	t->warps = (uint32_t)((items + WARP_LANES - 1) / WARP_LANES);
	while ((ret = text_lines_next(&t->lines, err)) > 0) {
		ret = read_line(t, err);
		if (ret)
			return ret;
	}
	return ret ? ret : end_warp(t, err);
}

/* Read up to the first non-empty line. Returns 1, 0 or ERR_IO. */
static int first_line(struct text_lines *lines, struct err *err)
{
	int ret;

	while ((ret = text_lines_next(lines, err)) > 0 && !*lines->text)
		;
	return ret;
}

static int read_file(struct warp_trace *trace, const char *path, struct err *err)
{
	struct traceg *t = calloc(1, sizeof(*t));
	int ret, closed;

	if (!t)
		return err_set(err, ERR_NOMEM, "out of memory for a trace");
	t->trace = trace;
	ret = text_lines_open(&t->lines, path, err);
	if (!ret)
		ret = first_line(&t->lines, err);
	if (ret > 0)
		ret = read_kernel(t, err);
	else if (!ret)
		ret = expected(t, "the trace of a kernel; the file is empty", err);
	closed = text_lines_close(&t->lines, err);
	free(t);
	return ret ? ret : closed;
}

/* Read the kernels of a list, whose first line is the current one. */
static int read_list(struct warp_trace *trace, struct text_lines *list, struct err *err)
{
	const char *slash = strrchr(list->path, '/');
	int folder = slash ? (int)(slash + 1 - list->path) : 0, ret = 1;

	for (; ret > 0; ret = text_lines_next(list, err)) {
		const char *name = list->text;
		char *path;

		if (strncmp(name, "kernel", 6) != 0) /* copies and allocations */
			continue;
		if (strchr(name, '/') || list->is_cut)
			return text_lines_expected(list, "the name of a file beside the list", err);
		path = str_format(err, "%.*s%s", folder, list->path, name);
		ret = path ? read_file(trace, path, err) : ERR_NOMEM;
		free(path);
		if (ret)
			return ret;
	}
	if (!ret && !trace->launches.count)
		return text_lines_expected(list, "a line with the trace of a kernel", err);
	return ret;
}

static bool begins_list(const char *text)
{
	return !strncmp(text, "kernel", 6) || !strncmp(text, "Memcpy", 6) ||
	       !strncmp(text, "cuda", 4);
}

/* Read a trace, or a list of traces. */
static int read_any(struct warp_trace *trace, const char *file, struct traceg *t, struct err *err)
{
	int ret = text_lines_open(&t->lines, file, err);

	t->trace = trace;
	if (!ret)
		ret = first_line(&t->lines, err);
	if (ret < 0 || !t->lines.in)
		return ret;
	if (!ret)
		return expected(t, "a trace of a kernel or a list of such; the file is empty", err);
	if (!begins_list(t->lines.text))
		return read_kernel(t, err);
	if (!strcmp(file, "-"))
		return expected(t,
		                "the trace of a kernel: a list on standard input does not say in "
		                "which folder its files are",
		                err);
	return read_list(trace, &t->lines, err);
}

int import_traceg(const char *file, const char *dir, struct err *err)
{
	static char platform[] =
		"Accel-Sim; without buffers, and the order between warps is not given";
	static const struct import_warps_source source = {
		.platform = platform,
		.names_all_groups = true,
	};
	struct traceg *t = calloc(1, sizeof(*t));
	struct warp_trace trace;
	int ret, closed;

	if (!t)
		return err_set(err, ERR_NOMEM, "out of memory for a trace");
	ret = warp_trace_init(&trace, err);
	if (!ret)
		ret = read_any(&trace, file, t, err);
	closed = text_lines_close(&t->lines, err);
	free(t);
	if (!ret)
		ret = closed;
	if (!ret)
		ret = import_warps(&trace, &source, dir, err);
	warp_trace_release(&trace);
	return ret;
}
