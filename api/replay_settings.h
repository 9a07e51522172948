/*
 * replay_settings - what warpline_replay_set() has set (private to this room).
 */
#ifndef REPLAY_SETTINGS_H
#define REPLAY_SETTINGS_H

#include "bypass_list.h"
#include "dispatcher.h"
#include "issue_order.h"

#include <stdbool.h>
#include <stdint.h>

struct err;

struct replay_settings {
	struct issue_order order;
	struct dispatch_order dispatch;
	uint32_t sms, jobs, registers; /* 0: all; 1 at least; 0: not known */
	bool is_bypass_given;          /* else that of the recording */
	struct bypass_list bypass, read_only;
	bool has_classes, has_stats;
};

/* As the table says. */
void replay_settings_init(struct replay_settings *s);
void replay_settings_release(struct replay_settings *s);

/* "KEY=VALUE". After a failure *s is as it was. Returns 0, ERR_USAGE with the keys that there are
 * or "KEY: ...", or what bypass_list_load() does. */
int replay_settings_set(struct replay_settings *s, const char *key_value, struct err *err);

#endif
