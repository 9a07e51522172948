/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_doors.h"

#include "launch_filter.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_REASON_BYTES 8192

/* Why a shadow has not the kernel with this table, which may be NULL; NULL when it has it. */
static const char *reason_of(const struct shadow_program *shadow, const struct kernel_table *table)
{
	if (shadow->reason)
		return shadow->reason;
	if (!table)
		return "the instrumenter made no table of this kernel";
	if (table->refusal)
		return table->refusal;
	return shadow->program ? NULL : "out of memory";
}

/* Whether the reason names its door itself, as the refusals of the instrumenter do. */
static bool names_door(const char *reason, enum door door)
{
	size_t length = strlen(door_name(door));

	return !strncmp(reason, door_name(door), length) && reason[length] == ':';
}

/* What several doors say, each once and by name unless there is only one thing to say. */
struct reasons {
	const char *texts[DOOR_COUNT];
	enum door doors[DOOR_COUNT];
	size_t count;
};

static void add(struct reasons *r, const char *text, enum door door)
{
	if (r->count == DOOR_COUNT || (r->count && !strcmp(r->texts[r->count - 1], text)))
		return;
	r->texts[r->count] = text;
	r->doors[r->count++] = door;
}

static char *join(const struct reasons *r)
{
	struct str out;
	int rc = 0;

	str_init(&out, LIMIT_REASON_BYTES);
	for (size_t i = 0; i < r->count && rc == 0; i++) {
		bool needs_name = r->count > 1 && !names_door(r->texts[i], r->doors[i]);

		rc = str_printf(&out, NULL, "%s%s%s%s", i ? "; " : "",
		                needs_name ? door_name(r->doors[i]) : "", needs_name ? ": " : "",
		                r->texts[i]);
	}
	if (rc < 0)
		str_release(&out);
	return str_take(&out);
}

void kernel_doors_find(struct kernel_doors *out, const struct shadow_program *shadows, size_t count,
                       cl_device_id device, const char *name)
{
	struct reasons reasons = { .count = 0 };

	*out = (struct kernel_doors){ .shadow = NULL };
	for (size_t i = 0; i < count && !out->shadow; i++) {
		const struct kernel_table *table = shadow_program_table(&shadows[i], name);
		const char *reason;

		if (shadows[i].device != device)
			continue;
		out->facts = table ? table : out->facts;
		reason = reason_of(&shadows[i], table);
		if (reason) {
			add(&reasons, reason, shadows[i].door);
			continue;
		}
		out->shadow = &shadows[i];
		out->table = table;
	}
	if (!out->shadow && !reasons.count)
		add(&reasons, "the program was not built for this device", DOOR_TEXT);
	if (reasons.count)
		out->reason = join(&reasons);
}

/* Whether one of the tables says that the filter's kernel is not there. */
static bool lacks_some(const struct shadow_program *shadow, const struct launch_filter *filter)
{
	for (size_t i = 0; i < shadow->table_count; i++)
		if (shadow->tables[i].refusal &&
		    launch_filter_has_kernel(filter, shadow->tables[i].name))
			return true;
	return shadow->reason || !shadow->table_count;
}

bool kernel_doors_lack_some(const struct shadow_program *shadows, size_t count, cl_device_id device,
                            const struct launch_filter *filter)
{
	/* What an earlier door could not take, the next was made for: the last one tells. */
	for (size_t i = count; i-- > 0;)
		if (shadows[i].device == device)
			return lacks_some(&shadows[i], filter);
	return true;
}
