/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "dump.h"
#include "err.h"
#include "export_addresses.h"
#include "out_file.h"
#include "player.h"
#include "progress_line.h"
#include "replay_choice.h"
#include "say.h"

#include <inttypes.h>
#include <unistd.h>

struct export_settings {
	struct replay_choice replay;
	uint32_t format, order;
	struct option_number sm;
	const char *output;
};

/* In the order of the words of --format. */
enum export_format { EXPORT_DIN, EXPORT_U64, EXPORT_ANCESTOR };

static const struct option_row rows[] = {
	{ .name = "format",
	  .argument = "FORMAT",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct export_settings, format),
	  .words = "din|u64|ancestor",
	  .text = "what to write: din, the text of Dinero (the default), u64, byte addresses of 64 "
	          "bits, or ancestor, the 2014 text format" },
	{ .name = "order",
	  .argument = "ORDER",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct export_settings, order),
	  .words = "recorded|accesses|requests",
	  .text = "recorded: work-item by work-item (the default); as a replay on a GPU has them: "
	          "accesses, lane by lane, or requests, one for each line of each warp "
	          "instruction" },
	{ .name = "sm",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct export_settings, sm),
	  .max = UINT32_MAX,
	  .text = "of a replay, the accesses or requests of SM N (default: 0)" },
	{ .name = "output",
	  .letter = 'o',
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct export_settings, output),
	  .text = "write to FILE (default: -, stdout)" },
#define REPLAY_ROWS_TYPE   struct export_settings
#define REPLAY_ROWS_MEMBER replay
#include "replay_rows.def"
};
const struct option_table export_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct export_settings) };

static void say_count(uint64_t count, const char *what)
{
	if (count)
		say_line("export", "%s: %" PRIu64, what, count);
}

static void say_losses(const struct export_addresses *x)
{
	bool is_u64 = x->format == ADDRESS_U64, has_requests = x->order == EXPORT_REQUESTS;

	say_count(x->lost_kinds, "writes, of which u64 holds only the address");
	say_count(x->lost_atomics, is_u64 ? "atomics, of which u64 holds only the address"
	                                  : "atomics, which in din are writes");
	say_count(x->lost_sizes, "accesses of more than a byte, whose sizes are not written");
	say_count(x->lost_others, "barriers, fences and prefetches, which are left out");
	say_count(x->lost_local, "accesses to local memory, which are left out");
	say_count(x->other_sms, has_requests ? "requests of other SMs, which are left out"
	                                     : "accesses of other SMs, which are left out");
}

static int export_replayed(struct export_addresses *x, const struct export_settings *s,
                           const struct launch_choice *choice, bool is_quiet, bool *is_whole,
                           struct err *err)
{
	struct progress_line wait;
	struct player player = { .watch = progress_line_watch(&wait, "export", is_quiet),
		                 .launches = *choice };
	struct replay_setup setup = { 0 };
	int ret = replay_choice_setup(&setup, &s->replay, err);

	if (!ret && x->sm >= setup.gpu.sm_count)
		ret = err_set(err, ERR_USAGE, "--sm: %s has SMs 0..%u, not %u", setup.gpu.name,
		              setup.gpu.sm_count - 1, x->sm);
	if (!ret)
		ret = replay_choice_recording(&setup, &s->replay, "export", choice->recording, err);
	if (!ret) {
		gpu_choice_say("export", &setup.gpu);
		player.gpu = &setup.gpu;
		player.registers = setup.registers;
		player.options = setup.options;
		ret = export_addresses_replayed(x, &player, err);
	}
	*is_whole = !player.outcome.lacks_accesses;
	replay_setup_release(&setup);
	return ret;
}

/* Export the formats that need no replay. */
static int export_recorded(struct export_addresses *x, const struct export_settings *s,
                           const struct launch_choice *choice, bool is_quiet, bool *is_whole,
                           struct err *err)
{
	struct progress_line wait;
	struct dump d = { .out = x->out,
		          .walk = { .launches = *choice,
		                    .watch = progress_line_watch(&wait, "export", is_quiet) } };
	int ret = s->format == EXPORT_ANCESTOR ? dump_ancestor_write(&d, err)
	                                       : export_addresses_recorded(x, &d.walk, err);

	if (!ret)
		dump_ancestor_say_losses(&d, "export");
	*is_whole = !d.walk.lacks_groups;
	return ret;
}

static int export_choice(FILE *out, const struct export_settings *s,
                         const struct launch_choice *choice, bool is_quiet, bool *is_whole,
                         struct err *err)
{
	struct export_addresses x = { .out = out,
		                      .format = s->format == EXPORT_U64 ? ADDRESS_U64 : ADDRESS_DIN,
		                      .order = (enum export_order)s->order,
		                      .sm = s->sm.is_given ? (uint32_t)s->sm.value : 0 };
	int ret = x.order == EXPORT_RECORDED
	                  ? export_recorded(&x, s, choice, is_quiet, is_whole, err)
	                  : export_replayed(&x, s, choice, is_quiet, is_whole, err);

	if (!ret && s->format != EXPORT_ANCESTOR)
		say_losses(&x);
	return ret;
}

static int check_options(const struct export_settings *s, struct err *err)
{
	if (s->format == EXPORT_ANCESTOR && s->order != EXPORT_RECORDED)
		return err_set(err, ERR_USAGE,
		               "--order: the ancestor format holds what each work-item did; "
		               "expected --format din or u64 with it");
	if (s->sm.is_given && s->order == EXPORT_RECORDED)
		return err_set(err, ERR_USAGE,
		               "--sm: expected --order accesses or requests with it");
	if (s->order == EXPORT_RECORDED && replay_choice_is_given(&s->replay))
		return err_set(err, ERR_USAGE,
		               "--gpu and the other options of a replay change nothing in the "
		               "recorded order; expected --order accesses or requests with them");
	if (s->format == EXPORT_U64 && out_file_is_stdout(s->output ? s->output : "-") &&
	    isatty(STDOUT_FILENO))
		return err_set(err, ERR_USAGE,
		               "--format u64: is not for a terminal; expected -o FILE");
	return 0;
}

int cmd_export(const void *settings, const struct operands *operands, struct err *err)
{
	const struct export_settings *s = settings;
	struct recording *recording = NULL;
	struct out_file out = { 0 };
	struct launch_choice choice;
	bool is_whole = true;
	int ret = check_options(s, err);

	if (!ret)
		ret = launch_pick_open(&s->replay.pick, &recording, operands->items[0], err);
	if (ret)
		return ret;
	choice = launch_choice_make(recording, option_number_given(&s->replay.launch));
	ret = launch_choice_check(&choice, err);
	if (!ret)
		ret = out_file_open(&out, s->output ? s->output : "-", err);
	if (!ret)
		ret = export_choice(out.stream, s, &choice, operands->common.is_quiet, &is_whole,
		                    err);
	if (!ret)
		ret = out_file_end(&out, err);
	if (!ret)
		ret = say_verdict("export", recording,
		                  is_whole ? NULL : "a launch's file lacks groups");
	out_file_release(&out);
	recording_close(recording);
	return ret;
}
