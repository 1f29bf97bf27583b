import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { run } from "../run.fixture.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-completion-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns what bash offers at the end of a line. */
async function offered(line: string): Promise<string[]> {
  const { output } = await run(["completion", "bash"], {});
  const words = line.split(" ");
  const script = `${output}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_leeway; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const child = Bun.spawn(["bash", "-c", script], { stdout: "pipe" });
  return (await child.stdout.text()).trim().split("\n");
}

test.skipIf(!Bun.which("bash")).each([
  ["leeway post", ["posture"]],
  ["leeway sources s", ["show"]],
  ["leeway state push --so", ["--source"]],
  ["leeway posture --js", ["--json"]],
  ["leeway posture --json --js", ["--json"]],
  ["leeway completion ", ["--help", "bash", "zsh", "fish"]],
])("bash completes %s to %j", async (line, words) => {
  expect(await offered(line)).toEqual(words);
});

/** Writes the script that a person loads into their shell, and returns its file. */
async function scriptFor(shell: string): Promise<string> {
  const file = join(folder, `leeway.${shell}`);
  await Bun.write(file, (await run(["completion", shell], {})).output);
  return file;
}

/** Runs a shell in the empty folder, as a person without settings does. */
async function inShell(command: string[], env: Record<string, string>): Promise<string> {
  const own = { PATH: process.env["PATH"] ?? "", HOME: folder, TERM: "dumb", ...env };
  const child = Bun.spawn(command, { cwd: folder, env: own, stdout: "pipe" });
  return (await child.stdout.text()).trim();
}

/** Types a line and a tab at a terminal's prompt, and prints the arguments that `leeway` gets. */
const TYPE_IN_ZSH = `
zmodload zsh/zpty
zpty shell "PS1='rea''dy>' zsh -f -i"
zpty -r shell seen '*ready>*'
zpty -w shell 'autoload -Uz compinit; compinit -u -D; source $FILE; leeway() { print -r -- "<got>$*<end>" }; PS1="se""t>"'
zpty -r shell seen '*set>*'
zpty -w shell "$LINE_TYPED"$'\\t'
zpty -r shell seen $'*<got>*<end>\\r*'
seen=\${seen##*<got>}
print -r -- "\${seen%%<end>*}"
`;

test.skipIf(!Bun.which("zsh")).each([
  ["leeway post", "posture"],
  ["leeway sources s", "sources show"],
  ["leeway state push --so", "state push --source"],
  ["leeway posture --json --js", "posture --json --json"],
])("zsh completes %s to leeway %s (skipped without zsh)", async (line, completed) => {
  const env = { FILE: await scriptFor("zsh"), LINE_TYPED: line };
  expect(await inShell(["zsh", "-f", "-c", TYPE_IN_ZSH], env)).toBe(completed);
});

test.skipIf(!Bun.which("fish")).each([
  ["leeway post", "posture"],
  ["leeway sources s", "show"],
  ["leeway state push --so", "--source"],
  ["leeway posture --json --js", "--json"],
  ["leeway completion ", "bash\nfish\nzsh"],
])("fish offers for %s: %s (skipped without fish)", async (line, offers) => {
  const script = 'source "$FILE"; complete -C "$LINE_TYPED"';
  const env = { FILE: await scriptFor("fish"), LINE_TYPED: line };
  expect(await inShell(["fish", "--no-config", "-c", script], env)).toBe(offers);
});

test("another shell is refused with the known ones", async () => {
  const { code, messages } = await run(["completion", "tcsh"], {});
  expect([code, messages]).toEqual([64, [expect.stringContaining("must be one of bash, zsh, fish")]]);
});
