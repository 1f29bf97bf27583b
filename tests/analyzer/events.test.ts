import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

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
/** A comment with a command, as somebody wrote it and the host tells it. */
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

/** What a delivery says of itself in the end, once it has said why. */
async function endOf(delivery: string): Promise<object> {
  await tenant.settled();
  const { db } = world.stack;
  for (;;) {
    const [row] = await db.admin`select outcome, reason from webhooks.deliveries where id = ${delivery}`;
    if (row?.["reason"]) return { ...row }; // told a moment after the job has ended
    await Bun.sleep(10);
  }
}

describe("a merge request", () => {
  test("has one comment with the latest findings, whatever is submitted, at once too", async () => {
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
    ["keeps what is told of the commit that it is at", "new"],
    ["is told of the latest plan where that isn't known", "newest"],
  ])("%s when the pipeline of an earlier commit ends last", async (_, head) => {
    const shas = new Map(["old", "new", "newest"].map((name, index) => [name, `${index}`.repeat(40)]));
    world.gitlab.heads.set(NUMBER, shas.get(head) ?? "");
    await tenant.analyzed(submission(destroysDatabase(), { commit_sha: shas.get("new") ?? "" }));
    const { result } = await tenant.analyzed(submission(opensPort(), { commit_sha: shas.get("old") ?? "" }));
    expect(result.comment).toMatchObject({ posted: true });
    const told = head === "new" ? "aws_db_instance.orders" : "aws_security_group_rule.web";
    expect(ours()).toEqual([expect.stringContaining(told)]);
    await tenant.analyzed(submission(opensPort(), { commit_sha: shas.get(head) ?? "" }));
    expect(ours()).toEqual([expect.stringContaining("aws_security_group_rule.web")]);
  });

  test("is told of the commit that it is at when that was submitted before an earlier one, and ends after it", async () => {
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

  test("whose comment somebody deleted gets it again with the next analysis", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.notes.length = 0;
    await tenant.analyzed(submission(destroysDatabase()));
    expect(ours()).toHaveLength(1);
  });

  test("isn't written to when nothing changed", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.recover();
    await tenant.analyzed(submission(destroysDatabase()));
    expect(world.gitlab.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("that is opened after its plan was submitted is told then", async () => {
    world.gitlab.fail(status(404), /notes/, 1); // it isn't there yet
    const { result } = await tenant.analyzed(submission(destroysDatabase()));
    expect(result.comment).toEqual({ posted: false, error: "not_found" });
    await tenant.fromHost(mergeRequestBody());
    await tenant.settled();
    expect(ours()).toHaveLength(1);
  });

  test("whose pipeline wishes no comment gets none, and can be asked about all the same", async () => {
    world.gitlab.setAccess(REPOSITORY, 7, 30);
    await tenant.analyzed(submission(destroysDatabase(), { comment: false }));
    await tenant.fromHost(mergeRequestBody());
    await command("/leeway status");
    expect(ours()).toEqual([]);
    expect(replies().at(-1)).toContain("critical");
  });

  test.each([
    ["answers 500", status(500)],
    ["answers 429", status(429, { "retry-after": "1" })],
    ["breaks off", cut],
  ])("gets its comment though the host %s at first", async (_, fault) => {
    world.gitlab.fail(fault, /POST .*notes/, 1);
    const { result } = await tenant.analyzed(submission(destroysDatabase()));
    expect(result.comment).toMatchObject({ posted: true });
    expect(ours()).toHaveLength(1);
  });

  test("that is gone is told by the job, which is done all the same", async () => {
    const job = await tenant.analyzed(submission(destroysDatabase(), { change_request: { number: 99 } }));
    expect(job).toMatchObject({ status: "done", result: { comment: { posted: false, error: "not_found" } } });
  });
});

/** What a planner sends of a plan that failed. */
const failed = (more: JsonObject = {}): JsonObject => {
  const { plan: _, ...body } = plannerBody({}, { status: "failure", ...more });
  return body;
};

describe("a planner's plan", () => {
  test("is told on its pull request by the app, and its delivery says where", async () => {
    const delivery = await tenant.fromPlanner(plannerBody(destroysDatabase()));
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toEqual([expect.not.stringContaining("/leeway ")]); // nobody hears it there
    expect(world.github.texts(NUMBER)[0]).toContain("aws_db_instance.orders");
    const job = await tenant.job(delivery);
    expect(job.result).toMatchObject({ risk_level: "critical", comment: { posted: true } });
    const [row] = await world.stack.db.admin`
      select outcome, job_id, comment_url from webhooks.deliveries where id = ${delivery}
    `;
    expect({ ...row }).toMatchObject({ outcome: "processed", job_id: delivery });
    expect(row?.["comment_url"]).toContain("github.example.com");
  });

  test("of a repository on GitLab is told there with a webhook's token, and so is the next one", async () => {
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

  test("of a pull request isn't told on a mirror's merge request of the same path and number", async () => {
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

  test("of a merge request isn't told on a mirror's pull request of the same path and number", async () => {
    const url = `https://gitlab.example.com/${GITHUB_REPOSITORY}/-/merge_requests/${NUMBER}`;
    const delivery = await tenant.fromPlanner(
      plannerBody(destroysDatabase(), { change_request: { number: NUMBER, url } }),
    );
    await tenant.settled();
    expect((await tenant.job(delivery)).result.comment).toEqual({ posted: false, error: "not_found" });
    expect(world.github.texts(NUMBER)).toEqual([]);
  });

  test("of a merge request isn't told on another GitLab's of the same path and number", async () => {
    world.gitlab.fail(status(404), /notes/); // it is on a GitLab that no webhook is for
    const url = `https://git.example.org/${REPOSITORY}/-/merge_requests/${NUMBER}`;
    const change_request = { number: NUMBER, url };
    await tenant.fromPlanner(plannerBody(destroysDatabase(), { repository: REPOSITORY, change_request }));
    await tenant.settled();
    world.gitlab.recover();
    await tenant.fromHost(mergeRequestBody());
    await tenant.settled();
    expect(ours()).toEqual([]);
  });

  test("of the pull request's head keeps its comment when one of an earlier commit ends after it", async () => {
    const [old, head] = ["0".repeat(40), "1".repeat(40)];
    world.github.heads.set(NUMBER, head);
    await tenant.fromPlanner(plannerBody(destroysDatabase(), { commit_sha: head }));
    await tenant.settled();
    await tenant.fromPlanner(plannerBody(opensPort(), { commit_sha: old }));
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toEqual([expect.stringContaining("aws_db_instance.orders")]);
  });

  test("of two events at once leaves one comment, with the findings of the later", async () => {
    await tenant.fromPlanner(plannerBody(opensPort()));
    await tenant.fromPlanner(plannerBody(destroysDatabase()));
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toHaveLength(1);
    expect(world.github.texts(NUMBER)[0]).toContain("aws_db_instance.orders");
  });

  test("is taken though it is larger than a message of the bus, once its secrets are masked", async () => {
    const before = { list: Array.from({ length: 550_000 }, () => ({ pw: 1 })) };
    const delivery = await tenant.fromPlanner(
      plannerBody(plan(resource("aws_db_instance.orders", change(["delete"], { before })))),
    );
    await tenant.settled();
    expect((await tenant.job(delivery)).result).toMatchObject({ risk_level: "critical" });
  });

  test("where the app isn't installed says so on the delivery and the job", async () => {
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

  test("that failed takes the place of what an earlier one was told to do", async () => {
    await tenant.fromPlanner(plannerBody(destroysDatabase()));
    await tenant.settled();
    await tenant.fromPlanner(failed());
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toHaveLength(1);
    expect(world.github.texts(NUMBER)[0]).toContain("### Leeway, `prod`: the plan failed\n");
    expect(world.github.texts(NUMBER)[0]).not.toContain("aws_db_instance.orders");
  });

  test("that failed is told in no comment of its own, but when it is asked for", async () => {
    const delivery = await tenant.fromPlanner(failed());
    await tenant.settled();
    expect(world.github.texts(NUMBER)).toEqual([]);
    const job = await tenant.job(delivery);
    expect(job.result).toMatchObject({ errored: true, risk_level: "none" });
    expect(job).not.toHaveProperty("risk_level"); // nor has it in lists: nothing found isn't nothing there
    const [row] = await world.stack.db.admin`select job_id from webhooks.deliveries where id = ${delivery}`;
    expect(row?.["job_id"]).toBe(delivery);
  });

  test("that failed and is of no pull request is no job", async () => {
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

  test("is acknowledged by an emoji, and answered once below itself", async () => {
    await command("/leeway help");
    const [note] = world.gitlab.notes;
    expect(note?.awards.map(({ name }) => name)).toEqual(["eyes"]);
    expect(replies()).toHaveLength(1);
    expect(replies()[0]).toContain("/leeway explain");
  });

  test("that was answered says on its delivery where", async () => {
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

  test("of somebody who may not write to the repository isn't run", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.setAccess(REPOSITORY, 7, 20);
    await command("/leeway analyze");
    expect(replies()[0]).toContain("was not run");
  });

  test("analyze has the latest plan analysed again", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.notes.length = 0;
    await command("/leeway analyze");
    expect(ours()).toHaveLength(1);
    expect(replies()).toHaveLength(1);
  });

  test("explain tells what is known of a resource, and status of the plans", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    await command("/leeway explain aws_db_instance.orders");
    expect(replies().at(-1)).toContain("R01");
    await command("/leeway status");
    expect(replies().at(-1)).toContain("critical");
  });

  test("rescan asks for the accounts of the plans' projects, and tells what came of it", async () => {
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

  test("that is edited, or that our own token wrote, is none", async () => {
    await command("/leeway help", { action: "update" });
    expect(replies()).toEqual([]);
  });

  test("that comes twice is answered once", async () => {
    const note = world.gitlab.write("/leeway help", { project: REPOSITORY, iid: NUMBER });
    const body = noteBody("/leeway help", { id: note.id, discussion_id: note.discussion });
    await Promise.all([tenant.fromHost(body), tenant.fromHost(body)]);
    await tenant.settled();
    expect(replies()).toHaveLength(1);
  });
});

describe("a delivery that leaves no comment says why:", () => {
  test("a command and a merge request, when the token is turned away", async () => {
    await tenant.analyzed(submission(destroysDatabase()));
    world.gitlab.fail(status(401), /./);
    const reason = { outcome: "processed", reason: "comment: token_rejected" };
    const note = world.gitlab.write("/leeway status", { project: REPOSITORY, iid: NUMBER });
    const body = noteBody("/leeway status", { id: note.id, discussion_id: note.discussion });
    expect(await endOf(await tenant.fromHost(body))).toEqual(reason);
    expect(await endOf(await tenant.fromHost(mergeRequestBody()))).toEqual(reason);
  });

  test("a command that can't be answered", async () => {
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

test("a submitted plan gets no comment for want of a token, whatever the app says of a repository that isn't there", async () => {
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

test("a submitted plan of a repository that only the app sees is told there, though there are tokens", async () => {
  const there = submission(destroysDatabase(), { repository: GITHUB_REPOSITORY });
  expect((await tenant.analyzed(there)).result.comment).toMatchObject({ posted: true });
  expect(world.github.texts(NUMBER)).toHaveLength(1);
});

test("a submitted plan of a pull request is told by the app, and another code host isn't asked for it", async () => {
  world.gitlab.recover();
  world.gitlab.fail(status(401), /./);
  const change_request = { number: NUMBER, url: `https://github.example.com/${GITHUB_REPOSITORY}/pull/12` };
  const there = submission(destroysDatabase(), { repository: GITHUB_REPOSITORY, change_request });
  expect((await tenant.analyzed(there)).result.comment).toMatchObject({ posted: true });
  expect(world.github.texts(NUMBER)).toHaveLength(1);
  expect(world.gitlab.requests).toEqual([]);
});

test("a host that hangs ends in a job that says so, and in no second comment", async () => {
  world.gitlab.fail(hang, /POST .*notes/, 1);
  const { result } = await tenant.analyzed(submission(destroysDatabase()));
  expect(result.comment).toMatchObject({ posted: true });
  expect(ours()).toHaveLength(1);
});
