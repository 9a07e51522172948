/* What the cases need of CUDA, without a toolkit. */
#define __global__   extern "C" __attribute__((global))
#define __device__   __attribute__((device))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define ITEM         __nvvm_read_ptx_sreg_tid_x()
#define ITEMS        __nvvm_read_ptx_sreg_ntid_x()
#define GROUP        __nvvm_read_ptx_sreg_ctaid_x()
#define GROUPS       __nvvm_read_ptx_sreg_nctaid_x()
