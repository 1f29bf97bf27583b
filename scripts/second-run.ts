import {
  BETWEEN_TESTS,
  countRun,
  countTests,
  readFailures,
  readTests,
  type Counts,
  type Failure,
  type Run,
} from "./junit.ts";

/** With more failing files the change is at fault, not the load on the machine. */
const MAX_FILES = 10;

/**
 * Returns the failed files of a run that are worth running again alone. There are none if more than ten failed, or
 * if it isn't clear which. A file that can't be loaded is missing in the report, and prints an error.
 */
export function filesToRepeat(run: Run): string[] {
  const reported = new Set(readTests(run.report).map(({ file }) => file));
  const ran = /^Ran \d+ tests? across (\d+) files?\./m.exec(Bun.stripANSI(run.output))?.[1];
  const failures = readFailures(run);
  const mayMissOne = reported.size !== Number(ran) && failures.some(({ name }) => name === BETWEEN_TESTS);
  const files = [...new Set(failures.map(({ file }) => file))];
  const areKnown = files.every((file) => reported.has(file)) && failures.length >= countRun(run).failed;
  return areKnown && !mayMissOne && files.length <= MAX_FILES ? files : [];
}

/** Returns the counts of a run whose failed files ran again: for these files the second run decides. */
export function countBoth(first: Run, files: readonly string[], again: readonly Run[]): Counts {
  const kept = countTests(readTests(first.report).filter(({ file }) => !files.includes(file)));
  return again.map(countRun).reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    kept,
  );
}

/** Returns the failures of the first run that the second one doesn't repeat, though the test or its file ran. */
export function passedAgain(first: Run, again: readonly Run[]): Failure[] {
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const run of again) {
    for (const { file, name, outcome } of readTests(run.report))
      if (outcome === "passed") passed.add(file).add(`${file}: ${name}`);
    for (const { file, name } of readFailures(run)) failed.add(`${file}: ${name}`);
  }
  return readFailures(first).filter(
    ({ file, line, name }) =>
      passed.has(line === undefined ? file : `${file}: ${name}`) && !failed.has(`${file}: ${name}`),
  );
}
