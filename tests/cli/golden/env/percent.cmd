mkdir "100%p"; cd "100%p"; warpline env -o rec | grep DIR
