/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "build_options.h"
#include "carried_code.h"
#include "device_macros.h"
#include "err.h"
#include "program.h"
#include "source_macros.h"
#include "text_function.h"
#include "text_parts.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdlib.h>

#define LIMIT_BYTES (1u << 28) /* of each part of the output */
#define LIMIT_NAMES (1u << 20)

static const char *const extensions[] = {
	[TEXT_EXTENSION_FP64] = "cl_khr_fp64",
	[TEXT_EXTENSION_FP16] = "cl_khr_fp16",
	[TEXT_EXTENSION_INT64_BASE] = "cl_khr_int64_base_atomics",
	[TEXT_EXTENSION_INT64_MORE] = "cl_khr_int64_extended_atomics",
	[TEXT_EXTENSION_IMAGE_3D] = "cl_khr_3d_image_writes",
	[TEXT_EXTENSION_DEPTH] = "cl_khr_depth_images",
	[TEXT_EXTENSION_MSAA] = "cl_khr_gl_msaa_sharing",
	[TEXT_EXTENSION_SUBGROUPS] = "cl_khr_subgroups",
};

static void module_init(struct text_module *m, struct program *p)
{
	*m = (struct text_module){
		.settings = p->settings,
		.module = p->module,
		.context = p->context,
		.layout = LLVMGetModuleDataLayout(p->module),
	};
	m->pointer_bytes = LLVMPointerSize(m->layout);
	str_init(&m->types, LIMIT_BYTES);
	str_init(&m->constants, LIMIT_BYTES);
	str_init(&m->prototypes, LIMIT_BYTES);
	str_init(&m->functions, LIMIT_BYTES);
	array_init(&m->names, sizeof(char *), LIMIT_NAMES, "types");
	array_init(&m->callees, sizeof(struct text_callee), LIMIT_NAMES, "functions");
}

static void module_release(struct text_module *m)
{
	struct text_callee *callees = m->callees.data;
	char **names = m->names.data;

	for (size_t i = 0; i < m->names.count; i++)
		free(names[i]);
	for (size_t i = 0; i < m->callees.count; i++) {
		free(callees[i].name);
		free(callees[i].refusal);
	}
	array_release(&m->names);
	array_release(&m->callees);
	str_release(&m->types);
	str_release(&m->constants);
	str_release(&m->prototypes);
	str_release(&m->functions);
	pointer_map_release(&m->type_numbers);
	pointer_map_release(&m->constant_numbers);
	pointer_map_release(&m->callee_numbers);
}

static int write_kernel(struct text_module *m, struct kernel *k, struct str *out, struct err *err)
{
	struct err refusal = { 0 };
	int ret;

	if (k->table->refusal)
		return 0;
	if (m->settings->apply) {
		m->table = k->table;
		m->table->is_applied = array_alloc(m->table->site_count,
		                                   sizeof(*m->table->is_applied), "sites", err);
		if (!m->table->is_applied)
			return ERR_NOMEM;
	}
	ret = text_function_write(m, k->function, k->table->name, out, &refusal);
	if (!ret)
		return 0;
	if (ret != ERR_UNSUPPORTED)
		return err_set(err, (enum err_code)ret, "%s", refusal.msg);
	free(k->table->is_applied);
	k->table->is_applied = NULL;
	k->table->refusal = str_format(err, "text: %s", refusal.msg);
	return k->table->refusal ? 0 : ERR_NOMEM;
}

static int write_head(const struct text_module *m, struct str *out, struct err *err)
{
	int ret = str_printf(out, err, "#pragma OPENCL FP_CONTRACT ON\n");

	for (size_t i = 0; !ret && i < TEXT_EXTENSION_COUNT; i++)
		if (m->uses[i])
			ret = str_printf(out, err, "#pragma OPENCL EXTENSION %s : enable\n",
			                 extensions[i]);
	if (!ret)
		ret = str_printf(out, err,
		                 "typedef __private uchar *warpline_private;\n"
		                 "typedef __global uchar *warpline_global;\n"
		                 "typedef __constant uchar *warpline_constant;\n"
		                 "typedef __local uchar *warpline_local;\n");
	if (!ret && m->has_generic)
		ret = str_printf(out, err, "typedef __generic uchar *warpline_generic;\n");
	if (!ret && m->has_bypasses)
		ret = text_bypass_head(out, err);
	return ret;
}

static int append(struct str *out, const struct str *text, struct err *err)
{
	return text->length ? str_append(out, text->text, text->length, err) : 0;
}

/* Join everything in the order that C requires. */
static int put_together(const struct text_module *m, const struct str *kernels, struct str *out,
                        struct err *err)
{
	int ret = write_head(m, out, err);

	if (!ret)
		ret = append(out, &m->types, err);
	if (!ret)
		ret = append(out, &m->constants, err);
	if (!ret)
		ret = append(out, &m->prototypes, err);
	if (!ret)
		ret = str_append(out, "\n", 1, err);
	if (!ret)
		ret = append(out, &m->functions, err);
	return ret ? ret : append(out, kernels, err);
}

int device_module_keep(struct program *p, struct err *err)
{
	if (!setting_is(p->settings->keep_device, "1") || !program_is_cuda(p))
		return 0;
	p->device = LLVMWriteBitcodeToMemoryBuffer(p->module);
	return p->device ? 0 : err_set(err, ERR_NOMEM, "out of memory for device code");
}

/* Insert the device code that was kept, if any, after the first line of *text. */
static int append_device_module(const struct program *p, struct str *text, struct err *err)
{
	if (!p->device)
		return 0;
	return carried_code_append(text, LLVMGetBufferStart(p->device),
	                           LLVMGetBufferSize(p->device), err);
}

int text_door_write(struct program *p, struct str *out, struct err *err)
{
	const char *options = p->settings->options ? p->settings->options : "";
	const struct source_macros *seen = p->settings->seen;
	struct text_module m;
	struct str kernels;
	unsigned version;
	int ret;

	module_init(&m, p);
	str_init(&kernels, LIMIT_BYTES);
	ret = str_printf(out, err, "// options:");
	if (!ret)
		ret = build_options_for_text(out, options, &version, err);
	m.takes_generic = seen ? device_macros_has_generic(seen->device) : version >= 200;
	if (!ret)
		ret = str_append(out, "\n", 1, err);
	if (!ret)
		ret = append_device_module(p, out, err);
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		ret = write_kernel(&m, &p->kernels[i], &kernels, err);
	if (!ret)
		ret = put_together(&m, &kernels, out, err);
	str_release(&kernels);
	module_release(&m);
	return ret;
}
