import { isObject, member, members, text } from "@leeway/shared/values/json";
import { SQL } from "bun";
import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = await mkdtemp(join(tmpdir(), "leeway-demo-"));
await chmod(root, 0o711);
const dataDir = join(root, ".leeway");
const ROOT = join(import.meta.dir, "../..");
let running: Bun.Subprocess | undefined;
let latest: Awaited<ReturnType<typeof launch>> | undefined;

afterAll(async () => {
  await stop();
  await rm(root, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  running?.kill("SIGTERM");
  await running?.exited;
}

/** Starts Leeway as `bun run up` does, and returns its report once it is ready. */
async function start() {
  latest = await launch();
  return latest;
}

async function launch() {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../up.ts")], {
    env: { ...process.env, PORT: "0", DATABASE_URL: "", NATS_URL: "", LEEWAY_DATA_DIR: dataDir },
    stdout: "pipe",
    stderr: "inherit",
  });
  running = child;
  let output = "";
  void (async () => {
    for await (const chunk of child.stdout) output += new TextDecoder().decode(chunk);
  })();
  const file = join(dataDir, "up.json");
  while (child.exitCode === null && !existsSync(file)) await Bun.sleep(50);
  const report: unknown = await Bun.file(file).json();
  if (!isObject(report)) throw new Error("no report");
  const organization = `${text(report, "base_url")}/api/v2/orgs/${text(report, "org_id")}`;
  const headers = { authorization: `Bearer ${text(report, "api_key")}` };
  const rows = async (path: string) => {
    const answer: unknown = await (await fetch(`${organization}${path}`, { headers })).json();
    return members(isObject(answer) ? answer : {}, "data");
  };
  const link = async (): Promise<URL> => {
    for (;;) {
      const found = /^http:.*#link=.*$/m.exec(output);
      if (found) return new URL(found[0]);
      await Bun.sleep(50);
    }
  };
  return {
    orgId: text(report, "org_id"),
    rows,
    link,
    organization,
    database: text(report, "database_url") ?? "",
  };
}

/** Returns the plans, once all are analyzed. */
async function analyzed({ rows }: Awaited<ReturnType<typeof start>>) {
  for (;;) {
    const jobs = await rows("/llm-jobs?kind=analyze");
    if (jobs.length > 0 && jobs.every(({ status }) => status === "done")) return jobs;
    await Bun.sleep(50);
  }
}

/** Programs of the documents that aren't here, or that are done already. */
const STANDINS: Readonly<Record<string, string>> = {
  npx: `case "$*" in *build*) exec "${process.execPath}" "$PWD/packages/cli/build.ts";; esac`,
  terraform: `case "$1" in state) cat examples/aws-shop/states/shop.tfstate;; show) cat "$PLAN";; esac`,
  aws: "sed s/111122223333/210987654321/g examples/aws-shop/listing.json",
  ...(Bun.which("node") ? {} : { node: `exec "${process.execPath}" "$@"` }),
};

/** Returns whether commands end with a gate, which may fail. */
const isGate = (block: string): boolean => /--fail-on \w+$/.test(block.trim());

/** Runs the commands of a document in one shell and returns its output, and the exit code of a gate in it. */
async function follow(document: string): Promise<{ code: number; output: string; messages: string }> {
  const text = await Bun.file(join(ROOT, document)).text();
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  for (const [name, line] of Object.entries(STANDINS)) {
    await Bun.write(join(root, "bin", name), `#!/bin/sh\n${line}\n`);
    await chmod(join(root, "bin", name), 0o755);
  }
  const plan: unknown = await Bun.file(join(ROOT, "examples/aws-shop/plans/1-rename-orders.json")).json();
  await Bun.write(join(root, "plan.json"), JSON.stringify(isObject(plan) ? plan["plan"] : undefined));
  const commands = blocks.map((block) => (isGate(block) ? `set +e\n${block}\ngate=$?\nset -e` : block));
  const child = Bun.spawn(["bash", "-c", `set -eo pipefail\n${commands.join("\n")}\nexit $gate`], {
    cwd: ROOT,
    env: {
      PATH: `${join(root, "bin")}:${process.env["PATH"]}`,
      LEEWAY_DATA_DIR: dataDir,
      PLAN: join(root, "plan.json"),
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, messages] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, output, messages };
}

test("the demo organization has three clouds, states, drift and plans, also after a restart", async () => {
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
  expect(plans.map(({ risk_level }) => risk_level)).toEqual(["low", "critical", "critical"]);
  expect(await first.rows("/plan-noise")).toMatchObject([{ status: "active", occurrences: 2 }]);
  const database = new SQL(first.database);
  // as after an interrupted start
  await database`delete from analyzer.jobs where subject #>> '{change_request,number}' = '216'`;
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

test("the printed link signs one browser in as an owner, who manages members, keys and settings", async () => {
  const { link, organization } = latest ?? (await start());
  const { origin, hash } = await link();
  const headers = { "content-type": "application/json" };
  const follow = (token: string): Promise<Response> =>
    fetch(`${origin}/auth/link`, { method: "POST", headers, body: JSON.stringify({ token }) });
  const token = hash.replace("#link=", "");
  const answers = await Promise.all([follow(token), follow(token), follow("x".repeat(43))]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401, 401]);
  const cookie = answers.flatMap((answer) => answer.headers.getSetCookie()).join();

  const session: unknown = await (await fetch(`${origin}/auth/session`, { headers: { cookie } })).json();
  expect(session).toMatchObject({ sign_in: "api_key", person: { name: "Demo owner" } });
  const csrf = isObject(session) ? (text(member(session, "person"), "csrf_token") ?? "") : "";
  const ask = async (path: string, body?: object): Promise<[number, unknown]> => {
    const answer = await fetch(organization + path, {
      headers: { ...headers, cookie, "x-csrf-token": csrf },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return [answer.status, await answer.json()];
  };
  expect(await ask("")).toMatchObject([200, { role: "owner" }]);
  expect(await ask("/members")).toMatchObject([
    200,
    { data: [{ email: "owner@localhost", role: "owner", status: "active" }] },
  ]);
  expect(await ask("/settings")).toMatchObject([200, {}]);
  expect(await ask("/api-keys", { name: "pipelines", role: "member" })).toMatchObject([
    201,
    { role: "member" },
  ]);
  expect(await ask("/members", { email: "ada@example.com", role: "viewer" })).toMatchObject([201, {}]);
  const [, log] = await ask("/audit-log");
  const actions = members(isObject(log) ? log : {}, "data").map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["member.create", "api_key.create", "member.join"]));
});

const follows = test.skipIf(!Bun.which("bash") || !Bun.which("curl"));

follows("the commands of README run as written and find drift, without an error line", async () => {
  if (!running || running.exitCode !== null) await start();
  const { code, output, messages } = await follow("README.md");
  expect([code, messages]).toEqual([0, ""]);
  expect(output).toContain("198 resources, 183 declared (92.42 %), 15 undeclared, 39 excluded");
  expect(output).toContain('"coverage_pct":92.4');
});

follows(
  "the commands of the first page run as written: a plan fails its gate, drift ends with a patch",
  async () => {
    const { code, output, messages } = await follow("docs/start.md");
    expect([code, messages]).toEqual([2, ""]);
    expect(output).toContain("15 undeclared");
    expect(output).toContain("my-stack: ");
    expect(output).toContain("aws:210987654321: ");
    expect(output).toContain("gate failed: risk is critical, limit is high");
    expect(output).toContain('+resource "aws_db_instance" "orders_restore_test" {');
    expect(output).toContain(
      "terraform plan -target='azurerm_network_security_group.erp' -out=leeway.tfplan",
    );
  },
);
