#!/bin/bash
# The step of action.yml. Its inputs are variables, so that no text of theirs becomes a command.
set -euo pipefail

scratch=$(mktemp -d "$RUNNER_TEMP/leeway.XXXXXX")
here=$PWD

if [ -n "$LEEWAY_URL" ]; then
  cd "$scratch"
  curl -fsS -O "$LEEWAY_URL/cli/leeway.cjs" -O "$LEEWAY_URL/cli/leeway.cjs.sha256"
  # macOS has shasum only.
  if command -v sha256sum >/dev/null; then sha256sum -c leeway.cjs.sha256; else shasum -a 256 -c leeway.cjs.sha256; fi
  cd "$here"
  server=(--fallback)
  if [ -z "$LEEWAY_API_KEY" ]; then
    LEEWAY_ID_TOKEN=$(curl -fsS -H "Authorization: bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \
      "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=$LEEWAY_URL" | node -p 'JSON.parse(fs.readFileSync(0)).value')
    export LEEWAY_ID_TOKEN
  fi
else
  # From the source of the action's own version.
  cd "$GITHUB_ACTION_PATH"
  npx --yes bun@1.4.5 install --frozen-lockfile --ignore-scripts --filter @leeway/cli >&2
  npx --yes bun@1.4.5 packages/cli/build.ts "$scratch/package" >&2
  cd "$here"
  mv "$scratch/package/leeway.cjs" "$scratch/leeway.cjs"
  server=(--local)
fi
if [ "$COMMENT" = true ]; then server+=(--comment); fi

# The plan's JSON contains secrets: it is piped, and never stored.
show() {
  if [ "$(head -c 1 "$PLAN")" = "{" ]; then cat "$PLAN"; else "$TERRAFORM" show -json "$PLAN"; fi
}
echo "sarif=$scratch/leeway.sarif" >>"$GITHUB_OUTPUT"
code=0
show | node "$scratch/leeway.cjs" analyze - --fail-on "$FAIL_ON" "${server[@]}" \
  --report "markdown=$GITHUB_STEP_SUMMARY" \
  --report "sarif=$scratch/leeway.sarif" \
  --report "github-annotations=$scratch/annotations" || code=$?
# The runner reads annotations from the output.
if [ -f "$scratch/annotations" ]; then cat "$scratch/annotations"; fi
exit "$code"
