/**
 * Runs every test of the repository, with a PostgreSQL and a NATS of their own, and ends with the one line
 * `N passed, N failed, N skipped`. Arguments go to `bun test`.
 */
import { chmod, mkdir, rm } from "node:fs/promises";

import { countRun, readSkipped } from "./junit.ts";
import { hostInfrastructure } from "./local/hosted-infrastructure.ts";
import { stopWithLaunchers } from "./local/launchers.ts";
import type { Infrastructure } from "./local/running.ts";
import { makeTestFolder } from "./local/test-folder.ts";
import { workersOf } from "./local/workers.ts";

const REPORT = "reports/junit.xml";
const LISTED = 50;
/** A test that names no limit of its own has as long: it holds what hangs, whatever else keeps the machine busy. */
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
  const limits = [`--parallel=${workersOf(natsUrl)}`, `--timeout=${TEST_MS}`];
  // Files in processes of their own: one that ends its process doesn't take the others' results with it.
  // One pipe for both streams keeps their order.
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
  // npx doesn't pass the signal on, and a shell's pipe doesn't either.
  const stop = (): void => child.kill("SIGTERM");
  process.once("SIGTERM", stop);
  stopWithLaunchers(stop);
  let tail = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    process.stdout.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4096);
  }
  return { exitCode: await child.exited, output: tail };
}

function listSkipped(report: string): void {
  const skipped = readSkipped(report);
  if (skipped.length > 0) console.log("\nSkipped:");
  for (const { file, name } of skipped.slice(0, LISTED)) console.log(`  ${file}: ${name}`);
  if (skipped.length > LISTED) console.log(`  and ${skipped.length - LISTED} more, see ${REPORT}`);
}

await rm(REPORT, { force: true });
await mkdir("reports", { recursive: true });
console.log("Starting PostgreSQL and NATS for the tests");
const started = infrastructure();
console.log(`Tests run against ${started.description}`);
/** For what tests leave behind, whoever they run programs as. */
const tmp = await makeTestFolder();
await chmod(tmp, 0o1777);
const { exitCode, output } = await runTests(started, { args: Bun.argv.slice(2), tmp });
await started.stop();
await rm(tmp, { recursive: true, force: true });

const report = await Bun.file(REPORT)
  .text()
  .catch(() => "");
listSkipped(report);
if (report === "") console.log(`\nbun test ended with code ${exitCode} and left no report`);
const { passed, failed, skipped } = countRun(report, output);
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(exitCode !== 0 || failed > 0 || passed === 0 ? 1 : 0);
