/** Test counts of a run of `bun test`. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A run of `bun test`: its JUnit report, empty if it left none, its output and its exit code. */
export interface Run {
  report: string;
  output: string;
  exitCode: number;
}

/** A test in a report. */
export interface ReportedTest {
  file: string;
  line?: string | undefined;
  /** Names of its suites and its own name, outermost first. One of them contains the reason for skipping. */
  name: string;
  outcome: keyof Counts;
  /** The error of a failed test. */
  message: string;
}

/** A failed test, or an error outside of any test. */
export interface Failure {
  file: string;
  line?: string | undefined;
  name: string;
  /** The lines of the error to read first. */
  lines: string[];
}

/** Name of an error outside of any test. */
export const BETWEEN_TESTS = "unhandled error between tests";

/** Returns the tests of a JUnit report, in its order. */
export function readTests(report: string): ReportedTest[] {
  const found = report.matchAll(/<testcase ([^>]*?)(?:\/>|>(?:\s*<(failure|skipped)\b([^>]*)>)?)/g);
  return Array.from(found, ([, test = "", ending, ended = ""]) => ({
    file: attribute(test, "file") ?? "",
    line: attribute(test, "line"),
    name: [attribute(test, "classname"), attribute(test, "name")].filter(Boolean).join(" > "),
    outcome: ending === "failure" ? "failed" : ending === "skipped" ? "skipped" : "passed",
    message: attribute(ended, "message") ?? "",
  }));
}

/** Counts tests by outcome. */
export function countTests(tests: readonly ReportedTest[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of tests) counts[outcome] += 1;
  return counts;
}

/**
 * Returns the counts of a run. The report omits files that could not be loaded, so failures also come from the
 * summary at the end of the output. A run that failed for another reason counts as one failure.
 */
export function countRun({ report, output, exitCode }: Run): Counts {
  const counts = countTests(readTests(report));
  const failures = [...Bun.stripANSI(output).matchAll(/^ *(\d+) fail$/gm)].at(-1)?.[1];
  return { ...counts, failed: Math.max(counts.failed, Number(failures ?? 0), exitCode === 0 ? 0 : 1) };
}

/**
 * Returns the failed tests of a run, and the errors between tests that only its output shows. A file that could not
 * be loaded is such an error.
 */
export function readFailures({ report, output }: Run): Failure[] {
  const tests = readTests(report);
  const failed = tests
    .filter(({ outcome }) => outcome === "failed")
    .map(({ file, line, name, message }) => ({ file, line, name, lines: excerptOf(message) }));
  return [...failed, ...errorsBetweenTests(Bun.stripANSI(output), new Set(tests.map(({ file }) => file)))];
}

/**
 * The file of an error is the first of `files` in it, or the one that the output names in a line of its own before
 * its tests and errors. Late output of a file can follow the name of the next.
 */
function errorsBetweenTests(output: string, files: ReadonlySet<string>): Failure[] {
  const found = output.matchAll(
    /^(?<named>\S+\.test\.tsx?):$|^# Unhandled error between tests\n-+\n(?<error>[^]*?)\n-{9,}$/gm,
  );
  let last = "";
  return Array.from(found).flatMap(({ groups = {} }) => {
    last = groups["named"] ?? last;
    const { error } = groups;
    if (error === undefined) return [];
    const file = [...files].find((one) => error.includes(`/${one}:`)) ?? last;
    // The lines before the message quote the source.
    const message = error.slice(Math.max(0, error.search(/^\w*error: /im)));
    return { file, name: BETWEEN_TESTS, lines: excerptOf(message) };
  });
}

/** Returns the first lines of an error, or the first line of a comparison and the lines that differ. */
function excerptOf(error: string): string[] {
  const [first = "", ...rest] = error.split("\n").filter((line) => line.trim() !== "");
  const different = rest.filter((line) => /^[-+] /.test(line));
  return [first, ...(different.length > 0 ? different : rest)];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code?: string, entity?: string) =>
    code === undefined ? (ENTITIES[entity ?? ""] ?? "") : String.fromCodePoint(Number(code)),
  );
}
