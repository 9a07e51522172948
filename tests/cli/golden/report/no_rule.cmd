warpline report --fail-on minor,no-rule reused
