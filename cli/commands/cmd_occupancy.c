/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "command.h"
#include "document.h"
#include "err.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "launch_pick.h"
#include "launch_shape.h"
#include "number.h"
#include "occupancy_report.h"
#include "out_file.h"
#include "recording.h"
#include "recording_dir.h"
#include "register_choice.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

struct occupancy_settings {
	struct gpu_choice gpu;
	const char *local_bytes, *json;
	struct option_number group_size;
	struct launch_pick pick;
	struct register_choice registers;
};

static const struct option_row rows[] = {
	GPU_CHOICE_ROWS(struct occupancy_settings, gpu),
	LAUNCH_PICK_ROWS(struct occupancy_settings, pick, "only "),
	{ .name = "group-size",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct occupancy_settings, group_size),
	  .max = 1 << 20,
	  .text = "work-items of a group, instead of DIR" },
	{ .name = "local-bytes",
	  .argument = "SIZE",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct occupancy_settings, local_bytes),
	  .text = "local memory of a group (default: what DIR says, else 0)" },
	REGISTER_CHOICE_ROWS(struct occupancy_settings, registers),
	JSON_ROW(struct occupancy_settings),
};
const struct option_table occupancy_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                        sizeof(struct occupancy_settings) };

enum { KINDS_LIMIT = 1 << 20 };

/* The options that describe launches without, or in addition to, a recording. */
struct given {
	struct residency_need need;
	bool has_local;
	const struct register_source *registers;
};

static struct residency_need need_of(const struct recorded_launch *l, const struct given *given)
{
	uint32_t size[3];

	return (struct residency_need){
		.groups = launch_shape_group_count(&l->shape),
		.items = launch_shape_group_size(&l->shape, 0, size),
		.local_bytes = given->has_local ? given->need.local_bytes : l->local_bytes,
	};
}

/* Count a launch among those of its kind. The registers of kinds are found once all kinds are
 * known. */
static int add_launch(struct array *kinds, const char *kernel, struct residency_need need,
                      struct err *err)
{
	struct occupancy *known = kinds->data;

	for (size_t i = 0; i < kinds->count; i++) {
		struct occupancy *o = &known[i];

		if (strcmp(o->kernel, kernel) != 0 || o->need.items != need.items ||
		    o->need.local_bytes != need.local_bytes)
			continue;
		o->launches++;
		if (need.groups > o->need.groups)
			o->need.groups = need.groups;
		return 0;
	}
	known = array_push(kinds, 1, err);
	if (!known)
		return err->code;
	*known = (struct occupancy){ .kernel = kernel, .launches = 1, .need = need };
	return 0;
}

static int find_registers(struct array *kinds, const struct register_source *source,
                          struct err *err)
{
	struct occupancy *o = kinds->data;
	int ret = 0;

	for (size_t i = 0; !ret && i < kinds->count; i++)
		ret = register_source_find(source, "occupancy", o[i].kernel, &o[i].need.registers,
		                           err);
	return ret;
}

/* Find the kinds of launches: those of a recording, or one that was described by options. */
static int find_kinds(struct array *kinds, const struct recording *r, const struct given *given,
                      struct err *err)
{
	struct occupancy *only;
	int ret = 0;

	for (size_t i = 0; r && !ret && i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		ret = add_launch(kinds, r->kernels[l->kernel].table.name, need_of(l, given), err);
	}
	if (!r) {
		only = array_push(kinds, 1, err);
		if (!only)
			return err->code;
		only->need = given->need;
	}
	return ret ? ret : find_registers(kinds, given->registers, err);
}

static int report(struct array *kinds, const struct gpu *gpu, const char *json, struct err *err)
{
	struct occupancy *o = kinds->data;
	struct json_out out = { 0 };
	json_t *root = document_head(&out, "occupancy/1"), *list = json_array();
	bool is_json_only = json && out_file_is_stdout(json);
	int ret = 0;

	if (!is_json_only)
		occupancy_text_head(stdout, gpu);
	for (size_t i = 0; !ret && i < kinds->count; i++) {
		ret = occupancy_fill(&o[i], gpu, err);
		if (!ret && !is_json_only)
			occupancy_text(stdout, &o[i], gpu);
		json_out_append(&out, list, occupancy_json(&out, &o[i], gpu));
	}
	document_put_version(&out, root);
	document_put_gpu(&out, root, gpu);
	json_out_value(&out, root, "occupancy", list);
	if (!ret && !is_json_only)
		ret = say_flush(stdout, "standard output", err);
	if (!ret && json)
		return json_out_write(&out, root, json, err);
	json_decref(root);
	return ret;
}

static int read_given(const struct occupancy_settings *s, bool has_dir, struct given *given,
                      struct err *err)
{
	if (has_dir && s->group_size.is_given)
		return err_set(err, ERR_USAGE, "--group-size: DIR says the size of its groups");
	if (!has_dir && (s->pick.launches || s->pick.kernel))
		return err_set(err, ERR_USAGE, "--%s: expected DIR with it",
		               s->pick.kernel ? "kernel" : "launches");
	if (s->group_size.is_given && !s->group_size.value)
		return err_set(err, ERR_USAGE, "--group-size: expected a number from 1");
	given->need.items = s->group_size.value;
	given->has_local = s->local_bytes;
	if (!s->local_bytes)
		return 0;
	return number_parse(s->local_bytes, "--local-bytes", 0, UINT32_MAX,
	                    &given->need.local_bytes, err);
}

/* Choose the recording; *dir is NULL if --group-size replaces it. */
static int choose_dir(const char **dir, const struct occupancy_settings *s,
                      const struct operands *operands, struct err *err)
{
	*dir = operands->count ? operands->items[0] : NULL;
	if (*dir || s->group_size.is_given)
		return 0;
	*dir = command_default_dir(NULL);
	return *dir ? 0
	            : err_set(err, ERR_USAGE,
	                      "expected DIR, the directory of a recording, or --group-size N; "
	                      "without either " RECORDING_DIR_DEFAULT
	                      " is read, which is not here");
}

int cmd_occupancy(const void *settings, const struct operands *operands, struct err *err)
{
	const struct occupancy_settings *s = settings;
	struct recording *r = NULL;
	struct register_source registers = { 0 };
	struct given given = { .registers = &registers };
	struct array kinds;
	struct gpu gpu;
	const char *dir;
	int ret = choose_dir(&dir, s, operands, err);

	if (!ret)
		ret = read_given(s, dir != NULL, &given, err);
	array_init(&kinds, sizeof(struct occupancy), KINDS_LIMIT, "kinds of launches");
	if (!ret)
		ret = register_source_open(&registers, &s->registers, err);
	if (!ret)
		ret = gpu_choice_load(&s->gpu, &gpu, err);
	if (!ret && dir)
		ret = launch_pick_open(&s->pick, &r, dir, err);
	if (!ret)
		ret = find_kinds(&kinds, r, &given, err);
	if (!ret)
		ret = report(&kinds, &gpu, s->json, err);
	if (!ret && r)
		ret = say_verdict("occupancy", r, NULL);
	for (size_t i = 0; i < kinds.count; i++)
		occupancy_release(&((struct occupancy *)kinds.data)[i]);
	array_release(&kinds);
	register_source_release(&registers);
	recording_close(r);
	return ret;
}
