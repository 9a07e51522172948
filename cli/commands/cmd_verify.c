/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "document.h"
#include "err.h"
#include "out_file.h"
#include "progress_line.h"
#include "recording.h"
#include "recording_dir.h"
#include "say.h"
#include "verify.h"

#include <inttypes.h>
#include <string.h>

struct verify_settings {
	const char *json;
};

static const struct option_row rows[] = {
	JSON_ROW(struct verify_settings),
};
const struct option_table verify_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct verify_settings) };

static const char *const headings[] = {
#define VERIFY_GRAVITY(NAME, name, heading) heading,
#include "verify_gravities.def"
#undef VERIFY_GRAVITY
};

/* Print each distinct finding once, by severity, then in the order found. */
static void print_text(const struct verify *v, const char *verdict)
{
	const struct verify_finding *f = v->findings.data;

	for (int g = 0; g < VERIFY_GRAVITY_COUNT; g++) {
		if (v->counts[g])
			printf("%s (%" PRIu64 "):\n", headings[g], v->counts[g]);
		for (size_t i = 0; i < v->findings.count; i++) {
			if ((int)f[i].gravity == g)
				printf("  %s: %s\n", f[i].where, f[i].what);
		}
	}
	printf("checked: %" PRIu64 " files, %" PRIu64 " groups, %" PRIu64 " accesses\n%s\n",
	       v->files, v->groups, v->accesses, verdict);
}

static int print_json(const struct verify *v, const char *dir, const char *verdict,
                      const char *file, struct err *err)
{
	const struct verify_finding *f = v->findings.data;
	struct json_out out = { 0 };
	json_t *root = document_head(&out, "verify/1"), *list = json_array(),
	       *checked = json_object();

	json_out_text(&out, root, "recording", dir);
	json_out_text(&out, root, "verdict", verdict);
	json_out_count(&out, checked, "files", v->files);
	json_out_count(&out, checked, "bytes", v->bytes);
	json_out_count(&out, checked, "groups", v->groups);
	json_out_count(&out, checked, "accesses", v->accesses);
	json_out_value(&out, root, "checked", checked);
	for (int g = 0; g < VERIFY_GRAVITY_COUNT; g++) {
		for (size_t i = 0; i < v->findings.count; i++) {
			json_t *item;

			if ((int)f[i].gravity != g)
				continue;
			item = json_object();
			json_out_text(&out, item, "gravity", verify_gravity_name(f[i].gravity));
			json_out_text(&out, item, "where", f[i].where);
			json_out_text(&out, item, "what", f[i].what);
			json_out_append(&out, list, item);
		}
	}
	json_out_value(&out, root, "findings", list);
	return json_out_write(&out, root, file, err);
}

/* Check the recording. If the manifest cannot be read, that is the only finding. A recording of
 * another version may be whole: nothing can be said about it. */
static int look(struct verify *v, struct recording **recording, const char *dir,
                const struct operands *operands, struct err *err)
{
	struct progress_line wait;
	struct err why = { 0 };
	uint64_t accesses = 0;
	int ret = recording_open(recording, dir, &why);

	if (ret == ERR_FORMAT || ret == ERR_LIMIT)
		return verify_add(v, VERIFY_DAMAGE, err, "manifest.jsonl", "%s", why.msg);
	if (ret)
		return err_set(err, (enum err_code)ret, "%s", why.msg);
	for (size_t i = 0; i < (*recording)->launch_count; i++)
		accesses += (*recording)->launches[i].totals.accesses;
	v->recording = *recording;
	v->watch = &wait.watch;
	progress_line_begin(&wait, "verify", accesses, operands->common.is_quiet);
	ret = verify_recording(v, err);
	progress_line_end(&wait);
	v->watch = NULL;
	return ret;
}

int cmd_verify(const void *settings, const struct operands *operands, struct err *err)
{
	const struct verify_settings *s = settings;
	const char *dir = operands->items[0], *verdict = "whole";
	struct recording *recording = NULL;
	struct verify v;
	int ret, code = EXIT_DONE;

	verify_init(&v);
	ret = look(&v, &recording, dir, operands, err);
	if (v.counts[VERIFY_DAMAGE]) {
		code = EXIT_FINDING;
		verdict = "damaged";
	} else if (v.counts[VERIFY_MISSING]) {
		code = EXIT_INCOMPLETE;
		verdict = "incomplete";
	} else if (recording && recording_limited_launches(recording)) {
		code = EXIT_LIMITED;
		verdict = "limited";
	}
	if (!ret && s->json)
		ret = print_json(&v, dir, verdict, s->json, err);
	if (!ret && !(s->json && out_file_is_stdout(s->json))) {
		print_text(&v, verdict);
		ret = say_flush(stdout, "standard output", err);
	}
	verify_release(&v);
	recording_close(recording);
	return ret ? ret : code;
}
