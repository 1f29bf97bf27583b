import { describe, expect, test } from "bun:test";

import { BETWEEN_TESTS, countRun, type Run } from "./junit.ts";
import { countBoth, filesToRepeat, passedAgain } from "./second-run.ts";

/** Builds the run of files with tests, each as `name`, `!name` for a failed or `-name` for a skipped one. */
function runOf(files: Record<string, readonly string[]>, { unloaded = 0, between = "" } = {}): Run {
  const cases = Object.entries(files).flatMap(([file, names]) => names.map((name) => testcase(file, name)));
  const failed = cases.filter((one) => one.includes("<failure")).length + unloaded;
  const rule = "-".repeat(31);
  const error = `${between}:\n\n# Unhandled error between tests\n${rule}\nerror: connection lost\n${rule}\n`;
  const count = Object.keys(files).length + unloaded;
  return {
    report: cases.join("\n"),
    output: `${between && error}\n 9 pass\n ${failed} fail\nRan 9 tests across ${count} files. [1.00s]\n`,
    exitCode: failed > 0 || between ? 1 : 0,
  };
}

function testcase(file: string, name: string): string {
  const plain = name.replace(/^[!-]/, "");
  const open = `<testcase name="${plain}" classname="" file="${file}"${plain === "(unnamed)" ? "" : ' line="1"'}`;
  if (name.startsWith("!")) return `${open}>\n<failure message="too slow">no</failure></testcase>`;
  return name.startsWith("-") ? `${open}>\n<skipped /></testcase>` : `${open} />`;
}

const crashed: Run = { report: "", output: "", exitCode: 137 };

describe("a second run", () => {
  test("takes the files that failed, if they are at most ten", () => {
    const ten = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`f${index}.test.ts`, ["!x", "!y"]]),
    );
    const passed = { "passed.test.ts": ["x"] };
    expect(filesToRepeat(runOf({ ...ten, ...passed }))).toEqual(Object.keys(ten));
    expect(filesToRepeat(runOf({ ...ten, ...passed, "eleventh.test.ts": ["!x"] }))).toEqual([]);
  });

  test("takes a file with an error between its tests", () => {
    expect(
      filesToRepeat(runOf({ "a.test.ts": ["x"], "b.test.ts": ["x"] }, { between: "b.test.ts" })),
    ).toEqual(["b.test.ts"]);
  });

  test("follows no run that passed, crashed, or had a file that can't be loaded", () => {
    expect(filesToRepeat(runOf({ "a.test.ts": ["x"] }))).toEqual([]);
    expect(filesToRepeat(crashed)).toEqual([]);
    expect(filesToRepeat(runOf({ "a.test.ts": ["!x"] }, { unloaded: 1 }))).toEqual([]);
    expect(filesToRepeat(runOf({ "a.test.ts": ["x"] }, { unloaded: 1, between: "a.test.ts" }))).toEqual([]);
  });

  test("decides for its files, and the first for the others", () => {
    const first = runOf({ "a.test.ts": ["x", "!y", "-z"], "b.test.ts": ["x", "-y"] });
    const fine = runOf({ "a.test.ts": ["x", "y", "-z"] });
    const worse = runOf({ "a.test.ts": ["!x", "!y", "-z"] });
    expect(countBoth(first, ["a.test.ts"], [fine])).toEqual({ passed: 3, failed: 0, skipped: 2 });
    expect(countBoth(first, ["a.test.ts"], [worse])).toEqual({ passed: 1, failed: 2, skipped: 2 });
    expect(countBoth(first, ["a.test.ts"], [crashed])).toEqual({ passed: 1, failed: 1, skipped: 1 });
  });

  test("counts an error between tests only if the second run has it again", () => {
    const first = runOf({ "a.test.ts": ["x"], "b.test.ts": ["x"] }, { between: "a.test.ts" });
    const [fine, again] = [
      runOf({ "a.test.ts": ["x"] }),
      runOf({ "a.test.ts": ["x"] }, { between: "a.test.ts" }),
    ];
    expect(countRun(first)).toMatchObject({ failed: 1 });
    expect(countBoth(first, ["a.test.ts"], [fine])).toEqual({ passed: 2, failed: 0, skipped: 0 });
    expect(countBoth(first, ["a.test.ts"], [again])).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(passedAgain(first, [fine])).toEqual([
      { file: "a.test.ts", name: BETWEEN_TESTS, lines: ["error: connection lost"] },
    ]);
    expect(passedAgain(first, [again])).toEqual([]);
  });

  test("lists the tests that passed only in it, with their first error", () => {
    const first = runOf({ "a.test.ts": ["!x", "!y", "!(unnamed)"], "b.test.ts": ["!x"] });
    const again = [runOf({ "a.test.ts": ["x", "!y"] }), crashed];
    expect(passedAgain(first, again)).toMatchObject([
      { file: "a.test.ts", line: "1", name: "x", lines: ["too slow"] },
      { file: "a.test.ts", name: "(unnamed)" },
    ]);
  });

  test("that nothing needs lists and changes nothing", () => {
    const first = runOf({ "a.test.ts": ["x", "-y"] });
    expect(passedAgain(first, [])).toEqual([]);
    expect(countBoth(first, [], [])).toEqual(countRun(first));
  });
});
