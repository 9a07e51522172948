warpline record -- sh -c "exit 5"
