/* SPDX-License-Identifier: Apache-2.0 */
/* PTX texts: their outline is read whatever they are; what is read can be written with loads
 * changed, and then read again, with the same loads and one more for each that became two; with no
 * load chosen it comes out as it was. */
#include "fuzz.h"

#include "bypass_list.h"
#include "bypass_ptx.h"
#include "err.h"
#include "ptx_outline.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static size_t count_pairs(const struct ptx_module *m, const struct bypass_ptx_match *x)
{
	size_t pairs = 0;

	for (size_t f = 0; f < m->functions.count; f++) {
		const struct ptx_module_function *function = ptx_module_function(m, f);

		for (size_t i = 0; i < function->load_count; i++)
			pairs += bypass_ptx_fate(m, x, f, function->first_load + i, ".cg") ==
			         BYPASS_PTX_PAIRED;
	}
	return pairs;
}

/* Apply one list. */
static void apply(const struct ptx_module *m, const char *rules)
{
	struct bypass_list list = { 0 };
	struct bypass_ptx_match match;
	struct ptx_module again;
	struct err err = { 0 };
	struct str out;

	str_init(&out, (size_t)1 << 28);
	fuzz_assert(bypass_list_parse(&list, rules, &err) == 0, "the list is one");
	fuzz_assert(bypass_ptx_match_init(&match, m, &list, NULL, &err) == 0, "rules are sought");
	fuzz_assert(bypass_ptx_edit(m, &match, ".cg", &out, &err) == 0, "a text is written");
	if (list.count == 0)
		fuzz_assert(out.length == m->length &&
		                    (!m->length || !memcmp(out.text, m->text, m->length)),
		            "no rule changes nothing");
	fuzz_assert(ptx_module_read(&again, "again", out.text ? out.text : "", out.length, &err) ==
	                    0,
	            "what was written can be read");
	fuzz_assert(again.loads.count == m->loads.count + count_pairs(m, &match),
	            "a load that is paired is two");
	ptx_module_release(&again);
	bypass_ptx_match_release(&match);
	bypass_list_release(&list);
	str_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const lists[] = { "none", "all", "warps:3", "line:5,warps:7",
		                             "site:1,argument:a,warps:0" };
	char *text = fuzz_copy(data, size);
	struct ptx_module m;
	struct ptx_outline outline;
	struct err err = { 0 };

	fuzz_assert(ptx_outline_init(&outline, text, NULL) == 0, "any text has an outline");
	ptx_outline_release(&outline);
	if (ptx_module_read(&m, "fuzz.ptx", text, size, &err))
		fuzz_assert(strstr(err.msg, "fuzz.ptx") != NULL, "what is refused has a reason");
	else
		for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
			apply(&m, lists[i]);
	ptx_module_release(&m);
	free(text);
	return 0;
}
