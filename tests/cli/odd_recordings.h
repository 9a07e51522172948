/*
 * odd_recordings - recordings of one or two launches, each with something out of the ordinary.
 *
 * Not part of the program. See recordings.h for what is in them.
 */
#ifndef ODD_RECORDINGS_H
#define ODD_RECORDINGS_H

struct err;

int odd_recording_make_atomics(const char *dir, struct err *err);
int odd_recording_make_kernels(const char *dir, struct err *err);
int odd_recording_make_deep(const char *dir, struct err *err);
int odd_recording_make_far(const char *dir, struct err *err);
int odd_recording_make_wide(const char *dir, struct err *err);
int odd_recording_make_huge(const char *dir, struct err *err);
int odd_recording_make_broad(const char *dir, struct err *err);
int odd_recording_make_sparse(const char *dir, struct err *err);
int odd_recording_make_limited(const char *dir, struct err *err);
int odd_recording_make_full(const char *dir, struct err *err);
int odd_recording_make_unselected(const char *dir, struct err *err);
int odd_recording_make_lost(const char *dir, struct err *err);
int odd_recording_make_tallied(const char *dir, struct err *err);
int odd_recording_make_sides(const char *dir, struct err *err);

#endif
