// What expressions of ptx_steps.def use that CUDA C++ has no words for.
#define SHIFT(type, name, text, letter)                                                            \
	static __device__ type name(type x, unsigned y)                                            \
	{                                                                                          \
		type r;                                                                            \
		asm(text " %0, %1, %2;" : "=" letter(r) : letter(x), "r"(y));                      \
		return r;                                                                          \
	}
#define TERNARY(type, name, text, letter)                                                          \
	static __device__ type name(type x, unsigned y, unsigned z)                                \
	{                                                                                          \
		type r;                                                                            \
		asm(text " %0, %1, %2, %3;" : "=" letter(r) : letter(x), "r"(y), "r"(z));          \
		return r;                                                                          \
	}
#define INSERT(type, name, text, letter)                                                           \
	static __device__ type name(type x, type b, unsigned y, unsigned z)                        \
	{                                                                                          \
		type r;                                                                            \
		asm(text " %0, %1, %2, %3, %4;"                                                    \
		    : "=" letter(r) : letter(x), letter(b), "r"(y), "r"(z));                       \
		return r;                                                                          \
	}
#define OPAQUE(type, text, letter)                                                                 \
	static __device__ type opaque(type x)                                                      \
	{                                                                                          \
		type r;                                                                            \
		asm volatile(text " %0, %1;" : "=" letter(r) : letter(x));                         \
		return r;                                                                          \
	}

typedef unsigned long long word;

SHIFT(unsigned, shl_b32, "shl.b32", "r")
SHIFT(unsigned, shr_u32, "shr.u32", "r")
SHIFT(long long, shr_s64, "shr.s64", "l")
TERNARY(unsigned, bfe_u32, "bfe.u32", "r")
TERNARY(int, bfe_s32, "bfe.s32", "r")
TERNARY(unsigned, prmt_b32, "prmt.b32", "r")
INSERT(unsigned, bfi_b32, "bfi.b32", "r")
INSERT(word, bfi_b64, "bfi.b64", "l")
OPAQUE(int, "mov.b32", "r")
OPAQUE(unsigned, "mov.b32", "r")
OPAQUE(long long, "mov.b64", "l")
OPAQUE(word, "mov.b64", "l")
