import { isObject, members, text } from "@leeway/shared/json";
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
  return { orgId: text(report, "org_id"), rows };
}

test("the demo organization has three clouds, their states and drift, and is the same at the next start", async () => {
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
  await stop();

  const second = await start();
  expect(second.orgId).toBe(first.orgId);
  expect(await second.rows("/posture")).toEqual(posture);
  expect(await second.rows("/scans")).toEqual(scans);
}, 60_000);
