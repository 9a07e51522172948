/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_sort.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECES_MAX = 4096, STORED = 2 + WARP_LANES, BUFFER_WORDS = 8 * STORED };

/*
 * A request as it is stored, in words of 64 bits: launch and warp; group; site and mask; the number
 * of words that follow; then nothing, first address and stride, or all addresses.
 */
enum { HEAD_WORDS = 4, REQUEST_WORDS = HEAD_WORDS + WARP_LANES };

struct sort_key {
	uint64_t launch_warp, group;
	size_t at; /* word */
};

/* A sorted piece of the file that is being read. */
struct sort_piece {
	off_t next, end; /* of the file, in bytes */
	uint64_t words[BUFFER_WORDS];
	size_t at, count;
	struct warp_request request; /* the piece's first that was not passed */
};

struct warp_sort {
	uint64_t *words; /* requests being collected */
	size_t count, capacity;
	struct array keys; /* struct sort_key */
	struct array ends; /* off_t: of the pieces in the file */
	int file;          /* -1: none yet */
	off_t length;
	struct sort_piece **heap; /* the least first */
	size_t heap_count;
};

static int compare_places(uint64_t launch_a, uint64_t group_a, uint64_t launch_b, uint64_t group_b)
{
	uint32_t a = (uint32_t)(launch_a >> 32), b = (uint32_t)(launch_b >> 32);

	if (a != b)
		return a < b ? -1 : 1;
	if (group_a != group_b)
		return group_a < group_b ? -1 : 1;
	return launch_a < launch_b ? -1 : launch_a > launch_b;
}

static int compare_keys(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	int order = compare_places(x->launch_warp, x->group, y->launch_warp, y->group);

	return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

int warp_sort_create(struct warp_sort **out, size_t room_bytes, struct err *err)
{
	struct warp_sort *s = array_alloc(1, sizeof(*s), "instructions", err);

	if (!s)
		return ERR_NOMEM;
	s->file = -1;
	s->capacity = room_bytes / sizeof(uint64_t);
	s->words = array_alloc(s->capacity, sizeof(*s->words), "instructions", err);
	array_init(&s->keys, sizeof(struct sort_key), SIZE_MAX / sizeof(struct sort_key),
	           "instructions");
	array_init(&s->ends, sizeof(off_t), PIECES_MAX, "pieces of a trace");
	if (s->words) {
		*out = s;
		return 0;
	}
	warp_sort_free(s);
	return ERR_NOMEM;
}

void warp_sort_free(struct warp_sort *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->heap && i < s->ends.count; i++)
		free(s->heap[i]);
	free(s->heap);
	array_release(&s->ends);
	array_release(&s->keys);
	free(s->words);
	if (s->file >= 0)
		close(s->file);
	free(s);
}

/* The step from each address to that of the next lane that accesses, if it is the same for all. */
static bool has_stride(const uint64_t *addresses, size_t count, uint64_t *stride)
{
	*stride = count > 1 ? addresses[1] - addresses[0] : 0;
	for (size_t i = 1; i < count; i++) {
		if (addresses[i] - addresses[i - 1] != *stride)
			return false;
	}
	return true;
}

/* Write a request to `to`. Returns its words. */
static size_t store(uint64_t to[REQUEST_WORDS], const struct warp_request *r)
{
	size_t count = 0;
	uint64_t stride;

	to[0] = (uint64_t)r->launch << 32 | r->warp;
	to[1] = r->group;
	to[2] = (uint64_t)r->site << 32 | r->mask;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (r->mask >> lane & 1)
			to[HEAD_WORDS + count++] = r->addresses[lane];
	}
	if (count > 2 && has_stride(to + HEAD_WORDS, count, &stride)) {
		to[HEAD_WORDS + 1] = stride;
		count = 2;
	}
	to[3] = count;
	return HEAD_WORDS + count;
}

/* Read a request as store() wrote it. Returns its words. */
static size_t load(const uint64_t *from, struct warp_request *r)
{
	size_t lanes, i = 0;
	const uint64_t *addresses = from + HEAD_WORDS;

	*r = (struct warp_request){ .launch = (uint32_t)(from[0] >> 32),
		                    .warp = (uint32_t)from[0],
		                    .group = from[1],
		                    .site = (uint32_t)(from[2] >> 32),
		                    .mask = (uint32_t)from[2] };
	lanes = (size_t)__builtin_popcount(r->mask);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (!(r->mask >> lane & 1))
			continue;
		r->addresses[lane] =
			from[3] == lanes ? addresses[i] : addresses[0] + i * addresses[1];
		i++;
	}
	return HEAD_WORDS + from[3];
}

static int open_file(struct warp_sort *s, struct err *err)
{
	char *path = str_format(err, "%s/warpline-import-XXXXXX", file_temporary_folder());

	if (!path)
		return ERR_NOMEM;
	s->file = mkostemp(path, O_CLOEXEC);
	if (s->file < 0)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	else
		unlink(path);
	free(path);
	return s->file < 0 ? ERR_IO : 0;
}

static int put(struct warp_sort *s, const uint64_t *words, size_t count, struct err *err)
{
	const char *at = (const char *)words;
	size_t left = count * sizeof(*words);

	while (left) {
		ssize_t put = write(s->file, at, left);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return err_set(err, ERR_IO, "temporary file in %s: %s",
			               file_temporary_folder(), strerror(errno));
		at += put;
		left -= (size_t)put;
		s->length += put;
	}
	return 0;
}

/* Sort the collected requests and append them to the file as a piece. */
static int flush(struct warp_sort *s, struct err *err)
{
	const struct sort_key *keys = s->keys.data;
	uint64_t out[BUFFER_WORDS];
	size_t filled = 0;
	off_t *end;
	int ret = s->file < 0 ? open_file(s, err) : 0;

	if (s->keys.count)
		qsort(s->keys.data, s->keys.count, sizeof(*keys), compare_keys);
	for (size_t i = 0; !ret && i < s->keys.count; i++) {
		const uint64_t *words = s->words + keys[i].at;
		size_t count = HEAD_WORDS + words[3];

		if (filled + count > BUFFER_WORDS) {
			ret = put(s, out, filled, err);
			filled = 0;
		}
		memcpy(out + filled, words, count * sizeof(*words));
		filled += count;
	}
	if (!ret)
		ret = put(s, out, filled, err);
	end = ret ? NULL : array_push(&s->ends, 1, err);
	if (!ret && !end)
		return err->code;
	if (end)
		*end = s->length;
	array_clear(&s->keys);
	s->count = 0;
	return ret;
}

int warp_sort_add(struct warp_sort *s, const struct warp_request *r, struct err *err)
{
	struct sort_key *key;
	int ret = 0;

	/* Half of the room is for the keys. */
	if (s->count + REQUEST_WORDS > s->capacity ||
	    s->keys.count * sizeof(*key) > s->capacity * sizeof(uint64_t) / 2)
		ret = flush(s, err);
	key = ret ? NULL : array_push(&s->keys, 1, err);
	if (!key)
		return ret ? ret : err->code;
	*key = (struct sort_key){ (uint64_t)r->launch << 32 | r->warp, r->group, s->count };
	s->count += store(s->words + s->count, r);
	return 0;
}

/* Fill the buffer of a piece, which has less than a request left, and decode its next request.
 * False at its end: *ret is then 0 or an error. */
static bool advance(const struct warp_sort *s, struct sort_piece *p, int *ret, struct err *err)
{
	size_t left = p->count - p->at;

	if (left < REQUEST_WORDS && p->next < p->end) {
		size_t want = (BUFFER_WORDS - left) * sizeof(uint64_t);
		ssize_t got;

		memmove(p->words, p->words + p->at, left * sizeof(uint64_t));
		if ((off_t)want > p->end - p->next)
			want = (size_t)(p->end - p->next);
		got = pread(s->file, p->words + left, want, p->next);
		if (got < 0 || (size_t)got < want) {
			*ret = err_set(err, ERR_IO, "temporary file in %s: %s",
			               file_temporary_folder(),
			               got < 0 ? strerror(errno) : "is cut short");
			return false;
		}
		p->next += got;
		p->at = 0;
		p->count = left + want / sizeof(uint64_t);
	}
	if (p->at == p->count)
		return false;
	p->at += load(p->words + p->at, &p->request);
	return true;
}

static bool is_less(const struct sort_piece *a, const struct sort_piece *b)
{
	const struct warp_request *x = &a->request, *y = &b->request;
	int order = compare_places((uint64_t)x->launch << 32 | x->warp, x->group,
	                           (uint64_t)y->launch << 32 | y->warp, y->group);

	return order ? order < 0 : a->end < b->end;
}

static void sift_down(struct warp_sort *s, size_t i)
{
	for (;;) {
		size_t least = i;

		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < s->heap_count; child++)
			least = is_less(s->heap[child], s->heap[least]) ? child : least;
		if (least == i)
			return;
		struct sort_piece *moved = s->heap[i];

		s->heap[i] = s->heap[least];
		s->heap[least] = moved;
		i = least;
	}
}

int warp_sort_finish(struct warp_sort *s, struct err *err)
{
	const off_t *ends;
	int ret = s->keys.count ? flush(s, err) : 0;

	if (ret)
		return ret;
	free(s->words);
	s->words = NULL;
	array_release(&s->keys);
	ends = s->ends.data;
	s->heap = array_alloc(s->ends.count, sizeof(struct sort_piece *), "pieces", err);
	for (size_t i = 0; s->heap && i < s->ends.count; i++) {
		struct sort_piece *p = array_alloc(1, sizeof(*p), "pieces", err);

		s->heap[i] = p;
		if (!p)
			return ERR_NOMEM;
		p->next = i ? ends[i - 1] : 0;
		p->end = ends[i];
		if (!advance(s, p, &ret, err))
			return ret;
	}
	s->heap_count = s->ends.count;
	for (size_t i = s->heap_count / 2; i-- > 0;)
		sift_down(s, i);
	return s->heap ? 0 : ERR_NOMEM;
}

const struct warp_request *warp_sort_peek(const struct warp_sort *s)
{
	return s->heap_count ? &s->heap[0]->request : NULL;
}

int warp_sort_next(struct warp_sort *s, struct err *err)
{
	int ret = 0;

	if (!advance(s, s->heap[0], &ret, err)) {
		struct sort_piece *done = s->heap[0];

		s->heap[0] = s->heap[--s->heap_count];
		s->heap[s->heap_count] = done;
	}
	sift_down(s, 0);
	return ret;
}
