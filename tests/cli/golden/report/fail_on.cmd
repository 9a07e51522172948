warpline report --fail-on uncoalesced strided >/dev/null
