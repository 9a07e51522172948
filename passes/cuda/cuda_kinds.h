/*
 * cuda_kinds - the kinds of rows of cuda_calls.def, each a function that replaces one call. Each
 * takes the call with its `target` and returns 0 or an error of cuda_call_replace().
 */
#ifndef CUDA_KINDS_H
#define CUDA_KINDS_H

struct cuda_call;

int cuda_kind_builtin(struct cuda_call *c);
int cuda_kind_library(struct cuda_call *c);
int cuda_kind_item(struct cuda_call *c);
int cuda_kind_number(struct cuda_call *c);
int cuda_kind_value(struct cuda_call *c);
int cuda_kind_nothing(struct cuda_call *c);
int cuda_kind_barrier(struct cuda_call *c);
int cuda_kind_fence(struct cuda_call *c);
int cuda_kind_load(struct cuda_call *c);
int cuda_kind_store(struct cuda_call *c);
int cuda_kind_prefetch(struct cuda_call *c);
int cuda_kind_clock(struct cuda_call *c);
int cuda_kind_trap(struct cuda_call *c);
int cuda_kind_results(struct cuda_call *c);
int cuda_kind_nan(struct cuda_call *c);
int cuda_kind_copy(struct cuda_call *c);
int cuda_kind_is_space(struct cuda_call *c);
int cuda_kind_refused(struct cuda_call *c);
int cuda_kind_atomic(struct cuda_call *c);
int cuda_kind_shuffle(struct cuda_call *c);
int cuda_kind_vote(struct cuda_call *c);
int cuda_kind_match(struct cuda_call *c);
int cuda_kind_reduce(struct cuda_call *c);
int cuda_kind_warp(struct cuda_call *c);
int cuda_kind_group(struct cuda_call *c);
int cuda_kind_printf(struct cuda_call *c);
int cuda_kind_assert(struct cuda_call *c);

#endif
