import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import { text, type JsonObject } from "@leeway/shared/json";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { startModelServer, type ModelServer } from "../../services/quota/test/support/model-server.ts";
import { platformOf } from "../../services/quota/test/support/models.ts";
import { mergeRequestBody, noteBody } from "../../services/webhooks/src/events/bodies.fixture.ts";
import { startGithub, type Github } from "../code-hosts/github.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { startStack, type Stack } from "../isolation/stack.ts";

/** How often a plan that isn't taken is sent again, and how long after. */
const MOST_TRIES = 5;
const RETRY_MS = 300;

export const REPOSITORY = "platform/aws/network";
export const GITHUB_REPOSITORY = "acme/infra";
export const NUMBER = 12;

/** The whole product between code hosts and a model of our own. */
export interface World {
  stack: Stack;
  gitlab: Gitlab;
  /** Another one, with the same repository and merge requests. */
  otherGitlab: Gitlab;
  github: Github;
  model: ModelServer;
  newTenant(plan?: string): Promise<Tenant>;
  stop(): Promise<void>;
}

/** An organization with a config of each source. */
export interface Tenant {
  orgId: string;
  key: string;
  /** Sends a body of the code host's. @returns the delivery's id */
  fromHost(body: JsonObject): Promise<string>;
  /** Sends a planner's body, signed. @returns the delivery's id */
  fromPlanner(body: JsonObject): Promise<string>;
  /** Submits; what is text as it is. */
  analyze(body: JsonObject | string): Promise<{ status: number; body: JsonObject }>;
  /** Submits, and waits until the job is over. */
  analyzed(body: JsonObject): Promise<Job>;
  job(id: string): Promise<Job>;
  /** Waits until nothing waits any more: deliveries, events, jobs. */
  settled(): Promise<void>;
  usage(): Promise<number>;
}

interface Job {
  id: string;
  kind: string;
  status: string;
  result: AnalyzeResult;
  error?: { code: string; message: string };
}

export async function startWorld(): Promise<World> {
  const gitlab = startGitlab({ projects: [REPOSITORY], mergeRequests: [NUMBER, 13] });
  const otherGitlab = startGitlab({ projects: [REPOSITORY], mergeRequests: [NUMBER, 13] });
  const github = startGithub({ repositories: [GITHUB_REPOSITORY], pullRequests: [NUMBER, 13] });
  const model = await startModelServer();
  const stack = await startStack({
    egressAllow: [gitlab.host, otherGitlab.host, github.host, model.host],
    platformModel: platformOf(model, "anthropic"),
    githubApp: {
      id: github.appId,
      privateKey: github.privateKey,
      apiUrl: github.url,
      owners: new Map([["*", new Set(["*"])]]),
    },
  });
  return {
    stack,
    gitlab,
    otherGitlab,
    github,
    model,
    newTenant: (plan = "enterprise") => newTenant(stack, gitlab, plan),
    async stop() {
      await stack.stop();
      await Promise.all([gitlab.stop(), otherGitlab.stop(), github.stop(), model.stop()]);
    },
  };
}

/** A new organization of a product that runs at `url`. */
export async function newTenant(
  { ask, url, db }: Pick<Stack, "ask" | "url"> & { db: Pick<Stack["db"], "admin"> },
  gitlab: Gitlab,
  plan: string,
): Promise<Tenant> {
  const made = await ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body: { name: "World", plan } });
  const orgId: string = made.body.org.id;
  const key: string = made.body.api_key.key;
  const base = `/api/v2/orgs/${orgId}`;
  const secretOf = async (body: JsonObject): Promise<string> => {
    const { status, body: config } = await ask("POST", `${base}/webhooks`, { as: key, body });
    if (status !== 201) throw new Error(`no config: ${JSON.stringify(config)}`);
    return config.raw_secret;
  };
  const vcs = await secretOf({ source: "vcs", api_token: gitlab.issue(), provider_base_url: gitlab.url });
  const planner = await secretOf({ source: "planner" });
  const deliver = async (source: string, body: string, headers: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${url}/webhooks/${source}/${orgId}`, { method: "POST", body, headers });
    const receipt: { delivery_id: string } = JSON.parse(await answer.text());
    if (answer.status !== 202) throw new Error(`not taken: ${answer.status}`);
    return receipt.delivery_id;
  };
  const job = async (id: string): Promise<Job> => {
    for (;;) {
      const { body } = await ask("GET", `${base}/llm-jobs/${id}?wait=10`, { as: key });
      if (body.status === "done" || body.status === "error") return body;
    }
  };
  const analyze: Tenant["analyze"] = (body) => ask("POST", `${base}/analyze`, { as: key, body });
  return {
    orgId,
    key,
    fromHost: (body) => deliver("vcs", JSON.stringify(body), { "x-vcs-token": vcs }),
    fromPlanner(body) {
      const bytes = JSON.stringify(body);
      const signature = new Bun.CryptoHasher("sha256", planner).update(bytes).digest("hex");
      return deliver("planner", bytes, { "x-planner-signature": `sha256=${signature}` });
    },
    analyze,
    async analyzed(body) {
      let answer = await analyze(body);
      // Sent again as a pipeline does: where many begin at once, a connection to the database can take too long.
      for (let tries = 1; answer.status === 503 && tries < MOST_TRIES; tries += 1) {
        await Bun.sleep(RETRY_MS);
        answer = await analyze(body);
      }
      if (answer.status !== 202) throw new Error(`not taken: ${JSON.stringify(answer.body)}`);
      return job(text(answer.body, "job_id") ?? "");
    },
    job,
    async settled() {
      for (;;) {
        const [row] = await db.admin<{ waiting: number }[]>`
          select (select count(*) from webhooks.deliveries where org_id = ${orgId} and outcome = 'pending')
               + (select count(*) from webhooks.events where org_id = ${orgId})
               + (select count(*) from analyzer.jobs where org_id = ${orgId} and status in ('queued', 'running'))
                 as waiting
        `;
        if (Number(row?.waiting) === 0) return;
        await Bun.sleep(20);
      }
    },
    async usage() {
      const { body } = await ask("GET", `${base}/llm-usage`, { as: key });
      return Number(body.weekly_used);
    },
  };
}

/** Comments on the merge request of these tests. @returns the latest answer below a comment */
export async function command({ gitlab }: World, tenant: Tenant, text: string): Promise<string> {
  const author = { id: 7, username: "ada" };
  const note = gitlab.write(text, { project: REPOSITORY, iid: NUMBER, author });
  await tenant.fromHost(noteBody(text, { id: note.id, discussion_id: note.discussion }));
  await tenant.settled();
  return gitlab.texts(NUMBER).findLast((one) => one.includes("leeway:reply:")) ?? "";
}

/** Whether whoever comments may push, as GitLab tells it. */
export function mayPush({ gitlab }: World, may: boolean): void {
  gitlab.setAccess(REPOSITORY, 7, may ? DEVELOPER : REPORTER);
}
const [REPORTER, DEVELOPER] = [20, 30];

export function change(
  actions: string[],
  { before = null, after = null, ...more }: JsonObject = {},
): JsonObject {
  return { actions, before, after, after_unknown: {}, before_sensitive: {}, after_sensitive: {}, ...more };
}

export function resource(address: string, changed: JsonObject, more: JsonObject = {}): JsonObject {
  const [type = "", name = ""] = address.split(".");
  const provider_name = "registry.terraform.io/hashicorp/aws";
  return { address, mode: "managed", type, name, provider_name, change: changed, ...more };
}

export function plan(...resources: JsonObject[]): JsonObject {
  return { format_version: "1.2", terraform_version: "1.9.8", resource_changes: resources };
}

const DATABASE = { identifier: "orders", engine: "postgres", instance_class: "db.t3.medium" };
/** A plan that is critical: it destroys a database. */
export const destroysDatabase = (name = "orders"): JsonObject =>
  plan(resource(`aws_db_instance.${name}`, change(["delete"], { before: DATABASE })));
/** A plan of a medium risk. */
export const opensPort = (): JsonObject =>
  plan(
    resource(
      "aws_security_group_rule.web",
      change(["create"], {
        after: { type: "ingress", from_port: 443, to_port: 443, protocol: "tcp", cidr_blocks: ["0.0.0.0/0"] },
      }),
    ),
  );

/** A submission for the merge request of these tests. */
export const submission = (given: JsonObject, more: JsonObject = {}): JsonObject => ({
  plan: given,
  repository: REPOSITORY,
  change_request: { number: NUMBER },
  project: { name: "prod" },
  comment: true,
  narrative: false,
  ...more,
});

/** What a planner sends of a plan. */
export const plannerBody = (given: JsonObject, more: JsonObject = {}): JsonObject => ({
  event: "plan",
  version: 1,
  event_id: crypto.randomUUID(),
  occurred_at: "2026-11-21T10:00:00Z",
  repository: GITHUB_REPOSITORY,
  change_request: { number: NUMBER, url: "https://github.example.com/x/pull/12" },
  commit_sha: "0123456789abcdef0123456789abcdef01234567",
  project: { name: "prod" },
  status: "success",
  tool: "terraform",
  plan: given,
  ...more,
});

export { mergeRequestBody, noteBody };
