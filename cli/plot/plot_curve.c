/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_curve.h"

#include "curve_run.h"
#include "replay_choice.h"

int plot_curve_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                     struct err *err)
{
	struct curve_run run;
	int ret = curve_run_init(&run, &job->choice->gpu, false, err);

	if (!ret)
		ret = curve_run_play(&run, job, err);
	if (!ret) {
		*outcome = run.player.outcome;
		ret = curve_run_write(&run, job->format, out, err);
	}
	curve_run_release(&run);
	return ret;
}
