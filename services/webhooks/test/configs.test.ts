import {
  CreateConfig,
  DeleteConfig,
  GetConfig,
  ListConfigs,
  RotateSecret,
  UpdateConfig,
} from "@leeway/shared/contracts/webhooks/configs";
import { failureOf } from "@leeway/shared/testing/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import { startTestWebhooks, type TestWebhooks } from "./kit.ts";
import { dayFrom, json, startCodeHost, type CodeHost } from "./support/code-host.ts";

let webhooks: TestWebhooks;
let host: CodeHost;
beforeAll(async () => {
  host = await startCodeHost({ project: "platform/network" });
  webhooks = await startTestWebhooks({ egressAllow: [host.host] });
});
afterAll(async () => {
  await webhooks.stop();
  await host.stop();
});
afterEach(() => host.answerAsUsual());

const vcs = (api_token: string, more: object = {}) => ({
  source: "vcs" as const,
  api_token,
  provider_base_url: host.url,
  ...more,
});
const by = { created_by: { type: "person" as const, id: "ada" } };

/** Waits until `count` statements wait for a config's lock. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const [found] = await webhooks.test.admin`
      select count(*)::int as count
        from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%webhooks.configs%'
    `;
    if (found?.["count"] === count) return;
    await Bun.sleep(5);
  }
}

test("a repeated rotation returns the same secret and keeps the current one valid", async () => {
  const orgId = crypto.randomUUID();
  const { id, secret_prefix } = await webhooks.call(CreateConfig, {
    org_id: orgId,
    ...by,
    source: "planner",
  });
  const rotate = (rotation_id: string) =>
    webhooks.call(RotateSecret, { org_id: orgId, config_id: id, rotation_id });
  const good = async () => {
    const rows = await webhooks.test.admin`
      select prefix from webhooks.secrets where org_id = ${orgId} and coalesce(expires_at > now(), true)
    `;
    return new Set(rows.map(({ prefix }) => prefix));
  };
  const attempt = Bun.randomUUIDv7();
  const { raw_secret } = await rotate(attempt);
  expect((await rotate(attempt)).raw_secret).toBe(raw_secret);
  expect(await good()).toEqual(new Set([secret_prefix, raw_secret.slice(0, 14)]));
  const next = await rotate(Bun.randomUUIDv7());
  expect(await good()).toEqual(new Set([raw_secret.slice(0, 14), next.secret_prefix]));
  const again = Bun.randomUUIDv7();
  const { rotations } = await webhooks.test.admin.begin(async (held) => {
    await held`select from webhooks.configs where id = ${id} for update`;
    const rotations = [rotate(again), rotate(again)];
    await waiting(rotations.length);
    return { rotations };
  });
  const last = await Promise.all(rotations);
  expect(new Set(last.map(({ raw_secret: raw }) => raw)).size).toBe(1);
  expect(await good()).toEqual(new Set([next.secret_prefix, last[0]?.secret_prefix]));
});

describe("a planner config", () => {
  test("shows its secret once at creation", async () => {
    const orgId = crypto.randomUUID();
    const made = await webhooks.call(CreateConfig, { org_id: orgId, ...by, source: "planner", name: "ci" });
    const { raw_secret, ...config } = made;
    expect(raw_secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(config).toEqual({
      id: expect.any(String),
      org_id: orgId,
      source: "planner",
      name: "ci",
      secret_prefix: raw_secret.slice(0, 14),
      enabled: true,
      url: `https://leeway.example.com/webhooks/planner/${orgId}`,
      consecutive_rejects: 0,
      created_by: by.created_by,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await webhooks.call(GetConfig, { org_id: orgId, config_id: config.id })).toEqual(config);
    expect(await webhooks.call(ListConfigs, { org_id: orgId, limit: 10 })).toEqual({ data: [config] });
    const [row] = await webhooks.test
      .admin`select s::text as row from webhooks.secrets s where org_id = ${orgId}`;
    expect(row?.["row"]).not.toContain(Buffer.from(raw_secret.slice(14)).toString("hex"));
  });

  test("created again after a lost response is the same one, with the same secret", async () => {
    const org_id = crypto.randomUUID();
    const input = { org_id, config_id: Bun.randomUUIDv7(), ...by, source: "planner" as const };
    const [made, again] = await Promise.all([
      webhooks.call(CreateConfig, input),
      webhooks.call(CreateConfig, input),
    ]);
    expect(again).toEqual(made);
    expect((await webhooks.call(ListConfigs, { org_id, limit: 10 })).data).toHaveLength(1);
  });

  test.each([
    [{ api_token: "t" }, "api_token is only supported on vcs configs", "api_token"],
    [
      { provider_base_url: "https://git.example.com" },
      "provider_base_url is only supported on vcs configs",
      "provider_base_url",
    ],
    [{ repo_path: "///" }, "repo_path must name a repository, such as platform/network", "repo_path"],
  ])("with %p is refused", async (more, message, field) => {
    const failed = await failureOf(webhooks.newConfig(crypto.randomUUID(), more));
    expect(failed).toMatchObject({ code: "invalid_parameter", message, details: [{ field, message }] });
  });

  test("has no API token to change", async () => {
    const orgId = crypto.randomUUID();
    const { id } = await webhooks.newConfig(orgId);
    const change = webhooks.call(UpdateConfig, { org_id: orgId, config_id: id, api_token: "t" });
    expect(await failureOf(change)).toMatchObject({ message: "api_token is only supported on vcs configs" });
  });

  test("is refused beyond fifty, even in concurrent requests", async () => {
    const orgId = crypto.randomUUID();
    for (let count = 0; count < 40; count += 1) await webhooks.newConfig(orgId);
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => webhooks.newConfig(orgId)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(await failureOf(webhooks.newConfig(orgId))).toMatchObject({ code: "conflict" });
    const first = await webhooks.call(ListConfigs, { org_id: orgId, limit: 49 });
    const { next_cursor: cursor = "" } = first;
    expect((await webhooks.call(ListConfigs, { org_id: orgId, limit: 49, cursor })).data).toHaveLength(1);
  });
});

const note = (username: string, text = "/leeway help"): string =>
  JSON.stringify({
    object_kind: "note",
    user: { id: 7, username },
    project: { id: 1, path_with_namespace: "platform/network" },
    object_attributes: {
      id: Math.floor(Math.random() * 1e9),
      note: text,
      noteable_type: "MergeRequest",
      action: "create",
      author_id: 7,
    },
    merge_request: {
      iid: 3,
      source_project_id: 1,
      target_project_id: 1,
      last_commit: { id: "a".repeat(40) },
    },
  });

describe("a vcs config", () => {
  test("shows the host's data about its token, never the token", async () => {
    const orgId = crypto.randomUUID();
    const token = host.issue({ name: "leeway-bot", username: "group_bot" });
    const { raw_secret, ...made } = await webhooks.newConfig(
      orgId,
      vcs(token, { repo_path: "/platform/network/" }),
    );
    expect(made).toMatchObject({
      source: "vcs",
      repo_path: "platform/network",
      provider_base_url: host.url,
      api_token_status: {
        configured: true,
        name: "leeway-bot",
        username: "group_bot",
        scopes: ["api"],
        days_left: 90,
        last_checked_at: expect.any(String),
      },
    });
    // GitLab: a token of 2024-01-01 expires at 00:00:00 UTC on 2024-01-01.
    expect(made.api_token_status?.expires_at).toBe(`${dayFrom(new Date(), 90)}T00:00:00.000Z`);
    expect(JSON.stringify(made)).not.toContain(token);
    const rows = await webhooks.test
      .admin`select c::text as row from webhooks.configs c where org_id = ${orgId}`;
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString("hex"));
    expect(raw_secret).toStartWith(made.secret_prefix);
  });

  test.each([
    ["no token", undefined, "api_token is required on vcs configs"],
    ["an expired token", { expires_at: "2026-01-01" }, "api_token is expired"],
    ["a token without an expiry", { expires_at: null }, "api_token has no expiry"],
    ["a read-only token", { scopes: ["read_api"] }, "api_token is missing the api scope"],
    ["a revoked token", { revoked: true }, "api_token was rejected by the instance"],
  ])("with %s is refused", async (_, token, message) => {
    const orgId = crypto.randomUUID();
    const { api_token, ...without } = vcs(host.issue(token ?? {}));
    const failed = await failureOf(webhooks.newConfig(orgId, { ...without, ...(token && { api_token }) }));
    expect(failed).toMatchObject({
      code: "invalid_parameter",
      message,
      details: [{ field: "api_token", message }],
    });
    expect(String(failed)).not.toContain(api_token);
    expect((await webhooks.call(ListConfigs, { org_id: orgId, limit: 10 })).data).toEqual([]);
  });

  test("whose token can't reach its repository is refused", async () => {
    const input = vcs(host.issue(), { repo_path: "other/thing" });
    const failed = await failureOf(webhooks.newConfig(crypto.randomUUID(), input));
    expect(failed).toMatchObject({ message: "api_token cannot reach repo_path" });
  });

  test.each([500, 429, 302])("whose host answers %d is refused", async (status) => {
    host.answerWith(json(status, { message: "no" }));
    const failed = await failureOf(webhooks.newConfig(crypto.randomUUID(), vcs(host.issue())));
    expect(failed).toMatchObject({ code: "invalid_parameter", message: "instance unreachable" });
  });

  test.each([
    "http://git.example.com",
    "https://127.0.0.1:1",
    "https://[::ffff:10.0.0.1]",
    "https://0x7f.1/",
    "ftp://x",
    "git",
  ])("with the base URL %p is refused", async (provider_base_url) => {
    const input = { ...vcs(host.issue()), provider_base_url };
    const failed = await failureOf(webhooks.newConfig(crypto.randomUUID(), input));
    expect(failed).toMatchObject({
      code: "invalid_parameter",
      message: "provider_base_url must be public https",
      details: [{ field: "provider_base_url" }],
    });
  });

  test("accepts only a valid new token, and otherwise keeps the old one", async () => {
    const orgId = crypto.randomUUID();
    const { id } = await webhooks.newConfig(orgId, vcs(host.issue({ name: "first" })));
    const one = { org_id: orgId, config_id: id };
    const bad = webhooks.call(UpdateConfig, {
      ...one,
      enabled: false,
      api_token: host.issue({ revoked: true }),
    });
    expect(await failureOf(bad)).toMatchObject({ message: "api_token was rejected by the instance" });
    const kept = await webhooks.call(GetConfig, one);
    expect([kept.enabled, kept.api_token_status?.name]).toEqual([true, "first"]);
    const changed = await webhooks.call(UpdateConfig, { ...one, api_token: host.issue({ name: "second" }) });
    expect(changed.api_token_status?.name).toBe("second");
  });

  test("ignores comments by its token's own user", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId, vcs(host.issue({ username: "project_7_bot_0a1b" })));
    const own = await webhooks.receive(orgId, "vcs", note("Project_7_bot_0a1b"), config.raw_secret);
    const other = await webhooks.receive(orgId, "vcs", note("ada"), config.raw_secret);
    expect([own.status, other.status]).toEqual(["ignored", "accepted"]);
    const [second, first] = await webhooks.settled(orgId, config.id);
    expect(first).toMatchObject({ kind: "comment", outcome: "ignored", reason: "own_note" });
    expect(second).toMatchObject({ kind: "comment", outcome: "processed" });
  });
});

test("a user whose token Leeway uses can give commands, but Leeway's comments are ignored", async () => {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId, vcs(host.issue({ username: "ada" })));
  const command = await webhooks.receive(orgId, "vcs", note("ada"), config.raw_secret);
  const ours = note("ada", "<!-- leeway:plan:prod -->\n/leeway status");
  const own = await webhooks.receive(orgId, "vcs", ours, config.raw_secret);
  expect([command.status, own.status]).toEqual(["accepted", "ignored"]);
  const [second, first] = await webhooks.settled(orgId, config.id);
  expect(first).toMatchObject({ kind: "comment", outcome: "processed" });
  expect(second).toMatchObject({ kind: "comment", outcome: "ignored", reason: "no_command" });
});

describe("an unknown config", () => {
  test.each([
    ["read", GetConfig, {}],
    ["changed", UpdateConfig, { enabled: true }],
    ["rotated", RotateSecret, {}],
    ["deleted", DeleteConfig, {}],
  ] as const)("can't be %s, nor can another organization's", async (_, contract, more) => {
    const orgId = crypto.randomUUID();
    const { id } = await webhooks.newConfig(orgId);
    for (const wrong of [
      { org_id: crypto.randomUUID(), config_id: id },
      { org_id: orgId, config_id: orgId },
    ]) {
      const failed = await failureOf(webhooks.call<typeof contract>(contract, { ...wrong, ...more }));
      expect(failed).toMatchObject({ code: "not_found" });
    }
    expect(await webhooks.call(GetConfig, { org_id: orgId, config_id: id })).toMatchObject({ enabled: true });
  });

  test("an update without a field is refused", async () => {
    const orgId = crypto.randomUUID();
    const { id } = await webhooks.newConfig(orgId);
    const failed = await failureOf(webhooks.call(UpdateConfig, { org_id: orgId, config_id: id }));
    expect(failed).toMatchObject({ code: "empty_update" });
  });
});
