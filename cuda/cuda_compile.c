/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_compile.h"

#include "array.h"
#include "cuda_core.h"
#include "err.h"
#include "fatbin.h"
#include "file.h"
#include "instrument_job.h"
#include "module_table.h"
#include "number.h"
#include "str.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT_BYTES (1u << 30)
#define LOG_LIMIT_BYTES  (1u << 20)
#define LOG_LINE_BYTES   200

/* Returns a string property of the device, on the heap. */
static char *device_text(cl_device_id device, cl_device_info property, struct err *err)
{
	size_t bytes = 0;
	char *text;

	if (clGetDeviceInfo(device, property, 0, NULL, &bytes) != CL_SUCCESS)
		bytes = 0;
	text = array_alloc(bytes + 1, 1, "property of the device", err);
	if (text && bytes && clGetDeviceInfo(device, property, bytes, text, NULL) != CL_SUCCESS)
		*text = '\0';
	return text;
}

/* Time limit of the instrumenter; 0: its default. */
static uint64_t limit_ns(void)
{
	const char *name = "WARPLINE_INSTRUMENT_LIMIT", *given = getenv(name);
	uint64_t ns = 0;

	if (given && *given)
		(void)number_parse_seconds(given, name, &ns, NULL);
	return ns;
}

static int set_device(struct instrument_job *job, struct err *err)
{
	cl_device_id device = cuda_core()->device;
	char *extensions = device_text(device, CL_DEVICE_EXTENSIONS, err);
	char *version = device_text(device, CL_DEVICE_VERSION, err);
	int rc = extensions && version ? instrument_job_set_device(job, extensions, version, err)
	                               : ERR_NOMEM;

	free(extensions);
	free(version);
	return rc;
}

/* Request loops over the work-items of a group, as CPU implementations make them. */
static int instrument(struct instrument_job *job, const struct device_image *image, struct err *err)
{
	static const char *const names[] = { [DEVICE_IMAGE_BITCODE] = "module.bc",
		                             [DEVICE_IMAGE_PTX] = "module.ptx",
		                             [DEVICE_IMAGE_CUDA] = "module.cu" };
	const struct job_part part = { .file = names[image->kind],
		                       .name = names[image->kind],
		                       .bytes = image->text.text ? image->text.text : "",
		                       .length = image->text.length,
		                       .options = image->options };
	struct instrument_request *r = &job->request;
	int rc;

	r->limit_ns = limit_ns();
	r->cuda_table = instrument_job_path(job, "cuda.json", err);
	r->keep_device = "1";
	r->door = "text";
	r->records = "none";
	r->mixes_items = "1";
	rc = r->cuda_table ? instrument_job_add(job, &part, err) : ERR_NOMEM;
	if (rc == 0)
		rc = set_device(job, err);
	return rc ? rc : instrument_job_run(job, getenv("WARPLINE_CACHE"), err);
}

/* Get the first line of the build log after ": ", or "" when it is empty. */
static void read_log(cl_program program, char line[LOG_LINE_BYTES])
{
	cl_device_id device = cuda_core()->device;
	size_t bytes = 0;
	const char *from;
	char *log;

	*line = '\0';
	if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) ||
	    bytes > LOG_LIMIT_BYTES)
		return;
	log = calloc(bytes + 1, 1);
	if (log &&
	    !clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL)) {
		from = log + strspn(log, " \t\r\n");
		snprintf(line, LOG_LINE_BYTES, "%s%.*s", *from ? ": " : "",
		         (int)strcspn(from, "\r\n"), from);
	}
	free(log);
}

static int build(const struct str *code, cl_program *out, struct err *err)
{
	struct cuda_core *c = cuda_core();
	const char *text = code->text;
	char line[LOG_LINE_BYTES], *options = instrument_job_build_options(code, err);
	cl_int error = 0;
	int rc;

	if (!options)
		return ERR_NOMEM;
	*out = clCreateProgramWithSource(c->context, 1, &text, &code->length, &error);
	if (*out)
		error = clBuildProgram(*out, 1, &c->device, options, NULL, NULL);
	free(options);
	if (!*out)
		return err_set(err, ERR_DEVICE, "the OpenCL driver cannot create a program: %d",
		               error);
	if (error == CL_SUCCESS)
		return 0;
	read_log(*out, line);
	rc = err_set(err, ERR_DEVICE, "the OpenCL driver cannot build the program: %d%s", error,
	             line);
	clReleaseProgram(*out);
	*out = NULL;
	return rc;
}

static int read_table(const char *path, struct module_table *table, struct err *err)
{
	struct str text;
	int rc;

	str_init(&text, FILE_LIMIT_BYTES);
	rc = file_read(path, &text, err);
	if (rc == 0)
		rc = module_table_parse(table, text.text ? text.text : "", text.length, err);
	str_release(&text);
	return rc;
}

static int read_program(const char *path, cl_program *program, struct err *err)
{
	struct str code;
	int rc;

	str_init(&code, FILE_LIMIT_BYTES);
	rc = file_read(path, &code, err);
	if (rc == 0 && !code.length)
		rc = err_set(err, ERR_FORMAT, "%s is empty", path);
	if (rc == 0)
		rc = build(&code, program, err);
	str_release(&code);
	return rc;
}

static bool is_kept(void)
{
	const char *keep = getenv("WARPLINE_KEEP");

	return keep && *keep && strcmp(keep, "0") != 0;
}

int cuda_compile(const struct device_image *image, cl_program *program, struct module_table *table,
                 struct err *err)
{
	const char *instrumenter = getenv("WARPLINE_INSTRUMENT");
	struct instrument_job job;
	int rc = instrument_job_init(&job, instrumenter && *instrumenter ? instrumenter : NULL,
	                             "program.cl", err);

	*table = (struct module_table){ .kernel_count = 0 };
	*program = NULL;
	if (rc == 0)
		rc = instrument(&job, image, err);
	if (rc == 0)
		rc = read_table(job.request.cuda_table, table, err);
	/* A module with variables only has no code to build. */
	if (rc == 0 && table->kernel_count)
		rc = read_program(job.request.output, program, err);
	instrument_job_release(&job, is_kept());
	return rc;
}

#define BITCODE_WRAPPER 0x0B17C0DEu
#define BITCODE_MAGIC   0xDEC04342u
#define WORD            ((size_t)4)

static uint32_t word_at(const unsigned char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/*
 * Whether a unit begins with this word. A unit begins with the abbreviation 1 in two bits, its
 * number (8 bits at a time) and the width of its abbreviations (4 at a time); its size in words is
 * at the next multiple of 32 bits. The top-level units of a file have the numbers 8 (module), 13
 * (identification), 23 (names) and 25 (symbols), which all fit in 8 bits.
 */
static bool is_unit(uint32_t first)
{
	uint32_t number = first >> 2 & 0xff, width = first >> 10 & 0xf;

	return (first & 3) == 1 && first >> 14 == 0 && width < 8 &&
	       (number == 8 || number == 13 || number == 23 || number == 25);
}

size_t bitcode_extent(const void *data, size_t limit)
{
	const unsigned char *bytes = data;
	size_t at = WORD;

	if (limit >= 5 * WORD && word_at(bytes) == BITCODE_WRAPPER) {
		uint64_t end = (uint64_t)word_at(bytes + 2 * WORD) + word_at(bytes + 3 * WORD);

		return end <= limit ? (size_t)end : 0;
	}
	if (limit < WORD || word_at(bytes) != BITCODE_MAGIC)
		return 0;
	while (limit - at >= 2 * WORD && is_unit(word_at(bytes + at))) {
		uint64_t size = (uint64_t)word_at(bytes + at + WORD) * WORD + 2 * WORD;

		if (size > limit - at)
			return 0;
		at += (size_t)size;
	}
	return at > WORD ? at : 0;
}

#define LIMIT_BYTES   (1u << 30)
#define WRAPPER_MAGIC 0x466243b1u
#define ELF_MAGIC     0x464c457fu

struct wrapper {
	uint32_t magic, version;
	const void *data;
	const void *more;
};

/* A search for the segment that contains an address. */
struct segment_search {
	uintptr_t address;
	size_t left; /* bytes from the address to the segment's end */
};

static int look_at_object(struct dl_phdr_info *object, size_t size, void *context)
{
	struct segment_search *s = context;

	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD || s->address < begin || s->address - begin >= p->p_memsz)
			continue;
		s->left = p->p_memsz - (s->address - begin);
		return 1;
	}
	return 0;
}

/* Returns the bytes that may be read at `data`: those to the end of its segment. On the heap the
 * code itself must give its length. */
static size_t readable(const void *data)
{
	struct segment_search s = { (uintptr_t)data, 0 };

	return dl_iterate_phdr(look_at_object, &s) ? s.left : SIZE_MAX / 2;
}

/* Take the entry if it is PTX for a higher architecture than the best so far. */
static int consider(struct device_image *image, const struct fatbin_entry *entry, unsigned *best,
                    struct err *err)
{
	if (entry->kind != FATBIN_PTX || entry->arch < *best)
		return 0;
	*best = entry->arch;
	image->kind = DEVICE_IMAGE_PTX;
	str_release(&image->text);
	str_init(&image->text, LIMIT_BYTES);
	return fatbin_unpack(entry, &image->text, err);
}

static int take_fatbin(struct device_image *image, const void *data, size_t length, struct err *err)
{
	struct fatbin_entry entry;
	struct fatbin f;
	unsigned best = 0, machine = 0;
	int rc = fatbin_open(&f, data, length, err);

	while (rc == 0 && (rc = fatbin_next(&f, &entry, err)) > 0) {
		if (entry.kind == FATBIN_ELF)
			machine = entry.arch;
		rc = consider(image, &entry, &best, err);
	}
	if (rc == 0 && image->kind != DEVICE_IMAGE_PTX)
		rc = err_set(err, ERR_UNSUPPORTED,
		             machine ? "the program holds machine code for sm_%u alone, no PTX: "
		                       "build it with -gencode arch=compute_%u,code=compute_%u"
		                     : "the fat binary holds no PTX",
		             machine, machine, machine);
	/* A NUL that ends the text is not part of it. */
	while (rc == 0 && image->text.length && !image->text.text[image->text.length - 1])
		image->text.length--;
	return rc;
}

/* After the mark: a line of options, then the source. */
static int take_source(struct device_image *image, const char *text, size_t bytes, struct err *err)
{
	size_t head = strlen(DEVICE_IMAGE_SOURCE);
	size_t line = head + strcspn(text + head, "\n");

	image->kind = DEVICE_IMAGE_CUDA;
	image->options = str_format(err, "%.*s", (int)(line - head), text + head);
	line += line < bytes;
	return image->options ? str_append(&image->text, text + line, bytes - line, err)
	                      : ERR_NOMEM;
}

static int take_text(struct device_image *image, const char *text, size_t length, struct err *err)
{
	size_t bytes = strnlen(text, length < LIMIT_BYTES ? length : LIMIT_BYTES);

	if (bytes < length && bytes >= strlen(DEVICE_IMAGE_SOURCE) &&
	    !memcmp(text, DEVICE_IMAGE_SOURCE, strlen(DEVICE_IMAGE_SOURCE)))
		return take_source(image, text, bytes, err);

	if (!memmem(text, bytes, ".version", strlen(".version")))
		return err_set(err, ERR_FORMAT,
		               "device code that is neither PTX, nor bitcode, nor a fat binary");
	image->kind = DEVICE_IMAGE_PTX;
	return str_append(&image->text, text, bytes, err);
}

int device_image_init(struct device_image *image, const void *data, size_t length, struct err *err)
{
	struct wrapper wrapper;
	uint32_t magic = 0;
	size_t bytes;

	*image = (struct device_image){ .kind = DEVICE_IMAGE_BITCODE };
	str_init(&image->text, LIMIT_BYTES);
	length = length ? length : readable(data);
	if (length >= sizeof(magic))
		memcpy(&magic, data, sizeof(magic));
	if (magic == WRAPPER_MAGIC && length >= sizeof(wrapper)) {
		memcpy(&wrapper, data, sizeof(wrapper));
		data = wrapper.data;
		length = data ? readable(data) : 0;
		magic = 0;
		if (length >= sizeof(magic))
			memcpy(&magic, data, sizeof(magic));
	}
	if (magic == FATBIN_MAGIC)
		return take_fatbin(image, data, length, err);
	if (magic == ELF_MAGIC)
		return err_set(err, ERR_UNSUPPORTED,
		               "the module is machine code (cubin): only PTX can be traced");
	if (!data || !length)
		return err_set(err, ERR_FORMAT, "there is no device code");
	bytes = bitcode_extent(data, length);
	return bytes ? str_append(&image->text, data, bytes, err)
	             : take_text(image, data, length, err);
}

void device_image_release(struct device_image *image)
{
	str_release(&image->text);
	free(image->options);
	*image = (struct device_image){ .kind = DEVICE_IMAGE_BITCODE };
}
