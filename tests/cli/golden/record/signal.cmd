warpline record sh -c "kill -TERM \$\$"
