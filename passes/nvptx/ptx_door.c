/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "array.h"
#include "cuda_call.h"
#include "cuda_target.h"
#include "err.h"
#include "ir_walk.h"
#include "mark.h"
#include "memory_space.h"
#include "program.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Loads that bypass L1 in PTX output: loads with a mark (mark.h) become inline PTX, ld.global.cg,
 * for all warps or for those from one on.
 *
 * Applies to 1, 2, 4, 8 or 16 bytes, aligned to their size, that are one number, one pointer or a
 * vector of two or four. Any other load is unchanged, and its site is not reported as changed.
 */

#define CONSTRAINT_BYTES 64

#define SREG "llvm.nvvm.read.ptx.sreg."

/* A load in PTX: `lanes` registers of `bits` bits. */
struct form {
	unsigned lanes, bits;
};

/* Find the form of a load; false if it cannot be changed. */
static bool find_form(LLVMModuleRef module, LLVMValueRef load, struct form *f)
{
	LLVMTypeRef type = LLVMTypeOf(load);
	uint64_t bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), type);
	LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(load, 0));

	*f = (struct form){ .lanes = 1 };
	if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
	    memory_space_of_type(module, pointer) != SPACE_GLOBAL || LLVMGetAlignment(load) < bytes)
		return false;
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
		f->lanes = LLVMGetVectorSize(type);
		type = LLVMGetElementType(type);
	}
	switch ((int)LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
	case LLVMHalfTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind:
		break;
	default:
		return false;
	}
	f->bits = (unsigned)(bytes * 8 / f->lanes);
	if (f->lanes == 1)
		return LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(module), type) == f->bits &&
		       (f->bits == 8 || f->bits == 16 || f->bits == 32 || f->bits == 64);
	return bytes <= 16 && (f->lanes == 2 || f->lanes == 4) && (f->bits == 32 || f->bits == 64);
}

/* "ld.global.cg.v2.u32 {$0, $1}, [$2];" */
static void print_load(char *text, size_t bytes, const struct form *f, const char *cache)
{
	static const char *const registers[] = { "$0", "{$0, $1}", "", "{$0, $1, $2, $3}" };
	static const char *const vectors[] = { "", ".v2", "", ".v4" };

	snprintf(text, bytes, "ld.global%s%s.u%u %s, [$%u];", cache, vectors[f->lanes - 1], f->bits,
	         registers[f->lanes - 1], f->lanes);
}

static LLVMValueRef read_sreg(LLVMBuilderRef b, LLVMModuleRef module, const char *name, char axis)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(c), NULL, 0, 0);
	char symbol[64];
	LLVMValueRef function;

	snprintf(symbol, sizeof(symbol), SREG "%s.%c", name, axis);
	function = LLVMGetNamedFunction(module, symbol);
	if (!function)
		function = LLVMAddFunction(module, symbol, type);
	return LLVMBuildCall2(b, type, function, NULL, 0, "");
}

/* The work-item's warp in its group. */
static LLVMValueRef warp_of(LLVMBuilderRef b, LLVMModuleRef module)
{
	LLVMValueRef item = read_sreg(b, module, "tid", 'z');

	item = LLVMBuildMul(b, item, read_sreg(b, module, "ntid", 'y'), "");
	item = LLVMBuildAdd(b, item, read_sreg(b, module, "tid", 'y'), "");
	item = LLVMBuildMul(b, item, read_sreg(b, module, "ntid", 'x'), "");
	item = LLVMBuildAdd(b, item, read_sreg(b, module, "tid", 'x'), "");
	return LLVMBuildLShr(b, item, LLVMConstInt(LLVMTypeOf(item), 5, 0), "");
}

/* Write the inline PTX and its constraints. */
static void print_code(char *text, size_t bytes, char constraints[CONSTRAINT_BYTES],
                       const struct form *f, uint32_t warps)
{
	static const char letters[] = { ['\1'] = 'r', ['\2'] = 'h', ['\4'] = 'r', ['\10'] = 'l' };
	size_t length = 0;
	char past[80], plain[80];

	print_load(past, sizeof(past), f, ".cg");
	print_load(plain, sizeof(plain), f, "");
	if (warps)
		snprintf(text, bytes, "{ .reg .pred p; setp.ge.u32 p, $%u, %u; @p %s @!p %s }",
		         f->lanes + 1, warps, past, plain);
	else
		snprintf(text, bytes, "%s", past);
	for (unsigned i = 0; i < f->lanes; i++)
		length += (size_t)snprintf(constraints + length, CONSTRAINT_BYTES - length, "=%c,",
		                           letters[f->bits / 8]);
	snprintf(constraints + length, CONSTRAINT_BYTES - length, "%s",
	         warps ? "l,r,~{memory}" : "l,~{memory}");
}

/* Combine the registers to a value of the load's type. */
static LLVMValueRef put_together(LLVMBuilderRef b, LLVMValueRef load, const struct form *f,
                                 LLVMValueRef code)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(load));
	LLVMTypeRef number = LLVMIntTypeInContext(c, f->bits), type = LLVMTypeOf(load);
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);
	LLVMValueRef value;

	if (f->lanes == 1) {
		value = LLVMBuildTruncOrBitCast(b, code, number, "");
		return LLVMGetTypeKind(type) == LLVMPointerTypeKind
		               ? LLVMBuildIntToPtr(b, value, type, "")
		               : LLVMBuildBitCast(b, value, type, "");
	}
	value = LLVMGetUndef(LLVMVectorType(number, f->lanes));
	for (unsigned i = 0; i < f->lanes; i++)
		value = LLVMBuildInsertElement(b, value, LLVMBuildExtractValue(b, code, i, ""),
		                               LLVMConstInt(u32, i, 0), "");
	return LLVMBuildBitCast(b, value, type, "");
}

static void change(LLVMModuleRef module, LLVMValueRef load, const struct form *f, uint32_t warps)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	LLVMTypeRef cell = LLVMIntTypeInContext(c, f->bits == 8 ? 32 : f->bits);
	LLVMTypeRef cells[] = { cell, cell, cell, cell };
	LLVMTypeRef operands[] = { LLVMInt64TypeInContext(c), LLVMInt32TypeInContext(c) };
	LLVMTypeRef result = f->lanes == 1 ? cell : LLVMStructTypeInContext(c, cells, f->lanes, 0);
	LLVMTypeRef type = LLVMFunctionType(result, operands, warps ? 2 : 1, 0);
	char text[256], constraints[CONSTRAINT_BYTES];
	LLVMValueRef values[2], code;

	LLVMPositionBuilderBefore(b, load);
	values[0] = LLVMBuildPtrToInt(b, LLVMGetOperand(load, 0), operands[0], "");
	if (warps)
		values[1] = warp_of(b, module);
	print_code(text, sizeof(text), constraints, f, warps);
	code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), 1, 0,
	                        LLVMInlineAsmDialectATT, 0);
	code = LLVMBuildCall2(b, type, code, values, warps ? 2 : 1, "");
	LLVMReplaceAllUsesWith(load, put_together(b, load, f, code));
	LLVMInstructionEraseFromParent(load);
	LLVMDisposeBuilder(b);
}

static void apply_in(struct program *p, struct kernel *k)
{
	for (LLVMValueRef i = ir_first(k->function), next; i; i = next) {
		struct bypass_mark mark;
		struct form f;

		next = ir_next(i);
		if (!LLVMIsALoadInst(i) || !bypass_mark_read(i, &mark) ||
		    mark.site >= k->table->site_count || !find_form(p->module, i, &f))
			continue;
		change(p->module, i, &f, mark.warps);
		k->table->is_applied[mark.site] = true;
	}
}

/* Change the loads, and note it in the kernels' tables. Returns 0 or ERR_NOMEM. */
static int ptx_bypass_apply(struct program *p, struct err *err)
{
	for (size_t i = 0; p->settings->apply && i < p->kernel_count; i++) {
		struct kernel *k = &p->kernels[i];

		if (!k->function || k->table->refusal)
			continue;
		if (!k->table->is_applied)
			k->table->is_applied =
				array_alloc(k->table->site_count, sizeof(bool), "sites", err);
		if (!k->table->is_applied)
			return ERR_NOMEM;
		apply_in(p, k);
	}
	return 0;
}

/*
 * The GPU that PTX is generated for.
 *
 * LLVM writes the PTX version that introduced the chosen GPU. Code for an older GPU runs on every
 * newer one: its driver, or ptxas, compiles it.
 */

#define TRIPLE       "nvptx64-nvidia-cuda"
#define DEFAULT_ARCH "sm_75"

/* The oldest GPU that has what CUDA's own headers need. */
#define OLDEST_ARCH 60u

/* The number in "sm_90", "sm_90a", "sm_100f"; 0 for anything else. */
static unsigned number_of(const char *arch)
{
	unsigned long number;
	char *end;

	if (strncmp(arch, "sm_", 3) != 0 || !isdigit((unsigned char)arch[3]))
		return 0;
	number = strtoul(arch + 3, &end, 10);
	if (*end == 'a' || *end == 'f')
		end++;
	return *end || number > 9999 ? 0 : (unsigned)number;
}

static int choose(const char *arch, unsigned *number, struct err *err)
{
	unsigned wanted = number_of(arch);

	if (!wanted)
		return err_set(err, ERR_USAGE, "--gpu-arch: '%.40s' is not a GPU such as sm_75",
		               arch);
	if (wanted < OLDEST_ARCH)
		return err_set(
			err, ERR_USAGE,
			"--gpu-arch: %s is older than sm_%u, the oldest that PTX is made for", arch,
			OLDEST_ARCH);
	*number = cuda_target_known(wanted);
	return 0;
}

/*
 * Create the back end for `arch` ("sm_90", NULL: sm_75), for the newest known GPU that is not
 * newer. The caller disposes of it. Returns 0; ERR_USAGE for an invalid name or a GPU older than
 * all known ones; ERR_UNSUPPORTED when LLVM has no such back end.
 */
static int ptx_target_create(const char *arch, LLVMTargetMachineRef *machine, struct err *err)
{
	unsigned number = 0;
	LLVMTargetRef target;
	char cpu[16], *message = NULL;
	int ret = choose(arch ? arch : DEFAULT_ARCH, &number, err);

	if (ret)
		return ret;
	LLVMInitializeNVPTXTargetInfo();
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
	LLVMInitializeNVPTXAsmPrinter();
	if (LLVMGetTargetFromTriple(TRIPLE, &target, &message)) {
		ret = err_set(err, ERR_UNSUPPORTED, "LLVM has no back end for PTX: %s", message);
		LLVMDisposeMessage(message);
		return ret;
	}
	snprintf(cpu, sizeof(cpu), "sm_%u", number);
	*machine = LLVMCreateTargetMachine(target, TRIPLE, cpu, "", LLVMCodeGenLevelDefault,
	                                   LLVMRelocDefault, LLVMCodeModelDefault);
	return *machine ? 0
	                : err_set(err, ERR_UNSUPPORTED, "LLVM's back end for PTX has no %s", cpu);
}

/* Functions that every driver has, or that the back end itself replaces (libdevice calls it). */
static const char *const known_functions[] = { "vprintf", "malloc", "free", "__assertfail",
	                                       "__nvvm_reflect" };

static bool is_known(const char *name)
{
	for (size_t i = 0; i < sizeof(known_functions) / sizeof(known_functions[0]); i++)
		if (!strcmp(name, known_functions[i]))
			return true;
	return false;
}

static int check_declarations(LLVMModuleRef module, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);

	for (; f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || is_known(name) ||
		    !LLVMGetFirstUse(f))
			continue;
		return err_set(err, ERR_UNSUPPORTED,
		               "ptx: the program calls %s, which is neither in it nor in CUDA's "
		               "driver",
		               name);
	}
	return 0;
}

/* Kernels that the front end refused have no code, and are left out. */
static void drop_unread(struct program *p)
{
	for (size_t i = 0; i < p->kernel_count; i++) {
		LLVMValueRef *function = &p->kernels[i].function;

		if (!cuda_call_refusal(*function))
			continue;
		LLVMDeleteFunction(*function);
		*function = NULL;
	}
}

static int emit(struct program *p, LLVMTargetMachineRef machine, struct str *out, struct err *err)
{
	LLVMMemoryBufferRef buffer;
	char *message = NULL;
	int ret;

	if (LLVMTargetMachineEmitToMemoryBuffer(machine, p->module, LLVMAssemblyFile, &message,
	                                        &buffer)) {
		ret = err_set(err, ERR_UNSUPPORTED, "ptx: %.*s", (int)strcspn(message, "\n"),
		              message);
		LLVMDisposeMessage(message);
		return ret;
	}
	ret = str_append(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), err);
	LLVMDisposeMemoryBuffer(buffer);
	return ret;
}

int ptx_door_write(struct program *p, struct str *out, struct err *err)
{
	LLVMTargetMachineRef machine;
	int ret;

	drop_unread(p);
	ret = ptx_bypass_apply(p, err);
	if (!ret)
		ret = check_declarations(p->module, err);
	if (!ret)
		ret = ptx_target_create(p->settings->gpu_arch, &machine, err);
	if (ret)
		return ret;
	ret = emit(p, machine, out, err);
	LLVMDisposeTargetMachine(machine);
	return ret;
}
