#!/usr/bin/env bash
# Install the programs that the vectors are put to: tests/adapters/install.sh [PYTHON] (by default .venv/bin/python).
# R and its packages as root on Debian only; npm packages into .venv/node; mlxtend, pingouin and sacreBLEU by pip.
# What cannot be installed is named, and its tests are skipped.
set -uo pipefail
cd "$(dirname "$0")/../.."
python=${1:-.venv/bin/python}
node=${NODE_PACKAGES:-.venv/node}

skipped() { echo "NOT INSTALLED: $1 ($2); its tests are skipped"; }

quietly() { # what, command: says why it failed, in one line
    local said
    said=$("${@:2}" 2>&1) || skipped "$1" "$(tail -n 1 <<<"$said")"
}

from_debian() {
    dpkg -s "$@" >/dev/null 2>&1 && return
    command -v apt-get >/dev/null || { skipped "$*" "no apt-get"; return; }
    [ "$(id -u)" = 0 ] || { skipped "$*" "not root"; return; }
    quietly "the lists of packages" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive quietly "$*" apt-get install -qq --no-install-recommends "$@"
}

quietly "mlxtend, pingouin, sacrebleu" "$python" -m pip install --quiet --disable-pip-version-check \
    --only-binary=:all: mlxtend==0.25.0 pingouin==0.7.0 sacrebleu==2.6.0
from_debian r-base-core r-cran-coin r-cran-exactranktests r-cran-jsonlite
if command -v npm >/dev/null; then
    mkdir -p "$node"
    quietly "@stdlib" npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$node" \
        @stdlib/stats-wilcoxon@0.2.3 @stdlib/stats-padjust@0.2.1
else
    skipped "@stdlib" "no npm"
fi
exit 0
