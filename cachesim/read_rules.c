/* SPDX-License-Identifier: Apache-2.0 */
#include "read_rules.h"

#include "bypass_list.h"
#include "bypass_plan.h"
#include "err.h"
#include "gpu.h"
#include "recording.h"

#include <inttypes.h>
#include <stdio.h>

int read_only_list_parse(struct bypass_list *list, const char *text, struct err *err)
{
	return bypass_list_parse_kinds(list, text,
	                               1u << BYPASS_SITE | 1u << BYPASS_LINE |
	                                       1u << BYPASS_ARGUMENT | 1u << BYPASS_BUFFER,
	                               err);
}

int read_only_gpu(struct gpu *out, const struct gpu *gpu, struct err *err)
{
	uint32_t miss_cycles = gpu->l1_hit_cycles + gpu->l2_cycles;

	if (!gpu->read_only_sets || !gpu->read_only_ways || !gpu->read_only_hit_cycles)
		return err_set(
			err, ERR_CONFIG,
			"%s: no read-only cache is known; read_only_sets, read_only_ways and "
			"read_only_hit_cycles say it",
			gpu->name);
	if (gpu->read_only_hit_cycles >= miss_cycles)
		return err_set(
			err, ERR_CONFIG,
			"%s: read_only_hit_cycles = %u is not less than %u, which a miss takes",
			gpu->name, gpu->read_only_hit_cycles, miss_cycles);
	*out = *gpu;
	out->l1_sets = gpu->read_only_sets;
	out->l1_ways = gpu->read_only_ways;
	out->l1_bytes = 0;
	out->l1_index = gpu->read_only_index;
	out->l1_policy = gpu->read_only_policy;
	out->l1_sector_bytes = gpu->read_only_sector_bytes;
	out->l1_hit_cycles = gpu->read_only_hit_cycles;
	out->l2_cycles = miss_cycles - gpu->read_only_hit_cycles;
	out->l1_write = GPU_L1_WRITE_THROUGH_UPDATE;
	out->l1_allocation = GPU_L1_ALLOCATION_AT_MISS;
	out->l1_mshr_entries = out->l1_mshr_merge = 0;
	return gpu_check(out, err);
}

enum { OF_BYTES = 512, PLACE_BYTES = 512 };

/* The rule being checked, and its context. */
struct check {
	const struct bypass_rule *rule;
	const char *option;
	const struct recording *r;
};

static const struct kernel_table *table_of(const struct check *c, size_t kernel)
{
	return &c->r->kernels[kernel].table;
}

static bool is_any_kernel(const struct check *c)
{
	for (size_t k = 0; k < c->r->kernel_count; k++)
		if (bypass_rule_is_of(c->rule, table_of(c, k)))
			return true;
	return false;
}

static bool names_any_read(const struct check *c)
{
	for (size_t k = 0; k < c->r->kernel_count; k++)
		for (size_t i = 0; i < table_of(c, k)->site_count; i++)
			if (bypass_rule_names(c->rule, table_of(c, k), i))
				return true;
	return false;
}

/* The beginning of messages about missing reads. */
static const char *kernels_text(const struct check *c, char text[OF_BYTES])
{
	if (c->rule->kernel)
		(void)snprintf(text, OF_BYTES, "kernel '%.120s' of %.120s has no", c->rule->kernel,
		               c->r->dir);
	else
		(void)snprintf(text, OF_BYTES, "no kernel of %.200s has a", c->r->dir);
	return text;
}

static void place_text(char text[PLACE_BYTES], const struct bypass_place *p)
{
	char ordinal[16] = "";

	if (p->ordinal)
		(void)snprintf(ordinal, sizeof(ordinal), " #%" PRIu32, p->ordinal);
	(void)snprintf(text, PLACE_BYTES, "%.400s:%" PRIu32 ":%" PRIu32 "%s",
	               p->file ? p->file : "?", p->line, p->column, ordinal);
}

/* Fail for a site that is not a read, or is at another place. */
static int refuse_site(const struct check *c, struct err *err)
{
	char want[PLACE_BYTES], got[PLACE_BYTES];

	for (size_t k = 0; k < c->r->kernel_count; k++) {
		const struct kernel_table *t = table_of(c, k);
		uint64_t site = c->rule->number;
		struct bypass_place place;

		if (!bypass_rule_is_of(c->rule, t) || site >= t->site_count ||
		    t->sites[site].kind != SITE_READ)
			continue;
		place = bypass_place_of(t, (size_t)site);
		place_text(want, &c->rule->place);
		place_text(got, &place);
		return err_set(err, ERR_USAGE,
		               "%s: site %" PRIu64 " of kernel %.100s is at %.150s, not at %.150s "
		               "as the list says: it is of another source",
		               c->option, site, t->name, got, want);
	}
	if (c->rule->kernel)
		return err_set(err, ERR_USAGE,
		               "%s: site %" PRIu64 " of kernel '%.100s' of %s is not a read",
		               c->option, c->rule->number, c->rule->kernel, c->r->dir);
	return err_set(err, ERR_USAGE, "%s: site %" PRIu64 " of no kernel of %s is a read",
	               c->option, c->rule->number, c->r->dir);
}

/* Fail for a rule that names no read of its kernel. */
static int refuse(const struct check *c, struct err *err)
{
	char of[OF_BYTES];

	if (c->rule->kind == BYPASS_SITE)
		return refuse_site(c, err);
	kernels_text(c, of);
	if (c->rule->kind == BYPASS_LINE)
		return err_set(err, ERR_USAGE, "%s: %s read in line %" PRIu64, c->option, of,
		               c->rule->number);
	if (c->rule->kind == BYPASS_ARGUMENT)
		return err_set(err, ERR_USAGE, "%s: %s read through an argument '%.120s'",
		               c->option, of, c->rule->name);
	return err_set(err, ERR_USAGE, "%s: %s read", c->option, of);
}

static int check_rule(const struct check *c, const struct gpu *gpu, struct err *err)
{
	if (!is_any_kernel(c))
		return err_set(err, ERR_USAGE, "%.40s: %.200s has no kernel '%.120s'", c->option,
		               c->r->dir, c->rule->kernel ? c->rule->kernel : "");
	switch (c->rule->kind) {
	case BYPASS_BUFFER:
		if (c->rule->number < c->r->buffer_count)
			return 0;
		return err_set(err, ERR_USAGE,
		               "%s: %s has %zu buffers, and none has number %" PRIu64, c->option,
		               c->r->dir, c->r->buffer_count, c->rule->number);
	case BYPASS_ADDRESS:
		if (!gpu || c->rule->sm < (int64_t)gpu->sm_count)
			return 0;
		return err_set(err, ERR_USAGE, "%s: %s has %" PRIu32 " SMs, and none is %" PRId64,
		               c->option, gpu->name, gpu->sm_count, c->rule->sm);
	case BYPASS_WARPS:
		return 0;
	case BYPASS_SITE:
	case BYPASS_LINE:
	case BYPASS_ARGUMENT:
	case BYPASS_ALL:
		break;
	}
	return names_any_read(c) ? 0 : refuse(c, err);
}

int read_rules_check(const struct bypass_list *list, const char *option, const struct recording *r,
                     const struct gpu *gpu, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < list->count && !ret; i++) {
		const struct check c = { &list->rules[i], option, r };

		ret = check_rule(&c, gpu, err);
	}
	return ret;
}

int read_rules_load(struct bypass_list *list, const char *option, const char *text_or_path,
                    const struct recording *r, const struct gpu *gpu, struct err *err)
{
	struct err why = { 0 };
	int ret = text_or_path ? bypass_list_load(list, text_or_path, &why) : 0;

	if (ret)
		return err_set(err, (enum err_code)ret, "%s: %s", option, why.msg);
	return read_rules_check(list, option, r, gpu, err);
}

int read_rules_load_kept(struct bypass_list *list, const struct recording *r, const struct gpu *gpu,
                         struct err *err)
{
	int ret = r->bypass.file ? recording_read_list(r, &r->bypass, list, err) : 0;

	return ret ? ret : read_rules_check(list, r->bypass.file, r, gpu, err);
}
