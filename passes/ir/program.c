/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include "array.h"
#include "cuda_table.h"
#include "err.h"
#include "memory_space.h"
#include "steps.h"
#include "str.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdlib.h>
#include <string.h>

int program_init(struct program *p, const struct settings *settings, struct err *err)
{
	int ret;

	*p = (struct program){ .settings = settings, .context = LLVMContextCreate() };
	if (!p->context)
		return err_set(err, ERR_NOMEM, "out of memory for an LLVM context");
	ret = space_set_parse(settings->spaces, &p->spaces, err);
	/* Counts are taken in all groups or in none, never in a sample. */
	if (setting_is(settings->records, "count") || setting_is(settings->records, "none"))
		p->spaces &= ~(1u << SPACE_SET_SAMPLE);
	return ret;
}

void program_release(struct program *p)
{
	for (size_t i = 0; i < p->kernel_count; i++) {
		kernel_flow_release(&p->kernels[i].flow);
		kernel_table_release(&p->tables[i]);
		free(p->kernels[i].marks);
		free(p->kernels[i].table_loop);
	}
	free(p->kernels);
	free(p->tables);
	if (p->device)
		LLVMDisposeMemoryBuffer(p->device);
	if (p->cuda)
		cuda_table_release(p->cuda);
	free(p->cuda);
	if (p->module)
		LLVMDisposeModule(p->module);
	if (p->context)
		LLVMContextDispose(p->context);
	memset(p, 0, sizeof(*p));
}

/* The function that clang makes of the argument of enqueue_kernel(): not a kernel that the host can
 * launch. */
static bool is_enqueued(LLVMValueRef function)
{
	static const char end[] = "_block_invoke_kernel";
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);

	return length >= strlen(end) && !strcmp(name + length - strlen(end), end);
}

bool program_is_kernel(LLVMValueRef function)
{
	unsigned convention = LLVMGetFunctionCallConv(function);

	return convention == LLVMSPIRKERNELCallConv || convention == LLVMPTXKernelCallConv;
}

static bool is_kernel(LLVMValueRef function)
{
	return program_is_kernel(function) && !LLVMIsDeclaration(function) &&
	       !is_enqueued(function);
}

int program_find_kernels(struct program *p, struct err *err)
{
	size_t count = 0, i = 0;
	LLVMValueRef f;

	for (f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		count += is_kernel(f);
	if (!count && !p->cuda)
		return err_set(err, ERR_UNSUPPORTED, "%s: contains no kernel", p->settings->source);
	p->kernels = array_alloc(count, sizeof(*p->kernels), "kernels", err);
	p->tables = array_alloc(count, sizeof(*p->tables), "kernels", err);
	if (!p->kernels || !p->tables)
		return ERR_NOMEM;
	p->kernel_count = count;
	for (f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		size_t length;

		if (!is_kernel(f))
			continue;
		p->kernels[i].function = f;
		p->kernels[i].table = &p->tables[i];
		p->tables[i].name = str_copy(LLVMGetValueName2(f, &length), err);
		if (!p->tables[i++].name)
			return ERR_NOMEM;
	}
	return 0;
}

bool program_is_cuda(const struct program *p)
{
	static const char name[] = "warpline.cuda";

	return LLVMGetNamedMetadata(p->module, name, strlen(name)) != NULL;
}

int program_run_passes(struct program *p, const char *passes, struct err *err)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(p->module, passes, NULL, options);
	int ret = 0;

	if (error) {
		char *message = LLVMGetErrorMessage(error);

		ret = err_set(err, ERR_UNSUPPORTED, "LLVM passes '%s': %s", passes, message);
		LLVMDisposeErrorMessage(message);
	}
	LLVMDisposePassBuilderOptions(options);
	return ret;
}

static void remove_attribute(LLVMValueRef function, const char *name)
{
	LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                               LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void add_attribute(LLVMValueRef function, const char *name)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(context, kind, 0));
}

int inline_calls(struct program *p, struct err *err)
{
	LLVMValueRef f;
	int ret;

	for (f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		remove_attribute(f, "noinline");
		remove_attribute(f, "optnone");
		add_attribute(f, "alwaysinline");
		if (!program_is_kernel(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	}
	ret = program_run_passes(p, "always-inline,globaldce", err);
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		remove_attribute(p->kernels[i].function, "alwaysinline");
	return ret;
}
