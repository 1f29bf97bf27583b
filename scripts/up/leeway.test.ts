import { isObject, members, text } from "@leeway/shared/json";
import { SQL } from "bun";
import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = await mkdtemp(join(tmpdir(), "leeway-demo-"));
await chmod(root, 0o711);
const dataDir = join(root, ".leeway");
let running: Bun.Subprocess | undefined;

afterAll(async () => {
  await stop();
  await rm(root, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  running?.kill("SIGTERM");
  await running?.exited;
}

/** Starts Leeway as `bun run up` does, and gives what it says of itself once it is ready. */
async function start() {
  running = Bun.spawn([process.execPath, join(import.meta.dir, "../up.ts")], {
    env: { ...process.env, PORT: "0", DATABASE_URL: "", NATS_URL: "", LEEWAY_DATA_DIR: dataDir },
    stdout: "ignore",
    stderr: "inherit",
  });
  const file = join(dataDir, "up.json");
  while (running.exitCode === null && !existsSync(file)) await Bun.sleep(50);
  const report: unknown = await Bun.file(file).json();
  if (!isObject(report)) throw new Error("no report");
  const organization = `${text(report, "base_url")}/api/v2/orgs/${text(report, "org_id")}`;
  const headers = { authorization: `Bearer ${text(report, "api_key")}` };
  const rows = async (path: string) => {
    const answer: unknown = await (await fetch(`${organization}${path}`, { headers })).json();
    return members(isObject(answer) ? answer : {}, "data");
  };
  return { orgId: text(report, "org_id"), rows, database: text(report, "database_url") ?? "" };
}

/** Its plans, once each is analyzed. */
async function analyzed({ rows }: Awaited<ReturnType<typeof start>>) {
  for (;;) {
    const jobs = await rows("/llm-jobs?kind=analyze");
    if (jobs.length > 0 && jobs.every(({ status }) => status === "done")) return jobs;
    await Bun.sleep(50);
  }
}

test("the demo organization has three clouds, their states, drift and plans, and is the same at the next start", async () => {
  const first = await start();
  const posture = await first.rows("/posture");
  expect(posture.map(({ provider, drift_status }) => [provider, drift_status])).toEqual([
    ["azure", "ready"],
    ["gcp", "ready"],
    ["aws", "ready"],
  ]);
  const scans = await first.rows("/scans");
  expect(scans.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  const sources = await first.rows("/iac-sources");
  expect(new Set(sources.map(({ kind }) => kind))).toEqual(
    new Set(["terraform", "pulumi", "cloudformation"]),
  );
  const plans = await analyzed(first);
  expect(plans.map(({ risk_level }) => risk_level)).toEqual(["low", "medium", "critical"]);
  expect(await first.rows("/plan-noise")).toMatchObject([{ status: "active", occurrences: 2 }]);
  const database = new SQL(first.database);
  await database`delete from analyzer.jobs where subject #>> '{change_request,number}' = '216'`; // as of a start that was broken off
  await database.close();
  await stop();

  const second = await start();
  expect(second.orgId).toBe(first.orgId);
  expect(await second.rows("/posture")).toEqual(posture);
  expect(await second.rows("/scans")).toEqual(scans);
  const again = await analyzed(second);
  expect(again.map(({ change_request }) => change_request)).toEqual([
    { number: 216 },
    { number: 217 },
    { number: 214 },
  ]);
  expect(again.slice(1)).toEqual(plans.filter(({ id }) => again.some((job) => job["id"] === id)));
});
