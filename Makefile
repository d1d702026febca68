# make demo      install what is missing, build, run Harris and unsharp on photographs, say where the pictures and the PTX are
# make test      install what is missing, build, and run every test
# make docs      write the generated parts of docs/, README.md and CONTRIBUTING.md anew
# make accuracy  measure the functions of --expand-math, and write the table of docs/accuracy.md anew: a quarter of an hour
# make wheel     the Python package, with the compiler in it: out/wheels
# make bench     how long the tools take
# make bench-cpu our CPU code and Halide's, in turn: docs/benchmarks.md; an hour
# make bench-gpu our kernels and Halide's, counted by the executor (on a GPU also timed): docs/benchmarks.md; many hours

LLVM := $(or $(MLIR_SYS_220_PREFIX),/usr/lib/llvm-22)
export PATH := $(LLVM)/bin:$(PATH)
BIN := target/release

.PHONY: setup build test demo docs accuracy wheel bench bench-cpu bench-gpu clean

setup:
	@tools/setup

build: setup
	cargo build --release --workspace

test: build
	cargo fmt --check
	cargo clippy --release --workspace --all-targets -- -D warnings
	# Links in comments lead somewhere.
	RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps --document-private-items --quiet
	# Freed memory is overwritten: what is used after it was freed shows.
	MALLOC_PERTURB_=165 cargo test --release --workspace --quiet
	test/venv
	test/emulator
	lit -sv test

demo: build
	@mkdir -p out
	$(BIN)/pipeline-run examples/harris.mlir --arg img=examples/data/camera.png --out harris=out/harris.png --normalize
	$(BIN)/pipeline-run examples/unsharp.mlir --arg img=examples/data/chelsea.png --out sharp=out/unsharp.png
	$(BIN)/pipeline-translate --mlir-to-ptx examples/harris.mlir -o out/harris.ptx
	$(BIN)/pipeline-translate --mlir-to-ptx examples/unsharp.mlir -o out/unsharp.ptx
	$(BIN)/pipeline-translate --to-svg examples/harris.mlir -o out/harris.svg
	@echo "pictures, PTX and the stage graph of Harris are in out/:"
	@ls out

docs: build
	docs/generate docs
	docs/fill README.md CONTRIBUTING.md docs/walk.md docs/clock.md docs/files.md docs/forma.md

accuracy: build
	test/venv
	PATH=$(BIN):$$PATH test/.venv/bin/python test/Integration/Inputs/accuracy.py out/accuracy --more 262144 --every 17 --write docs/accuracy.md

wheel: build
	frontends/python/wheel

bench: build
	bench/startup

bench-cpu: build
	mkdir -p out
	bench/halide/run --json out/bench-cpu.json

bench-gpu: build
	mkdir -p out
	bench/halide-gpu/run --write docs/benchmarks.md

clean:
	cargo clean
	rm -rf out
