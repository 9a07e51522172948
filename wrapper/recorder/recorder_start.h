/*
 * recorder_start - how a process begins to record, whatever it records: from the environment to a
 * recording that keeps what the settings say.
 */
#ifndef RECORDER_START_H
#define RECORDER_START_H

#include <stdbool.h>

struct err;
struct recorder;
struct recorder_settings;

/* Read the settings; say on stderr what is wrong with them. False: nothing is to be recorded, and
 * there is nothing to release. */
bool recorder_start_settings(struct recorder_settings *settings);

/*
 * Begin the recording that the settings name, with the process's command line, the settings' bypass
 * lists and complaints. Makes the cache's folder; where that cannot be made settings->cache becomes
 * "off". Returns 0 or as recorder_create(); *out is freed with recorder_free().
 */
int recorder_start(struct recorder **out, struct recorder_settings *settings, struct err *err);

#endif
