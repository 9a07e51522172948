/*
 * gpu_wish - whether the user wants a launch recorded, its number and its line.
 *
 * What launch_filter and launch_quota say, in the order in which launch_quota.h has it.
 */
#ifndef GPU_WISH_H
#define GPU_WISH_H

#include <stdbool.h>

struct gpu_job;

/* Whether it is wanted. False: gpu_wish_settle() is to follow. Where launches are chosen by
 * number its line is then written; has_launch_id says so. */
bool gpu_wish_is_there(struct gpu_job *job);

/* A launch that is not wanted was taken by the driver (`has_run`), or refused: then it was none. */
void gpu_wish_settle(struct gpu_job *job, bool has_run);

/* A wanted launch begins: write its line. has_launch_id tells whether that worked. */
void gpu_wish_begin(struct gpu_job *job);

/* A wanted launch ran unmodified, for this reason. */
void gpu_wish_skip(struct gpu_job *job, const char *reason);

/* A wanted launch was refused by the driver: it was none. */
void gpu_wish_take_back(struct gpu_job *job);

#endif
