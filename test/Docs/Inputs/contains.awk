# contains.awk BLOCK OUTPUT: whether the lines of BLOCK stand in OUTPUT, one after the other.
FNR == NR { block = block $0 "\n"; next }
{ output = output $0 "\n" }
END { if (!index(output, block)) { print "not in the output:\n" block; exit 1 } }
