# Sourced by the other scripts: where the project is, and how to build a part of it.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# build PRESET [TARGET...]: configures if needed and builds, with progress on stderr.
build() {
  local preset=$1 directory=$root/build/$1
  shift
  "$root/scripts/setup" >&2
  if [[ ! -f $directory/build.ninja ]]; then
    (cd "$root" && cmake --preset "$preset") >&2
  fi
  cmake --build "$directory" ${1:+--target "$@"} >&2
}

# build_quietly: the same, and silent unless something is to be built slowly or fails.
build_quietly() {
  local log
  log=$(mktemp)
  if [[ ! -d $root/build/$1 ]]; then
    echo "Building (the first time takes some minutes) ..." >&2
  fi
  if ! build "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
