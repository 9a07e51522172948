/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "access_notes.h"
#include "err.h"
#include "expand_copies.h"
#include "front_end.h"
#include "joined_stores.h"
#include "optimiser_hints.h"
#include "program.h"
#include "turned_loops.h"
#include "wide_accesses.h"

/*
 * What is there twice once, what does not change in a loop before it, what is overwritten never:
 * each pass of LLVM's that removes accesses, and what these need. None that computes differently
 * (instcombine, reassociate), that copies loops (unroll, unswitch), that takes vectors apart
 * (vector-combine) or that makes one access of several in different places (simplifycfg's sinking).
 */
#define FIRST                                                                                      \
	"function(sroa,early-cse<memssa>,simplifycfg<keep-loops;hoist-common-insts>,"              \
	"loop-simplify,lcssa,loop-mssa(licm),early-cse<memssa>)"
#define THEN                                                                                       \
	"function(loop-simplify,lcssa,loop-mssa(loop-rotate,licm),gvn,dse,adce,"                   \
	"simplifycfg<keep-loops;hoist-common-insts>)"

static int prepare(struct program *p, struct access_notes *notes, struct err *err)
{
	int ret = 0;

	optimiser_hints_put_effects(p->module);
	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		LLVMValueRef kernel = p->kernels[i].function;

		expand_copies(kernel);
		ret = optimiser_hints_put(kernel, err);
		if (!ret)
			ret = access_notes_take(notes, kernel, err);
	}
	return ret;
}

static int finish(struct program *p, const struct access_notes *notes, struct err *err)
{
	int ret = 0;

	optimiser_hints_remove(p->module);
	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		access_notes_give_back(notes, p->kernels[i].function);
		joined_stores_make(p->kernels[i].function);
		ret = wide_accesses_make(p->kernels[i].function, err);
	}
	return ret;
}

static int run(struct program *p, struct err *err)
{
	int ret = program_run_passes(p, FIRST, err);

	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		ret = turned_loops_choose(p->kernels[i].function, err);
	if (!ret)
		ret = program_run_passes(p, THEN, err);
	turned_loops_end(p->module);
	return ret;
}

int optimise(struct program *p, struct err *err)
{
	struct access_notes notes;
	int ret;

	if (!setting_is(p->settings->opt, "gpu") || front_end_is_ptx(p->settings->source))
		return 0;
	access_notes_init(&notes);
	ret = prepare(p, &notes, err);
	if (!ret)
		ret = run(p, err);
	if (!ret)
		ret = finish(p, &notes, err);
	access_notes_release(&notes);
	return ret;
}
