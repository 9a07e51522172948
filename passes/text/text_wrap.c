/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which integer arithmetic is said never to wrap as signed. LLVM's C interface tells from version
 * 17 on; before that the function's own text does, line by line.
 */
#include "text_parts.h"

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

#include <string.h>

static bool has_freeze(LLVMValueRef function)
{
	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(function); n;
	     n = LLVMGetNextBasicBlock(n))
		for (LLVMValueRef i = LLVMGetFirstInstruction(n); i; i = LLVMGetNextInstruction(i))
			if (LLVMGetInstructionOpcode(i) == LLVMFreeze)
				return true;
	return false;
}

static bool can_wrap(LLVMOpcode opcode)
{
	return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul;
}

#if LLVM_VERSION_MAJOR < 17
/* Behind the line; where the next begins. */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

/* An instruction begins with two blanks; what goes on in a further line has more or a bracket. */
static bool is_instruction(const char *line)
{
	return line[0] == ' ' && line[1] == ' ' && line[2] != ' ' && line[2] != ']' &&
	       line[2] != '\n';
}

static bool line_has(const char *line, const char *word)
{
	const char *found = strstr(line, word);

	return found && found < next_line(line);
}

static const char *const words[] = {
	[LLVMAdd] = " = add ", [LLVMSub] = " = sub ", [LLVMMul] = " = mul "
};

/* Whether `line` says so; *is_lost when it is not the instruction's line at all. */
static bool says_nsw(LLVMValueRef i, const char *line, bool *is_lost)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

	if (!can_wrap(opcode))
		return false;
	*is_lost |= !line_has(line, words[opcode]);
	return line_has(line, " nsw ");
}

static const char *instruction_line(const char *line)
{
	while (*line && !is_instruction(line))
		line = next_line(line);
	return line;
}

static void read_lines(struct text_function *f, const char *line)
{
	bool is_lost = false;

	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(f->function); n;
	     n = LLVMGetNextBasicBlock(n))
		for (LLVMValueRef i = LLVMGetFirstInstruction(n); i;
		     i = LLVMGetNextInstruction(i)) {
			line = instruction_line(line);
			if (says_nsw(i, line, &is_lost) && !is_lost)
				text_check(f, pointer_map_set(&f->wraps, i, 1, f->err));
			line = next_line(line);
		}
	/* Then no line can be trusted. */
	if (is_lost)
		pointer_map_release(&f->wraps);
}

static void read_flags(struct text_function *f)
{
	char *text = LLVMPrintValueToString(f->function);
	const char *body = strstr(text, "{\n");

	if (body)
		read_lines(f, next_line(body));
	LLVMDisposeMessage(text);
}
#else
static void read_flags(struct text_function *f)
{
	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(f->function); n;
	     n = LLVMGetNextBasicBlock(n))
		for (LLVMValueRef i = LLVMGetFirstInstruction(n); i; i = LLVMGetNextInstruction(i))
			if (can_wrap(LLVMGetInstructionOpcode(i)) && LLVMGetNSW(i))
				text_check(f, pointer_map_set(&f->wraps, i, 1, f->err));
}
#endif

/* Where something is frozen a wrap may be allowed after all; in C it never is. */
void text_wraps_find(struct text_function *f)
{
	f->is_frozen = has_freeze(f->function);
	if (!f->is_frozen)
		read_flags(f);
}

bool text_never_wraps(struct text_function *f, LLVMValueRef instruction)
{
	return pointer_map_get(&f->wraps, instruction) != POINTER_MAP_NONE;
}
