/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "err.h"
#include "recording.h"
#include "str.h"
#include "wait_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void verify_init(struct verify *v)
{
	*v = (struct verify){ 0 };
	array_init(&v->findings, sizeof(struct verify_finding), VERIFY_FINDINGS_MAX, "findings");
}

void verify_release(struct verify *v)
{
	struct verify_finding *f = v->findings.data;

	for (size_t i = 0; i < v->findings.count; i++) {
		free(f[i].where);
		free(f[i].what);
	}
	array_release(&v->findings);
}

int verify_add(struct verify *v, enum verify_gravity gravity, struct err *err, const char *where,
               const char *fmt, ...)
{
	struct verify_finding *f;
	char text[1024];
	va_list args;

	v->counts[gravity]++;
	if (v->findings.count == VERIFY_FINDINGS_MAX)
		return 0;
	f = array_push(&v->findings, 1, err);
	if (!f)
		return err->code;
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	f->gravity = gravity;
	f->where = str_visible(where, err);
	f->what = str_visible(text, err);
	return f->where && f->what ? 0 : ERR_NOMEM;
}

const char *verify_gravity_name(enum verify_gravity gravity)
{
	static const char *const names[] = {
#define VERIFY_GRAVITY(NAME, name, heading) name,
#include "verify_gravities.def"
#undef VERIFY_GRAVITY
	};

	return names[gravity];
}

int verify_recording(struct verify *v, struct err *err)
{
	int ret = verify_manifest(v, err);

	for (size_t i = 0; !ret && i < v->recording->launch_count; i++) {
		if (v->recording->launches[i].fate != LAUNCH_TRACED)
			continue;
		if (v->wait)
			wait_line_what(v->wait, "launch %llu",
			               (unsigned long long)v->recording->launches[i].number);
		ret = verify_launch(v, i, err);
	}
	return ret ? ret : verify_files(v, err);
}
