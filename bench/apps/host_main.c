/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 32, NAME_BYTES = 256, MAX_GROUP = 65536, MAX_REPEAT = 100000 };

static void print_help(const struct host_spec *s)
{
	printf("Usage: %s [OPTION]...\n%s\n\n"
	       "  --size N         %s (%zu to %zu; default %zu)\n"
	       "  --group X[xYxZ]  work-group size (default %zux%zux%zu)\n"
	       "  --repeat R       run R times, report the best time (default 1)\n"
	       "  --platform P     OpenCL platform: its number, or a part of its name or vendor "
	       "(default 0)\n"
	       "  -h, --help       print this\n\n"
	       "Prints one line: NAME size= group= kernel_ms= device_ms= checksum=\n"
	       "Ends with 0, 1 for a wrong result or an OpenCL error, 2 for wrong usage.\n",
	       s->name, s->summary, s->size_text, s->size_min, s->size_max, s->size, s->group[0],
	       s->group[1], s->group[2]);
	for (unsigned i = 0; s->inputs && s->inputs[i]; i++)
		printf("%s%s", i == 0 ? "Inputs that --input NAME chooses: " : ", ", s->inputs[i]);
	if (s->inputs)
		printf("; the first is the default.\n");
}

/* A number from min to max at *text; *end is where it stops. False if there is none. */
static bool parse_number(const char *text, char **end, size_t min, size_t max, size_t *out)
{
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	unsigned long long value = strtoull(text, end, 10);

	*out = (size_t)value;
	return errno == 0 && value >= min && value <= max;
}

static size_t number_option(const struct host *host, const char *option, const char *text,
                            size_t min, size_t max)
{
	char *end;
	size_t value;

	if (!parse_number(text, &end, min, max, &value) || *end)
		host_usage(host, "%s: '%s' is not a number from %zu to %zu", option, text, min,
		           max);
	return value;
}

static void parse_group(struct host *host, const char *text)
{
	size_t group[3] = { 1, 1, 1 };
	const char *p = text;
	unsigned d = 0;

	for (;;) {
		char *end;

		if (d == host->spec->dimensions || !parse_number(p, &end, 1, MAX_GROUP, &group[d]))
			break;
		d++;
		if (*end == '\0') {
			memcpy(host->group, group, sizeof(group));
			return;
		}
		if (*end != 'x')
			break;
		p = end + 1;
		/* Three sizes are always allowed; those beyond the program's are 1. */
		if (d == host->spec->dimensions && (!strcmp(p, "1") || !strcmp(p, "1x1"))) {
			memcpy(host->group, group, sizeof(group));
			return;
		}
	}
	host_usage(host, "--group: '%s' is not 1 to %u sizes from 1 to %d, as in 16x16", text,
	           (unsigned)host->spec->dimensions, (int)MAX_GROUP);
}

static void parse_input(struct host *host, const char *text)
{
	const char *const *inputs = host->spec->inputs;

	for (unsigned i = 0; inputs && inputs[i]; i++) {
		if (!strcmp(inputs[i], text)) {
			host->input = i;
			return;
		}
	}
	host_usage(host, "--input: there is no input '%s'; see -h", text);
}

static void parse_options(struct host *host, int argc, char **argv)
{
	static const struct option options[] = {
		{ "size", required_argument, NULL, 's' },
		{ "group", required_argument, NULL, 'g' },
		{ "input", required_argument, NULL, 'i' },
		{ "repeat", required_argument, NULL, 'r' },
		{ "platform", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const struct host_spec *s = host->spec;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (c) {
		case 's':
			host->size =
				number_option(host, "--size", optarg, s->size_min, s->size_max);
			break;
		case 'g':
			parse_group(host, optarg);
			break;
		case 'i':
			parse_input(host, optarg);
			break;
		case 'r':
			host->repeat =
				(unsigned)number_option(host, "--repeat", optarg, 1, MAX_REPEAT);
			break;
		case 'p':
			host->platform = optarg;
			break;
		case 'h':
			print_help(s);
			exit(0);
		default: /* getopt_long() has said why */
			exit(2);
		}
	}
	if (optind < argc)
		host_usage(host, "unexpected argument '%s'", argv[optind]);
}

/* Whether the platform's name or vendor has `word` in it, in any case. */
static bool platform_matches(const struct host *host, cl_platform_id platform, const char *word)
{
	char name[NAME_BYTES] = "", vendor[NAME_BYTES] = "";

	host_check(host, clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name), name, NULL),
	           "clGetPlatformInfo");
	host_check(host,
	           clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof(vendor), vendor, NULL),
	           "clGetPlatformInfo");
	return strcasestr(name, word) || strcasestr(vendor, word);
}

static cl_platform_id choose_platform(const struct host *host)
{
	cl_platform_id platforms[MAX_PLATFORMS];
	cl_uint count = 0;
	cl_int status = clGetPlatformIDs(MAX_PLATFORMS, platforms, &count);
	char *end;
	size_t number;

	/* -1001 is the loader's word for no platform at all. */
	if (status == -1001 || (status == CL_SUCCESS && count == 0))
		host_fail(host, "there is no OpenCL platform");
	host_check(host, status, "clGetPlatformIDs");
	if (count > MAX_PLATFORMS)
		count = MAX_PLATFORMS;
	if (!host->platform)
		return platforms[0];
	if (parse_number(host->platform, &end, 0, count - 1, &number) && *end == '\0')
		return platforms[number];
	for (cl_uint i = 0; i < count; i++)
		if (platform_matches(host, platforms[i], host->platform))
			return platforms[i];
	host_usage(host,
	           "--platform: '%s' is neither a number below %u nor a part of a "
	           "platform's name or vendor",
	           host->platform, (unsigned)count);
}

static void open_device(struct host *host)
{
	cl_platform_id platform = choose_platform(host);
	cl_int status;

	host_check(host, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &host->device, NULL),
	           "clGetDeviceIDs");
	host->context = clCreateContext(NULL, 1, &host->device, NULL, NULL, &status);
	host_check(host, status, "clCreateContext");
	host->queue = clCreateCommandQueue(host->context, host->device, CL_QUEUE_PROFILING_ENABLE,
	                                   &status);
	host_check(host, status, "clCreateCommandQueue");
}

static void build_program(struct host *host)
{
	const char *source = host_kernel_source;
	cl_int status;

	host->program = clCreateProgramWithSource(host->context, 1, &source, NULL, &status);
	host_check(host, status, "clCreateProgramWithSource");
	status = clBuildProgram(host->program, 1, &host->device, NULL, NULL, NULL);
	if (status == CL_BUILD_PROGRAM_FAILURE) {
		static char log[16384];

		clGetProgramBuildInfo(host->program, host->device, CL_PROGRAM_BUILD_LOG,
		                      sizeof(log) - 1, log, NULL);
		host_fail(host, "the kernel does not compile:\n%s", log);
	}
	host_check(host, status, "clBuildProgram");
}

void host_open(struct host *host)
{
	open_device(host);
	build_program(host);
}

void host_close(struct host *host)
{
	clReleaseProgram(host->program);
	clReleaseCommandQueue(host->queue);
	clReleaseContext(host->context);
}

int host_main(int argc, char **argv, const struct host_spec *spec)
{
	struct host host = {
		.spec = spec, .size = spec->size, .repeat = 1, .kernel_ms = -1, .device_ms = -1
	};

	memcpy(host.group, spec->group, sizeof(host.group));
	parse_options(&host, argc, argv);
	host_open(&host);
	spec->run(&host);
	printf("%s size=%zu group=%zux%zux%zu kernel_ms=%.3f device_ms=%.3f checksum=%016" PRIx64
	       "\n",
	       spec->name, host.size, host.group[0], host.group[1], host.group[2], host.kernel_ms,
	       host.device_ms, host.checksum);
	host_close(&host);
	return fflush(stdout) == 0 ? 0 : 1;
}
