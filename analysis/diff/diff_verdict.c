/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_verdict.h"

#include "finding.h"
#include "player.h"
#include "recording.h"
#include "report_data.h"

#include <math.h>

/* The least share of turns in launches that fill the GPU. */
static const double full_share = 0.9;

int diff_direction(double a, double b)
{
	if (fabs(b - a) * 100 < DIFF_WORTH_PERCENT * a || a == b)
		return 0;
	return b < a ? -1 : 1;
}

bool diff_turns_are_comparable(const struct diff *d)
{
	return finding_turn_bytes(&d->side[DIFF_A]->setup->gpu) ==
	       finding_turn_bytes(&d->side[DIFF_B]->setup->gpu);
}

/* The load of one side's launches. */
struct load {
	double turns, sm_turns; /* sm_turns: of an SM that has work, summed over launches */
	double full_turns, sms; /* sms: weighted by turns */
};

static void add_launch(struct load *load, const struct report_data *d,
                       const struct report_launch *l)
{
	const struct gpu *gpu = &d->setup->gpu;
	uint64_t groups = launch_shape_group_count(&d->recording->launches[l->launch].shape);
	uint64_t resident = l->resident_groups ? l->resident_groups : 1;
	double turns = finding_global_turns(&l->counts, gpu) + finding_local_turns(&l->counts);
	double sms = groups < gpu->sm_count ? (double)groups : gpu->sm_count;

	if (!groups)
		return;
	load->turns += turns;
	load->sm_turns += turns / sms;
	load->sms += turns * sms;
	load->full_turns += groups >= resident * gpu->sm_count ? turns : 0;
}

static struct load load_of(const struct report_data *d)
{
	struct load load = { 0 };

	for (size_t i = 0; i < d->launch_count; i++)
		if (d->launches[i].is_played)
			add_launch(&load, d, &d->launches[i]);
	return load;
}

static enum diff_word word_of(int direction)
{
	return direction < 0 ? DIFF_IS_BETTER : direction > 0 ? DIFF_IS_WORSE : DIFF_IS_ALIKE;
}

/* Combine the verdicts by work, by SMs with work, and by DRAM. */
static void judge(struct diff_verdict *v, int by_work, int by_sms, int by_dram)
{
	v->is_by_sms = !by_work && by_sms;
	if (!by_work)
		by_work = by_sms;
	else if (by_sms != by_work && v->sms[DIFF_A] != v->sms[DIFF_B])
		by_work = 2;
	if (!by_work)
		by_work = by_dram;
	v->word = by_work == 2 || by_work * by_dram < 0 ? DIFF_IS_UNCLEAR : word_of(by_work);
}

struct diff_verdict diff_verdict_make(const struct diff *d)
{
	struct diff_verdict v = { .word = DIFF_IS_NONE };
	struct load loads[DIFF_SIDES];
	const uint64_t *a = d->total.counts[DIFF_A].of, *b = d->total.counts[DIFF_B].of;

	for (size_t side = 0; side < DIFF_SIDES; side++) {
		struct load *load = &loads[side];

		*load = load_of(d->side[side]);
		v.turns[side] = d->total.counts[side].of[DIFF_turns];
		v.of_sms[side] = d->side[side]->setup->gpu.sm_count;
		v.sms[side] = load->turns > 0 ? (uint32_t)(load->sms / load->turns + 0.5) : 0;
		v.lacks_local[side] = finding_lacks_local(d->side[side]);
		v.is_full[side] = load->full_turns >= full_share * load->turns;
	}
	if (diff_turns_are_comparable(d))
		judge(&v, diff_direction((double)v.turns[DIFF_A], (double)v.turns[DIFF_B]),
		      v.sms[DIFF_A] == v.sms[DIFF_B]
		              ? 0
		              : diff_direction(loads[DIFF_A].sm_turns, loads[DIFF_B].sm_turns),
		      diff_direction((double)a[DIFF_dram_bytes], (double)b[DIFF_dram_bytes]));
	return v;
}
