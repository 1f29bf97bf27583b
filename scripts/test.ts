/**
 * Runs every test of the repository with its own PostgreSQL and NATS. The last line of output is `N passed, N failed,
 * N skipped`. Arguments go to `bun test`.
 */
import { chmod, mkdir, rm } from "node:fs/promises";

import { countRun, readFailures, readSkipped } from "./junit.ts";
import { hostInfrastructure } from "./local/hosted-infrastructure.ts";
import { stopWithLaunchers } from "./local/launchers.ts";
import type { Infrastructure } from "./local/running.ts";
import { makeTestFolder } from "./local/test-folder.ts";
import { workersOf } from "./local/workers.ts";

const REPORT = "reports/junit.xml";
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

async function runTests(
  { databaseUrl, natsUrl }: Infrastructure,
  { args, tmp }: { args: string[]; tmp: string },
): Promise<{ exitCode: number; output: string }> {
  const report = ["--reporter=junit", `--reporter-outfile=${REPORT}`];
  const limits = [`--parallel=${workersOf(natsUrl)}`, `--timeout=${TEST_MS}`, `--timings=${TIMINGS}`];
  // Each file runs in its own process, so one that exits doesn't lose the others' results. One pipe for both streams
  // keeps their order.
  const child = Bun.spawn(
    ["sh", "-c", 'exec "$@" 2>&1', "sh", process.execPath, "test", ...limits, ...report, ...args],
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
  const stop = (): void => child.kill("SIGTERM");
  process.once("SIGTERM", stop);
  stopWithLaunchers(stop);
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    process.stdout.write(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  return { exitCode: await child.exited, output };
}

function listSkipped(report: string): void {
  const skipped = readSkipped(report);
  if (skipped.length > 0) console.log("\nSkipped:");
  for (const { file, name } of skipped.slice(0, LISTED)) console.log(`  ${file}: ${name}`);
  if (skipped.length > LISTED) console.log(`  and ${skipped.length - LISTED} more, see ${REPORT}`);
}

function listFailures(report: string, output: string): void {
  const failures = readFailures(report, output);
  if (failures.length > 0) console.log("\nFailed:");
  for (const { place, name, lines } of failures.slice(0, FAILURES_LISTED)) {
    console.log(`  ${place}: ${name}`);
    for (const line of lines.slice(0, ERROR_LINES)) console.log(`    ${line.slice(0, LINE_LENGTH)}`);
  }
  const more = failures.length - FAILURES_LISTED;
  if (more > 0) console.log(`  and ${more} more, see ${REPORT}`);
}

await rm(REPORT, { force: true });
await mkdir("reports", { recursive: true });
console.log("Starting PostgreSQL and NATS for the tests");
const started = infrastructure();
console.log(`Tests run against ${started.description}`);
/** Temp directory for files that tests leave behind, writable by every user they run programs as. */
const tmp = await makeTestFolder();
await chmod(tmp, 0o1777);
const { exitCode, output } = await runTests(started, { args: Bun.argv.slice(2), tmp });
await started.stop();
await rm(tmp, { recursive: true, force: true });

const report = await Bun.file(REPORT)
  .text()
  .catch(() => "");
listSkipped(report);
listFailures(report, output);
if (report === "") console.log(`\nbun test ended with code ${exitCode} and left no report`);
const { passed, failed, skipped } = countRun(report, output);
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(exitCode !== 0 || failed > 0 || passed === 0 ? 1 : 0);
