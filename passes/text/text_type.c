/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include "err.h"
#include "llvm_api.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdlib.h>
#include <string.h>

#define LANES(name) { name, name "2", name "3", name "4", name "8", name "16" }

enum { LANE_NAMES = 6 };

enum row { ROW_1, ROW_8, ROW_16, ROW_32, ROW_64, ROW_HALF, ROW_FLOAT, ROW_DOUBLE, ROW_NONE };

static const char *const unsigned_names[][LANE_NAMES] = {
	{ "bool", "char2", "char3", "char4", "char8", "char16" },
	LANES("uchar"),
	LANES("ushort"),
	LANES("uint"),
	LANES("ulong"),
	LANES("half"),
	LANES("float"),
	LANES("double"),
};

static const char *const signed_names[][LANE_NAMES] = {
	{ "int", "char2", "char3", "char4", "char8", "char16" },
	LANES("char"),
	LANES("short"),
	LANES("int"),
	LANES("long"),
	LANES("half"),
	LANES("float"),
	LANES("double"),
};

unsigned text_lanes(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef text_element(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

bool text_is_integer(LLVMTypeRef type)
{
	return LLVMGetTypeKind(text_element(type)) == LLVMIntegerTypeKind;
}

bool text_is_bool(LLVMTypeRef type)
{
	return text_is_integer(type) && LLVMGetIntTypeWidth(text_element(type)) == 1;
}

bool text_is_pointer(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

bool text_is_aggregate(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMStructTypeKind ||
	       LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

static enum row row_of(LLVMTypeRef element)
{
	switch ((int)LLVMGetTypeKind(element)) {
	case LLVMHalfTypeKind:
		return ROW_HALF;
	case LLVMFloatTypeKind:
		return ROW_FLOAT;
	case LLVMDoubleTypeKind:
		return ROW_DOUBLE;
	case LLVMIntegerTypeKind:
		break;
	default:
		return ROW_NONE;
	}
	switch (LLVMGetIntTypeWidth(element)) {
	case 1:
		return ROW_1;
	case 8:
		return ROW_8;
	case 16:
		return ROW_16;
	case 32:
		return ROW_32;
	case 64:
		return ROW_64;
	default:
		return ROW_NONE;
	}
}

bool text_is_float(LLVMTypeRef type)
{
	enum row row = row_of(text_element(type));

	return row == ROW_HALF || row == ROW_FLOAT || row == ROW_DOUBLE;
}

static int lane_index(unsigned lanes)
{
	static const unsigned counts[LANE_NAMES] = { 1, 2, 3, 4, 8, 16 };

	for (int i = 0; i < LANE_NAMES; i++)
		if (counts[i] == lanes)
			return i;
	return -1;
}

/* LLVM's name of the type, for a refusal. */
static void refuse_type(struct text_function *f, LLVMTypeRef type)
{
	char *text = LLVMPrintTypeToString(type);

	text_refuse(f, "type %.80s", text);
	LLVMDisposeMessage(text);
}

static void note_extension(struct text_function *f, enum row row)
{
	if (row == ROW_DOUBLE)
		f->module->uses[TEXT_EXTENSION_FP64] = true;
	if (row == ROW_HALF)
		f->module->uses[TEXT_EXTENSION_FP16] = true;
}

static const char *number_name(struct text_function *f, LLVMTypeRef type,
                               const char *const names[][LANE_NAMES])
{
	enum row row = row_of(text_element(type));
	int lanes = lane_index(text_lanes(type));

	if (row == ROW_NONE || lanes < 0) {
		refuse_type(f, type);
		return "";
	}
	note_extension(f, row);
	return names[row][lanes];
}

static char *keep_name(struct text_function *f, LLVMTypeRef type)
{
	struct text_module *m = f->module;
	char **slot = array_push(&m->names, 1, f->err);
	uint32_t number = (uint32_t)m->names.count - 1;

	if (slot)
		*slot = str_format(f->err, "warpline_t%u", number);
	if (!slot || !*slot) {
		text_check(f, ERR_NOMEM);
		return NULL;
	}
	if (type)
		text_check(f, pointer_map_set(&m->type_numbers, type, number, f->err));
	return *slot;
}

static void write_members(struct text_function *f, struct str *s, LLVMTypeRef type)
{
	unsigned count = LLVMCountStructElementTypes(type);

	for (unsigned i = 0; i < count; i++)
		text_put_to(f, s, " %s m%u;", text_type(f, LLVMStructGetTypeAtIndex(type, i)), i);
	/* OpenCL C has no empty structs. */
	if (!count)
		text_put_to(f, s, " uchar none;");
}

/* A typedef of a struct, or of a struct with one array in it; the device checks its size. */
static const char *aggregate_name(struct text_function *f, LLVMTypeRef type)
{
	uint32_t number = pointer_map_get(&f->module->type_numbers, type);
	bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
	uint64_t size = text_size(f, type);
	struct str s;
	char *name;

	if (number != POINTER_MAP_NONE)
		return ((char **)f->module->names.data)[number];
	str_init(&s, 1u << 24);
	if (is_array)
		text_put_to(f, &s, " %s e[%u];", text_type(f, LLVMGetElementType(type)),
		            LLVMGetArrayLength(type) ? LLVMGetArrayLength(type) : 1);
	else
		write_members(f, &s, type);
	name = f->ret ? NULL : keep_name(f, type);
	if (name) {
		text_put_to(f, &f->module->types, "typedef struct {");
		text_append(f, &f->module->types, &s);
		text_put_to(f, &f->module->types, " }%s %s;\n",
		            !is_array && LLVMIsPackedStruct(type) ? " __attribute__((packed))" : "",
		            name);
	}
	if (name && size)
		text_put_to(f, &f->module->types,
		            "typedef char %s_fits[sizeof(%s) == %llu ? 1 : -1];\n", name, name,
		            (unsigned long long)size);
	str_release(&s);
	return name ? name : "";
}

const char *text_type(struct text_function *f, LLVMTypeRef type)
{
	if (text_is_pointer(type))
		return text_pointer(f, LLVMGetPointerAddressSpace(type));
	if (text_is_aggregate(type))
		return aggregate_name(f, type);
	if (llvm_is_event(type))
		return "event_t";
	return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? "void"
	                                                 : number_name(f, type, unsigned_names);
}

const char *text_type_signed(struct text_function *f, LLVMTypeRef type)
{
	return number_name(f, type, signed_names);
}

const char *text_type_mask(struct text_function *f, LLVMTypeRef type)
{
	enum row row = row_of(text_element(type));
	int lanes = lane_index(text_lanes(type));

	if (row == ROW_NONE || lanes < 0) {
		refuse_type(f, type);
		return "";
	}
	if (row == ROW_HALF)
		row = ROW_16;
	else if (row == ROW_FLOAT)
		row = ROW_32;
	else if (row == ROW_DOUBLE)
		row = ROW_64;
	return signed_names[row][lanes];
}

static bool has_space(struct text_function *f, unsigned space)
{
	f->module->has_generic |= space == 4;
	if (space <= 3 || (space == 4 && f->module->takes_generic))
		return true;
	if (space == 4)
		text_refuse(f, "a generic pointer, which this version of OpenCL C lacks");
	else
		text_refuse(f, "address space %u", space);
	return false;
}

const char *text_space(struct text_function *f, unsigned space)
{
	static const char *const names[] = { "__private", "__global", "__constant", "__local",
		                             "__generic" };

	return has_space(f, space) ? names[space] : "";
}

const char *text_pointer(struct text_function *f, unsigned space)
{
	static const char *const names[] = { "warpline_private", "warpline_global",
		                             "warpline_constant", "warpline_local",
		                             "warpline_generic" };

	return has_space(f, space) ? names[space] : "";
}

uint64_t text_size(struct text_function *f, LLVMTypeRef type)
{
	return LLVMABISizeOfType(f->module->layout, type);
}

unsigned text_alignment(struct text_function *f, LLVMTypeRef type)
{
	return LLVMABIAlignmentOfType(f->module->layout, type);
}

/* Write a typedef under `name`, once. The name is derived from the definition, so it serves as the
 * key. */
static const char *named_type(struct text_function *f, char *name, const char *definition)
{
	struct text_module *m = f->module;
	char **names = m->names.data, **slot;

	for (size_t i = 0; name && i < m->names.count; i++)
		if (!strcmp(names[i], name)) {
			free(name);
			return names[i];
		}
	slot = name ? array_push(&m->names, 1, f->err) : NULL;
	if (!slot) {
		free(name);
		text_check(f, ERR_NOMEM);
		return "";
	}
	*slot = name;
	text_put_to(f, &m->types, "typedef %s %s;\n", definition, name);
	return name;
}

const char *text_access_type(struct text_function *f, LLVMTypeRef type, unsigned alignment,
                             bool may_alias, const char **member)
{
	unsigned natural = text_alignment(f, type);
	const char *name = text_type(f, type), *any = may_alias ? ", may_alias" : "", *result;
	char *definition;

	*member = "";
	if (f->ret || ((!alignment || alignment >= natural) && !may_alias))
		return name;
	if (!alignment || alignment >= natural) {
		definition = str_format(f->err, "%s __attribute__((may_alias))", name);
		result = named_type(f, str_format(f->err, "warpline_any_%s", name),
		                    definition ? definition : "");
	} else {
		*member = ".v";
		definition = str_format(f->err,
		                        "struct { %s v; } __attribute__((packed, aligned(%u)%s))",
		                        name, alignment, any);
		result = named_type(f,
		                    str_format(f->err, "warpline_%s_%s_at%u",
		                               may_alias ? "any" : "low", name, alignment),
		                    definition ? definition : "");
	}
	free(definition);
	return result;
}

const char *text_bytes_type(struct text_function *f, uint64_t bytes, unsigned alignment)
{
	unsigned long long count = bytes;
	const char *unit = "uchar", *result;
	char *definition;

	if (alignment > 16)
		alignment = 16;
	while (alignment > 1 && bytes % alignment)
		alignment /= 2;
	if (alignment >= 8)
		unit = "ulong", count /= 8;
	else if (alignment == 4)
		unit = "uint", count /= 4;
	else if (alignment == 2)
		unit = "ushort", count /= 2;
	definition =
		str_format(f->err, "struct { %s e[%llu]; } __attribute__((aligned(%u), may_alias))",
	                   unit, count, alignment);
	result = named_type(
		f,
		str_format(f->err, "warpline_bytes%llu_at%u", (unsigned long long)bytes, alignment),
		definition ? definition : "");
	free(definition);
	return result;
}
