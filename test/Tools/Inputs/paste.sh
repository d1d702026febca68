# What `--dump-pass-pipeline` has printed into a file, pasted into a stock mlir-opt: paste.sh MLIR_OPT PLUGIN FILE PROGRAM.
# The first line says how many passes there are. Our own driver prints the names of values unasked.
exec "$1" --mlir-use-nameloc-as-prefix --load-dialect-plugin="$2" --load-pass-plugin="$2" --pass-pipeline="$(sed 1d "$3")" "$4"
