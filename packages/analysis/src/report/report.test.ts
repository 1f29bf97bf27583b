import { describe, expect, test } from "bun:test";

import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, member, members, text, type Json } from "@leeway/shared/values/json";
import fc from "fast-check";

import type { AnalysisContext } from "../narrative/context.ts";
import { analysis, ANALYSES, finding, noise, result } from "../narrative/analysis.fixture.ts";
import { hostileText, rendered, whatActs } from "../narrative/hostile.fixture.ts";
import { templateNarrative } from "../narrative/template.ts";
import { annotationsReport } from "./annotations.ts";
import { codeQualityReport } from "./code-quality.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { sarifReport } from "./sarif.ts";
import { tableReport } from "./table.ts";

const CONTEXT: AnalysisContext = { repository: "group/infra", project: { name: "web", dir: "live/web" } };
const GOLDEN = `${import.meta.dir}/golden`;

const FORMATS: Readonly<Record<string, (one: AnalyzeResult) => string>> = {
  sarif: (one) => sarifReport(one, CONTEXT),
  junit: (one) => junitReport(one, CONTEXT),
  "gitlab-codequality": (one) => codeQualityReport(one, CONTEXT),
  "github-annotations": (one) => annotationsReport(one, CONTEXT),
  markdown: (one) => markdownReport(one, CONTEXT),
  table: (one) => tableReport(one, { width: 80 }),
};

function resultOf(name: string): AnalyzeResult {
  const one = ANALYSES[name] ?? analysis();
  const passed = !["critical", "high"].includes(one.risk_level);
  return result({
    ...one,
    narrative: { text: templateNarrative(one), source: "template" },
    gate: { fail_on: "high", passed },
  });
}

describe("a report matches its golden file (LEEWAY_GOLDEN=write writes it)", () => {
  const cases = Object.keys(ANALYSES).flatMap((name) =>
    Object.keys(FORMATS).map((format) => [name, format] as const),
  );
  test.each(cases)("%s as %s", async (name, format) => {
    const text = FORMATS[format]?.(resultOf(name)) ?? "";
    const file = Bun.file(`${GOLDEN}/${name.replaceAll(" ", "-")}.${format}.golden`);
    if (Bun.env["LEEWAY_GOLDEN"] === "write") await file.write(text);
    expect(text).toBe(await file.text());
  });
});

function issuesOf(report: string): Json[] {
  const parsed: unknown = JSON.parse(report);
  return Array.isArray(parsed) ? parsed : [];
}

function fingerprintsOf(one: AnalyzeResult, context: AnalysisContext): (string | undefined)[] {
  return issuesOf(codeQualityReport(one, context)).map((issue) =>
    isObject(issue) ? text(issue, "fingerprint") : undefined,
  );
}

function sarifOf(report: string): { rules: Json[]; results: Json[] } {
  const document: Json = JSON.parse(report);
  const [run] = members(isObject(document) ? document : {}, "runs");
  const driver = member(member(run, "tool"), "driver");
  return { rules: members(driver, "rules"), results: members(run, "results") };
}

describe("SARIF", () => {
  test("has each rule once, with help, and results that refer to their rule", () => {
    const findings = [
      finding(),
      finding({ address: "a_b.c", flag: "maybe_stateful", risk_level: "high" }),
      finding({ rule: "R18", flag: "destroy", risk_level: "medium" }),
    ];
    const { rules, results } = sarifOf(sarifReport(result({ findings }), CONTEXT));
    expect(rules).toMatchObject([
      {
        id: "R01",
        help: { text: expect.any(String), markdown: expect.any(String) },
        properties: {
          tags: ["infrastructure", "destroy_stateful", "maybe_stateful"],
          "security-severity": "9.5",
        },
      },
      { id: "R18", defaultConfiguration: { level: "warning" } },
    ]);
    expect(results).toMatchObject([
      {
        ruleId: "R01",
        ruleIndex: 0,
        level: "error",
        locations: [{ logicalLocations: [{ fullyQualifiedName: "aws_db_instance.orders" }] }],
      },
      { ruleId: "R01", ruleIndex: 0 },
      { ruleId: "R18", ruleIndex: 1, level: "warning" },
    ]);
  });

  test("points to a file of the project's directory, as a URI", () => {
    const report = sarifReport(result({ findings: [finding()] }), { project: { dir: "./live/my app" } });
    expect(sarifOf(report).results).toMatchObject([
      {
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "live/my%20app/main.tf" },
              region: { startLine: 1 },
            },
          },
        ],
      },
    ]);
  });

  test("distinguishes findings of one rule by the fingerprint that code scanning compares", () => {
    const findings = [finding(), finding({ address: "aws_db_instance.other" })];
    const { results } = sarifOf(sarifReport(result({ findings }), CONTEXT));
    // https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
    const compared = results.map((one) =>
      text(member(isObject(one) ? one : {}, "partialFingerprints"), "primaryLocationLineHash"),
    );
    expect(compared).toEqual(fingerprintsOf(result({ findings }), CONTEXT));
    expect(new Set(compared).size).toBe(2);
  });

  test("marks a finding without risk as informational", () => {
    const findings = [finding({ rule: "R21", flag: "cosmetic", risk_level: "none" }), finding()];
    const { results } = sarifOf(sarifReport(result({ findings }), CONTEXT));
    // https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html#_Toc34317647
    expect(results).toMatchObject([{ kind: "informational", level: "none" }, { level: "error" }]);
    expect(results[1]).not.toHaveProperty("kind");
  });

  test("reports that the plan failed", () => {
    const [run] = JSON.parse(sarifReport(result({ errored: true }), CONTEXT)).runs;
    expect(run.invocations).toMatchObject([{ executionSuccessful: false }]);
    expect(JSON.parse(sarifReport(result({}), CONTEXT)).runs[0]).not.toHaveProperty("invocations");
  });

  test("has no link in a message", () => {
    const report = sarifReport(result({ findings: [finding({ message: "[x](https://evil.example)" })] }), {});
    expect(report).not.toContain("](");
  });
});

test("the JUnit gate fails at any risk if the plan failed", () => {
  const failed = result({ errored: true, gate: { fail_on: "low", passed: false } });
  expect(junitReport(failed, CONTEXT)).toContain(
    '<failure message="gate failed: the plan failed, limit is low" type="gate">',
  );
});

describe("the risk profile", () => {
  const FORMS: [string, string][] = [
    ["sarif", '"properties": {\n        "risk_profile": "lenient"\n      }'],
    ["junit", '<properties><property name="risk_profile" value="lenient"/></properties>'],
    ["markdown", "profile lenient"],
    ["table", "Risk: critical (1 critical), lenient profile\n"],
  ];
  test.each(FORMS)("is included in %s", (format, text) => {
    const report = FORMATS[format]?.(result({ findings: [finding()], risk_profile: "lenient" }));
    expect(report).toContain(text);
  });

  test.each(FORMS)("isn't mentioned in %s for an older result without one", (format) => {
    expect(FORMATS[format]?.(result({ findings: [finding()] }))).not.toContain("profile");
  });
});

describe("fingerprints", () => {
  test("don't depend on the position and the text of a finding", () => {
    const other = finding({ address: "a_b.c" });
    const [first] = fingerprintsOf(result({ findings: [finding(), other] }), CONTEXT);
    const [, second] = fingerprintsOf(result({ findings: [other, finding({ message: "said otherwise" })] }), {
      ...CONTEXT,
      commit_sha: "abcdef0",
    });
    expect(first).toBe(second);
  });

  test("differ between projects and between findings with the same id", () => {
    const one = result({ findings: [finding(), finding()] });
    const all = [
      ...fingerprintsOf(one, CONTEXT),
      ...fingerprintsOf(one, {}),
      ...fingerprintsOf(one, { project: { workspace: "eu" } }),
      ...fingerprintsOf(one, { project: { dir: "eu" } }),
    ];
    expect(new Set(all).size).toBe(8);
  });
});

describe("Code Quality", () => {
  test("has an issue for a failed plan, because missing issues count as fixed", () => {
    const [failed, ...others] = JSON.parse(codeQualityReport(result({ errored: true }), CONTEXT));
    expect(failed).toMatchObject({ check_name: "plan failed", severity: "blocker" });
    expect(others).toEqual(JSON.parse(codeQualityReport(result({}), CONTEXT)));
    const elsewhere = JSON.parse(codeQualityReport(result({ errored: true }), { project: { dir: "eu" } }));
    expect(elsewhere[0].fingerprint).not.toBe(failed.fingerprint);
  });

  test.each([
    ["critical", "blocker"],
    ["high", "critical"],
    ["medium", "major"],
    ["low", "minor"],
    ["none", "info"],
  ] as const)("a finding of level %s has severity %s", (risk_level, severity) => {
    const report = codeQualityReport(result({ findings: [finding({ risk_level })] }), {});
    expect(issuesOf(report)).toMatchObject([
      { check_name: "R01 destroy_stateful", severity, location: { path: "main.tf", lines: { begin: 1 } } },
    ]);
  });

  test.each([
    ["live/web", "live/web/main.tf"],
    ["./live//web/", "live/web/main.tf"],
    ["../../etc", "etc/main.tf"],
    [".", "main.tf"],
    ["/", "main.tf"],
  ])("directory %s has path %s", (dir, path) => {
    const report = codeQualityReport(result({ findings: [finding()] }), { project: { dir } });
    expect(issuesOf(report)).toMatchObject([{ location: { path } }]);
  });
});

describe("JUnit", () => {
  test.each([
    ["critical", 1],
    ["high", 2],
    ["medium", 3],
    ["never", 0],
  ] as const)("a gate on %s fails %p of three findings", (fail_on, failing) => {
    const findings = [finding(), finding({ risk_level: "high" }), finding({ risk_level: "medium" })];
    const report = junitReport(result({ findings, gate: { fail_on, passed: failing === 0 } }), CONTEXT);
    const failures = failing === 0 ? 0 : failing + 1;
    expect(report).toContain(`tests="4" failures="${failures}"`);
    expect(report.match(/<failure /gu)?.length ?? 0).toBe(failures);
  });
});

describe("the terminal's table", () => {
  const LEVELS = ["critical", "high", "medium", "low"] as const;
  const many = result({
    findings: LEVELS.flatMap((risk_level) =>
      Array.from({ length: 20 }, (_, at) => finding({ risk_level, address: `aws_x.${risk_level}${at}` })),
    ),
    gate: { fail_on: "high", passed: false },
  });

  test("shows the requested number of rows, worst first, and counts the rest", () => {
    const report = tableReport(many, { width: 120, maxRows: 50 });
    expect(report.match(/aws_x\.\w+$/gmu)).toHaveLength(50);
    expect(report).toContain("… and 30 more findings; --min-risk lists fewer, --report json=FILE has all");
    expect(report).not.toContain("aws_x.low");
  });

  test("leaves out and counts findings below the minimum risk", () => {
    const report = tableReport(many, { width: 120, minRisk: "high", maxRows: 50 });
    expect(report.match(/aws_x\.(?:critical|high)\d+$/gmu)).toHaveLength(40);
    expect(report).toContain("\n… and 40 findings below high\n");
    expect(report).not.toContain("aws_x.medium");
  });

  test("ends with risk, gate and link on separate lines", () => {
    const lines = tableReport(many, { width: 120, maxRows: 5 }).trimEnd().split("\n");
    expect(lines.slice(-3)).toEqual([
      "Risk: critical (20 critical, 20 high, 20 medium, 20 low)",
      "gate failed: risk is critical, limit is high",
      "https://leeway.example/orgs/o/plans/1",
    ]);
  });

  test("never breaks the link", () => {
    const report_url = `https://leeway.example/orgs/${"o".repeat(100)}/plans/1`;
    expect(tableReport(result({ report_url }), { width: 40 })).toContain(`\n${report_url}\n`);
  });

  test("fits its width without losing text", () => {
    const address = `module.${"very_long".repeat(20)}.aws_db_instance.orders`;
    const report = tableReport(result({ findings: [finding({ address, message: "word ".repeat(50) })] }), {
      width: 60,
    });
    for (const line of report.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    expect(report.replaceAll(/\s/gu, "")).toContain(address);
  });

  test("has colours only on request", () => {
    const one = result({ findings: [finding()], noise: [noise()] });
    expect(tableReport(one, { width: 80 })).not.toContain("\u001B");
    expect(tableReport(one, { width: 80, colours: true })).toContain("\u001B[1;31mcritical\u001B[0m");
  });
});

test("JSON is the result itself", () => {
  const one = resultOf("dangerous");
  expect(JSON.parse(jsonReport(one))).toEqual(one);
});

describe("hostile text", () => {
  const hostileResult = hostileText.map((text) =>
    result({
      warnings: [text],
      findings: [
        finding({
          address: text,
          message: text,
          rule: text,
          flag: text,
          resource_type: text,
          actions: [text],
          paths: [[text]],
        }),
      ],
      noise: [noise({ path_pattern: text, resource_type: text })],
      narrative: { text, source: "platform", model: text },
    }),
  );

  test("has no effect in Markdown", () => {
    fc.assert(
      fc.property(hostileResult, hostileText, (one, name) => {
        expect(whatActs(rendered(markdownReport(one, { project: { name } })))).toBeUndefined();
      }),
    );
  });

  test("has no control characters and no long lines in a terminal", () => {
    fc.assert(
      fc.property(hostileResult, fc.integer({ min: 40, max: 200 }), (one, width) => {
        const report = tableReport(one, { width });
        expect(report).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
        for (const line of report.split("\n")) expect(Array.from(line).length).toBeLessThanOrEqual(width);
      }),
    );
  });

  test("keeps XML well-formed with all test cases", () => {
    fc.assert(
      fc.property(hostileResult, hostileText, (one, name) => {
        const report = junitReport(one, { project: { name } });
        expect(report.match(/<testcase /gu)).toHaveLength(2);
        expect(report).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos);)|(?!\n)\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/u);
        expect(
          report.replaceAll(
            /<\/?(?:testsuites?|testcase|failure|system-out)(?: [a-z]+="[^"<>]*")*\/?>|<\?xml [^>]*>/gu,
            "",
          ),
        ).not.toMatch(/[<>]/u);
      }),
    );
  });

  test("gives SARIF, Code Quality and annotations a path inside the repository", () => {
    fc.assert(
      fc.property(hostileResult, hostileText, (one, dir) => {
        const annotations = annotationsReport(one, { project: { dir } }).trimEnd().split("\n");
        for (const line of annotations) {
          expect(line).toMatch(
            /^(?:::(?:error|warning|notice) file=[^:,]+,line=\d+,title=[^:,]+::[^\p{Cc}]*)?$/u,
          );
        }
        const context = { project: { dir } };
        expect(sarifReport(one, context)).toMatch(/"uri": "[\w!'()*.~%-]+(?:\/[\w!'()*.~%-]+)*"/u);
        expect(issuesOf(codeQualityReport(one, context))).toHaveLength(1);
      }),
    );
  });
});
