/*
 * argument_time - when a driver takes the arguments of a launch in a command buffer.
 *
 * They are to be those of the time when it was recorded. A driver of the extension's first years
 * takes those that the kernel has when the buffer is enqueued. It is found out by an experiment on
 * a queue of its own, once for each engine.
 */
#ifndef ARGUMENT_TIME_H
#define ARGUMENT_TIME_H

#include "opencl.h"

struct session;

enum argument_time { ARGUMENTS_UNKNOWN, ARGUMENTS_RECORDED, ARGUMENTS_ENQUEUED };

/* Of the device and context of a queue. Waits for a tiny kernel of ours. */
enum argument_time argument_time_find(struct session *s, cl_command_queue queue);

#endif
