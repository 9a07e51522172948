/* SPDX-License-Identifier: Apache-2.0 */
#include "companion_sites.h"

#include "err.h"
#include "insertion.h"
#include "mark.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdlib.h>

/* An address is compared with those of the last this many sites of its node. */
#define LEADERS_MOST     16u
#define DIFFERENCES_MOST 256u
#define NOTHING          UINT32_MAX

/* A site that others can be companions of. */
struct leader {
	uint32_t site;
	struct form address;
};

/* The sites of one node, so far. */
struct node_sites {
	uint32_t node;
	uint32_t last; /* the last site with a word of its own; NOTHING: none yet */
	struct leader leaders[LEADERS_MOST];
	uint32_t leader_count; /* of all so far; the last of them are kept */
};

void companion_sites_release(struct companion_sites *c)
{
	form_finder_release(&c->forms);
	array_release(&c->differences);
	array_release(&c->companions);
	free(c->records);
	*c = (struct companion_sites){ 0 };
}

/* The first number in a metadata node of two, such as a version's. */
static uint64_t first_number(LLVMValueRef node)
{
	LLVMValueRef parts[2];

	if (LLVMGetMDNodeNumOperands(node) != 2)
		return UINT64_MAX;
	LLVMGetMDNodeOperands(node, parts);
	return parts[0] && LLVMIsAConstantInt(parts[0]) ? LLVMConstIntGetZExtValue(parts[0])
	                                                : UINT64_MAX;
}

/* Not in OpenCL C 2.0, where the last groups of a launch may have fewer work-items. */
static bool has_uniform_groups(LLVMModuleRef module, struct err *err)
{
	static const char name[] = "opencl.ocl.version";
	unsigned count = LLVMGetNamedMetadataNumOperands(module, name);
	LLVMValueRef *versions = array_alloc(count, sizeof(LLVMValueRef), "versions", err);
	bool is_uniform = versions && count;

	if (is_uniform)
		LLVMGetNamedMetadataOperands(module, name, versions);
	for (unsigned i = 0; is_uniform && i < count; i++)
		is_uniform = first_number(versions[i]) < 2;
	free(versions);
	return is_uniform;
}

/* The index of the difference among the recorded ones, added if necessary. Returns false when there
 * is no room. */
static bool find_difference(struct companion_sites *c, const struct form *form, int32_t *number,
                            struct err *err)
{
	const struct form *known = c->differences.data;
	struct form *added;
	size_t i = 0;

	*number = -1;
	if (!form->count)
		return true;
	while (i < c->differences.count && !form_is_parallel(&known[i], form))
		i++;
	*number = (int32_t)i;
	if (i < c->differences.count)
		return true;
	if (i == DIFFERENCES_MOST)
		return false;
	added = array_push(&c->differences, 1, err);
	if (!added)
		return false;
	*added = *form;
	added->constant = 0;
	return true;
}

/* Whether records of `site` may accompany those of the other: if the other's are always there, or
 * if both are only in the groups of a sample. */
static bool may_come_with(const struct insertion *in, uint32_t site, uint32_t other)
{
	return insertion_is_sampled(in, site) || !insertion_is_sampled(in, other);
}

/* Whether the address is that of a leader plus a known value; *out says how. */
static bool follow(struct companion_sites *c, const struct node_sites *n, const struct leader *l,
                   const struct form *address, struct companion *out, struct err *err)
{
	bool is_narrow = LLVMPointerSize(c->forms.layout) < sizeof(uint64_t);
	struct form difference;

	if (!form_subtract(address, &l->address, &difference) ||
	    !form_is_invariant(&c->forms, &difference) ||
	    (is_narrow && (difference.count || difference.constant)))
		return false;
	*out = (struct companion){ .site = out->site,
		                   .leader = l->site,
		                   .after = n->last,
		                   .offset = (int64_t)difference.constant };
	return find_difference(c, &difference, &out->difference, err);
}

static bool find_leader(struct companion_sites *c, const struct insertion *in,
                        const struct node_sites *n, const struct form *address,
                        struct companion *out, struct err *err)
{
	uint32_t kept = n->leader_count < LEADERS_MOST ? n->leader_count : LEADERS_MOST;

	if (n->last != NOTHING && !may_come_with(in, out->site, n->last))
		return false;
	for (uint32_t i = 0; i < kept; i++)
		if (may_come_with(in, out->site, n->leaders[i].site) &&
		    follow(c, n, &n->leaders[i], address, out, err))
			return true;
	return false;
}

/* The next site of a node that is a point: it becomes a companion, or has a word of its own. */
static void take_point(struct companion_sites *c, const struct insertion *in, uint32_t number,
                       struct node_sites *n, struct err *err)
{
	const struct site *site = &in->kernel->table->sites[number];
	struct leader *leader = &n->leaders[n->leader_count % LEADERS_MOST];
	struct companion companion = { .site = number }, *kept;
	struct mark mark;
	struct form address;

	mark_read(in->kernel->marks[number], &mark);
	if (!site_kind_has_address(site->kind) ||
	    !form_find(&c->forms, mark.pointer, &address, err)) {
		n->last = number;
		return;
	}
	if (site->bytes && find_leader(c, in, n, &address, &companion, err)) {
		kept = array_push(&c->companions, 1, err);
		if (kept)
			*kept = companion;
		c->records[number] = RECORD_COMPANION;
		return;
	}
	n->last = number;
	*leader = (struct leader){ .site = number, .address = address };
	n->leader_count++;
}

int companion_sites_find(struct companion_sites *c, const struct insertion *in, struct err *err)
{
	struct kernel_table *t = in->kernel->table;
	LLVMModuleRef module = LLVMGetGlobalParent(in->kernel->function);
	struct node_sites *n = array_alloc(1, sizeof(*n), "sites", err);
	struct err cause = { 0 };

	form_finder_init(&c->forms, module, has_uniform_groups(module, err));
	array_init(&c->differences, sizeof(struct form), DIFFERENCES_MOST, "differences");
	array_init(&c->companions, sizeof(struct companion), SIZE_MAX, "sites");
	c->records = array_alloc(t->site_count, sizeof(*c->records), "sites", err);
	if (!n || !c->records) {
		free(n);
		return ERR_NOMEM;
	}
	n->node = NOTHING;
	for (uint32_t s = 0; s < t->site_count && !cause.code; s++) {
		c->records[s] = insertion_record(in, s);
		if (in->site_node[s] != n->node)
			*n = (struct node_sites){ .node = in->site_node[s], .last = NOTHING };
		if (c->records[s] == RECORD_POINT)
			take_point(c, in, s, n, &cause);
	}
	t->companion_count = c->companions.count;
	t->companions = array_take(&c->companions);
	t->difference_count = (uint32_t)c->differences.count;
	free(n);
	return cause.code ? err_set(err, ERR_NOMEM, "%s", cause.msg) : 0;
}

void companion_sites_tell(const struct companion_sites *c, struct insertion *in, LLVMValueRef probe)
{
	uint32_t first = (uint32_t)in->kernel->table->argument_count;
	const struct form *differences = c->differences.data;

	for (uint32_t i = 0; i < c->differences.count; i++) {
		LLVMValueRef arguments[2] = { insertion_u32(in, first + i), NULL };

		arguments[1] = form_compute(&c->forms, in->b, &differences[i]);
		insertion_call(in, probe, arguments, 2);
	}
}
