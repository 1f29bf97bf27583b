import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { countRun, readCounts, readSkipped } from "./junit.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="6" assertions="4" failures="1" skipped="2" time="0.1">
  <testsuite name="a.test.ts" file="a.test.ts" tests="6" assertions="4" failures="1" skipped="2" time="0.1">
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

describe("a test report", () => {
  test("gives the counts of the whole run", () => {
    expect(readCounts(REPORT)).toEqual({ passed: 3, failed: 1, skipped: 2 });
  });

  test("names each skipped test with the suites around it, where the reason is", () => {
    expect(readSkipped(REPORT)).toEqual([
      { file: "a.test.ts", name: "later" },
      { file: "a.test.ts", name: 'a "server" (needs <root>) > as root' },
    ]);
  });

  test("lacks files that couldn't be loaded: the summary adds them", () => {
    const summary =
      "fails as it should: 7 fail\n\n \u001B[32m3 pass\u001B[0m\n \u001B[31m2 fail\u001B[0m\n 1 error\n";
    expect(countRun(REPORT, summary)).toEqual({ passed: 3, failed: 2, skipped: 2 });
    expect(countRun(REPORT, "")).toEqual(readCounts(REPORT));
  });

  test("that was never written counts nothing", () => {
    expect(countRun("", "")).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });

  test("gives names back as they were, whatever is in them", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (suite, name) => {
        const report = `<testcase name="${escape(name)}" classname="${escape(suite)}" file="f">\n<skipped />`;
        expect(readSkipped(report)).toEqual([{ file: "f", name: `${suite} > ${name}` }]);
      }),
    );
  });
});
