import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { openInput } from "../../services/analyzer/src/jobs/input.ts";
import { readEvent } from "../../services/webhooks/src/events/read-event.ts";
import { startCodeHost, type CodeHost } from "../../services/webhooks/test/support/code-host.ts";
import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { MASTER_KEYS, startStack, type Stack } from "../isolation/stack.ts";

interface Config {
  id: string;
  url: string;
  raw_secret: string;
}

let host: CodeHost;
let stack: Stack;
let org: { path: string; key: string };
let configs: Record<Source, Config>;
beforeAll(async () => {
  host = await startCodeHost();
  stack = await startStack({ egressAllow: [host.host] });
  const { body } = await stack.ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body: { name: "Test" } });
  org = { path: `/api/v2/orgs/${body.org.id}`, key: body.api_key.key };
  configs = {
    planner: await newConfig({ source: "planner" }),
    vcs: await newConfig({ source: "vcs", api_token: host.issue(), provider_base_url: host.url }),
  };
});
afterAll(async () => {
  await stack.stop();
  await host.stop();
});

async function newConfig(body: object): Promise<Config> {
  return (await stack.ask("POST", `${org.path}/webhooks`, { as: org.key, body })).body;
}

function proofOf(source: Source, body: Uint8Array): Record<string, string> {
  const { raw_secret: secret } = configs[source];
  if (source === "vcs") return { "x-vcs-token": secret };
  const digest = new Bun.CryptoHasher("sha256", secret).update(body).digest("hex");
  return { "x-hub-signature-256": `sha256=${digest}` };
}

/** Returns every body of the corpus, of supported event kinds and others. */
function bodies(): { name: string; body: Buffer }[] {
  const folders = [
    ...["github", "gitlab", "gitlab-api", "gitlab-system"].map((folder) => `vcs-webhooks/${folder}`),
    "planner-webhooks/atlantis",
  ];
  return folders.flatMap((folder) =>
    readdirSync(join(CORPUS, folder)).map((file) => ({
      name: `${folder}/${file}`,
      body: readFileSync(join(CORPUS, folder, file)),
    })),
  );
}

interface Sent {
  source: Source;
  name: string;
  body: Buffer;
}

/** Sends every body to `source`. Returns the bodies by delivery id. */
async function sendAll(source: Source): Promise<Map<string, Sent>> {
  const sent = new Map<string, Sent>();
  for (const { name, body } of bodies()) {
    const answered = await stack.ask("POST", new URL(configs[source].url).pathname, {
      body: new Uint8Array(body),
      headers: proofOf(source, body),
    });
    const status = readEvent(source, body).wanted ? "accepted" : "ignored";
    expect([answered.status, answered.body.status], `${source} ${name}`).toEqual([202, status]);
    sent.set(answered.body.delivery_id, { source, name, body });
  }
  return sent;
}

/** Returns the expected outcome of a delivery. */
function endOf({ source, body }: Sent): object {
  const { kind, ...reading } = readEvent(source, body);
  const end = reading.wanted ? { outcome: "processed" } : { outcome: "ignored", reason: reading.reason };
  return { size: body.length, ...end, ...(kind !== undefined && { kind }) };
}

test.skipIf(!hasCorpus).each([
  ["planner", ["apply", "drift"]],
  ["vcs", ["merge_request"]],
] as const)(
  "every real body sent by a %s goes through the real endpoint to what it is, or is ignored with the reason (needs the collection of real data)",
  async (source, kinds) => {
    const sent = await sendAll(source);
    const deliveries = await settled(source);
    expect(deliveries).toHaveLength(sent.size);
    for (const delivery of deliveries) {
      const one = sent.get(delivery.id);
      if (!one) throw new Error(`nobody sent ${delivery.id}`);
      expect(delivery, one.name).toMatchObject(endOf(one));
    }
    const processed = deliveries.filter(({ outcome }: { outcome: string }) => outcome === "processed");
    const found = new Set<string>(processed.map(({ kind }: { kind: string }) => kind));
    expect([...found].toSorted()).toEqual([...kinds]);
  },
);

async function settled(source: Source) {
  const path = `${org.path}/webhooks/${configs[source].id}/deliveries`;
  for (;;) {
    const { body } = await stack.ask("GET", `${path}?limit=500`, { as: org.key });
    if (body.data.every(({ outcome }: { outcome: string }) => outcome !== "pending")) return body.data;
    await Bun.sleep(20);
  }
}

test.skipIf(!hasCorpus)(
  "a real comment becomes a command once it holds one of ours (needs the collection of real data)",
  async () => {
    const file = join(
      CORPUS,
      "vcs-webhooks/gitlab/atlantis--gitlab-merge-request-comment-event-subgroup.json",
    );
    const note = JSON.parse(readFileSync(file, "utf8"));
    note.object_attributes.note = "/leeway explain aws_instance.web\nplease";
    const body = Buffer.from(JSON.stringify(note));
    const { body: receipt } = await stack.ask("POST", new URL(configs.vcs.url).pathname, {
      body: new Uint8Array(body),
      headers: proofOf("vcs", body),
    });
    expect(receipt.status).toBe("accepted");
    await settled("vcs");
    const [row] = await stack.db.admin`
      select subject->'event' as event from analyzer.jobs where id = ${receipt.delivery_id}
    `;
    expect(row?.["event"]).toMatchObject({
      kind: "comment",
      repository: note.project.path_with_namespace,
      command: { verb: "explain", address: "aws_instance.web" },
    });
  },
);

test("what a planner's hook sends arrives as a plan", async () => {
  const planFile = join(import.meta.dir, "plan.json");
  const program = join(import.meta.dir, "../../packages/cli/src/main.ts");
  const { id, url, raw_secret } = await newConfig({ source: "planner", repo_path: "acme/network" });
  const run = Bun.spawn([process.execPath, program, "planner-hook", "--plan", planFile], {
    env: {
      PATH: process.env["PATH"] ?? "",
      LEEWAY_WEBHOOK_URL: stack.url + new URL(url).pathname,
      LEEWAY_WEBHOOK_SECRET: raw_secret,
      BASE_REPO_OWNER: "acme",
      BASE_REPO_NAME: "network",
      PROJECT_NAME: "prod",
      HEAD_COMMIT: "0123456789abcdef0123456789abcdef01234567",
      PULL_NUM: "12",
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, complained] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ]);
  expect([await run.exited, complained], said).toEqual([0, expect.any(String)]);
  const path = `${org.path}/webhooks/${id}/deliveries`;
  for (;;) {
    const { body } = await stack.ask("GET", path, { as: org.key });
    const [delivery] = body.data;
    if (delivery.outcome === "pending") continue;
    expect(delivery).toMatchObject({ kind: "plan", outcome: "processed" });
    expect(said).toContain(delivery.id);
    break;
  }
  const [row] = await stack.db.admin<{ org_id: string; id: string; subject: object; sealed: Uint8Array }[]>`
    select j.org_id, j.id, j.subject, i.sealed
      from analyzer.jobs j
      join analyzer.inputs i using (org_id, id)
      join webhooks.deliveries d using (org_id, id)
     where d.config_id = ${id}
  `;
  if (!row) throw new Error("the plan has no job");
  expect(row.subject).toMatchObject({
    kind: "analyze",
    repository: "acme/network",
    change_request: { number: 12 },
    project: { name: "prod" },
  });
  const plan = openInput(parseKeyRing(MASTER_KEYS), row.org_id, row.id, row.sealed);
  expect(JSON.parse(plan).resource_changes[0].change.after.password).toBe("[redacted]");
  expect(plan).not.toContain("hunter2");
});
