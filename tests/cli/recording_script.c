/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_script.h"

#include "err.h"

#include <stdlib.h>
#include <string.h>

void recording_script_add(struct script *s, uint32_t point, uint64_t value, uint32_t iteration)
{
	s->events[s->count++] = (struct event){ value, point, iteration };
	s->first[s->items + 1] = s->count;
}

int recording_script_begin(struct recording_writer **w, const char *dir, struct err *err)
{
	char *command[] = { TEXT("./app"), TEXT("--size"), TEXT("64"), NULL };
	struct recorded_device device = { TEXT("Test Device"),   TEXT("Test Vendor"),
		                          TEXT("OpenCL 1.2"),    TEXT("1.0"),
		                          TEXT("Test Platform"), 64 };
	uint32_t id;
	int ret = recording_writer_create(w, dir, "0.0-test", command, err);

	return ret ? ret : recording_writer_device(*w, &device, &id, err);
}

int recording_script_program(struct recording_writer *w, const char *source, struct err *err)
{
	struct recorded_program program = { .options = TEXT("-DN=64"), .origin = TEXT("source") };
	uint32_t id;

	return recording_writer_program(w, &program, source, strlen(source), &id, err);
}

int recording_script_kernel(struct recording_writer *w, const struct kernel_table *table,
                            uint32_t *id, struct err *err)
{
	struct recorded_kernel kernel = { .door = TEXT("spir"), .table = *table };

	return recording_writer_kernel(w, &kernel, id, err);
}

int recording_script_launch(struct recording_writer *w, struct recorded_launch *launch,
                            const struct kernel_table *table,
                            void (*fill)(struct script *s, uint64_t group, uint32_t items),
                            struct err *err)
{
	struct launch_writer *file = NULL;
	struct script *s = calloc(1, sizeof(*s));
	uint32_t id, size[3];
	int ret = s ? recording_writer_launch(w, launch, &id, err) : ERR_NOMEM;

	if (!ret)
		ret = recording_writer_open_launch(w, id, &launch->shape, table, &file, err);
	for (uint64_t g = 0; !ret && g < launch_shape_group_count(&launch->shape); g++) {
		uint32_t items = launch_shape_group_size(&launch->shape, g, size);

		memset(s, 0, sizeof(*s));
		fill(s, g, items);
		ret = launch_writer_add(file, g,
		                        &(struct group_events){ items, s->first, s->events }, err);
	}
	free(s);
	if (launch_writer_close(file, !ret, &launch->totals, err) && !ret)
		ret = err->code;
	launch->fate = LAUNCH_TRACED;
	return ret ? ret : recording_writer_fate(w, id, launch, err);
}

int recording_script_finish(struct recording_writer *w, struct err *err)
{
	int ret = recording_writer_end(w, err);

	recording_writer_close(w);
	return ret;
}

struct place recording_script_place(char *file, uint32_t line, uint32_t column)
{
	return (struct place){ file, line, column };
}
