/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include "array.h"
#include "bundle_reader.h"
#include "cpp_names.h"
#include "err.h"
#include "file.h"
#include "kernel_table.h"
#include "manifest_file.h"
#include "manifest_json.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * launch_numbers - launches by their numbers, of which some have no line; private to trace/.
 */

static int order_launches(const void *number, const void *launch)
{
	uint64_t a = *(const uint64_t *)number,
		 b = ((const struct recorded_launch *)launch)->number;

	return (a > b) - (a < b);
}

/* Returns the launch with a number among `count` in ascending order, or NULL. */
static struct recorded_launch *launch_numbers_find(const struct recorded_launch *launches,
                                                   size_t count, uint64_t number)
{
	if (!count)
		return NULL;
	return bsearch(&number, launches, count, sizeof(*launches), order_launches);
}

struct local_sample recording_local_sample(const struct recording *r, size_t launch)
{
	const struct recorded_launch *l = &r->launches[launch];

	return local_sample_of(r->kernels[l->kernel].table.local_groups,
	                       launch_shape_group_count(&l->shape), l->groups_selected != NULL);
}

size_t recording_find_launch(const struct recording *r, uint64_t number)
{
	const struct recorded_launch *l = launch_numbers_find(r->launches, r->launch_count, number);

	return l ? (size_t)(l - r->launches) : r->launch_count;
}

/* Set launches_seen and launches_unknown. Fails with ERR_FORMAT if there are more launches than
 * numbers. */
static int launch_numbers_count(struct recording *r, struct err *err)
{
	uint64_t known = r->launch_count, seen = 0;
	bool is_too_many = false;

	if (r->launch_count)
		seen = r->launches[r->launch_count - 1].number + 1;
	/* the launches of an unreadable bundle had numbers */
	for (size_t i = 0; i < r->bundle_count; i++)
		seen = r->bundles[i].last >= seen ? r->bundles[i].last + 1 : seen;
	for (size_t i = 0; i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];

		seen = t->last >= seen ? t->last + 1 : seen;
		is_too_many = is_too_many || __builtin_add_overflow(known, t->count, &known);
	}
	if (is_too_many || known > seen)
		return err_set(err, ERR_FORMAT,
		               "%s/manifest.jsonl: more launches are told of than there are "
		               "numbers up to %" PRIu64,
		               r->dir, seen);
	r->launches_seen = seen;
	r->launches_unknown = seen - known;
	return 0;
}

#define LINE_BYTES_MAX ((size_t)1 << 24)
#define TREE_BYTES_MAX ((size_t)1 << 26) /* approximate memory of a line's values */
#define NOTES_MAX      ((size_t)1 << 14) /* distinct notes; they are searched linearly */

/* A recording whose lists still grow; they move to `r` at the end, also after a failure. */
struct parser {
	struct recording *r;
	struct array devices, programs, buffers, kernels, launches, tallies, notes;
	struct array bundles;
	struct array late; /* struct recorded_launch: with numbers below that of an earlier line */
	size_t lines;      /* read so far */
	uint32_t version;
	bool has_exit;
	bool has_files; /* otherwise only the text of the manifest */
};

static void parser_init(struct parser *p, struct recording *r)
{
	size_t limit = MANIFEST_ITEMS_MAX;

	p->r = r;
	p->version = MANIFEST_VERSION;
	p->has_exit = p->has_files = false;
	array_init(&p->devices, sizeof(struct recorded_device), limit, "devices");
	array_init(&p->programs, sizeof(struct recorded_program), limit, "programs");
	array_init(&p->buffers, sizeof(struct recorded_buffer), limit, "buffers");
	array_init(&p->kernels, sizeof(struct recorded_kernel), TABLE_KERNELS_MAX, "kernels");
	array_init(&p->launches, sizeof(struct recorded_launch), limit, "launches");
	array_init(&p->bundles, sizeof(struct recorded_bundle), limit, "bundles");
	array_init(&p->late, sizeof(struct recorded_launch), limit, "launches");
	array_init(&p->tallies, sizeof(struct recorded_tally), limit, "tallies");
	array_init(&p->notes, sizeof(struct recorded_note), NOTES_MAX, "notes");
}

/* Append the late launches to the others, which are then unordered. */
static int add_late(struct parser *p, struct err *err)
{
	struct recorded_launch *to = array_push(&p->launches, p->late.count, err);

	if (!p->late.count)
		return 0;
	if (!to)
		return ERR_NOMEM;
	memcpy(to, p->late.data, p->late.count * sizeof(*to));
	array_release(&p->late);
	return 0;
}

static void parser_finish(struct parser *p)
{
	struct recording *r = p->r;

	r->device_count = p->devices.count;
	r->devices = array_take(&p->devices);
	r->program_count = p->programs.count;
	r->programs = array_take(&p->programs);
	r->buffer_count = p->buffers.count;
	r->buffers = array_take(&p->buffers);
	r->kernel_count = p->kernels.count;
	r->kernels = array_take(&p->kernels);
	cpp_names_apply(r->kernels, r->kernel_count);
	r->launch_count = p->launches.count;
	r->launches = array_take(&p->launches);
	r->bundle_count = p->bundles.count;
	r->bundles = array_take(&p->bundles);
	r->tally_count = p->tallies.count;
	r->tallies = array_take(&p->tallies);
	r->note_count = p->notes.count;
	r->notes = array_take(&p->notes);
}

/* Append the next item of a list, whose number the line must have; NULL with f->ret set. */
static void *next_item(struct array *list, struct json_fields *f)
{
	uint64_t id = json_fields_u64(f, "id", UINT32_MAX);
	void *item;

	if (!f->ret && id != list->count)
		f->ret = err_set(f->err, ERR_FORMAT, "\"id\": %" PRIu64 ", expected %zu", id,
		                 list->count);
	if (f->ret)
		return NULL;
	item = array_push(list, 1, f->err);
	if (!item)
		f->ret = f->err->code;
	return item;
}

/* Check that item `id` of a list, to which a line refers, exists by now. */
static void refer(struct json_fields *f, const struct array *list, uint64_t id)
{
	if (!f->ret && id >= list->count)
		f->ret = err_set(f->err, ERR_FORMAT, "refers to number %" PRIu64 " of %zu %s", id,
		                 list->count, list->what);
}

static void read_bypass(struct parser *p, struct json_fields *f)
{
	manifest_list_from_json(&p->r->bypass, p->version, f);
}

static void read_applied(struct parser *p, struct json_fields *f)
{
	manifest_list_from_json(&p->r->applied, p->version, f);
}

static void read_device(struct parser *p, struct json_fields *f)
{
	struct recorded_device *d = next_item(&p->devices, f);

	if (d)
		manifest_device_from_json(d, f);
}

static void read_program(struct parser *p, struct json_fields *f)
{
	struct recorded_program *program = next_item(&p->programs, f);

	if (program)
		manifest_program_from_json(program, p->version, f);
}

static void read_source(struct parser *p, struct json_fields *f)
{
	uint64_t id = json_fields_u64(f, "program", UINT32_MAX);

	refer(f, &p->programs, id);
	if (!f->ret)
		manifest_source_from_json(&((struct recorded_program *)p->programs.data)[id],
		                          p->version, f);
}

static void read_buffer(struct parser *p, struct json_fields *f)
{
	struct recorded_buffer *b = next_item(&p->buffers, f);

	if (!b)
		return;
	manifest_buffer_from_json(b, f);
	if (!f->ret && b->parent >= (int64_t)p->buffers.count - 1)
		f->ret = err_set(f->err, ERR_FORMAT,
		                 "\"parent\": %" PRId64 ", expected an earlier buffer", b->parent);
}

static void read_kernel(struct parser *p, struct json_fields *f)
{
	struct recorded_kernel *k = next_item(&p->kernels, f);

	if (!k)
		return;
	manifest_kernel_from_json(k, f);
	refer(f, &p->programs, k->program);
	refer(f, &p->devices, k->device);
}

/* Append the next launch. Its number is above the earlier ones, or it is late; in the old version
 * it is their number. */
static struct recorded_launch *next_launch(struct parser *p, struct json_fields *f)
{
	uint64_t number = json_fields_u64(f, "id", UINT32_MAX), next = p->launches.count;
	struct recorded_launch *l = p->launches.data;
	bool is_late;

	if (next && p->version > MANIFEST_VERSION_OLD)
		next = l[next - 1].number + 1;
	is_late = number < next && p->version >= MANIFEST_VERSION_BUNDLES;
	if (!f->ret && !is_late &&
	    (number < next || (p->version == MANIFEST_VERSION_OLD && number > next)))
		f->ret = err_set(f->err, ERR_FORMAT, "\"id\": %" PRIu64 ", expected %s%" PRIu64,
		                 number, p->version == MANIFEST_VERSION_OLD ? "" : "at least ",
		                 next);
	if (f->ret)
		return NULL;
	l = array_push(is_late ? &p->late : &p->launches, 1, f->err);
	if (l)
		l->number = number;
	else
		f->ret = f->err->code;
	return l;
}

static void read_launch(struct parser *p, struct json_fields *f)
{
	struct recorded_launch *l = next_launch(p, f);

	if (!l)
		return;
	manifest_launch_from_json(l, f);
	refer(f, &p->kernels, l->kernel);
}

/* Returns a launch that may get a fate; of the late ones only the last. */
static struct recorded_launch *find_launch(const struct parser *p, uint64_t number)
{
	struct recorded_launch *late = p->late.data;

	if (p->late.count && late[p->late.count - 1].number == number)
		return &late[p->late.count - 1];
	return launch_numbers_find(p->launches.data, p->launches.count, number);
}

static void read_fate(struct parser *p, struct json_fields *f)
{
	uint64_t id = json_fields_u64(f, "launch", UINT32_MAX);
	const struct recorded_kernel *kernel;
	struct recorded_launch *l;

	if (f->ret)
		return;
	l = find_launch(p, id);
	if (!l) {
		f->ret = err_set(f->err, ERR_FORMAT,
		                 "refers to number %" PRIu64 " of %zu launches, which has no line",
		                 id, p->launches.count);
		return;
	}
	if (l->fate != LAUNCH_PENDING) {
		f->ret = err_set(f->err, ERR_FORMAT, "launch %" PRIu64 " has a fate already", id);
		return;
	}
	kernel = &((const struct recorded_kernel *)p->kernels.data)[l->kernel];
	manifest_fate_from_json(l, kernel->table.site_count, p->version, f);
	for (size_t i = 0; i < l->argument_count; i++)
		if (l->arguments[i].buffer >= 0)
			refer(f, &p->buffers, (uint64_t)l->arguments[i].buffer);
}

static void read_bundle(struct parser *p, struct json_fields *f)
{
	struct recorded_bundle *b = array_push(&p->bundles, 1, f->err);

	if (!b) {
		f->ret = f->err->code;
		return;
	}
	if (p->version < MANIFEST_VERSION_BUNDLES) {
		f->ret = err_set(f->err, ERR_FORMAT, "a bundle in a recording of version %" PRIu32,
		                 p->version);
		return;
	}
	manifest_bundle_from_json(b, f);
	refer(f, &p->kernels, b->kernel);
}

/* Add to an existing tally. */
static void grow_tally(struct recorded_tally *old, struct recorded_tally *now,
                       struct json_fields *f)
{
	bool is_same = !f->ret && old->kernel == now->kernel && old->fate == now->fate &&
	               strcmp(old->reason, now->reason) == 0;

	if (!f->ret && (!is_same || now->count < old->count))
		f->ret = err_set(f->err, ERR_FORMAT,
		                 "expected the tally to grow, of one kernel for one reason");
	free(f->ret ? now->reason : old->reason);
	if (!f->ret)
		*old = *now;
}

static void read_tally(struct parser *p, struct json_fields *f)
{
	uint64_t id = json_fields_u64(f, "id", UINT32_MAX);
	struct recorded_tally now = { 0 }, *t;

	if (!f->ret && p->version == MANIFEST_VERSION_OLD)
		f->ret = err_set(f->err, ERR_FORMAT, "a tally in a recording of version 2");
	if (!f->ret)
		manifest_tally_from_json(&now, f);
	refer(f, &p->kernels, now.kernel);
	if (id < p->tallies.count) {
		grow_tally(&((struct recorded_tally *)p->tallies.data)[id], &now, f);
		return;
	}
	t = f->ret ? NULL : next_item(&p->tallies, f);
	if (t)
		*t = now;
	else
		free(now.reason);
}

/* Read a note; counts of equal notes are added. */
static void read_note(struct parser *p, struct json_fields *f)
{
	struct recorded_note n = { 0 }, *notes = p->notes.data, *kept;

	manifest_note_from_json(&n, f);
	for (size_t i = 0; i < p->notes.count && !f->ret; i++) {
		if (strcmp(notes[i].what, n.what) != 0 || strcmp(notes[i].reason, n.reason) != 0)
			continue;
		if (__builtin_add_overflow(notes[i].count, n.count, &notes[i].count))
			notes[i].count = UINT64_MAX;
		free(n.what);
		free(n.reason);
		return;
	}
	kept = f->ret ? NULL : array_push(&p->notes, 1, f->err);
	if (kept) {
		*kept = n;
		return;
	}
	if (!f->ret)
		f->ret = f->err->code;
	free(n.what);
	free(n.reason);
}

static void read_time(struct parser *p, struct json_fields *f)
{
	manifest_time_from_json(&p->r->work, f);
}

static void read_end(struct parser *p, struct json_fields *f)
{
	(void)f;
	p->r->has_end = true;
}

static void read_exit(struct parser *p, struct json_fields *f)
{
	p->r->exit_status = (int)json_fields_i64(f, "status", -1, 255);
	p->r->program_ns = json_fields_u64_or_0(f, "program_ns", UINT64_MAX);
	p->has_exit = true;
}

static const struct {
	const char *type;
	void (*read)(struct parser *p, struct json_fields *f);
} types[] = {
	{ "bypass", read_bypass },   { "applied", read_applied }, { "device", read_device },
	{ "program", read_program }, { "source", read_source },   { "buffer", read_buffer },
	{ "kernel", read_kernel },   { "launch", read_launch },   { "fate", read_fate },
	{ "bundle", read_bundle },   { "tally", read_tally },     { "note", read_note },
	{ "time", read_time },       { "end", read_end },         { "exit", read_exit },
};

/* Read a line by its type; f->ret is set for an unknown type. */
static void dispatch(struct parser *p, struct json_fields *f, const char *type)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(types[i].type, type) != 0)
			continue;
		if (p->has_exit || (p->r->has_end && types[i].read != read_exit))
			f->ret = err_set(f->err, ERR_FORMAT,
			                 "a line of type %s after the recording's end", type);
		else
			types[i].read(p, f);
		return;
	}
	f->ret = err_set(f->err, ERR_FORMAT, "unknown type '%.60s'", type);
}

static int read_object(struct parser *p, const json_t *value, size_t number, struct err *err)
{
	struct json_fields f;
	char *type;

	json_fields_begin(&f, value, "line", err);
	type = json_fields_text(&f, "type");
	f.what = type ? type : "line";
	if (type && number == 1 && strcmp(type, "recording") != 0)
		f.ret = err_set(err, ERR_FORMAT, "expected a line of type recording first");
	else if (type && number == 1)
		p->version = manifest_begin_from_json(p->r, &f);
	else if (type)
		dispatch(p, &f, type);
	free(type);
	return f.ret;
}

/* An upper bound, not far above, of the memory that jansson takes for a line: its values are many
 * times as large as their text. */
static size_t tree_bytes(const char *text, size_t length)
{
	enum { OBJECT = 208, LIST = 128, MEMBER = 80, VALUE = 40 };
	size_t bytes = length;
	bool is_text = false;

	for (size_t i = 0; i < length; i++) {
		char c = text[i];

		if (c == '"')
			is_text = !is_text;
		else if (is_text)
			i += c == '\\';
		else
			bytes += c == '{'   ? OBJECT
			         : c == '[' ? LIST
			         : c == ':' ? MEMBER
			         : c == ',' ? VALUE
			                    : 0;
	}
	return bytes;
}

static json_t *load_line(const char *text, size_t length, struct err *err)
{
	size_t bytes = length > LINE_BYTES_MAX ? 0 : tree_bytes(text, length);
	json_error_t where;
	json_t *value = NULL;

	if (length > LINE_BYTES_MAX)
		err_set(err, ERR_LIMIT, "a line of more than %zu bytes", LINE_BYTES_MAX);
	else if (bytes > TREE_BYTES_MAX)
		err_set(err, ERR_LIMIT,
		        "a line whose values take %zu bytes of memory, at most %zu are allowed",
		        bytes, TREE_BYTES_MAX);
	else if (!(value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where)))
		err_set(err, ERR_FORMAT, "expected a JSON object: %s", where.text);
	return value;
}

/* Read the next line, which is without its newline. */
static int read_line(struct parser *p, const char *text, size_t length, struct err *err)
{
	struct err inner = { 0 };
	json_t *value = load_line(text, length, &inner);
	int ret;

	p->lines++;
	ret = value ? read_object(p, value, p->lines, &inner) : inner.code;
	if (!ret)
		ret = manifest_sum_check(text, length, p->version >= MANIFEST_VERSION_SUMS, &inner);
	json_decref(value);
	return ret ? err_set(err, (enum err_code)ret, "%s/manifest.jsonl:%zu: %s", p->r->dir,
	                     p->lines, inner.msg)
	           : 0;
}

/* Read the complete lines at the beginning of a text; *used becomes their bytes. */
static int read_lines(struct parser *p, const char *text, size_t length, size_t *used,
                      struct err *err)
{
	const char *at = text, *newline;
	int ret = 0;

	while (!ret && (newline = memchr(at, '\n', length - (size_t)(at - text)))) {
		ret = read_line(p, at, (size_t)(newline - at), err);
		at = newline + 1;
	}
	*used = (size_t)(at - text);
	return ret;
}

/* Finish after the last line. `is_cut`: an incomplete line follows, whose contents are unknown. */
static int end_lines(struct parser *p, bool is_cut, struct err *err)
{
	int ret;

	if (!p->lines)
		return err_set(err, ERR_FORMAT,
		               "%s/manifest.jsonl:1: expected a line of type recording", p->r->dir);
	if (is_cut)
		p->r->has_end = false;
	ret = p->has_files ? bundle_reader_load(p->r, err) : bundle_reader_sort(p->r, err);
	return ret ? ret : launch_numbers_count(p->r, err);
}

static int parser_begin(struct parser *p, const char *dir, struct err *err)
{
	struct recording *r = array_alloc(1, sizeof(*r), "recording", err);

	if (!r)
		return ERR_NOMEM;
	r->exit_status = -1;
	parser_init(p, r);
	r->dir = str_copy(dir, err);
	return r->dir ? 0 : ERR_NOMEM;
}

/* Return the recording, or free it after a failure. */
static int parser_end(struct parser *p, struct recording **out, bool is_cut, int ret,
                      struct err *err)
{
	if (!p->r)
		return ret;
	p->r->version = p->version;
	if (!ret)
		ret = add_late(p, err);
	parser_finish(p);
	if (!ret)
		ret = end_lines(p, is_cut, err);
	recorded_launches_release(p->late.data, p->late.count);
	array_release(&p->late);
	if (ret)
		recording_close(p->r);
	else
		*out = p->r;
	return ret;
}

int recording_parse(struct recording **out, const char *dir, const char *text, size_t length,
                    struct err *err)
{
	struct parser p = { 0 };
	size_t used = length;
	int ret = parser_begin(&p, dir, err);

	if (!ret)
		ret = read_lines(&p, text, length, &used, err);
	return parser_end(&p, out, used < length, ret, err);
}

/* Read and remove the complete lines of the text. `text` has no newline in its first `old` bytes.
 */
static int take_lines(struct parser *p, struct str *text, size_t old, struct err *err)
{
	size_t used;
	int ret = 0;

	if (!memchr(text->text + old, '\n', text->length - old))
		return 0;
	ret = read_lines(p, text->text, text->length, &used, err);
	memmove(text->text, text->text + used, text->length - used);
	text->length -= used;
	return ret;
}

/* Read a manifest to its end, a piece at a time; *rest becomes what follows the last complete line.
 */
static int read_file(struct parser *p, int fd, struct str *rest, struct err *err)
{
	char piece[1 << 16];
	ssize_t got = 1;
	int ret = 0;

	while (!ret && got) {
		size_t old = rest->length;

		got = read(fd, piece, sizeof(piece));
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got < 0)
			ret = err_set(err, ERR_IO, "%s/manifest.jsonl: %s", p->r->dir,
			              strerror(errno));
		else if (str_append(rest, piece, (size_t)got, NULL))
			ret = err_set(err, ERR_NOMEM, "%s/manifest.jsonl: out of memory",
			              p->r->dir);
		else
			ret = take_lines(p, rest, old, err);
		if (!ret && rest->length > LINE_BYTES_MAX)
			ret = read_line(p, rest->text, rest->length, err);
	}
	return ret;
}

/* Count a text that differs from its entry in the manifest. Returns 0 or ERR_NOMEM. */
static int look_at_text(struct recording *r, const char *file, const struct recorded_sum *sum,
                        struct err *err)
{
	struct err why = { 0 };
	int ret = file ? recording_check_text(r, file, sum, NULL, &why) : 0;

	r->bad_texts += ret != 0;
	return ret == ERR_NOMEM ? err_set(err, ERR_NOMEM, "%s", why.msg) : 0;
}

static int look_at_texts(struct recording *r, struct err *err)
{
	int ret = look_at_text(r, r->bypass.file, &r->bypass.sum, err);

	if (!ret)
		ret = look_at_text(r, r->applied.file, &r->applied.sum, err);
	for (size_t i = 0; !ret && i < r->program_count; i++)
		ret = look_at_text(r, r->programs[i].source_file, &r->programs[i].source_sum, err);
	return ret;
}

int recording_open(struct recording **out, const char *dir, struct err *err)
{
	struct parser p = { 0 };
	struct str rest;
	int fd, ret = recording_absent(dir, err);

	if (ret)
		return ret;
	fd = file_open_below(dir, "manifest.jsonl", O_RDONLY, err);
	if (fd < 0)
		return fd;
	str_init(&rest, LINE_BYTES_MAX + (1 << 17));
	ret = parser_begin(&p, dir, err);
	p.has_files = true;
	if (!ret)
		ret = read_file(&p, fd, &rest, err);
	close(fd);
	ret = parser_end(&p, out, rest.length != 0, ret, err);
	str_release(&rest);
	if (!ret && look_at_texts(*out, err)) {
		recording_close(*out);
		return ERR_NOMEM;
	}
	return ret;
}
