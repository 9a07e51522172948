/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "generic_marks.h"
#include "program.h"

/*
 * A loop of several `continue`s gets one latch: loop-simplify would rather make nested loops of it,
 * but not where there are convergent calls, which marks are.
 */
#define PASSES "function(sroa,simplifycfg<keep-loops>,loop-simplify)"
#define REDUCE "function(lowerswitch,fix-irreducible,loop-simplify)"

static int read_flows(struct program *p, bool *is_irreducible, struct err *err)
{
	*is_irreducible = false;
	for (size_t i = 0; i < p->kernel_count; i++) {
		struct kernel *k = &p->kernels[i];
		int ret;

		kernel_flow_release(&k->flow);
		ret = kernel_flow_init(&k->flow, k->function, err);
		if (ret)
			return ret;
		*is_irreducible |= k->flow.forest.is_irreducible;
		k->table->is_irreducible |= k->flow.forest.is_irreducible;
	}
	return 0;
}

int clean_code(struct program *p, struct err *err)
{
	bool is_irreducible = false;
	int ret = program_run_passes(p, PASSES, err);

	if (!ret)
		ret = generic_marks_resolve(p, err);
	if (!ret)
		ret = read_flows(p, &is_irreducible, err);
	if (!ret && is_irreducible) {
		ret = program_run_passes(p, REDUCE, err);
		if (!ret)
			ret = read_flows(p, &is_irreducible, err);
	}
	return ret;
}
