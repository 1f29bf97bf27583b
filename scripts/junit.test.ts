import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { countRun, countTests, readFailures, readTests, type Run } from "./junit.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="4" assertions="4" failures="1" skipped="2" time="0.1">
  <testsuite name="a.test.ts" file="a.test.ts" tests="4" assertions="4" failures="1" skipped="2" time="0.1">
    <testcase name="works" classname="" time="0.1" file="a.test.ts" line="1" assertions="1" />
    <testcase name="breaks" classname="" time="0.1" file="a.test.ts" line="2" assertions="1">
      <failure type="AssertionError" message="no">no</failure>
    </testcase>
    <testcase name="later" classname="" time="0" file="a.test.ts" line="3" assertions="0">
      <skipped message="TODO" />
    </testcase>
    <testcase name="as root" classname="a &quot;server&quot; (needs &lt;root&gt;)" time="0" file="a.test.ts" line="4" assertions="0">
      <skipped />
    </testcase>
  </testsuite>
</testsuites>`;

const escape = (name: string): string =>
  name.replaceAll(/[&<>"'\n]/g, (character) => `&#${character.codePointAt(0)};`);

const run = (given: Partial<Run>): Run => ({ report: "", output: "", exitCode: 0, ...given });

describe("a test report", () => {
  test("gives the counts of the whole run", () => {
    expect(countTests(readTests(REPORT))).toEqual({ passed: 1, failed: 1, skipped: 2 });
  });

  test("names each skipped test with its suites, which contain the reason", () => {
    const skipped = readTests(REPORT).filter(({ outcome }) => outcome === "skipped");
    expect(skipped).toMatchObject([
      { file: "a.test.ts", name: "later" },
      { file: "a.test.ts", name: 'a "server" (needs <root>) > as root' },
    ]);
  });

  test("doesn't count files that failed to load, so their failures come from the summary", () => {
    const output =
      "fails as it should: 7 fail\n\n \u001B[32m3 pass\u001B[0m\n \u001B[31m2 fail\u001B[0m\n 1 error\n";
    const counts = { passed: 1, failed: 2, skipped: 2 };
    expect(countRun({ report: REPORT, output, exitCode: 1 })).toEqual(counts);
  });

  test("without a failure counts one if the run failed", () => {
    expect(countRun(run({ exitCode: 3 }))).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countRun(run({}))).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });

  test("names each failed test with its place and error", () => {
    const failure = { file: "a.test.ts", line: "2", name: "breaks", lines: ["no"] };
    expect(readFailures(run({ report: REPORT }))).toEqual([failure]);
  });

  test("shows the differences of a failed comparison", () => {
    const message = escape(
      'expect(received).toEqual(expected)\n\n  {\n    "a": 1,\n-   "b": 2,\n+   "b": 3,\n  }',
    );
    const report = `<testcase name="x" classname="" file="f">\n<failure type="E" message="${message}">`;
    const lines = ["expect(received).toEqual(expected)", '-   "b": 2,', '+   "b": 3,'];
    expect(readFailures(run({ report }))).toMatchObject([{ lines }]);
  });

  test("lacks errors between tests, which come from the output with their file", () => {
    const rule = "-------------------------------";
    const between = (error: string) => `\n# Unhandled error between tests\n${rule}\n${error}\n${rule}\n`;
    const output = [
      "a.test.ts:\n(pass) works",
      `\u001B[0mpackages/b/src/b.test.ts:\n${between("2 | a();\n    ^\n\u001B[31merror\u001B[0m: late\n\n      at b.ts:2")}`,
      "c.test.ts:\n(pass) works",
      `a.test.ts:\n${between("SyntaxError: unexpected }")}`,
      `c.test.ts:\n${between("error: printed late\n      at /srv/a.test.ts:4:1")}`,
    ].join("\n");
    const name = "unhandled error between tests";
    const passed = `<testcase name="x" file="a.test.ts" />`;
    expect(readFailures(run({ report: passed, output }))).toEqual([
      { file: "packages/b/src/b.test.ts", name, lines: ["error: late", "      at b.ts:2"] },
      { file: "a.test.ts", name, lines: ["SyntaxError: unexpected }"] },
      { file: "a.test.ts", name, lines: ["error: printed late", "      at /srv/a.test.ts:4:1"] },
    ]);
  });

  test("returns names unchanged, whatever characters they contain", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (suite, name) => {
        const report = `<testcase name="${escape(name)}" classname="${escape(suite)}" file="f">\n<skipped />`;
        const read = { file: "f", name: `${suite} > ${name}`, outcome: "skipped" };
        expect(readTests(report)).toMatchObject([read]);
      }),
    );
  });
});
