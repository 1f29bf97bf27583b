import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, text, type JsonObject } from "@leeway/shared/values/json";
import { untilNextLook } from "@leeway/shared/testing/testing";

import { OPERATOR_TOKEN, patient } from "../../services/gateway/test/support/gateway.ts";
import {
  says,
  startModelServer,
  type Answer,
  type ModelServer,
} from "../../services/quota/test/support/model-server.ts";
import { platformOf } from "../../services/quota/test/support/models.ts";
import { mergeRequestBody, noteBody } from "../../services/webhooks/src/events/bodies.fixture.ts";
import { startGithub, type Github } from "../code-hosts/github.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { startStack, type Stack } from "../isolation/stack.ts";

export const REPOSITORY = "platform/aws/network";
/** A second repository on the same GitLab, with a merge request of the same number. */
export const OTHER_REPOSITORY = "platform/aws/other";
export const GITHUB_REPOSITORY = "acme/infra";
export const NUMBER = 12;

/** The whole product, with code hosts and a model server under the test's control. */
export interface World {
  stack: Stack;
  gitlab: Gitlab;
  /** A second GitLab with the same repository and merge requests. */
  otherGitlab: Gitlab;
  github: Github;
  model: ModelServer;
  newTenant(plan?: string): Promise<Tenant>;
  stop(): Promise<void>;
}

/** An organization with a webhook config of each source. */
export interface Tenant {
  orgId: string;
  key: string;
  /** Sends an event as the code host. @returns the delivery's id */
  fromHost(body: JsonObject): Promise<string>;
  /** Sends a signed event as the planner. @returns the delivery's id */
  fromPlanner(body: JsonObject): Promise<string>;
  /** Submits a plan. A string is sent unchanged. */
  analyze(body: JsonObject | string): Promise<{ status: number; body: JsonObject }>;
  /** Submits a plan and waits until its job ends. */
  analyzed(body: JsonObject): Promise<Job>;
  job(id: string): Promise<Job>;
  /** Waits until no delivery or job is pending. */
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
  const gitlab = startGitlab({ projects: [REPOSITORY, OTHER_REPOSITORY], mergeRequests: [NUMBER, 13] });
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

const RETRY_MS = 500;

/** Creates an organization on the product that runs at `url`. */
export async function newTenant(
  { ask, url, db }: Pick<Stack, "ask" | "url"> & { db: Pick<Stack["db"], "admin"> },
  gitlab: Gitlab,
  plan: string,
): Promise<Tenant> {
  const patiently = patient(ask);
  const made = await patiently("POST", "/operator/orgs", {
    as: OPERATOR_TOKEN,
    body: { name: "World", plan },
  });
  const orgId: string = made.body.org.id;
  const key: string = made.body.api_key.key;
  const base = `/api/v2/orgs/${orgId}`;
  const secretOf = async (body: JsonObject): Promise<string> => {
    const { status, body: config } = await patiently("POST", `${base}/webhooks`, { as: key, body });
    if (status !== 201) throw new Error(`no config: ${JSON.stringify(config)}`);
    return config.raw_secret;
  };
  const vcs = await secretOf({ source: "vcs", api_token: gitlab.issue(), provider_base_url: gitlab.url });
  const planner = await secretOf({ source: "planner" });
  const deliver = async (source: string, body: string, headers: Record<string, string>): Promise<string> => {
    for (;;) {
      const answer = await fetch(`${url}/webhooks/${source}/${orgId}`, { method: "POST", body, headers });
      const receipt = await answer.text();
      if (answer.status === 202) return JSON.parse(receipt).delivery_id;
      // A busy machine may take longer than a sender waits. Senders retry.
      if (answer.status !== 503) throw new Error(`not taken: ${answer.status} ${receipt}`);
      await Bun.sleep(RETRY_MS);
    }
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
      const answer = await patiently("POST", `${base}/analyze`, { as: key, body });
      if (answer.status !== 202) throw new Error(`not taken: ${JSON.stringify(answer.body)}`);
      return job(text(answer.body, "job_id") ?? "");
    },
    job,
    async settled() {
      const started = performance.now();
      for (;;) {
        const [row] = await db.admin<{ waiting: number }[]>`
          select (select count(*) from webhooks.deliveries where org_id = ${orgId} and outcome = 'pending')
               + (select count(*) from analyzer.jobs where org_id = ${orgId} and status in ('queued', 'running'))
                 as waiting
        `;
        if (Number(row?.waiting) === 0) return;
        await untilNextLook(started);
      }
    },
    async usage() {
      const { body } = await ask("GET", `${base}/llm-usage`, { as: key });
      return Number(body.weekly_used);
    },
  };
}

/** Writes a comment on the merge request of these tests. @returns the latest reply to it */
export async function command(
  { gitlab }: World,
  tenant: Tenant,
  text: string,
  { project = REPOSITORY, username = "ada" } = {},
): Promise<string> {
  const author = { id: 7, username };
  const note = gitlab.write(text, { project, iid: NUMBER, author });
  const url = `https://gitlab.example.com/${project}/-/merge_requests/${NUMBER}`;
  const body = noteBody(
    text,
    { id: note.id, discussion_id: note.discussion, url: `${url}#note_${note.id}` },
    { project: { id: 31, path_with_namespace: project }, user: { id: 7, username } },
  );
  await tenant.fromHost({ ...body, merge_request: { ...requestOf(body), url } });
  await tenant.settled();
  return gitlab.texts(NUMBER).findLast((one) => one.includes("leeway:reply:")) ?? "";
}

function requestOf({ merge_request: request }: JsonObject): JsonObject {
  if (!isObject(request)) throw new Error("a note is of a merge request");
  return request;
}

/** Sets whether GitLab reports the commenter as allowed to push. */
export function mayPush({ gitlab }: World, may: boolean): void {
  for (const project of [REPOSITORY, OTHER_REPOSITORY])
    gitlab.setAccess(project, 7, may ? DEVELOPER : REPORTER);
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
/** Builds a plan of critical risk, which destroys a database. */
export const destroysDatabase = (name = "orders"): JsonObject =>
  plan(resource(`aws_db_instance.${name}`, change(["delete"], { before: DATABASE })));
/** Builds a plan of medium risk. */
export const opensPort = (): JsonObject =>
  plan(
    resource(
      "aws_security_group_rule.web",
      change(["create"], {
        after: { type: "ingress", from_port: 443, to_port: 443, protocol: "tcp", cidr_blocks: ["0.0.0.0/0"] },
      }),
    ),
  );

/** Builds a submission for the merge request of these tests. */
export const submission = (given: JsonObject, more: JsonObject = {}): JsonObject => ({
  plan: given,
  repository: REPOSITORY,
  change_request: { number: NUMBER },
  project: { name: "prod" },
  comment: true,
  narrative: false,
  ...more,
});

/** Builds the event that a planner sends for a plan. */
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

/** Answers with valid JSON: a summary, and notes on single findings. */
export const answersWith = (summary: string, findings: JsonObject[] = []): Answer =>
  says(JSON.stringify({ summary, findings }));

export { mergeRequestBody, noteBody };
