/* SPDX-License-Identifier: Apache-2.0 */
#include "say.h"

#include "err.h"
#include "gpu.h"
#include "launch_summary.h"
#include "player.h"
#include "recording.h"
#include "str.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void say_line(const char *command, const char *fmt, ...)
{
	char *text = NULL, *seen;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	/* The sentence may quote a file. */
	seen = text ? str_visible(text, NULL) : NULL;
	fprintf(stderr, "warpline %s: %s\n", command, seen ? seen : "out of memory");
	free(seen);
	free(text);
}

int say_missing(const char *command, const struct recording *r, const struct completeness *c,
                const char *lack)
{
	if (c->limited_launches)
		say_line(command, "%s: %" PRIu64 " launch%s left out when %s", r->dir,
		         c->limited_launches, c->limited_launches == 1 ? "" : "es",
		         c->limit ? c->limit : "a limit was reached");
	if (!c->is_complete)
		say_line(command, "%s: the recording is incomplete; missing: %s", r->dir,
		         c->missing ? c->missing : "out of memory for the list");
	else if (lack)
		say_line(command, "%s: %s", r->dir, lack);
	else
		return c->limited_launches ? EXIT_LIMITED : EXIT_DONE;
	return EXIT_INCOMPLETE;
}

int say_verdict(const char *command, const struct recording *r, const char *lack)
{
	struct completeness c;
	int code;

	completeness_make(&c, r, false);
	code = say_missing(command, r, &c, lack);
	completeness_release(&c);
	return code;
}

int say_flush(FILE *out, const char *name, struct err *err)
{
	errno = 0; /* an earlier write may have failed, and its errno be lost */
	if (fflush(out) || ferror(out))
		return err_set(err, ERR_IO, "%s: %s", name, strerror(errno ? errno : EIO));
	return 0;
}

int say_player_verdict(const char *command, const struct recording *r,
                       const struct player_outcome *o, const struct gpu *gpu, struct err *err)
{
	int ret = say_verdict(command, r,
	                      o->lacks_accesses ? "a launch's file lacks accesses" : NULL);
	bool has_reason = o->refusal.code != 0;

	if (!o->refused)
		return ret;
	return err_set(err, ERR_CONFIG,
	               "launches that do not fit on %s and were not replayed: %zu%s%s%s", gpu->name,
	               o->refused, has_reason ? " (" : "", has_reason ? o->refusal.msg : "",
	               has_reason ? ")" : "");
}
