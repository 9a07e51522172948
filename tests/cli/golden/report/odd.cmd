warpline report sides; warpline report atomics; warpline report deep
