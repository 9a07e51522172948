/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_lesson.h"

#include "engine.h"
#include "launch_job.h"
#include "slice_plan.h"

void launch_lesson_recall(const struct launch_job *job, struct slice_plan *plan)
{
	const struct kernel_table *table = job->shadow.table;
	uint32_t items = plan->layout.group_items;
	const struct engine_lesson *lesson = engine_lesson_at(job->engine, table, items);

	if (lesson->table == table && lesson->group_items == items)
		slice_plan_recall(plan, lesson->place_words, lesson->chunk_words,
		                  lesson->group_chunks);
	if (table->loop_count)
		slice_plan_begin_with(plan, job->engine->units);
}

void launch_lesson_keep(const struct launch_job *job, const struct slice_plan *plan)
{
	const struct kernel_table *table = job->shadow.table;
	uint32_t items = plan->layout.group_items;

	if (plan->group_chunks)
		*engine_lesson_at(job->engine, table, items) =
			(struct engine_lesson){ table, items, plan->place_words, plan->chunk_words,
			                        plan->group_chunks };
}
