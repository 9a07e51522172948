/*
 * register_choice - the options that give the registers of a work-item: --registers and --ptxas.
 */
#ifndef REGISTER_CHOICE_H
#define REGISTER_CHOICE_H

#include "options.h"
#include "ptxas_log.h"

struct err;
struct recording;

/* In the command's settings. */
struct register_choice {
	struct option_number registers;
	const char *ptxas;
};

/* The rows of these options, for settings of `type` with the struct as `member`. */
#define REGISTER_CHOICE_ROWS(type, member)                                                         \
	{ .name = "registers",                                                                     \
	  .argument = "N",                                                                         \
	  .kind = OPTION_NUMBER,                                                                   \
	  .offset = offsetof(type, member.registers),                                              \
	  .max = 65536,                                                                            \
	  .text = "registers that a work-item needs (default: no limit by registers)" },           \
		{ .name = "ptxas",                                                                 \
		  .argument = "FILE[@sm_NN]",                                                      \
		  .kind = OPTION_TEXT,                                                             \
		  .offset = offsetof(type, member.ptxas),                                          \
		  .text = "take each kernel's registers from the output of 'ptxas -v'" }

/* Where registers come from, by the options. Release with register_source_release() in every case.
 */
struct register_source {
	uint32_t registers; /* 0: not given */
	bool has_log;
	struct ptxas_log log;
};

/* Returns 0, ERR_USAGE when both options are given, or what ptxas_log_load() returns. */
int register_source_open(struct register_source *s, const struct register_choice *c,
                         struct err *err);
void register_source_release(struct register_source *s);

/*
 * Registers of a kernel; 0: not known. A kernel that the log lacks is reported on stderr as
 * `command`. Returns 0 or an error of ptxas_log_find(); ERR_USAGE for a log without a kernel to
 * look up (`kernel` is NULL).
 */
int register_source_find(const struct register_source *s, const char *command, const char *kernel,
                         uint32_t *registers, struct err *err);

/*
 * Read the source that the choice names and find the registers of each kernel that has launches.
 * Returns r->kernel_count numbers, 0 for other kernels; free(). NULL with *err set.
 */
uint32_t *register_choice_kernels(const struct register_choice *c, const char *command,
                                  const struct recording *r, struct err *err);

#endif
