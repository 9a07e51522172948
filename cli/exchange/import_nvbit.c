/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text that NVBit's tool mem_trace prints, in both of its forms:
 *
 *   MEMTRACE: CTX 0xC - LAUNCH - Kernel pc 0xP - Kernel name N - grid launch id I - grid size X,Y,Z
 *       - block size X,Y,Z - nregs R - shmem S - cuda stream id T
 *   MEMTRACE: CTX 0xC - grid_launch_id I - CTA X,Y,Z - warp W - LDG.E - 0xA 0xA ...
 *
 * and, of old versions, "Kernel N - grid size ..." and "CTA X,Y,Z - warp W - LDG.E - 0xA ...". An
 * instruction has 32 addresses; 0 stands for a lane that did not take part. Other lines are the
 * program's own and are skipped.
 *
 * In the first form, old versions count launches from 1 where they are printed and from 0 where
 * they are used; newer ones count from 0 in both places. The first one printed shows which. A
 * warp's number is that of its slot on the SM, which says only which instructions are of one warp.
 */
#include "import.h"

#include "err.h"
#include "import_warps.h"
#include "text_lines.h"
#include "text_scan.h"

#include <stdlib.h>
#include <string.h>

/* The text being read. */
struct nvbit {
	struct text_lines lines;
	struct warp_trace *trace;
	struct array ids; /* uint64_t: of the launches, as printed, ascending */
	uint64_t shift;   /* id of a launch where it is printed minus id where it is used */
	bool has_access;
};

static int expected(const struct nvbit *n, const char *what, struct err *err)
{
	return text_lines_expected(&n->lines, what, err);
}

/* Returns the last occurrence of `text` in `line`, or NULL. */
static char *find_last(char *line, const char *text)
{
	char *found = NULL;

	for (char *at = line; (at = strstr(at, text)); at++)
		found = at;
	return found;
}

/* "grid size X,Y,Z - block size X,Y,Z - nregs N - shmem N" */
static bool read_sizes(const char *at, uint64_t grid[3], uint64_t group[3], uint64_t *shared_bytes)
{
	uint64_t registers;

	return text_scan_fixed(&at, "- grid size ") && text_scan_triple(&at, 1, grid) &&
	       text_scan_fixed(&at, " - block size ") && text_scan_triple(&at, 1, group) &&
	       text_scan_fixed(&at, " - nregs ") &&
	       text_scan_decimal(&at, UINT32_MAX, &registers) &&
	       text_scan_fixed(&at, " - shmem ") &&
	       text_scan_decimal(&at, UINT32_MAX, shared_bytes);
}

/* Add a launch, whose kernel's name ends where its sizes begin. */
static int add_launch(struct nvbit *n, const char *name, const char *sizes, struct err *err)
{
	struct warp_launch launch = { 0 };
	uint64_t grid[3], group[3];
	int ret;

	if (n->lines.is_cut || !read_sizes(sizes, grid, group, &launch.local_bytes))
		return expected(n,
		                "a launch with ' - grid size X,Y,Z - block size X,Y,Z - nregs N - "
		                "shmem N' after the kernel's name, sizes from 1",
		                err);
	ret = *name ? warp_trace_kernel(n->trace, name, &launch.kernel, err)
	            : expected(n, "the name of the kernel", err);
	return ret ? ret : warp_trace_launch(n->trace, &launch, grid, group, err);
}

/* Read a line of the newer form, after "CTX 0xC - LAUNCH - ". */
static int read_launch(struct nvbit *n, char *at, struct err *err)
{
	static const char id_text[] = " - grid launch id ";
	char *name = strstr(at, "Kernel name "), *id = name ? find_last(name, id_text) : NULL;
	const uint64_t *ids = n->ids.data;
	const char *sizes = id ? id + sizeof(id_text) - 1 : NULL;
	uint64_t number, *last;

	if (!sizes || !text_scan_decimal(&sizes, INT64_MAX, &number) ||
	    !text_scan_fixed(&sizes, " ") || (n->ids.count && number <= ids[n->ids.count - 1]))
		return expected(n, "'Kernel name NAME - grid launch id N', N above those before",
		                err);
	last = array_push(&n->ids, 1, err);
	if (!last)
		return err->code;
	*last = number;
	if (n->ids.count == 1)
		n->shift = number > 0;
	*id = '\0';
	return add_launch(n, name + strlen("Kernel name "), sizes, err);
}

/* Read a line of the older form, after "Kernel ". */
static int read_old_launch(struct nvbit *n, char *name, struct err *err)
{
	char *sizes = find_last(name, " - grid size ");

	if (!sizes) /* a line of the program itself */
		return 0;
	*sizes = '\0';
	return add_launch(n, name, sizes + 1, err);
}

/* Find the launch with that id, as it is used; false if there is none. */
static bool find_launch(struct nvbit *n, uint64_t id, uint32_t *launch)
{
	const uint64_t *ids = n->ids.data;
	size_t low = 0, high = n->ids.count;

	if (!high)
		return false;
	if (!n->has_access && id + n->shift > ids[high - 1])
		n->shift = 0;
	n->has_access = true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ids[middle] < id + n->shift)
			low = middle + 1;
		else
			high = middle;
	}
	*launch = (uint32_t)low;
	return low < n->ids.count && ids[low] == id + n->shift;
}

static bool read_addresses(const char *at, struct warp_request *r)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		text_scan_blanks(&at);
		if (!text_scan_hex(&at, UINT64_MAX, &r->addresses[lane]))
			return false;
		r->mask |= (uint32_t)(r->addresses[lane] != 0) << lane;
	}
	text_scan_blanks(&at);
	return !*at;
}

/* "X,Y,Z - warp W - NAME - 0xA 0xA ..." of a launch. */
static int read_access(struct nvbit *n, const char *at, uint32_t launch, struct err *err)
{
	const struct warp_launch *launches = n->trace->launches.data;
	const struct launch_shape *shape = &launches[launch].shape;
	char opcode[WARP_OPCODE_BYTES];
	struct warp_instruction i = {
		.opcode = opcode, .pc = WARP_NO_PC, .has_address = true, .request.launch = launch
	};
	uint64_t id[3], warp, x = launch_shape_groups(shape, 0), y = launch_shape_groups(shape, 1);

	if (n->lines.is_cut || !text_scan_triple(&at, 0, id) || !text_scan_fixed(&at, " - warp ") ||
	    !text_scan_decimal(&at, UINT32_MAX, &warp) || !text_scan_fixed(&at, " - ") ||
	    !text_scan_word(&at, opcode, sizeof(opcode)) || !text_scan_fixed(&at, " - ") ||
	    !read_addresses(at, &i.request))
		return expected(n, "'CTA X,Y,Z - warp W - NAME - ' and 32 addresses", err);
	if (id[0] >= x || id[1] >= y || id[2] >= launch_shape_groups(shape, 2))
		return expected(n, "a CTA inside the grid of its launch", err);
	i.request.group = id[0] + x * (id[1] + y * id[2]);
	i.request.warp = (uint32_t)warp;
	return warp_trace_add(n->trace, &i, err);
}

/* Read a line of the newer form, after "CTX "; *is_ours becomes whether it is one. */
static int read_new(struct nvbit *n, char *line, bool *is_ours, struct err *err)
{
	const char *at = line;
	uint64_t context, id;
	uint32_t launch;

	*is_ours = text_scan_hex(&at, UINT64_MAX, &context) && text_scan_fixed(&at, " - ");
	if (*is_ours && text_scan_fixed(&at, "LAUNCH - "))
		return read_launch(n, line + (at - line), err);
	*is_ours = *is_ours && text_scan_fixed(&at, "grid_launch_id ");
	if (!*is_ours)
		return 0;
	if (!text_scan_decimal(&at, INT64_MAX, &id) || !text_scan_fixed(&at, " - CTA "))
		return expected(n, "'grid_launch_id N - CTA X,Y,Z'", err);
	if (!find_launch(n, id, &launch))
		return expected(n, "a LAUNCH line before, with the id that this access names", err);
	return read_access(n, at, launch, err);
}

static int read_line(struct nvbit *n, struct err *err)
{
	static const char mark[] = "MEMTRACE: CTX ";
	char *line = strstr(n->lines.text, mark); /* after what the program printed */
	bool is_ours = false, is_marked = line != NULL;
	int ret = 0;

	if (line)
		ret = read_new(n, line + sizeof(mark) - 1, &is_ours, err);
	else if (!strncmp(n->lines.text, "CTX ", 4))
		ret = read_new(n, n->lines.text + 4, &is_ours, err);
	else if (!strncmp(n->lines.text, "Kernel ", 7))
		ret = read_old_launch(n, n->lines.text + 7, err);
	else if (!strncmp(n->lines.text, "CTA ", 4) && n->trace->launches.count)
		ret = read_access(n, n->lines.text + 4, (uint32_t)n->trace->launches.count - 1,
		                  err);
	if (!ret && is_marked && !is_ours)
		ret = expected(n, "'LAUNCH - ' or 'grid_launch_id N' after the context", err);
	return ret;
}

static int read_all(struct nvbit *n, struct err *err)
{
	int ret;

	while ((ret = text_lines_next(&n->lines, err)) > 0) {
		ret = read_line(n, err);
		if (ret)
			return ret;
	}
	if (!ret && !n->trace->launches.count)
		ret = err_set(
			err, ERR_FORMAT,
			"%s: holds no launch: expected lines with 'MEMTRACE: CTX ... - LAUNCH'",
			n->lines.path);
	return ret;
}

int import_nvbit(const char *file, const char *dir, struct err *err)
{
	static char platform[] =
		"NVBit mem_trace; without buffers, barriers and places in the code, "
		"and the "
		"order between warps is not given";
	static const struct import_warps_source source = {
		.platform = platform,
		.has_slots = true,
	};
	struct nvbit *n = calloc(1, sizeof(*n));
	struct warp_trace trace;
	int ret, closed;

	if (!n)
		return err_set(err, ERR_NOMEM, "out of memory for a trace");
	array_init(&n->ids, sizeof(uint64_t), WARP_LAUNCHES_MAX, "launches of a trace");
	n->trace = &trace;
	ret = warp_trace_init(&trace, err);
	if (!ret)
		ret = text_lines_open(&n->lines, file, err);
	if (!ret)
		ret = read_all(n, err);
	closed = text_lines_close(&n->lines, err);
	if (!ret)
		ret = closed;
	if (!ret)
		ret = import_warps(&trace, &source, dir, err);
	warp_trace_release(&trace);
	array_release(&n->ids);
	free(n);
	return ret;
}
