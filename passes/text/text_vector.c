/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of vectors and members of structs. */
#include "text_parts.h"

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

/* ".s3" */
static const char *lane_name(unsigned lane)
{
	static const char *const names[] = {
		".s0", ".s1", ".s2", ".s3", ".s4", ".s5", ".s6", ".s7",
		".s8", ".s9", ".sa", ".sb", ".sc", ".sd", ".se", ".sf"
	};

	return names[lane % 16];
}

static void write_lane(struct text_function *f, LLVMValueRef vector, unsigned lane)
{
	text_put(f, LLVMIsConstant(vector) ? "(" : "");
	text_value(f, vector);
	text_put(f, LLVMIsConstant(vector) ? ")%s" : "%s", lane_name(lane));
}

/* ((uint *)&v3)[v4 & 3], of a variable. */
static void write_variable_lane(struct text_function *f, LLVMValueRef vector, LLVMValueRef v,
                                LLVMValueRef index)
{
	LLVMTypeRef type = LLVMTypeOf(vector);
	unsigned lanes = text_lanes(type);
	const char *element = text_is_bool(type) ? "char" : text_type(f, text_element(type));

	text_put(f, "((__private %s *)&", element);
	text_value(f, v);
	text_put(f, ")[");
	text_value(f, index);
	text_put(f, " & %u]", lanes == 3 ? 3 : lanes - 1);
}

static bool lane_of(LLVMValueRef index, unsigned lanes, unsigned *lane)
{
	uint64_t n;

	if (!LLVMIsAConstantInt(index))
		return false;
	n = LLVMConstIntGetZExtValue(index);
	*lane = n < lanes ? (unsigned)n : 0;
	return true;
}

static void write_extract(struct text_function *f, LLVMValueRef i)
{
	LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
	LLVMTypeRef type = LLVMTypeOf(vector);
	bool is_bool = text_is_bool(type);
	unsigned lane;

	if (lane_of(index, text_lanes(type), &lane)) {
		text_assign(f, i);
		write_lane(f, vector, lane);
		text_put(f, is_bool ? " != 0;\n" : ";\n");
		return;
	}
	text_line(f);
	text_put_to(f, &f->declarations, "\t%s x%u;\n", text_type(f, type), f->number_count);
	text_put(f, "x%u = ", f->number_count);
	text_value(f, vector);
	text_put(f, ";\n");
	text_assign(f, i);
	text_put(f, "((__private %s *)&x%u)[", is_bool ? "char" : text_type(f, text_element(type)),
	         f->number_count++);
	text_value(f, index);
	text_put(f, " & %u]%s;\n", text_lanes(type) == 3 ? 3 : text_lanes(type) - 1,
	         is_bool ? " != 0" : "");
}

static void write_insert(struct text_function *f, LLVMValueRef i)
{
	LLVMValueRef index = LLVMGetOperand(i, 2), element = LLVMGetOperand(i, 1);
	LLVMTypeRef type = LLVMTypeOf(i);
	unsigned lane;

	text_assign(f, i);
	text_value(f, LLVMGetOperand(i, 0));
	text_put(f, ";\n");
	text_line(f);
	if (lane_of(index, text_lanes(type), &lane))
		write_lane(f, i, lane);
	else
		write_variable_lane(f, i, i, index);
	text_put(f, text_is_bool(type) ? " = -(char)" : " = ");
	text_value(f, element);
	text_put(f, ";\n");
}

static int mask_at(LLVMValueRef i, unsigned lane)
{
	int n = LLVMGetMaskValue(i, lane);

	return n < 0 ? -1 : n;
}

/* v3.s0213 where all lanes come from the first vector. */
static bool is_swizzle(LLVMValueRef i, unsigned lanes, unsigned from)
{
	for (unsigned lane = 0; lane < lanes; lane++)
		if (mask_at(i, lane) < 0 || mask_at(i, lane) >= (int)from)
			return false;
	return true;
}

static void write_shuffled_lane(struct text_function *f, LLVMValueRef i, int n)
{
	LLVMValueRef first = LLVMGetOperand(i, 0), second = LLVMGetOperand(i, 1);
	int from = (int)text_lanes(LLVMTypeOf(first));

	if (n < 0 && text_is_bool(LLVMTypeOf(i)))
		text_put(f, "0");
	else if (n < 0)
		text_zero(f, text_element(LLVMTypeOf(i)));
	else
		write_lane(f, n < from ? first : second, (unsigned)(n < from ? n : n - from));
}

static void write_shuffle(struct text_function *f, LLVMValueRef i)
{
	unsigned lanes = text_lanes(LLVMTypeOf(i));
	unsigned from = text_lanes(LLVMTypeOf(LLVMGetOperand(i, 0)));
	LLVMValueRef first = LLVMGetOperand(i, 0);

	text_assign(f, i);
	if (is_swizzle(i, lanes, from) && !LLVMIsConstant(first)) {
		text_value(f, first);
		text_put(f, ".s");
		for (unsigned lane = 0; lane < lanes; lane++)
			text_put(f, "%s", lane_name((unsigned)mask_at(i, lane)) + 2);
	} else {
		text_put(f, "(%s)(", text_type(f, LLVMTypeOf(i)));
		for (unsigned lane = 0; lane < lanes; lane++) {
			text_put(f, lane ? ", " : "");
			write_shuffled_lane(f, i, mask_at(i, lane));
		}
		text_put(f, ")");
	}
	text_put(f, ";\n");
}

/* ".m1.e[3]" */
static void write_members(struct text_function *f, LLVMTypeRef type, LLVMValueRef i)
{
	unsigned count = LLVMGetNumIndices(i);
	const unsigned *indices = LLVMGetIndices(i);

	for (unsigned n = 0; n < count; n++) {
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			text_put(f, ".m%u", indices[n]);
			type = LLVMStructGetTypeAtIndex(type, indices[n]);
		} else {
			text_put(f, ".e[%u]", indices[n]);
			type = LLVMGetElementType(type);
		}
	}
}

static void write_extract_value(struct text_function *f, LLVMValueRef i)
{
	LLVMValueRef from = LLVMGetOperand(i, 0);

	text_assign(f, i);
	text_value(f, from);
	write_members(f, LLVMTypeOf(from), i);
	text_put(f, ";\n");
}

static void write_insert_value(struct text_function *f, LLVMValueRef i)
{
	text_assign(f, i);
	text_value(f, LLVMGetOperand(i, 0));
	text_put(f, ";\n");
	text_line(f);
	text_value(f, i);
	write_members(f, LLVMTypeOf(i), i);
	text_put(f, " = ");
	text_value(f, LLVMGetOperand(i, 1));
	text_put(f, ";\n");
}

bool text_vector(struct text_function *f, LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMExtractElement:
		write_extract(f, i);
		return true;
	case LLVMInsertElement:
		write_insert(f, i);
		return true;
	case LLVMShuffleVector:
		write_shuffle(f, i);
		return true;
	case LLVMExtractValue:
		write_extract_value(f, i);
		return true;
	case LLVMInsertValue:
		write_insert_value(f, i);
		return true;
	default:
		return false;
	}
}
