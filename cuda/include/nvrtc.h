/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvrtc.h - CUDA's compiler at run time: the calls and results of its library. C and C++.
 */
#ifndef WARPLINE_NVRTC_H
#define WARPLINE_NVRTC_H

#include <stddef.h>

typedef struct _nvrtcProgram *nvrtcProgram;

typedef enum {
	NVRTC_SUCCESS = 0,
	NVRTC_ERROR_OUT_OF_MEMORY = 1,
	NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
	NVRTC_ERROR_INVALID_INPUT = 3,
	NVRTC_ERROR_INVALID_PROGRAM = 4,
	NVRTC_ERROR_INVALID_OPTION = 5,
	NVRTC_ERROR_COMPILATION = 6,
	NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
	NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
	NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
	NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
	NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;

#ifdef __cplusplus
extern "C" {
#endif
extern const char *nvrtcGetErrorString(nvrtcResult result);
extern nvrtcResult nvrtcVersion(int *major, int *minor);
extern nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs);
extern nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs);
extern nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name,
                                      int numHeaders, const char *const *headers,
                                      const char *const *includeNames);
extern nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog);
extern nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                       const char *const *options);
extern nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet);
extern nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx);
extern nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet);
extern nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin);
extern nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet);
extern nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log);
extern nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *name_expression);
extern nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *name_expression,
                                       const char **lowered_name);
#ifdef __cplusplus
}
#endif

#endif
