/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "copy_dir.h"
#include "err.h"
#include "launch_pick.h"
#include "recording.h"
#include "recording_dir.h"
#include "say.h"
#include "str.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rm_settings {
	struct launch_pick pick;
	const char *output;
	bool keeps;
};

static const struct option_row rows[] = {
	LAUNCH_PICK_ROWS(struct rm_settings, pick, ""),
	{ .name = "keep",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct rm_settings, keeps),
	  .text = "keep these launches and remove all others" },
	{ .name = "output",
	  .letter = 'o',
	  .argument = "OUT",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct rm_settings, output),
	  .text = "make the recording OUT and leave DIR unchanged (an older OUT moves to "
	          "OUT.old)" },
};
const struct option_table rm_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                 sizeof(struct rm_settings) };

/* The launches that the options name. */
struct rm_choice {
	struct picked_launches named;
	bool keeps; /* keep them; else remove them */
};

static int read_choice(struct rm_choice *c, const struct rm_settings *s, struct err *err)
{
	*c = (struct rm_choice){ .keeps = s->keeps };
	if (!s->pick.launches && !s->pick.kernel)
		return err_set(
			err, ERR_USAGE,
			"expected --launches SPEC or --kernel REGEX: the launches to remove");
	return picked_launches_init(&c->named, &s->pick, err);
}

static bool is_kept(const void *context, const struct recording *r, const struct recorded_launch *l)
{
	const struct rm_choice *c = context;

	return picked_launches_has(&c->named, r, l) == c->keeps;
}

/* Whether there is anything to remove. */
static bool has_work(const struct recording *r, const struct rm_choice *choice)
{
	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if ((l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED) &&
		    !is_kept(choice, r, l))
			return true;
	}
	return false;
}

/* Whether `dir` may be replaced. */
static int check_place(const char *dir, struct err *err)
{
	struct err why = { 0 };
	int ret = recording_dir_check(dir, &why);

	return ret ? err_set(err, (enum err_code)ret,
	                     "%s; with -o OUT the recording stays unchanged", why.msg)
	           : 0;
}

/* Returns the target, which the caller frees. For a link it is the folder: a link cannot be
 * exchanged with a folder. */
static char *find_place(const struct recording *r, const char *output, struct err *err)
{
	char *place;

	if (output)
		return str_copy(output, err);
	place = realpath(r->dir, NULL);
	if (!place)
		err_set(err, errno == ENOMEM ? ERR_NOMEM : ERR_IO, "%s: %s", r->dir,
		        strerror(errno));
	return place;
}

static int trim(const struct recording *r, const char *output, const struct rm_choice *choice,
                struct err *err)
{
	struct copy_dir copy = { .inputs = &r,
		                 .count = 1,
		                 .choice = { is_kept, choice, output == NULL } };
	char *dir = find_place(r, output, err), *made = NULL;
	int ret = dir ? 0 : err->code;

	if (!ret && !output)
		ret = check_place(r->dir, err);
	if (!ret)
		ret = copy_dir_make(&copy, dir, "trimming", &made, err);
	if (!ret)
		ret = output ? recording_dir_replace(made, dir, err)
		             : copy_dir_exchange(made, dir, err);
	if (ret && made && recording_dir_is_recording(made))
		recording_dir_remove(made, NULL);
	free(made);
	free(dir);
	if (!ret) {
		printf("%s: removed %" PRIu64 " launch%s, %" PRIu64 " bytes\n",
		       output ? output : r->dir, copy.left_out, copy.left_out == 1 ? "" : "es",
		       copy.left_out_bytes);
		ret = say_flush(stdout, "standard output", err);
	}
	return ret;
}

int cmd_rm(const void *settings, const struct operands *operands, struct err *err)
{
	const struct rm_settings *s = settings;
	struct recording *recording = NULL;
	struct rm_choice choice;
	int ret = read_choice(&choice, s, err);

	if (!ret)
		ret = recording_open(&recording, operands->items[0], err);
	if (!ret && !s->output && !has_work(recording, &choice))
		say_line("rm", "%s: none of these launches is recorded, so nothing was removed",
		         operands->items[0]);
	else if (!ret)
		ret = trim(recording, s->output, &choice, err);
	if (!ret)
		ret = say_verdict("rm", recording, NULL);
	picked_launches_release(&choice.named);
	recording_close(recording);
	return ret;
}
