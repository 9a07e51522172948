warpline export vadd | head -5; warpline export --launch 0 --format u64 vadd | head -c 16 | od -An -tx1; warpline export --launch 0 atomics | tail -3
