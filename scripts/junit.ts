/** What a run of `bun test` came to. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface SkippedTest {
  file: string;
  /** The names of its suites and its own, from the outside in. Why it was skipped is said in one of them. */
  name: string;
}

/** The counts in a JUnit report; all zero without one. */
export function readCounts(report: string): Counts {
  const root = /<testsuites\b[^>]*>/.exec(report)?.[0] ?? "";
  const count = (name: string): number => Number(attribute(root, name) ?? 0);
  const failed = count("failures");
  const skipped = count("skipped");
  return { passed: count("tests") - failed - skipped, failed, skipped };
}

/**
 * The counts of a run: those of its report, but a file which could not be loaded is missing there, and
 * only counted in the summary that ends the output.
 */
export function countRun(report: string, output: string): Counts {
  const counts = readCounts(report);
  const told = [...Bun.stripANSI(output).matchAll(/^ *(\d+) fail$/gm)].at(-1)?.[1];
  return { ...counts, failed: Math.max(counts.failed, Number(told ?? 0)) };
}

/** The tests that a JUnit report marks as skipped, in its order. */
export function readSkipped(report: string): SkippedTest[] {
  return Array.from(report.matchAll(/<testcase ([^>]*)>\s*<skipped\b/g), ([, attributes = ""]) => ({
    file: attribute(attributes, "file") ?? "",
    name: [attribute(attributes, "classname"), attribute(attributes, "name")].filter(Boolean).join(" > "),
  }));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code?: string, entity?: string) =>
    code === undefined ? (ENTITIES[entity ?? ""] ?? "") : String.fromCodePoint(Number(code)),
  );
}
