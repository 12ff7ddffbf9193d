#!/usr/bin/env bash
# Gathers the work tree around the current directory, and compares its facts with those of another commit.
#   CODEGENIE          the program (npx --yes codegenie)
#   CODEGENIE_BASE     a commit to compare with; nothing, or only zeros, compares with none
#   CODEGENIE_FORMAT   sarif, github or junit (sarif)
#   CODEGENIE_FAIL_ON  high or medium: exit 13 where such a risk is found
#   CODEGENIE_OUT      where the results go (codegenie-out): risks.<format>, after.yaml, before.yaml, changes.md
set -euo pipefail

read -r -a codegenie <<<"${CODEGENIE:-npx --yes codegenie}"
base=${CODEGENIE_BASE:-}
format=${CODEGENIE_FORMAT:-sarif}
out=${CODEGENIE_OUT:-codegenie-out}
fail_on=()
[[ -z ${CODEGENIE_FAIL_ON:-} ]] || fail_on=(--fail-on "$CODEGENIE_FAIL_ON")

mkdir -p "$out"
code=0
"${codegenie[@]}" gather . --format "$format" "${fail_on[@]}" >"$out/risks.$format" || code=$?
# 13: a risk was found, and everything was written. Anything else ended before that.
[[ $code -eq 0 || $code -eq 13 ]] || exit "$code"
cp .codegenie/context/repo-context.yaml "$out/after.yaml"

if [[ $base =~ [1-9a-f] ]]; then
  # Of a shallow clone the commit may have to be fetched; a tree of its own, so that nothing here is touched.
  git cat-file -e "$base^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$base"
  tree=$(mktemp -d)
  trap 'git worktree remove --force "$tree/base" 2>/dev/null; rm -rf "$tree"' EXIT
  git worktree add --quiet --detach "$tree/base" "$base"
  "${codegenie[@]}" gather "$tree/base" --quiet
  cp "$tree/base/.codegenie/context/repo-context.yaml" "$out/before.yaml"
  "${codegenie[@]}" diff "$out/before.yaml" "$out/after.yaml" --format markdown >"$out/changes.md"
fi
exit "$code"
