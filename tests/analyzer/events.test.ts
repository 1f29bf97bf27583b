import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { says } from "../../services/quota/test/support/model-server.ts";
import { cut, hang, status } from "../code-hosts/server.ts";
import {
  change,
  destroysDatabase,
  GITHUB_REPOSITORY,
  mergeRequestBody,
  noteBody,
  NUMBER,
  opensPort,
  plan,
  plannerBody,
  REPOSITORY,
  resource,
  startWorld,
  submission,
  type Tenant,
  type World,
} from "./kit.ts";

const MARKER = "<!-- leeway:plan:prod -->";
let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.gitlab.notes.length = 0;
  world.github.comments.length = 0;
  world.gitlab.recover();
  world.github.recover();
  tenant = await world.newTenant();
});

const ours = (): string[] => world.gitlab.texts(NUMBER).filter((text) => text.includes(MARKER));
/** Writes a comment on the merge request, delivers its webhook and waits for the result. */
async function command(text: string, attributes: Record<string, string | number> = {}): Promise<void> {
  const note = world.gitlab.write(text, {
    project: REPOSITORY,
    iid: NUMBER,
    author: { id: 7, username: "ada" },
  });
  await tenant.fromHost(noteBody(text, { id: note.id, discussion_id: note.discussion, ...attributes }));
  await tenant.settled();
}
const replies = (): string[] => world.gitlab.texts(NUMBER).filter((text) => text.includes("leeway:reply:"));

/** Returns the outcome of a delivery once it has a reason. */
async function endOf(delivery: string): Promise<object> {
  await tenant.settled();
  const { db } = world.stack;
  for (;;) {
    const [row] = await db.admin`select outcome, reason from webhooks.deliveries where id = ${delivery}`;
    if (row?.["reason"]) return { ...row }; // stored shortly after the job ends
    await Bun.sleep(10);
  }
}

describe("a merge request", () => {
  test("has one comment with the latest findings, even after concurrent submissions", async () => {
    const first = await tenant.analyzed(submission(destroysDatabase()));
    expect(first.result.comment).toMatchObject({ posted: true });
    expect(ours()).toHaveLength(1);
    expect(ours()[0]).toContain("aws_db_instance.orders");
    await Promise.all(Array.from({ length: 5 }, () => tenant.analyzed(submission(opensPort()))));
    expect(ours()).toHaveLength(1);
    expect(ours()[0]).toContain("aws_security_group_rule.web");
    expect(ours()[0]).not.toContain("aws_db_instance");
  });

  test.each([
    ["keeps the comment about its current commit", "new"],
    ["shows the latest plan if its current commit is unknown", "newest"],
  ])("%s when an earlier commit's pipeline ends last", async (_, head) => {
    const shas = new Map(["old", "new", "newest"].map((name, index) => [name, `${index}`.repeat(40)]));
    world.gitlab.heads.set(NUMBER, shas.get(head) ?? "");
    await tenant.analyzed(submission(destroysDatabase(), { commit_sha: shas.get("new") ?? "" }));
    const { result } = await tenant.analyzed(submission(opensPort(), { commit_sha: shas.get("old") ?? "" }));
    expect(result.comment).toMatchObject({ posted: true });
    const expected = head === "new" ? "aws_db_instance.orders" : "aws_security_group_rule.web";
    expect(ours()).toEqual([expect.stringContaining(expected)]);
    await tenant.analyzed(submission(opensPort(), { commit_sha: shas.get(head) ?? "" }));
    expect(ours()).toEqual([expect.stringContaining("aws_security_group_rule.web")]);
  });

  test("shows the current commit's plan although an earlier commit's plan ended first", async () => {
    const [old, head] = ["0".repeat(40), "1".repeat(40)];
    world.gitlab.heads.set(NUMBER, head);
    const { promise: asked, resolve } = Promise.withResolvers<() => void>();
    world.model.answerWith((exchange) => resolve(() => says()(exchange)));
    const ofHead = tenant.analyzed(submission(destroysDatabase(), { commit_sha: head, narrative: true }));
    const answer = await asked;
    await tenant.analyzed(submission(opensPort(), { commit_sha: old }));
    expect(ours()).toEqual([expect.stringContaining("aws_security_group_rule.web")]);
    answer();
    await ofHead;
    world.model.answerAsUsual();
    expect(ours()).toEqual([expect.stringContaining("aws_db_instance.orders")]);
  });

  test("gets a deleted comment back with the next analysis", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.notes.length = 0;
    await tenant.analyzed(submission(destroysDatabase()));
    expect(ours()).toHaveLength(1);
  });

  test("has one comment with a link to the report of the latest analysis", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    const { result } = await tenant.analyzed(submission(destroysDatabase()));
    expect(ours()).toHaveLength(1);
    expect(ours()[0]).toContain(`[report](${result.report_url})`);
  });

  test("opened after its plan was submitted gets the comment then", async () => {
    world.gitlab.fail(status(404), /notes/, 1); // the merge request doesn't exist yet
    const { result } = await tenant.analyzed(submission(destroysDatabase()));
    expect(result.comment).toEqual({ posted: false, error: "not_found" });
    await tenant.fromHost(mergeRequestBody());
    await tenant.settled();
    expect(ours()).toHaveLength(1);
  });

  test("whose pipeline disabled comments gets none, but its commands work", async () => {
    world.gitlab.setAccess(REPOSITORY, 7, 30);
    await tenant.analyzed(submission(destroysDatabase(), { comment: false }));
    await tenant.fromHost(mergeRequestBody());
    await command("/leeway status");
    expect(ours()).toEqual([]);
    expect(replies().at(-1)).toContain("critical risk");
  });

  test.each([
    ["answers 500", status(500)],
    ["answers 429", status(429, { "retry-after": "1" })],
    ["truncates its response", cut],
  ])("gets its comment although the host %s at first", async (_, fault) => {
    world.gitlab.fail(fault, /POST .*notes/, 1);
    const { result } = await tenant.analyzed(submission(destroysDatabase()));
    expect(result.comment).toMatchObject({ posted: true });
    expect(ours()).toHaveLength(1);
  });

  test("that doesn't exist is reported on the job, which is still done", async () => {
    const job = await tenant.analyzed(submission(destroysDatabase(), { change_request: { number: 99 } }));
    expect(job).toMatchObject({ status: "done", result: { comment: { posted: false, error: "not_found" } } });
  });
});

/** Builds a planner's event for a failed plan. */
const failed = (more: JsonObject = {}): JsonObject => {
  const { plan: _, ...body } = plannerBody({}, { status: "failure", ...more });
  return body;
};

describe("a planner's plan", () => {
  test("is commented on by the app, and its delivery links to the comment", async () => {
    const delivery = await tenant.fromPlanner(plannerBody(destroysDatabase()));
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toEqual([expect.not.stringContaining("/leeway ")]); // no webhook there
    expect(world.github.texts(NUMBER)[0]).toContain("aws_db_instance.orders");
    const job = await tenant.job(delivery);
    expect(job.result).toMatchObject({ risk_level: "critical", comment: { posted: true } });
    const [row] = await world.stack.db.admin`
      select outcome, job_id, comment_url from webhooks.deliveries where id = ${delivery}
    `;
    expect({ ...row }).toMatchObject({ outcome: "processed", job_id: delivery });
    expect(row?.["comment_url"]).toContain("github.example.com");
  });

  test("of a GitLab repository is commented on with a webhook's token, and so is the next one", async () => {
    const change_request = {
      number: NUMBER,
      url: `https://gitlab.example.com/${REPOSITORY}/-/merge_requests/12`,
    };
    const there = { repository: REPOSITORY, change_request };
    await tenant.fromPlanner(plannerBody(destroysDatabase(), there));
    await tenant.settled();
    expect(ours()).toEqual([expect.stringContaining("aws_db_instance.orders")]);
    await tenant.fromHost(mergeRequestBody());
    await tenant.fromPlanner(plannerBody(opensPort(), there));
    await tenant.settled();
    expect(ours()).toEqual([expect.stringContaining("aws_security_group_rule.web")]);
  });

  test("of a pull request isn't posted to a mirror's merge request with the same number", async () => {
    const url = `https://github.example.com/${GITHUB_REPOSITORY}/pull/${NUMBER}`;
    await tenant.fromPlanner(plannerBody(destroysDatabase(), { change_request: { number: NUMBER, url } }));
    await tenant.settled();
    world.gitlab.recover();
    await tenant.fromHost(
      mergeRequestBody({}, { project: { id: 1, path_with_namespace: GITHUB_REPOSITORY } }),
    );
    await tenant.settled();
    expect(world.gitlab.requests).toEqual([]);
    expect(world.github.texts(NUMBER)).toHaveLength(1);
  });

  test("of a merge request isn't posted to a mirror's pull request with the same number", async () => {
    const url = `https://gitlab.example.com/${GITHUB_REPOSITORY}/-/merge_requests/${NUMBER}`;
    const delivery = await tenant.fromPlanner(
      plannerBody(destroysDatabase(), { change_request: { number: NUMBER, url } }),
    );
    await tenant.settled();
    expect((await tenant.job(delivery)).result.comment).toEqual({ posted: false, error: "not_found" });
    expect(world.github.texts(NUMBER)).toEqual([]);
  });

  test("of a merge request isn't posted to another GitLab with the same path and number", async () => {
    world.gitlab.fail(status(404), /notes/); // the merge request is on a GitLab without a webhook
    const url = `https://git.example.org/${REPOSITORY}/-/merge_requests/${NUMBER}`;
    const change_request = { number: NUMBER, url };
    await tenant.fromPlanner(plannerBody(destroysDatabase(), { repository: REPOSITORY, change_request }));
    await tenant.settled();
    world.gitlab.recover();
    await tenant.fromHost(mergeRequestBody());
    await tenant.settled();
    expect(ours()).toEqual([]);
  });

  test("of the current commit keeps its comment when an earlier commit's ends later", async () => {
    const [old, head] = ["0".repeat(40), "1".repeat(40)];
    world.github.heads.set(NUMBER, head);
    await tenant.fromPlanner(plannerBody(destroysDatabase(), { commit_sha: head }));
    await tenant.settled();
    await tenant.fromPlanner(plannerBody(opensPort(), { commit_sha: old }));
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toEqual([expect.stringContaining("aws_db_instance.orders")]);
  });

  test("of two concurrent events leaves one comment, with the findings of the later one", async () => {
    await tenant.fromPlanner(plannerBody(opensPort()));
    await tenant.fromPlanner(plannerBody(destroysDatabase()));
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toHaveLength(1);
    expect(world.github.texts(NUMBER)[0]).toContain("aws_db_instance.orders");
  });

  test("may exceed the bus's message size once its secrets are masked", async () => {
    const before = { list: Array.from({ length: 550_000 }, () => ({ pw: 1 })) };
    const delivery = await tenant.fromPlanner(
      plannerBody(plan(resource("aws_db_instance.orders", change(["delete"], { before })))),
    );
    await tenant.settled();
    expect((await tenant.job(delivery)).result).toMatchObject({ risk_level: "critical" });
  });

  test("without the app installed says so on the delivery and the job", async () => {
    world.github.uninstall(GITHUB_REPOSITORY);
    const delivery = await tenant.fromPlanner(plannerBody(destroysDatabase()));
    await tenant.settled();
    expect((await tenant.job(delivery)).result.comment).toEqual({
      posted: false,
      error: "app_not_installed",
    });
    const [row] = await world.stack.db.admin`select reason from webhooks.deliveries where id = ${delivery}`;
    expect(row?.["reason"]).toBe("comment: app_not_installed");
    world.github.install(GITHUB_REPOSITORY);
  });

  test("that failed replaces the findings of an earlier one", async () => {
    await tenant.fromPlanner(plannerBody(destroysDatabase()));
    await tenant.settled();
    await tenant.fromPlanner(failed());
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toHaveLength(1);
    expect(world.github.texts(NUMBER)[0]).toContain("### Leeway: the plan failed in `prod`\n");
    expect(world.github.texts(NUMBER)[0]).not.toContain("aws_db_instance.orders");
  });

  test("that failed gets no comment of its own unless it is requested", async () => {
    const delivery = await tenant.fromPlanner(failed());
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toEqual([]);
    const job = await tenant.job(delivery);
    expect(job.result).toMatchObject({ errored: true, risk_level: "none" });
    expect(job).not.toHaveProperty("risk_level"); // lists omit it too: a failed analysis isn't the same as no findings
    const [row] = await world.stack.db.admin`select job_id from webhooks.deliveries where id = ${delivery}`;
    expect(row?.["job_id"]).toBe(delivery);
  });

  test("that failed without a pull request creates no job", async () => {
    const delivery = await tenant.fromPlanner(failed({ change_request: { number: 0 } }));
    await tenant.settled();
    const answer = await world.stack.ask("GET", `/api/v2/orgs/${tenant.orgId}/llm-jobs/${delivery}`, {
      as: tenant.key,
    });
    expect(answer.status).toBe(404);
    const [row] = await world.stack.db.admin`select job_id from webhooks.deliveries where id = ${delivery}`;
    expect(row?.["job_id"]).toBeNull();
  });
});

describe("a command", () => {
  beforeEach(() => world.gitlab.setAccess(REPOSITORY, 7, 30));

  test("is acknowledged with an emoji and answered once in its discussion", async () => {
    await command("/leeway help");
    const [note] = world.gitlab.notes;
    expect(note?.awards.map(({ name }) => name)).toEqual(["eyes"]);
    expect(replies()).toHaveLength(1);
    expect(replies()[0]).toContain("/leeway explain");
  });

  test("links its delivery to the reply", async () => {
    const note = world.gitlab.write("/leeway help", { project: REPOSITORY, iid: NUMBER });
    const body = noteBody("/leeway help", { id: note.id, discussion_id: note.discussion });
    const delivery = await tenant.fromHost(body);
    await tenant.settled();
    const [row] = await world.stack.db.admin`
      select comment_url from webhooks.deliveries where id = ${delivery}
    `;
    const reply = world.gitlab.notes.find(({ id }) => id !== note.id);
    expect(row?.["comment_url"]).toEndWith(`/${REPOSITORY}/-/merge_requests/${NUMBER}#note_${reply?.id}`);
  });

  test("of a user without write access isn't run", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.setAccess(REPOSITORY, 7, 20);
    await command("/leeway analyze");
    expect(replies()[0]).toContain("was not run");
  });

  test("analyze analyses the latest plan again", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.notes.length = 0;
    await command("/leeway analyze");
    expect(ours()).toHaveLength(1);
    expect(replies()).toHaveLength(1);
  });

  test("explain describes a resource, and status the plans", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    await command("/leeway explain aws_db_instance.orders");
    expect(replies().at(-1)).toContain("R01");
    await command("/leeway status");
    expect(replies().at(-1)).toContain("critical risk");
  });

  test("rescan scans the accounts of the plans' projects and reports the outcome", async () => {
    const make = async (below: string, body: object): Promise<string> => {
      const path = `/api/v2/orgs/${tenant.orgId}/${below}`;
      return (await world.stack.ask("POST", path, { as: tenant.key, body })).body.id;
    };
    const account = await make("cloud-accounts", { provider: "aws", external_id: "123456789012" });
    await make("iac-sources", { name: REPOSITORY, cloud_account_id: account });
    await tenant.analyzed(submission(destroysDatabase()));
    await command("/leeway rescan");
    expect(replies().at(-1)).toContain(account);
    expect(replies().at(-1)).toContain("no credentials");
  });

  test("that is edited, or written with our own token, is ignored", async () => {
    await command("/leeway help", { action: "update" });
    expect(replies()).toEqual([]);
  });

  test("delivered twice is answered once", async () => {
    const note = world.gitlab.write("/leeway help", { project: REPOSITORY, iid: NUMBER });
    const body = noteBody("/leeway help", { id: note.id, discussion_id: note.discussion });
    await Promise.all([tenant.fromHost(body), tenant.fromHost(body)]);
    await tenant.settled();
    expect(replies()).toHaveLength(1);
  });
});

describe("a delivery without a comment says why:", () => {
  test("a command and a merge request with a rejected token", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.fail(status(401), /./);
    const reason = { outcome: "processed", reason: "comment: token_rejected" };
    const note = world.gitlab.write("/leeway status", { project: REPOSITORY, iid: NUMBER });
    const body = noteBody("/leeway status", { id: note.id, discussion_id: note.discussion });
    expect(await endOf(await tenant.fromHost(body))).toEqual(reason);
    expect(await endOf(await tenant.fromHost(mergeRequestBody()))).toEqual(reason);
  });

  test("a command whose reply is refused", async () => {
    world.gitlab.setAccess(REPOSITORY, 7, 30);
    const author = { id: 7, username: "ada" };
    const note = world.gitlab.write("/leeway help", { project: REPOSITORY, iid: NUMBER, author });
    world.gitlab.fail(status(403), /POST .*\/notes$/);
    const body = noteBody("/leeway help", { id: note.id, discussion_id: note.discussion });
    expect(await endOf(await tenant.fromHost(body))).toMatchObject({ reason: "comment: forbidden" });
  });

  test("a plan that can't be analysed", async () => {
    const delivery = await tenant.fromPlanner(plannerBody({ format_version: "9.9", resource_changes: [] }));
    const reason = "job: unsupported_plan_format";
    expect(await endOf(delivery)).toEqual({ outcome: "processed", reason });
  });
});

test("without a token a plan gets no comment, even if the app can't see its repository", async () => {
  const webhooks = `/api/v2/orgs/${tenant.orgId}/webhooks`;
  const as = tenant.key;
  const { body } = await world.stack.ask("GET", `${webhooks}?source=vcs`, { as });
  await world.stack.ask("PATCH", `${webhooks}/${body.data[0].id}`, { as, body: { enabled: false } });
  for (const repository of [REPOSITORY, "platform/network"]) {
    const { result } = await tenant.analyzed(submission(destroysDatabase(), { repository }));
    expect(result.comment).toEqual({ posted: false, error: "token_missing" });
  }
  const there = submission(destroysDatabase(), { repository: GITHUB_REPOSITORY });
  expect((await tenant.analyzed(there)).result.comment).toMatchObject({ posted: true });
});

test("a plan of a repository that only the app sees is commented on by the app", async () => {
  const there = submission(destroysDatabase(), { repository: GITHUB_REPOSITORY });
  expect((await tenant.analyzed(there)).result.comment).toMatchObject({ posted: true });
  expect(world.github.texts(NUMBER)).toHaveLength(1);
});

test("a plan with a pull request URL is commented on by the app only", async () => {
  world.gitlab.recover();
  world.gitlab.fail(status(401), /./);
  const change_request = { number: NUMBER, url: `https://github.example.com/${GITHUB_REPOSITORY}/pull/12` };
  const there = submission(destroysDatabase(), { repository: GITHUB_REPOSITORY, change_request });
  expect((await tenant.analyzed(there)).result.comment).toMatchObject({ posted: true });
  expect(world.github.texts(NUMBER)).toHaveLength(1);
  expect(world.gitlab.requests).toEqual([]);
});

test("a host that hangs gets only one comment", async () => {
  world.gitlab.fail(hang, /POST .*notes/, 1);
  const { result } = await tenant.analyzed(submission(destroysDatabase()));
  expect(result.comment).toMatchObject({ posted: true });
  expect(ours()).toHaveLength(1);
});
