/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "manual.h"
#include "say.h"

#include <stddef.h>

struct help_settings {
	bool man;
	uint32_t completion; /* of `completers`, from 1 */
};

static const struct {
	void (*write)(FILE *out, const struct command *list, size_t count);
} completers[] = { { complete_bash }, { complete_zsh }, { complete_fish } };

static const struct option_row rows[] = {
	{ .name = "man",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct help_settings, man),
	  .text = "write the manual page as roff instead" },
	{ .name = "completion",
	  .argument = "SHELL",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct help_settings, completion),
	  .words = "none|bash|zsh|fish",
	  .values = "bash|zsh|fish",
	  .text = "write the completion for a shell instead" },
};
const struct option_table help_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct help_settings) };

int cmd_help(const void *settings, const struct operands *operands, struct err *err)
{
	const struct help_settings *s = settings;
	size_t count;
	const struct command *c = NULL, *list = command_list(&count);

	if (s->completion && (operands->count || s->man))
		return err_set(
			err, ERR_USAGE,
			"--completion: covers all commands; expected neither COMMAND nor --man");
	if (operands->count) {
		c = command_find(operands->items[0], err);
		if (!c)
			return ERR_USAGE;
	}
	if (s->completion)
		completers[s->completion - 1].write(stdout, list, count);
	else if (s->man && c)
		manual_man(stdout, c);
	else if (s->man)
		manual_man_all(stdout, list, count);
	else if (c)
		manual_help(stdout, c);
	else
		manual_help_all(stdout, list, count);
	return say_flush(stdout, "standard output", err);
}
