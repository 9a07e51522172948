/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_debug.h"

#include "err.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

#define FILES_MOST         ((size_t)1 << 16)
#define STRINGS_LIMIT      ((size_t)1 << 26)
#define LOOK_BACK          4096 /* how many locations to search backwards for an inlined call */
#define DWARF_LANGUAGE     LLVMDWARFSourceLanguageC_plus_plus_14
#define DEBUG_INFO_VERSION 3

struct ptx_debug_file {
	LLVMMetadataRef file;
	bool is_cuda; /* one of CUDA's own headers */
};

struct ptx_debug_name {
	struct ptx_word label;
	size_t offset_bytes;
};

struct ptx_debug_function {
	struct ptx_word name;
	LLVMMetadataRef scope;
};

struct ptx_debug_location {
	uint64_t file, line, column;
	LLVMMetadataRef location;
};

static LLVMMetadataRef make_file(struct ptx_debug *d, struct ptx_word path)
{
	size_t folder = path.length;

	while (folder && path.at[folder - 1] != '/')
		folder--;
	return LLVMDIBuilderCreateFile(d->builder, path.at + folder, path.length - folder, path.at,
	                               folder > 1 ? folder - 1 : folder);
}

/* Read the bytes after a label, up to anything other than .b8. */
static int read_bytes(struct ptx_debug *d, struct ptx_scan *s)
{
	while (ptx_scan_take(s, ".b8")) {
		do {
			uint64_t byte = 0;
			char c;
			int ret = ptx_scan_integer(s, UINT8_MAX, &byte);

			c = (char)byte;
			if (!ret)
				ret = str_append(&d->strings, &c, 1, s->err);
			if (ret)
				return ret;
		} while (ptx_scan_take(s, ","));
		ptx_scan_take(s, ";");
	}
	return 0;
}

/* .section .debug_str { label: .b8 95, 90, 0 ... } */
static int read_strings(struct ptx_debug *d, struct ptx_scan *s)
{
	int ret = ptx_scan_expect(s, "{");

	while (!ret && !ptx_scan_take(s, "}")) {
		struct ptx_debug_name name = { .offset_bytes = d->strings.length }, *kept;

		if (ptx_scan_sees(s, ".b8")) {
			ret = read_bytes(d, s);
			continue;
		}
		ret = ptx_scan_name(s, &name.label);
		if (!ret)
			ret = ptx_scan_expect(s, ":");
		kept = ret ? NULL : array_push(&d->names, 1, s->err);
		if (!ret && !kept)
			return ERR_NOMEM;
		if (kept)
			*kept = name;
	}
	return ret;
}

static int find_strings(struct ptx_debug *d, const struct ptx_scan *text)
{
	static const char section[] = ".debug_str";
	struct ptx_scan s = *text;
	const char *end = text->lexer.text + text->lexer.length, *at = text->lexer.text;

	while ((at = memmem(at, (size_t)(end - at), section, sizeof(section) - 1))) {
		at += sizeof(section) - 1;
		s.lexer.at = (size_t)(at - text->lexer.text);
		if (ptx_scan_sees(&s, "{"))
			return read_strings(d, &s);
	}
	return 0;
}

/* Prefixes of the headers that contain CUDA's own functions. */
static const char *const cuda_headers[] = { "sm_",       "device_",         "math_functions",
	                                    "cuda_fp16", "cuda_bf16",       "cooperative_groups",
	                                    "vector_",   "common_functions" };

static bool is_cuda_header(struct ptx_word path)
{
	size_t name = path.length;

	while (name && path.at[name - 1] != '/')
		name--;
	path = (struct ptx_word){ path.at + name, path.length - name };
	if (path.length < 4 || path.at[path.length - 1] == 'u') /* .cu */
		return false;
	for (size_t i = 0; i < sizeof(cuda_headers) / sizeof(cuda_headers[0]); i++)
		if (ptx_word_begins(path, cuda_headers[i]))
			return true;
	return false;
}

/* The compiler lists the files at the end of the source. */
static int find_files(struct ptx_debug *d, const struct ptx_scan *text)
{
	int ret = ptx_files_find(text, &d->files);
	const struct ptx_file *files = d->files.data;

	for (size_t i = 0; !ret && i < d->files.count; i++) {
		struct ptx_debug_file *file = array_push(&d->made_files, 1, text->err);
		char *path = file ? ptx_file_path(&files[i], text->err) : NULL;

		if (!path)
			return text->err && text->err->code ? text->err->code : ERR_NOMEM;
		file->file = make_file(d, (struct ptx_word){ path, strlen(path) });
		file->is_cuda = is_cuda_header(files[i].name);
		free(path);
	}
	return ret;
}

int ptx_debug_init(struct ptx_debug *d, LLVMModuleRef module, const char *name,
                   const struct ptx_scan *text, struct err *err)
{
	static const char flag[] = "Debug Info Version", producer[] = "PTX";
	LLVMTypeRef word;
	int ret;

	d->context = LLVMGetModuleContext(module);
	d->builder = LLVMCreateDIBuilder(module);
	array_init(&d->files, sizeof(struct ptx_file), FILES_MOST, "files of PTX");
	array_init(&d->made_files, sizeof(struct ptx_debug_file), FILES_MOST, "files of PTX");
	array_init(&d->names, sizeof(struct ptx_debug_name), STRINGS_LIMIT, "names in PTX");
	array_init(&d->inlined, sizeof(struct ptx_debug_function), STRINGS_LIMIT, "names in PTX");
	array_init(&d->locations, sizeof(struct ptx_debug_location), STRINGS_LIMIT,
	           "places in PTX");
	str_init(&d->strings, STRINGS_LIMIT);
	ret = find_files(d, text);
	if (!ret)
		ret = find_strings(d, text);
	if (!ret) /* NUL-terminate the strings in it */
		ret = str_append(&d->strings, "", 1, err);
	word = LLVMInt32TypeInContext(d->context);
	LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, flag, sizeof(flag) - 1,
	                  LLVMValueAsMetadata(LLVMConstInt(word, DEBUG_INFO_VERSION, 0)));
	d->own_file = make_file(d, (struct ptx_word){ name, strlen(name) });
	d->unit = LLVMDIBuilderCreateCompileUnit(d->builder, DWARF_LANGUAGE, d->own_file, producer,
	                                         sizeof(producer) - 1, 1, "", 0, 0, "", 0,
	                                         LLVMDWARFEmissionFull, 0, 0, 0, "", 0, "", 0);
	d->signature =
		LLVMDIBuilderCreateSubroutineType(d->builder, d->own_file, NULL, 0, LLVMDIFlagZero);
	return ret;
}

void ptx_debug_release(struct ptx_debug *d)
{
	if (d->builder && !d->is_finished) /* otherwise what it keeps until then is never freed */
		LLVMDIBuilderFinalize(d->builder);
	if (d->builder)
		LLVMDisposeDIBuilder(d->builder);
	array_release(&d->files);
	array_release(&d->made_files);
	array_release(&d->names);
	array_release(&d->inlined);
	array_release(&d->locations);
	str_release(&d->strings);
	*d = (struct ptx_debug){ 0 };
}

void ptx_debug_finish(struct ptx_debug *d)
{
	LLVMDIBuilderFinalize(d->builder);
	d->is_finished = true;
}

static const struct ptx_debug_file *find_file(const struct ptx_debug *d, uint64_t number)
{
	const struct ptx_file *files = d->files.data;

	for (size_t i = 0; i < d->files.count; i++)
		if (files[i].number == number)
			return (const struct ptx_debug_file *)d->made_files.data + i;
	return NULL;
}

static LLVMMetadataRef file_of(const struct ptx_debug *d, uint64_t number)
{
	const struct ptx_debug_file *found = find_file(d, number);

	return found ? found->file : d->own_file;
}

/* Read one <length><name> of a mangled name at *at; empty when there is none. */
static struct ptx_word next_name(struct ptx_word mangled, size_t *at)
{
	size_t length = 0, i = *at;

	while (i < mangled.length && mangled.at[i] >= '0' && mangled.at[i] <= '9' &&
	       length < mangled.length)
		length = length * 10 + (size_t)(mangled.at[i++] - '0');
	if (!length || length > mangled.length - i)
		return (struct ptx_word){ 0 };
	*at = i + length;
	return (struct ptx_word){ mangled.at + i, length };
}

struct ptx_word ptx_debug_plain_name(struct ptx_word mangled)
{
	struct ptx_word name, last = { 0 };
	bool is_nested;
	size_t at = 2;

	if (!ptx_word_begins(mangled, "_Z"))
		return mangled;
	is_nested = at < mangled.length && mangled.at[at] == 'N';
	at += is_nested;
	if (at < mangled.length && mangled.at[at] == 'L')
		at++;
	do {
		name = next_name(mangled, &at);
		last = name.length ? name : last;
	} while (name.length && is_nested);
	return last.length ? last : mangled;
}

static LLVMMetadataRef make_function(struct ptx_debug *d, struct ptx_word name,
                                     LLVMMetadataRef file, size_t line)
{
	struct ptx_word plain = ptx_debug_plain_name(name);

	return LLVMDIBuilderCreateFunction(d->builder, file, plain.at, plain.length, name.at,
	                                   name.length, file, (unsigned)line, d->signature, 0, 1,
	                                   (unsigned)line, LLVMDIFlagPrototyped, 1);
}

void ptx_debug_begin(struct ptx_debug *d, LLVMValueRef function, struct ptx_word name, size_t line,
                     const struct ptx_statements *code)
{
	const struct ptx_loc *locs = code->locs.data;

	array_clear(&d->locations);
	d->has_locs = code->locs.count != 0;
	d->scope_file = d->own_file;
	for (size_t i = 0; i < code->locs.count; i++) {
		if (locs[i].is_inlined)
			continue;
		d->scope_file = file_of(d, locs[i].file);
		line = (size_t)locs[i].line;
		break;
	}
	d->scope = make_function(d, name, d->scope_file, line);
	LLVMSetSubprogram(function, d->scope);
}

/* The string at a label in .debug_str; the label's own name when there is none. */
static struct ptx_word inlined_name(const struct ptx_debug *d, const struct ptx_loc *loc)
{
	const struct ptx_debug_name *names = d->names.data;

	for (size_t i = 0; i < d->names.count; i++) {
		size_t offset = names[i].offset_bytes + loc->function_offset;

		if (ptx_word_equals(names[i].label, loc->function) && offset < d->strings.length)
			return (struct ptx_word){ d->strings.text + offset,
				                  strlen(d->strings.text + offset) };
	}
	return loc->function;
}

static LLVMMetadataRef inlined_scope(struct ptx_debug *d, const struct ptx_loc *loc,
                                     struct err *err)
{
	struct ptx_word name = inlined_name(d, loc);
	struct ptx_debug_function *all = d->inlined.data, *made;

	for (size_t i = 0; i < d->inlined.count; i++)
		if (ptx_word_equals(all[i].name, name))
			return all[i].scope;
	made = array_push(&d->inlined, 1, err);
	if (!made)
		return NULL;
	made->name = name;
	made->scope = make_function(d, name, file_of(d, loc->file), (size_t)loc->line);
	return made->scope;
}

/* The latest location with these numbers: it says where that call was itself inlined. */
static LLVMMetadataRef call_place(struct ptx_debug *d, const struct ptx_loc *loc)
{
	const struct ptx_debug_location *all = d->locations.data;
	size_t count = d->locations.count, last = count > LOOK_BACK ? count - LOOK_BACK : 0;

	for (size_t i = count; i > last; i--)
		if (all[i - 1].file == loc->at_file && all[i - 1].line == loc->at_line &&
		    all[i - 1].column == loc->at_column)
			return all[i - 1].location;
	return LLVMDIBuilderCreateDebugLocation(d->context, (unsigned)loc->at_line,
	                                        (unsigned)loc->at_column, d->scope, NULL);
}

/* Make the location, inlined into its caller. */
static LLVMMetadataRef make_place(struct ptx_debug *d, const struct ptx_loc *loc, struct err *err)
{
	const struct ptx_debug_file *known = find_file(d, loc->file);
	LLVMMetadataRef scope = d->scope, call = NULL, file = file_of(d, loc->file);

	if (loc->is_inlined) {
		call = call_place(d, loc);
		if (known && known->is_cuda)
			return call;
		scope = inlined_scope(d, loc, err);
		if (!scope)
			return NULL;
	}
	if (file != (loc->is_inlined ? LLVMDIScopeGetFile(scope) : d->scope_file))
		scope = LLVMDIBuilderCreateLexicalBlockFile(d->builder, scope, file, 0);
	return LLVMDIBuilderCreateDebugLocation(d->context, (unsigned)loc->line,
	                                        (unsigned)loc->column, scope, call);
}

int ptx_debug_at(struct ptx_debug *d, LLVMBuilderRef b, const struct ptx_loc *loc, struct err *err)
{
	LLVMMetadataRef place = make_place(d, loc, err);
	struct ptx_debug_location *kept = place ? array_push(&d->locations, 1, err) : NULL;

	if (!kept)
		return err && err->code ? err->code : ERR_NOMEM;
	*kept = (struct ptx_debug_location){ loc->file, loc->line, loc->column, place };
	LLVMSetCurrentDebugLocation2(b, place);
	return 0;
}

void ptx_debug_at_line(struct ptx_debug *d, LLVMBuilderRef b, size_t line)
{
	if (!d->has_locs)
		LLVMSetCurrentDebugLocation2(b, LLVMDIBuilderCreateDebugLocation(d->context,
		                                                                 (unsigned)line, 0,
		                                                                 d->scope, NULL));
	else if (!LLVMGetCurrentDebugLocation2(b))
		LLVMSetCurrentDebugLocation2(
			b, LLVMDIBuilderCreateDebugLocation(d->context, 0, 0, d->scope, NULL));
}
