# Each command says by its own name that the recording's list is applied.
make_recordings listed; for command in replay report 'diff listed' 'query --of kernels'; do warpline $command listed >out; echo "$command: exit $?"; done; warpline report --bypass none listed >out; echo "exit $?"
