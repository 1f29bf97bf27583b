/**
 * Runs every test of the repository with its own PostgreSQL and NATS. Up to ten files with failures run again,
 * alone. The last line of output is `N passed, N failed, N skipped`. Arguments go to `bun test`.
 */
import { chmod, mkdir, rm } from "node:fs/promises";

import { countRun, readFailures, readTests, type Failure, type Run } from "./junit.ts";
import { hostInfrastructure } from "./local/hosted-infrastructure.ts";
import { stopWithLaunchers } from "./local/launchers.ts";
import type { Infrastructure } from "./local/running.ts";
import { makeTestFolder } from "./local/test-folder.ts";
import { workersOf } from "./local/workers.ts";
import { countBoth, filesToRepeat, passedAgain } from "./second-run.ts";

const REPORT = "reports/junit.xml";
/** Report of the latest file that ran again. */
const REPORT_AGAIN = "reports/junit-again.xml";
/** Duration of each test file in ms, to start the slowest first. `--update-timings` measures them again. */
const TIMINGS = "tests/timings.json";
const LISTED = 50;
/** Limits of the list of failures. Logs of CI often keep only the last lines. */
const [FAILURES_LISTED, ERROR_LINES, LINE_LENGTH] = [20, 6, 200];
/** Default timeout of a test, in ms. It catches hangs, and is long enough for a busy machine. */
const TEST_MS = 120_000;

function infrastructure(): Infrastructure {
  const databaseUrl = process.env["LEEWAY_TEST_DATABASE_URL"];
  const natsUrl = process.env["LEEWAY_TEST_NATS_URL"];
  if (!databaseUrl || !natsUrl) return hostInfrastructure({ mayUseDocker: true });
  return {
    databaseUrl,
    natsUrl,
    description: "servers that the environment names",
    stop: async () => undefined,
  };
}

interface RunOptions {
  args: readonly string[];
  workers: number;
  report: string;
  tmp: string;
}

const state = { stopped: false };

async function runTests(
  { databaseUrl, natsUrl }: Infrastructure,
  { args, workers, report, tmp }: RunOptions,
): Promise<Run> {
  await rm(report, { force: true });
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const limits = [`--parallel=${workers}`, `--timeout=${TEST_MS}`, `--timings=${TIMINGS}`];
  // Each file runs in its own process, so one that exits doesn't lose the others' results. One pipe for both streams
  // keeps their order.
  const child = Bun.spawn(
    ["sh", "-c", 'exec "$@" 2>&1', "sh", process.execPath, "test", ...limits, ...reporter, ...args],
    {
      env: {
        ...process.env,
        LEEWAY_TEST_DATABASE_URL: databaseUrl,
        LEEWAY_TEST_NATS_URL: natsUrl,
        TMPDIR: tmp,
        ...(process.stdout.isTTY && { FORCE_COLOR: "1" }),
      },
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  // Neither npx nor a shell's pipe passes the signal on.
  const stop = (): void => {
    state.stopped = true;
    child.kill("SIGTERM");
  };
  process.once("SIGTERM", stop);
  stopWithLaunchers(stop);
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    process.stdout.write(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  const exitCode = await child.exited;
  const written = await Bun.file(report)
    .text()
    .catch(() => "");
  if (written === "") console.log(`\nbun test ended with code ${exitCode} and left no report`);
  return { report: written, output, exitCode };
}

/** Runs each file alone. Returns nothing when it must stop. */
async function runAlone(
  started: Infrastructure,
  { files, tmp }: { files: readonly string[]; tmp: string },
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const file of files) {
    if (state.stopped) return [];
    console.log(`\nRunning again alone: ${file}`);
    runs.push(await runTests(started, { args: [`./${file}`], workers: 1, report: REPORT_AGAIN, tmp }));
  }
  return runs;
}

function listSkipped({ report }: Run): void {
  const skipped = readTests(report).filter(({ outcome }) => outcome === "skipped");
  if (skipped.length > 0) console.log("\nSkipped:");
  for (const { file, name } of skipped.slice(0, LISTED)) console.log(`  ${file}: ${name}`);
  if (skipped.length > LISTED) console.log(`  and ${skipped.length - LISTED} more, see ${REPORT}`);
}

function listFailures(heading: string, failures: readonly Failure[]): void {
  if (failures.length > 0) console.log(`\n${heading}:`);
  for (const { file, line, name, lines } of failures.slice(0, FAILURES_LISTED)) {
    console.log(`  ${line === undefined ? file : `${file}:${line}`}: ${name}`);
    for (const one of lines.slice(0, ERROR_LINES)) console.log(`    ${one.slice(0, LINE_LENGTH)}`);
  }
  const more = failures.length - FAILURES_LISTED;
  if (more > 0) console.log(`  and ${more} more, see reports/`);
}

await mkdir("reports", { recursive: true });
console.log("Starting PostgreSQL and NATS for the tests");
const started = infrastructure();
console.log(`Tests run against ${started.description}`);
/** Temp directory for files that tests leave behind, writable by every user they run programs as. */
const tmp = await makeTestFolder();
await chmod(tmp, 0o1777);
const args = Bun.argv.slice(2);
const first = await runTests(started, { args, workers: workersOf(started.natsUrl), report: REPORT, tmp });
// Options such as `--bail` and `-t` limit what runs, and don't apply to one file.
const files = args.some((arg) => arg.startsWith("-")) ? [] : filesToRepeat(first);
const again = await runAlone(started, { files, tmp });
await started.stop();
await rm(tmp, { recursive: true, force: true });

listSkipped(first);
listFailures("Passed only when run again alone", passedAgain(first, again));
listFailures("Failed", (again.length > 0 ? again : [first]).flatMap(readFailures));
const { passed, failed, skipped } = again.length > 0 ? countBoth(first, files, again) : countRun(first);
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
