/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that make it hard for a library in their process, one per argument. Each launches `add`
 * over 64 ints in place, which adds 5, and prints the first of them.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST_FD 3
#define LAST_FD  1023
#define MANY     40

static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem mem;
static const char *self;

static void start(void)
{
	const char *text = "__kernel void add(__global int *a) { a[get_global_id(0)] += 5; }";
	cl_platform_id platform;
	cl_context context;
	cl_device_id device;
	cl_program program;
	int first[64] = { 0 };

	clGetPlatformIDs(1, &platform, NULL);
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
	kernel = clCreateKernel(program, "add", NULL);
	mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(first), first, NULL);
	clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem);
}

static void launch(int times)
{
	size_t global = 64, local = 16;

	while (times-- > 0)
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

static void show(void)
{
	int value = -1;

	clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
	printf("%d\n", value);
	fflush(stdout);
}

static void end_by(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static void terminated(void)
{
	end_by(SIGTERM);
}

static void interrupted(void)
{
	end_by(SIGINT);
}

static void crashed(void)
{
	end_by(SIGSEGV);
}

static void aborted(void)
{
	signal(SIGABRT, SIG_DFL);
	abort();
}

static void close_all(void)
{
	for (int fd = FIRST_FD; fd <= LAST_FD; fd++)
		close(fd);
}

static void closes_all(void)
{
	close_all();
	launch(1);
	show();
}

/* Every number that may have been the recorder's is now that of a file of the program's. */
static void reuses_all(void)
{
	char path[] = "/tmp/warpline-test-XXXXXX";
	struct stat facts;
	int file = mkstemp(path);

	for (int fd = FIRST_FD; fd < LAST_FD; fd++)
		if (fd != file)
			dup2(file, fd);
	launch(1);
	show();
	if (fstat(file, &facts) == 0)
		printf("%lld bytes of others\n", (long long)facts.st_size);
	unlink(path);
}

/* A program without standard streams gets number 0 for its first file. */
static void has_no_streams(void)
{
	int out = dup(STDOUT_FILENO);

	for (int fd = 0; fd < FIRST_FD; fd++)
		close(fd);
	launch(1);
	clFinish(queue);
	dprintf(out, "file %d\n", open("/dev/null", O_RDONLY));
}

static void has_little_room(void)
{
	const struct rlimit little = { 6000, 6000 };

	signal(SIGXFSZ, SIG_DFL); /* who started us may ignore them */
	signal(SIGPIPE, SIG_DFL);
	setrlimit(RLIMIT_FSIZE, &little);
	launch(MANY);
	show();
}

static void has_a_broken_stderr(void)
{
	int ends[2];

	if (pipe(ends) == 0) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
	}
	has_little_room();
}

static void forks_and_executes(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		execl(self, self, "plainly", (char *)NULL);
		_exit(9);
	}
	if (waitpid(child, &status, 0) == child && WIFEXITED(status))
		printf("child %d\n", WEXITSTATUS(status));
	launch(1);
	show();
}

static void executes(void)
{
	execl(self, self, "plainly", (char *)NULL);
}

static void leave(int number)
{
	_exit(3);
}

/* Ends in a signal's handler, wherever the program is at that moment. */
static void leaves_in_a_handler(void)
{
	signal(SIGALRM, leave);
	ualarm(1 + (unsigned)getpid() % 20000, 0);
	for (;;)
		launch(1);
}

static void goes_on(void)
{
	for (int i = 0; i < 400; i++) {
		launch(1);
		if (i % 8 == 0)
			clFinish(queue);
	}
}

static void plainly(void)
{
}

int main(int argc, char **argv)
{
	static const struct {
		const char *way;
		void (*run)(void);
	} ways[] = {
#define WAY(name) { #name, name },
		WAY(plainly) WAY(terminated) WAY(interrupted) WAY(crashed) WAY(aborted)
			WAY(closes_all) WAY(reuses_all) WAY(has_no_streams) WAY(has_little_room)
				WAY(has_a_broken_stderr) WAY(forks_and_executes) WAY(executes)
					WAY(leaves_in_a_handler) WAY(goes_on)
#undef WAY
	};

	self = argv[0];
	start();
	launch(1);
	show();
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].way))
			ways[i].run();
	return 0;
}
