/* SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"
#include "number.h"
#include "read_rules.h"

#include <string.h>

enum { JOBS_MAX = 256 };

void replay_settings_init(struct replay_settings *s)
{
	*s = (struct replay_settings){ .jobs = 1, .has_classes = true, .has_stats = true };
}

void replay_settings_release(struct replay_settings *s)
{
	bypass_list_release(&s->bypass);
	bypass_list_release(&s->read_only);
}

static int put_number(uint32_t *out, const char *value, uint64_t min, uint64_t max, struct err *err)
{
	uint64_t number = 0;
	int ret = number_parse(value, "value", min, max, &number, err);

	if (!ret)
		*out = (uint32_t)number;
	return ret;
}

static int put_switch(bool *out, const char *value, struct err *err)
{
	if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
		return err_set(err, ERR_USAGE, "'%.100s' is neither on nor off", value);
	*out = !strcmp(value, "on");
	return 0;
}

static int set_schedule(struct replay_settings *s, const char *value, struct err *err)
{
	return issue_order_parse(&s->order, value, err);
}

static int set_dispatch(struct replay_settings *s, const char *value, struct err *err)
{
	return dispatch_order_parse(&s->dispatch, value, err);
}

static int set_sms(struct replay_settings *s, const char *value, struct err *err)
{
	return put_number(&s->sms, value, 0, UINT32_MAX, err);
}

static int set_jobs(struct replay_settings *s, const char *value, struct err *err)
{
	return put_number(&s->jobs, value, 1, JOBS_MAX, err);
}

static int set_registers(struct replay_settings *s, const char *value, struct err *err)
{
	return put_number(&s->registers, value, 0, 65536, err);
}

/* Replace the old list, if the new one could be read. */
static int replace(struct bypass_list *old, struct bypass_list *list, int ret)
{
	if (ret) {
		bypass_list_release(list);
		return ret;
	}
	bypass_list_release(old);
	*old = *list;
	return 0;
}

static int set_bypass(struct replay_settings *s, const char *value, struct err *err)
{
	bool is_kept = !strcmp(value, "kept");
	struct bypass_list list = { 0 };
	int ret = 0;

	if (!strcmp(value, "-"))
		return err_set(err, ERR_USAGE, "a library does not read the standard input");
	if (!is_kept)
		ret = bypass_list_load(&list, value, err);
	ret = replace(&s->bypass, &list, ret);
	if (!ret)
		s->is_bypass_given = !is_kept;
	return ret;
}

static int set_read_only(struct replay_settings *s, const char *value, struct err *err)
{
	struct bypass_list list = { 0 };
	int ret = strcmp(value, "none") != 0 ? read_only_list_parse(&list, value, err) : 0;

	return replace(&s->read_only, &list, ret);
}

static int set_classes(struct replay_settings *s, const char *value, struct err *err)
{
	return put_switch(&s->has_classes, value, err);
}

static int set_stats(struct replay_settings *s, const char *value, struct err *err)
{
	return put_switch(&s->has_stats, value, err);
}

static const struct {
	const char *key;
	int (*set)(struct replay_settings *s, const char *value, struct err *err);
} settings[] = {
#define WARPLINE_SETTING(key, fallback, text) { #key, set_##key },
#include "warpline_replay_settings.def"
#undef WARPLINE_SETTING
};

static int set(struct replay_settings *s, const char *key_value, struct err *err)
{
	size_t length = strcspn(key_value, "=");
	struct err why = { 0 };
	int ret;

	for (size_t i = 0; key_value[length] && i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (strlen(settings[i].key) != length ||
		    memcmp(settings[i].key, key_value, length) != 0)
			continue;
		ret = settings[i].set(s, key_value + length + 1, &why);
		if (ret)
			err_set(err, (enum err_code)ret, "%s: %.450s", settings[i].key, why.msg);
		return ret;
	}
	return err_set(err, ERR_USAGE, "'%.100s': expected KEY=VALUE with one of these keys:"
#define WARPLINE_SETTING(key, fallback, text) " " #key
#include "warpline_replay_settings.def"
#undef WARPLINE_SETTING
	               ,
	               key_value);
}

int warpline_replay_set(struct warpline_replay *replay, const char *key_value,
                        struct warpline_error *error)
{
	struct err err = { 0 };

	return warpline_error_give(error, set(&replay->settings, key_value, &err), &err);
}
