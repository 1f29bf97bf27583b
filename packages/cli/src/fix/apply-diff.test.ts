import { expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";

import { applyDiff } from "./apply-diff.ts";

const line = fc.constantFrom(
  "a",
  "b",
  "",
  "}",
  "+x",
  "-x",
  "@@ -1 +1 @@",
  "\\ No newline at end of file",
  "c\r",
);
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""));

test("a git diff turns the first text into the second and doesn't apply to others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "leeway-diff-"));
  const [left, right] = [join(folder, "left"), join(folder, "right")];
  await fc.assert(
    fc.asyncProperty(text, text, fc.nat(3), async (before, after, context) => {
      fc.pre(before !== after);
      await Promise.all([Bun.write(left, before), Bun.write(right, after)]);
      const git = Bun.spawn(["git", "diff", "--no-index", "--no-color", `-U${context}`, left, right], {
        stdout: "pipe",
      });
      const diff = await new Response(git.stdout).text();
      expect(applyDiff(before, diff)).toBe(after);
      if (context > 0 && before !== "") expect(applyDiff(`other${before}`, diff)).not.toBe(after);
    }),
    { numRuns: 60 },
  );
  await rm(folder, { recursive: true });
});

test.each([
  ["empty text", ""],
  ["a truncated hunk", "@@ -1,2 +1,2 @@\n a\n"],
  ["a line that isn't part of a diff", "@@ -1,1 +1,1 @@\n?a\n"],
  ["overlapping hunks", "@@ -1,1 +1,1 @@\n-a\n+b\n@@ -1,1 +1,1 @@\n-a\n+c\n"],
  ["a line that doesn't exist", "@@ -9,1 +9,1 @@\n-a\n+b\n"],
])("%s isn't applied", (_, diff) => {
  expect(applyDiff("a\nb\n", diff)).toBeUndefined();
});
