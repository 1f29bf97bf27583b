import { expect, test } from "bun:test";

import { run } from "../run.fixture.ts";

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

test("another shell is refused with the known ones", async () => {
  const { code, messages } = await run(["completion", "tcsh"], {});
  expect([code, messages]).toEqual([64, [expect.stringContaining("must be one of bash, zsh, fish")]]);
});
