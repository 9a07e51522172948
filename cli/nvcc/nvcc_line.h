/*
 * nvcc_line - parses a command line of nvcc.
 *
 * Every option of nvcc 11 to 13 has a row in nvcc_options.def: it is translated for clang, ignored
 * or refused, with a reason. Options files (@FILE, -optf FILE) are read in place. Whether source
 * files exist is not checked.
 */
#ifndef NVCC_LINE_H
#define NVCC_LINE_H

#include "word_list.h"

#include <stdbool.h>

struct err;

/* What an option does; with its text in the table. */
enum nvcc_meaning {
	NVCC_IGNORE, /* nothing; the reason */
	NVCC_REFUSE, /* an error; the reason */
	NVCC_DEFINE, /* defines a macro for host and device, for one value */
	NVCC_BOTH,   /* clang's option for host and device */
	NVCC_HOST,
	NVCC_DEVICE,
	NVCC_DEVICE_CHOICE, /* clang's option for the device, for one value */
	NVCC_LINK,
	NVCC_LIBRARY,      /* a library to link, unless every program is linked with it */
	NVCC_HOST_WORDS,   /* options of the host compiler, separated by commas or blanks */
	NVCC_LINKER_WORDS, /* of the linker */
	NVCC_COMPILE,      /* what to make */
	NVCC_PREPROCESS,
	NVCC_DEVICE_LINK,
	NVCC_ARCHIVE,
	NVCC_OUTPUT,
	NVCC_OUTPUT_FOLDER,
	NVCC_LANGUAGE,
	NVCC_MACHINE,
	NVCC_ARCHITECTURE,
	NVCC_RUNTIME,
	NVCC_HOST_COMPILER,
	NVCC_TOOLKIT,
	NVCC_OPTIONS_FILE,
	NVCC_FORWARD,
	NVCC_DRY,
	NVCC_VERBOSE,
	NVCC_VERSION,
};

/* What to make of the sources. */
enum nvcc_product {
	NVCC_MAKE_PROGRAM,
	NVCC_MAKE_OBJECT,
	NVCC_MAKE_TEXT, /* -E, -M, -MM */
	NVCC_MAKE_DEVICE_LINK,
	NVCC_MAKE_ARCHIVE,
};

struct nvcc_line {
	struct word_list sources; /* compiled */
	struct word_list inputs;  /* of the linker, in order; "" stands for a source's object */
	struct word_list both, host, device, link; /* options for clang */
	struct word_list host_words;               /* for compiling host code and for linking */
	struct word_list ignored;                  /* options that had no effect, as written */
	struct word_list values;                   /* from which the strings below are borrowed */
	const char *output, *folder, *language, *host_compiler, *toolkit; /* NULL: not given */
	enum nvcc_product product;
	unsigned arch;    /* 80 for sm_80; 0: not given */
	bool has_runtime; /* libcudart is linked */
	bool forwards;    /* unknown options are the host's */
	bool is_dry, is_verbose, wants_version;
};

/*
 * Read `argv` (count words, without the program's name). Release *l in every case. Returns 0;
 * ERR_USAGE with a sentence that names the option; ERR_IO, ERR_LIMIT for options files; ERR_NOMEM.
 */
int nvcc_line_read(struct nvcc_line *l, const char *const *argv, size_t count, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void nvcc_line_release(struct nvcc_line *l);

/* Returns the language of a file: "cuda", "c", "c++"; NULL: it is an input of the linker. */
const char *nvcc_line_language(const struct nvcc_line *l, const char *file);

/*
 * The GPU that device code is compiled for, from the values of -arch, -code and -gencode. Warpline
 * runs device code on any device; the number is the value of __CUDA_ARCH__, which programs test.
 * Numbers that clang does not know become the next lower one that it knows (cuda_target.h).
 */
enum { NVCC_ARCH_DEFAULT = 80 };

/* Returns the highest sm_NN or compute_NN in the value; 0 if there is none (native, all). */
unsigned nvcc_arch_parse(const char *value);

/* Returns the number for clang for `arch`; 0: the default. */
unsigned nvcc_arch_for_clang(unsigned arch);

#endif
