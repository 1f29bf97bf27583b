/** Test counts of a run of `bun test`. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface SkippedTest {
  file: string;
  /** Names of its suites and its own name, outermost first. One of them contains the reason for skipping. */
  name: string;
}

/** A failed test, or an error outside of any test. */
export interface Failure {
  /** Its file, with the line of a test. */
  place: string;
  name: string;
  /** The lines of the error to read first. */
  lines: string[];
}

const BETWEEN_TESTS = "unhandled error between tests";

/** Reads the counts of a JUnit report; all are zero without a report. */
export function readCounts(report: string): Counts {
  const root = /<testsuites\b[^>]*>/.exec(report)?.[0] ?? "";
  const count = (name: string): number => Number(attribute(root, name) ?? 0);
  const failed = count("failures");
  const skipped = count("skipped");
  return { passed: count("tests") - failed - skipped, failed, skipped };
}

/**
 * Returns the counts of a run. The report omits files that could not be loaded, so failures also come from the
 * summary at the end of the output.
 */
export function countRun(report: string, output: string): Counts {
  const counts = readCounts(report);
  const failures = [...Bun.stripANSI(output).matchAll(/^ *(\d+) fail$/gm)].at(-1)?.[1];
  return { ...counts, failed: Math.max(counts.failed, Number(failures ?? 0)) };
}

/** Returns the skipped tests of a JUnit report, in its order. */
export function readSkipped(report: string): SkippedTest[] {
  return Array.from(report.matchAll(/<testcase ([^>]*)>\s*<skipped\b/g), ([, attributes = ""]) => ({
    file: attribute(attributes, "file") ?? "",
    name: fullName(attributes),
  }));
}

/**
 * Returns the failed tests of a JUnit report, and the errors between tests that only the output shows. A file that
 * could not be loaded is such an error.
 */
export function readFailures(report: string, output: string): Failure[] {
  return [...failedTests(report), ...errorsBetweenTests(Bun.stripANSI(output))];
}

function failedTests(report: string): Failure[] {
  const found = report.matchAll(/<testcase ([^>]*)>\s*<failure ([^>]*)>/g);
  return Array.from(found, ([, test = "", failure = ""]) => ({
    place: [attribute(test, "file"), attribute(test, "line")].filter(Boolean).join(":"),
    name: fullName(test),
    lines: excerptOf(attribute(failure, "message") ?? ""),
  }));
}

/** The output names a file in a line of its own before its tests and errors. */
function errorsBetweenTests(output: string): Failure[] {
  const found = output.matchAll(
    /^(?<file>\S+\.test\.tsx?):$|^# Unhandled error between tests\n-+\n(?<error>[^]*?)\n-{9,}$/gm,
  );
  let place = "";
  return Array.from(found).flatMap(({ groups = {} }) => {
    place = groups["file"] ?? place;
    const { error } = groups;
    if (error === undefined) return [];
    // The lines before the message quote the source.
    const message = error.slice(Math.max(0, error.search(/^\w*error: /im)));
    return { place, name: BETWEEN_TESTS, lines: excerptOf(message) };
  });
}

/** Returns the first lines of an error; of a comparison, its first line and those that differ. */
function excerptOf(error: string): string[] {
  const [first = "", ...rest] = error.split("\n").filter((line) => line.trim() !== "");
  const different = rest.filter((line) => /^[-+] /.test(line));
  return [first, ...(different.length > 0 ? different : rest)];
}

function fullName(attributes: string): string {
  return [attribute(attributes, "classname"), attribute(attributes, "name")].filter(Boolean).join(" > ");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code?: string, entity?: string) =>
    code === undefined ? (ENTITIES[entity ?? ""] ?? "") : String.fromCodePoint(Number(code)),
  );
}
