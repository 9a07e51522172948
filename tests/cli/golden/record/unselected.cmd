warpline record -o out make_recordings --here unselected; echo $?; warpline report --fail-on any out; echo $?
