# The front door. `make demo` and `make test` work as the first command on a fresh Debian 12 with git and make.
.PHONY: help setup build runtime data demo train-toy model ablation test check-release check-asan tsan bench lint format format-check fuzz clean

help:
	@echo 'make demo     show what works, end to end'
	@echo 'make test     build and run all checks'
	@echo 'make build    build/release/pdvc and build/release/pdvc-train'
	@echo 'make runtime  only build/release/pdvc, without LibTorch'
	@echo 'make train-toy  train on a small corpus and say what was learnt'
	@echo 'make model    make the model that ships again: films, features, training, scores'
	@echo 'make ablation train its variants and compare them (after make model)'
	@echo 'make bench    benchmarks      make fuzz    fuzz each reader (SECONDS=600 each)'
	@echo 'make lint     clang-tidy      make format  clang-format      make tsan  tests under ThreadSanitizer'

setup:
	@tools/setup --check >/dev/null || tools/setup

# Presets: see CMakePresets.json. Configuring again costs a second and picks up new files.
build/%/configured: setup
	@cmake --preset $* >/dev/null
.PRECIOUS: build/%/configured

build: build/release/configured
	@cmake --build build/release

runtime:
	@tools/setup --runtime --check >/dev/null || tools/setup --runtime
	@cmake --preset runtime >/dev/null
	@cmake --build build/release

# Only the runtime, unless more is built already.
demo:
	@if grep -qs PDVC_TRAINER:BOOL=ON build/release/CMakeCache.txt; then cmake --build build/release --target pdvc; else $(MAKE) --no-print-directory runtime; fi
	@tools/demo

# What METEOR's tests need. Where the registry cannot be reached they are skipped.
data: build
	@build/release/pdvc fetch meteor --quiet || echo "METEOR's data cannot be had now; tests that need it are skipped"

# One after another: each build uses all cores by itself.
test: setup
	@$(MAKE) --no-print-directory format-check
	@$(MAKE) --no-print-directory check-release
	@$(MAKE) --no-print-directory check-asan
	@$(MAKE) --no-print-directory fuzz SECONDS=3

check-release: build data
	@ctest --test-dir build/release --output-on-failure --no-tests=error -j2

check-asan: build/asan/configured data
	@cmake --build build/asan
	@ctest --test-dir build/asan --output-on-failure --no-tests=error -j2

tsan: build/tsan/configured
	@cmake --build build/tsan
	@ctest --test-dir build/tsan --output-on-failure --no-tests=error -j2

SECONDS ?= 600
fuzz: build/fuzz/configured
	@cmake --build build/fuzz
	@tools/fuzz $(SECONDS)

# Films, features, training, scores; what is finished is kept.
model: build data
	@tools/make_model

ablation: model
	@tools/ablation

bench: build
	@cmake --preset release -DPDVC_BENCH=ON >/dev/null
	@cmake --build build/release
	@tools/bench

# Both models from scratch on a small corpus, and what they have learnt (up to 40 minutes; needs ../shared).
train-toy: build data
	@cmake --preset release -DPDVC_BENCH=ON >/dev/null
	@cmake --build build/release
	@tools/train_toy

sources = $(shell git ls-files '*.cpp' '*.h')
format: setup
	@clang-format-16 -i $(sources)

format-check: setup
	@clang-format-16 --dry-run --Werror $(sources)

lint: build/fuzz/configured
	@cmake --preset fuzz -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
	@cmake --build build/fuzz --target write_version >/dev/null
	@run-clang-tidy-16 -quiet -p build/fuzz '(src|app)/.*\.cpp$$'

clean:
	@rm -rf build
