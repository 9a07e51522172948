/*
 * nvcc_step - runs one command of a plan and waits for it.
 */
#ifndef NVCC_STEP_H
#define NVCC_STEP_H

struct word_list;
struct err;

/*
 * Run the command; what it prints passes through. Returns its exit status, 128 + the signal that
 * ended it; ERR_IO when it cannot be started, with how to get it when it is clang; ERR_NOMEM.
 */
int nvcc_step_run(struct word_list *step, struct err *err);

#endif
