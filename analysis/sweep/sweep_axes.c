/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_axes.h"

#include "err.h"
#include "str.h"
#include "sweep.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ranges of gpu_fields.def. */
enum {
#define NUMBER(name, min, max, text) MIN_##name = (min), MAX_##name = (max),
#include "gpu_fields.def"
};

/* Parse comma-separated words, each as --index of a replay takes it. */
static int parse_indices(struct number_list *list, const char *text, const struct gpu *gpu,
                         struct err *err)
{
	list->count = 0;
	for (const char *at = text; at; at = strchr(at, ',')) {
		struct gpu one = *gpu;
		struct err why = { 0 };
		char pair[64];

		at += at != text;
		(void)snprintf(pair, sizeof(pair), "l1_index=%.*s", (int)strcspn(at, ","), at);
		if (gpu_put(&one, pair, &why))
			return err_set(err, ERR_USAGE, "--index: %s", why.msg);
		if (one.l1_index.kind == GPU_L1_INDEX_BITS)
			return err_set(err, ERR_USAGE,
			               "--index: bits:LIST is taken by --set l1_index=bits:LIST");
		if (list->count == NUMBER_LIST_LIMIT)
			return err_set(err, ERR_USAGE, "--index: more than %d functions",
			               NUMBER_LIST_LIMIT);
		list->numbers[list->count++] = one.l1_index.kind;
	}
	return 0;
}

/* Returns the next policy of a list: after a comma, but not at a number, which is a weight of
 * ways:P1,P2,... */
static const char *next_policy(const char *text)
{
	do {
		text = strchr(text, ',');
		text += text != NULL;
	} while (text && isdigit((unsigned char)*text));
	return text;
}

/* Parse comma-separated policies, each as replay takes it; without a list, the GPU's own. */
static int parse_policies(struct sweep_axes *a, const char *text, const struct gpu *gpu,
                          struct err *err)
{
	a->policies[0] = gpu->l1_policy;
	a->policy_count = !text;
	while (text) {
		const char *next = next_policy(text);
		size_t length = next ? (size_t)(next - text) - 1 : strlen(text);
		struct gpu one = *gpu;
		struct err why = { 0 };
		char *pair = str_format(err, "l1_policy=%.*s", (int)length, text);
		int ret = pair ? gpu_put(&one, pair, &why) : ERR_NOMEM;

		free(pair);
		if (ret)
			return err_set(err, ERR_USAGE, "--l1-policy: %s", why.msg);
		if (a->policy_count == SWEEP_POLICIES_MAX)
			return err_set(err, ERR_USAGE, "--l1-policy: more than %d policies",
			               SWEEP_POLICIES_MAX);
		a->policies[a->policy_count++] = one.l1_policy;
		text = next;
	}
	return 0;
}

static int parse_latency(struct sweep_axes *a, const char *text, struct err *err)
{
	a->has_latency = text && !strcmp(text, "on");
	if (!text || a->has_latency || !strcmp(text, "off"))
		return 0;
	return err_set(err, ERR_USAGE, "--latency: expected on or off, found '%s'", text);
}

/* Parse the option's list; without it, the GPU's own value. */
static int parse_axis(struct number_list *list, const char *text, uint32_t own,
                      const struct number_bounds *b, struct err *err)
{
	if (text)
		return number_list_parse(list, text, b, err);
	list->numbers[0] = own;
	list->count = 1;
	return 0;
}

int sweep_axes_parse(struct sweep_axes *a, const struct sweep_axes_choice *c, const struct gpu *gpu,
                     struct err *err)
{
	static const struct number_bounds sets = { "--l1-sets", MIN_l1_sets, MAX_l1_sets,
		                                   NUMBER_RANGE_POWERS },
					  ways = { "--l1-ways", MIN_l1_ways, MAX_l1_ways,
		                                   NUMBER_RANGE_ALL },
					  lines = { "--line", MIN_l1_line_bytes, MAX_l1_line_bytes,
		                                    NUMBER_RANGE_POWERS };
	int ret = parse_axis(&a->sets, c->sets, gpu->l1_sets, &sets, err);

	if (!ret)
		ret = parse_axis(&a->ways, c->ways, gpu->l1_ways, &ways, err);
	if (!ret)
		ret = parse_axis(&a->lines, c->lines, gpu->l1_line_bytes, &lines, err);
	a->indices.numbers[0] = gpu->l1_index.kind;
	a->indices.count = 1;
	if (!ret && c->indices)
		ret = parse_indices(&a->indices, c->indices, gpu, err);
	a->names_policies = c->policies || c->latency;
	if (!ret)
		ret = parse_policies(a, c->policies, gpu, err);
	return ret ? ret : parse_latency(a, c->latency, err);
}

int sweep_axes_geometries(const struct sweep_axes *a, const struct gpu *gpu, struct array *out,
                          size_t *left_out, struct err *why, struct err *err)
{
	struct gpu one = *gpu;

	one.l1_policy = (struct gpu_spec){ .kind = GPU_POLICY_LRU };
	*left_out = 0;
	*why = (struct err){ 0 };
	for (size_t i = 0; i < a->indices.count; i++)
		for (size_t k = 0; k < a->sets.count; k++) {
			struct sweep_geometry *g;

			one.l1_index.kind = a->indices.numbers[i];
			one.l1_sets = a->sets.numbers[k];
			if (gpu_check(&one, why)) {
				++*left_out;
				continue;
			}
			g = array_push(out, 1, err);
			if (!g)
				return ERR_NOMEM;
			*g = (struct sweep_geometry){ one.l1_index.kind, one.l1_sets };
		}
	return 0;
}

const char *sweep_axes_index(char text[SWEEP_INDEX_BYTES], uint32_t index)
{
	const char *words = "", *word;
	size_t length = 0;

#define SPEC(name, words_, text)                                                                   \
	if (!strcmp(#name, "l1_index"))                                                            \
		words = words_;
#include "gpu_fields.def"
	word = gpu_spec_word(words, index, &length);
	(void)snprintf(text, SWEEP_INDEX_BYTES, "%.*s", (int)length, word);
	return text;
}

int sweep_axes_policy(struct str *out, const struct gpu_spec *policy, struct err *err)
{
	const char *words = "";

#define SPEC(name, words_, text)                                                                   \
	if (!strcmp(#name, "l1_policy"))                                                           \
		words = words_;
#include "gpu_fields.def"
	return gpu_spec_print(policy, words, out, err);
}
