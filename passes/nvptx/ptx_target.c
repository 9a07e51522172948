/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_target.h"

#include "err.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIPLE       "nvptx64-nvidia-cuda"
#define DEFAULT_ARCH "sm_75"

static const unsigned known[] = {
#define PTX_TARGET(number) number,
#include "ptx_targets.def"
#undef PTX_TARGET
};

/* "sm_90", "sm_90a", "sm_100f": its number, 0 for anything else. */
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
		return err_set(err, ERR_USAGE, "--gpu-arch: '%.40s' is no GPU such as sm_75", arch);
	if (wanted < known[0])
		return err_set(err, ERR_USAGE,
		               "--gpu-arch: %s is older than sm_%u, the oldest that the PTX door "
		               "has",
		               arch, known[0]);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i] <= wanted)
			*number = known[i];
	return 0;
}

int ptx_target_create(const char *arch, LLVMTargetMachineRef *machine, struct err *err)
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
