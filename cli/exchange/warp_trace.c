/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_trace.h"

#include "err.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* Generic addresses of shared and of local memory lie in windows of this size. */
#define WINDOW_BYTES (UINT64_C(1) << 24)

int warp_trace_init(struct warp_trace *t, struct err *err)
{
	*t = (struct warp_trace){ 0 };
	array_init(&t->kernels, sizeof(struct warp_kernel), WARP_KERNELS_MAX, "kernels of a trace");
	array_init(&t->launches, sizeof(struct warp_launch), WARP_LAUNCHES_MAX,
	           "launches of a trace");
	array_init(&t->unknown, sizeof(struct warp_unknown), WARP_UNKNOWN_MAX + 1, "instructions");
	return warp_sort_create(&t->sort, WARP_SORT_ROOM_BYTES, err);
}

static void release_kernel(struct warp_kernel *k)
{
	struct warp_site *sites = k->sites.data;

	for (size_t i = 0; i < k->sites.count; i++)
		free(sites[i].opcode);
	array_release(&k->sites);
	array_release(&k->in_order);
	free(k->name);
}

void warp_trace_release(struct warp_trace *t)
{
	struct warp_kernel *kernels = t->kernels.data;

	for (size_t i = 0; i < t->kernels.count; i++)
		release_kernel(&kernels[i]);
	array_release(&t->kernels);
	array_release(&t->launches);
	array_release(&t->unknown);
	warp_sort_free(t->sort);
	t->sort = NULL;
}

int warp_trace_kernel(struct warp_trace *t, const char *name, uint32_t *kernel, struct err *err)
{
	struct warp_kernel *kernels = t->kernels.data, *made;

	for (size_t i = 0; i < t->kernels.count; i++) {
		if (strcmp(kernels[i].name, name) != 0)
			continue;
		*kernel = (uint32_t)i;
		return 0;
	}
	made = array_push(&t->kernels, 1, err);
	if (!made)
		return err->code;
	array_init(&made->sites, sizeof(struct warp_site), WARP_SITES_MAX,
	           "instructions of a kernel that access memory");
	array_init(&made->in_order, sizeof(uint32_t), WARP_SITES_MAX, "instructions");
	*kernel = (uint32_t)(t->kernels.count - 1);
	made->name = str_copy(name, err);
	return made->name ? 0 : ERR_NOMEM;
}

int warp_trace_launch(struct warp_trace *t, struct warp_launch *l, const uint64_t grid[3],
                      const uint64_t group[3], struct err *err)
{
	struct warp_launch *made;
	int ret;

	l->shape = (struct launch_shape){ .dimensions = 1 };
	for (int d = 0; d < 3; d++) {
		l->shape.local[d] = group[d];
		l->shape.global[d] = grid[d] * group[d]; /* each below 2^32 */
		if (l->shape.global[d] > 1)
			l->shape.dimensions = (uint32_t)d + 1;
	}
	ret = launch_shape_check(&l->shape, err);
	made = ret ? NULL : array_push(&t->launches, 1, err);
	if (!made)
		return ret ? ret : err->code;
	*made = *l;
	return 0;
}

static int compare_sites(const struct warp_site *a, const struct warp_site *b)
{
	int order;

	if (a->pc != b->pc)
		return a->pc < b->pc ? -1 : 1;
	order = strcmp(a->opcode, b->opcode);
	return order ? order : a->line < b->line ? -1 : a->line > b->line;
}

/* Returns the index of `wanted` in the order of a kernel's sites, or where it would be. */
static size_t find_site(const struct warp_kernel *k, const struct warp_site *wanted, bool *is_there)
{
	const uint32_t *order = k->in_order.data;
	const struct warp_site *sites = k->sites.data;
	size_t low = 0, high = k->in_order.count;

	*is_there = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int compared = compare_sites(&sites[order[middle]], wanted);

		if (!compared) {
			*is_there = true;
			return middle;
		}
		if (compared < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int add_site(struct warp_kernel *k, const struct warp_site *site, size_t at, struct err *err)
{
	uint32_t *order = array_push(&k->in_order, 1, err);
	struct warp_site *made = order ? array_push(&k->sites, 1, err) : NULL;

	if (!made)
		return err->code;
	*made = *site;
	order = k->in_order.data;
	memmove(order + at + 1, order + at, (k->in_order.count - 1 - at) * sizeof(*order));
	order[at] = (uint32_t)(k->sites.count - 1);
	made->opcode = str_copy(site->opcode, err);
	return made->opcode ? 0 : ERR_NOMEM;
}

static enum site_kind kind_of(enum warp_opcode_class class)
{
	if (class == WARP_BARRIER)
		return SITE_BARRIER;
	if (class == WARP_ATOMIC)
		return SITE_ATOMIC;
	return class == WARP_READ ? SITE_READ : SITE_WRITE;
}

static int name_unknown(struct warp_trace *t, enum warp_opcode_class class, const char *opcode,
                        struct err *err)
{
	struct warp_unknown *u = t->unknown.data;

	if (t->unknown.count == WARP_UNKNOWN_MAX)
		opcode = "others";
	for (size_t i = 0; i < t->unknown.count; i++) {
		if (strcmp(u[i].opcode, opcode) != 0)
			continue;
		u[i].count++;
		return 0;
	}
	u = array_push(&t->unknown, 1, err);
	if (!u)
		return err->code;
	strncpy(u->opcode, opcode, sizeof(u->opcode) - 1);
	u->class = class;
	u->count = 1;
	return 0;
}

static int leave_out(struct warp_trace *t, struct warp_kernel *k, enum warp_opcode_class class,
                     const char *opcode, struct err *err)
{
	k->left_out[class]++;
	return warp_opcode_is_lost(class) ? name_unknown(t, class, opcode, err) : 0;
}

static bool is_within(uint64_t address, uint64_t base)
{
	return base && address >= base && address - base < WINDOW_BYTES;
}

/* Remove the lanes that access other memory than global. Returns the class of the last one, or
 * READ. */
static enum warp_opcode_class resolve_generic(const struct warp_launch *l, struct warp_request *r)
{
	enum warp_opcode_class other = WARP_READ;

	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		bool is_shared = is_within(r->addresses[lane], l->shared_base);

		if (!(r->mask >> lane & 1) ||
		    (!is_shared && !is_within(r->addresses[lane], l->private_base)))
			continue;
		other = is_shared ? WARP_SHARED : WARP_LOCAL;
		r->mask &= ~(UINT32_C(1) << lane);
		r->addresses[lane] = 0;
	}
	return other;
}

int warp_trace_add(struct warp_trace *t, struct warp_instruction *i, struct err *err)
{
	const struct warp_launch *launches = t->launches.data, *l = &launches[i->request.launch];
	struct warp_kernel *kernels = t->kernels.data, *k = &kernels[l->kernel];
	struct warp_opcode o = warp_opcode_read(i->opcode, i->has_address);
	struct warp_site site = { .pc = i->pc, .line = i->line, .bytes = o.bytes };
	const uint32_t *order;
	bool is_there;
	size_t at;
	int ret;

	if (o.class > WARP_BARRIER)
		return o.class == WARP_NONE ? 0 : leave_out(t, k, o.class, i->opcode, err);
	if (o.class < WARP_BARRIER && o.is_generic) {
		enum warp_opcode_class other = resolve_generic(l, &i->request);

		k->left_out[other] += other != WARP_READ;
	}
	if (o.class < WARP_BARRIER && !i->request.mask)
		return 0;
	site.opcode = i->opcode;
	site.kind = kind_of(o.class);
	if (site.kind == SITE_BARRIER)
		site.bytes = i->request.mask = 0;
	at = find_site(k, &site, &is_there);
	ret = is_there ? 0 : add_site(k, &site, at, err);
	if (ret)
		return ret;
	order = k->in_order.data;
	i->request.site = order[at];
	return warp_sort_add(t->sort, &i->request, err);
}

int warp_trace_group(struct warp_trace *t, uint32_t launch, uint64_t group, struct err *err)
{
	const struct warp_request r = { .launch = launch, .group = group, .site = WARP_SITE_EMPTY };

	return warp_sort_add(t->sort, &r, err);
}

void warp_trace_number(struct warp_trace *t)
{
	struct warp_kernel *kernels = t->kernels.data;

	for (size_t i = 0; i < t->kernels.count; i++) {
		struct warp_site *sites = kernels[i].sites.data;
		const uint32_t *order = kernels[i].in_order.data;

		for (size_t s = 0; s < kernels[i].in_order.count; s++)
			sites[order[s]].number = (uint32_t)s;
	}
}
