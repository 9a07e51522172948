/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_lesson.h"

#include "engine.h"
#include "launch_job.h"
#include "slice_plan.h"

bool launch_lesson_recall(const struct launch_job *job, struct slice_plan *plan)
{
	const struct kernel_table *table = job->shadow.table;
	uint32_t items = plan->layout.group_items;
	struct engine_lesson lesson;
	bool is_known = engine_recall(job->engine, table, items, &lesson);

	if (is_known)
		slice_plan_recall(plan, lesson.place_words, lesson.chunk_words,
		                  lesson.group_chunks);
	if (table->loop_count)
		slice_plan_begin_with(plan, job->engine->units);
	return is_known;
}

void launch_lesson_keep(const struct launch_job *job, const struct slice_plan *plan)
{
	const struct kernel_table *table = job->shadow.table;
	uint32_t items = plan->layout.group_items;

	if (plan->group_chunks)
		engine_learn(job->engine,
		             &(struct engine_lesson){ table, items, plan->place_words,
		                                      plan->chunk_words, plan->group_chunks });
}
