/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_output.h"

#include "err.h"
#include "gpu.h"
#include "launch_summary_text.h"
#include "recording.h"
#include "replay.h"
#include "replay_report.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* Launches that were not played for one reason, one after another in the list. */
struct skipped_launch {
	size_t launch;
	char *reason; /* NULL: that of the one before */
};

static json_t *head_json(struct json_out *out, const struct gpu *gpu,
                         const struct replay_options *options)
{
	json_t *head = document_head(out, "replay/1");

	document_put_version(out, head);
	document_put_order(out, head, gpu, options);
	if (options->bypass)
		json_out_count(out, head, "bypass_rules", options->bypass->count);
	if (options->is_unclassified)
		json_out_text(out, head, "classes", "off");
	return head;
}

int replay_output_begin(struct replay_output *o, const char *name, const struct gpu *gpu,
                        const struct replay_options *options, struct err *err)
{
	int ret;

	*o = (struct replay_output){ 0 };
	array_init(&o->skipped, sizeof(struct skipped_launch), SIZE_MAX, "launches not replayed");
	ret = document_open(&o->text, name, err);
	if (ret)
		return ret;
	document_items(&o->text, head_json(&o->text.out, gpu, options));
	document_list(&o->text, "launches");
	return 0;
}

void replay_output_release(struct replay_output *o)
{
	struct skipped_launch *list = o->skipped.data;

	for (size_t i = 0; i < o->skipped.count; i++)
		free(list[i].reason);
	array_release(&o->skipped);
	document_release(&o->text);
}

bool replay_output_is_open(const struct replay_output *o)
{
	return o->text.file.stream;
}

void replay_output_launch(struct replay_output *o, json_t *row)
{
	document_item(&o->text, NULL, row);
}

int replay_output_skip(struct replay_output *o, size_t launch, const char *reason, struct err *err)
{
	bool is_same = o->reason && !strcmp(o->reason, reason);
	char *copy = is_same ? NULL : str_copy(reason, err);
	struct skipped_launch *row;

	if (!copy && !is_same)
		return ERR_NOMEM;
	row = array_push(&o->skipped, 1, err);
	if (!row) {
		free(copy);
		return err->code;
	}
	*row = (struct skipped_launch){ launch, copy };
	o->reason = copy ? copy : o->reason;
	return 0;
}

int replay_output_end(struct replay_output *o, const struct recording *r, bool is_complete,
                      json_t *total, struct err *err)
{
	const struct skipped_launch *list = o->skipped.data;
	const char *reason = NULL;
	json_t *tail = json_object();

	document_close(&o->text);
	document_list(&o->text, "skipped");
	for (size_t i = 0; i < o->skipped.count; i++) {
		reason = list[i].reason ? list[i].reason : reason;
		document_item(&o->text, NULL,
		              replay_json_skipped(&o->text.out, r, list[i].launch, reason));
	}
	document_close(&o->text);
	json_out_value(&o->text.out, tail, "left_out",
	               launch_summary_tallies_json(&o->text.out, r));
	json_out_bool(&o->text.out, tail, "complete", is_complete);
	json_out_value(&o->text.out, tail, "total", total);
	document_items(&o->text, tail);
	return document_end(&o->text, err);
}
