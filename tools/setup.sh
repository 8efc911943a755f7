# Sourced by ./run and ./test: installs what packages.txt lists and is missing, and builds. Quiet unless something fails.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

quietly() {  # quietly WHAT COMMAND...: the output is shown only when the command fails
  local what=$1 log
  shift
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "$what failed: $*" >&2
    return 1
  fi
  rm -f "$log"
}

install_packages() {  # install_packages FILE
  local missing=() package
  for package in $(sed 's/#.*//' "$1"); do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  echo "installing ${missing[*]}" >&2
  quietly "package lists" "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update
  quietly "installation" "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

build() {  # build FOLDER 'TARGETS' CMAKE-OPTIONS...
  local folder=$1 targets=$2
  shift 2
  [ -e "$folder/build.ninja" ] || echo "building in ${folder#"$root"/} (a few minutes the first time)" >&2
  quietly "configuration" cmake -S "$root" -B "$folder" -G Ninja "$@"
  # shellcheck disable=SC2086 # several targets
  quietly "build" cmake --build "$folder" --target $targets
}

build_python() {  # the Python package, in build/release/python; it needs no MPI
  install_packages "$root/packages.txt"
  install_packages "$root/packages-python.txt"
  build "$root/build/release" python_package -DGCNH_TESTS=OFF -DGCNH_PYTHON=ON -DGCNH_MPI=OFF
}

# Open MPI on one machine: by root if need be, more ranks than cores, threads on any core. After Ctrl-C or the death of a rank it waits so many
# seconds, sends SIGTERM, waits as long again, which is the time to write down what was done, and kills.
mpirun=(mpirun --oversubscribe --bind-to none --mca odls_base_sigkill_timeout 3)
[ "$(id -u)" -ne 0 ] || mpirun+=(--allow-run-as-root)

arm64_root() {  # arm64_root FOLDER: unpacks the arm64 form of the libraries in packages.txt there; the system stays as it is
  local folder=$1 package
  [ ! -e "$folder/usr/lib" ] || return 0
  local apt=(apt-get -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$folder.apt" -o Dir::Cache="$folder.apt"
    -o Dir::State::status="$folder.apt/status" --no-install-recommends -y)
  echo "fetching arm64 libraries" >&2
  mkdir -p "$folder.apt/lists/partial" "$folder.apt/archives/partial"
  : >"$folder.apt/status"
  quietly "package lists" "${apt[@]}" update
  # shellcheck disable=SC2046 # several packages
  quietly "download" "${apt[@]}" install --download-only $(grep -E '^(lib|nlohmann)' "$root/packages.txt")
  for package in "$folder.apt"/archives/*.deb; do dpkg -x "$package" "$folder.part"; done
  mv "$folder.part" "$folder"
}
