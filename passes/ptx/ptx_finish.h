/*
 * ptx_finish - the last steps of reading PTX, when all functions are there: what cannot be read is
 * refused, device functions are inlined, registers and addresses become values, kernels get their
 * final parameters.
 */
#ifndef PTX_FINISH_H
#define PTX_FINISH_H

struct ptx_emitter;

/* 0, ERR_NOMEM, or ERR_UNSUPPORTED where LLVM refuses the module: a mistake of the text. */
int ptx_finish(struct ptx_emitter *e);

/* The same of a text of device functions, which stay, without their places. */
int ptx_finish_functions(struct ptx_emitter *e);

#endif
