#!/usr/bin/env bash
# Everything a newcomer types. `./x` alone prints what there is.
set -euo pipefail
cd "$(dirname "$0")"

packages=(llvm-22-dev libmlir-22-dev mlir-22-tools libclang-22-dev clang-22 llvm-22-tools
  libpolly-22-dev libclc-22 libzstd-dev gcc libc6-dev python3)
llvm=/usr/lib/llvm-22

usage() {
  cat <<'TXT'
./x run PROG.fut [ARG...]   build futc, compile PROG.fut, run it on its first example input
./x test                    every test: units, runtime, lit, programs on every target
./x lint                    formatting, lints, tidiness and crate walls
./x bless                   rewrite the expectations of snapshot tests
./x bench                   the compiler's benchmarks
./x conformance DIR         futc test over a checkout's tests/ directory; rewrites docs/conformance.md
./x setup                   install what is missing from the distribution's packages
TXT
}

# Installs what is missing, after saying so.
setup() {
  local missing=()
  for p in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$p" 2>&1 | grep -q '^install ok installed' || missing+=("$p")
  done
  if ! command -v cargo >/dev/null; then
    echo "x: cargo is not on the PATH; install Rust 1.95 or later first" >&2
    exit 2
  fi
  if [ ${#missing[@]} -eq 0 ]; then
    return
  fi
  echo "x: installing from the distribution's packages: ${missing[*]}"
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get -qq update
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get -qq install -y --no-install-recommends \
    "${missing[@]}" >/dev/null
}

# Runs one step of the tests and remembers whether it failed.
failed=()
step() {
  local name=$1
  shift
  echo "== $name"
  local start=$SECONDS
  if "$@"; then
    echo "== $name: ok ($((SECONDS - start)) s)"
  else
    failed+=("$name")
    echo "== $name: FAILED ($((SECONDS - start)) s)"
  fi
}

programs() { # target
  "$futc" test --no-terminal --backend="$1" --timeout=60 examples lit-tests/programs | grep -v ': ok$'
  return "${PIPESTATUS[0]}"
}

emit_everything() {
  local scratch ok=0
  scratch=$(mktemp -d)
  for p in examples/*.fut; do
    "$futc" "$p" --emit=mlir -o "$scratch/a.mlir" && "$llvm/bin/mlir-opt" "$scratch/a.mlir" -o "$scratch/b.mlir" &&
      "$futc" "$p" --target=nvptx --emit=mlir -o "$scratch/a.mlir" &&
      "$llvm/bin/mlir-opt" "$scratch/a.mlir" -o "$scratch/b.mlir" &&
      "$futc" "$p" --emit=llvm -o "$scratch/a.ll" &&
      "$futc" "$p" --target=nvptx --emit=ptx -o "$scratch/a.ptx" || { echo "$p"; ok=1; }
  done
  rm -r "$scratch"
  return $ok
}

case "${1:-}" in
run)
  shift
  [ $# -ge 1 ] || { usage >&2; exit 2; }
  setup
  prog=$1
  shift
  cargo build --quiet --release -p futc
  scratch=$(mktemp -d)
  trap 'rm -r "$scratch"' EXIT
  target/release/futc "$prog" -o "$scratch/prog"
  target/release/futc dataget "$prog" '#0' >"$scratch/input"
  "$scratch/prog" "$@" <"$scratch/input"
  ;;
test)
  setup
  step "build" cargo build --quiet -p futc -p futc-opt
  futc=target/debug/futc
  [ ${#failed[@]} -eq 0 ] || exit 1
  step "tidy" cargo xtask tidy
  step "unit and runtime tests" cargo test --quiet --workspace
  step "lit" "$llvm/bin/lit" -q --path "$PWD/target/debug" lit-tests
  step "programs, interpreter" programs interpreter
  step "programs, seq" programs seq
  step "programs, gpu-emu" programs gpu-emu
  step "every example at every station" emit_everything
  if [ ${#failed[@]} -gt 0 ]; then
    printf 'x: failed: %s\n' "${failed[@]}"
    exit 1
  fi
  echo "x: all tests passed"
  ;;
lint)
  setup
  cargo fmt --all --check
  cargo clippy --quiet --workspace --all-targets -- -D warnings
  cargo xtask tidy
  ;;
bless)
  setup
  UPDATE_EXPECT=1 cargo test --quiet --workspace
  ;;
bench)
  setup
  cargo build --quiet --release -p futc
  cargo bench --quiet -p futc-benches
  ;;
conformance)
  shift
  [ $# -ge 1 ] || { usage >&2; exit 2; }
  setup
  cargo build --quiet --release -p futc
  cargo xtask conformance "$@"
  ;;
setup) setup ;;
*)
  usage
  [ $# -eq 0 ] || exit 2
  ;;
esac
