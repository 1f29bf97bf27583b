import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { CreateSource } from "@leeway/shared/contracts/inventory/sources";
import { UpdateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { GetChannel } from "@leeway/shared/contracts/webhooks/channels";
import { CreateConfig } from "@leeway/shared/contracts/webhooks/configs";
import { AppError, unavailable } from "@leeway/shared/errors";

import { CHANNEL } from "../src/openapi/channel-examples.ts";
import {
  CLOUD_ACCOUNT,
  IAC_SOURCE,
  ID,
  WEBHOOK_CONFIG,
  WEBHOOK_CONFIG_WITH_SECRET,
} from "../src/openapi/examples.ts";
import { SCAN_SCHEDULE } from "../src/openapi/schedule-examples.ts";
import { OPERATOR_TOKEN, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

interface Entry {
  action: string;
  actor: { type: string; name?: string };
}

let gateway: TestGateway;
let org: { id: string; owner: string };
let admin: string;
let member: string;
let base: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  base = `/api/v2/orgs/${org.id}`;
  admin = (await gateway.newKey(org.id, org.owner, "admin")).key;
  member = (await gateway.newKey(org.id, org.owner, "member")).key;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const entries = async () => (await gateway.ask("GET", `${base}/audit-log`, { as: org.owner })).body.data;

describe("the audit log", () => {
  test("tells what was made, changed and deleted, newest first, by whom and under which request", async () => {
    const made = await gateway.ask("POST", `${base}/cloud-accounts`, {
      as: admin,
      body: {
        provider: "aws",
        external_id: "1",
        credentials: { kind: "static", secret_access_key: "the-secret" },
      },
      headers: { "x-request-id": "my-request" },
    });
    expect(made.status).toBe(201);
    await gateway.ask("DELETE", `${base}/cloud-accounts/${ID.account}`, { as: admin });
    const [deleted, created] = await entries();
    expect(created).toMatchObject({
      action: "cloud_account.create",
      target: { type: "cloud_account", id: CLOUD_ACCOUNT.id },
      actor: { type: "api_key" },
      outcome: "done",
      request_id: "my-request",
      details: { provider: "aws", external_id: CLOUD_ACCOUNT.external_id },
    });
    expect(deleted).toMatchObject({
      action: "cloud_account.delete",
      target: { id: ID.account },
      outcome: "done",
    });
    expect(JSON.stringify(await entries())).not.toContain("the-secret");
  });

  test("names what a change is of, and says nothing of what a secret is now", async () => {
    const credentials = { kind: "static", access_key_id: "AKIA", secret_access_key: "the-next-secret" };
    const body = { name: "renamed", credentials };
    await gateway.ask("PATCH", `${base}/cloud-accounts/${ID.account}`, { as: admin, body });
    const [entry] = await entries();
    expect(entry).toMatchObject({
      action: "cloud_account.update",
      outcome: "done",
      details: { provider: "aws", changed: "name, credentials" },
    });
    expect(JSON.stringify(entry)).not.toContain("the-next-secret");
  });

  test.each([
    ["cloud-accounts", ID.account, { provider: "aws", external_id: CLOUD_ACCOUNT.external_id }],
    ["iac-sources", ID.source, { name: IAC_SOURCE.name }],
    ["scan-schedules", SCAN_SCHEDULE.id, { account_id: SCAN_SCHEDULE.account_id, cron: SCAN_SCHEDULE.cron }],
    ["webhooks", ID.config, { source: WEBHOOK_CONFIG.source, name: WEBHOOK_CONFIG.name }],
    ["notification-channels", CHANNEL.id, { kind: CHANNEL.kind, name: CHANNEL.name }],
  ])("names what was deleted of %s: nobody can look it up any more", async (path, id, details) => {
    const { status } = await gateway.ask("DELETE", `${base}/${path}/${id}`, { as: admin });
    expect(status).toBe(204);
    expect((await entries())[0]).toMatchObject({ target: { id }, outcome: "done", details });
  });

  test("keeps nothing from being deleted that can't be shown any more", async () => {
    gateway.others.on(GetChannel, () => {
      throw new AppError("internal", "it can't be opened");
    });
    const { status } = await gateway.ask("DELETE", `${base}/notification-channels/${CHANNEL.id}`, {
      as: admin,
    });
    expect(status).toBe(204);
    const [{ action, details, outcome }] = await entries();
    expect([action, details, outcome]).toEqual(["notification_channel.delete", {}, "done"]);
  });

  test("tells what was refused, and why; of what was never made there is no id", async () => {
    gateway.others.on(CreateSource, () => {
      throw new AppError("conflict", "there is one of this name");
    });
    await gateway.ask("POST", `${base}/iac-sources`, { as: admin, body: { name: "n" } });
    const [entry] = await entries();
    expect(entry).toMatchObject({
      action: "iac_source.create",
      outcome: "refused",
      details: { code: "conflict" },
    });
    expect(entry.target).toEqual({ type: "iac_source" });
  });

  test("calls people by their address, also when they have left, and keys by their name while they are there", async () => {
    const { id, owner, ownerEmail } = await gateway.newOwnedOrg();
    const path = `/api/v2/orgs/${id}`;
    const guest = await gateway.newPerson();
    const role = "admin";
    const { body: invited } = await gateway.ask("POST", `${path}/members`, {
      as: owner,
      body: { email: guest.email, role },
    });
    const made = await gateway.newKey(id, guest.token, role);
    await gateway.ask("PATCH", path, { as: made.key, body: { name: "Renamed" } });
    await gateway.ask("DELETE", `${path}/members/${invited.id}`, { as: owner });
    const namesOf = async (key: string) => {
      const { body } = await gateway.ask("GET", `${path}/audit-log`, { as: key });
      return body.data.map(({ action, actor }: Entry) => [action, actor.type, actor.name]);
    };
    const expected = [
      ["member.delete", "person", ownerEmail],
      ["organization.update", "api_key", role],
      ["api_key.create", "person", guest.email],
      ["member.join", "person", guest.email],
      ["member.create", "person", ownerEmail],
      ["organization.create", "person", ownerEmail],
    ];
    expect(await namesOf(owner)).toEqual(expected);
    await gateway.ask("DELETE", `${path}/api-keys/${made.id}`, { as: owner });
    const [, ...rest] = await namesOf(owner);
    expect(rest[1]).toEqual(["organization.update", "api_key", undefined]);
  });

  test("calls nobody who has left as their token would have it", async () => {
    const { id, owner } = await gateway.newOwnedOrg();
    const path = `/api/v2/orgs/${id}`;
    const sub = crypto.randomUUID();
    const mallory = { sub, email: `${sub}@example.com`, email_verified: true, name: "Mallory" };
    const victim = { sub, email: "ceo@example.com", name: "The CEO" };
    const body = { email: mallory.email, role: "admin" };
    await gateway.ask("POST", `${path}/members`, { as: owner, body });
    const token = await gateway.provider.token(mallory);
    await gateway.ask("PATCH", path, { as: token, body: { name: "Renamed" } });
    await gateway.ask("DELETE", `${path}/members/me`, { as: await gateway.provider.token(victim) });
    expect((await gateway.ask("GET", path, { as: await gateway.provider.token(victim) })).status).toBe(404);
    const { body: log } = await gateway.ask("GET", `${path}/audit-log`, { as: owner });
    const named = log.data.map(({ action, actor }: Entry) => [action, actor.name]);
    expect(named.slice(0, 3)).toEqual([
      ["member.delete", mallory.email],
      ["organization.update", mallory.email],
      ["member.join", mallory.email],
    ]);
  });

  test("leaves out what is absent", async () => {
    const { name: _, ...unnamed } = WEBHOOK_CONFIG_WITH_SECRET;
    gateway.others.on(CreateConfig, () => unnamed);
    expect(
      (await gateway.ask("POST", `${base}/webhooks`, { as: admin, body: { source: "planner" } })).status,
    ).toBe(201);
    expect((await entries())[0].details).toEqual({ source: unnamed.source, enabled: true });

    await gateway.newKey(org.id, org.owner, "viewer");
    expect((await entries())[0].details).toEqual({ name: "viewer", role: "viewer" });

    const body = { name: "Example Ltd" };
    const { body: made } = await gateway.ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body });
    const listed = await gateway.ask("GET", `/api/v2/orgs/${made.org.id}/audit-log`, {
      as: made.api_key.key,
    });
    expect(listed.body.data).toMatchObject([{ action: "organization.create", details: body }]);
    expect(listed.text).not.toContain("null");
  });

  test("says unknown while a change is under way, and when nobody can tell what became of it", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gateway.others.on(UpdateAccount, async () => {
      await promise;
      throw unavailable("the database is gone");
    });
    const changing = gateway.ask("PATCH", `${base}/cloud-accounts/${ID.account}`, {
      as: admin,
      body: { name: "n" },
    });
    await until(async () => (await entries())[0].outcome === "unknown");
    resolve();
    expect((await changing).status).toBe(503);
    expect((await entries())[0]).toMatchObject({ action: "cloud_account.update", outcome: "unknown" });
  });

  test("names what was changed by the id that it has, however the request wrote it", async () => {
    const { id } = await gateway.newKey(org.id, org.owner, "viewer");
    for (const path of [`api-keys/${id.toUpperCase()}`, `cloud-accounts/${ID.account.toUpperCase()}`])
      expect((await gateway.ask("DELETE", `${base}/${path}`, { as: org.owner })).status).toBe(204);
    const [account, key] = await entries();
    expect(account).toMatchObject({ action: "cloud_account.delete", target: { id: ID.account } });
    expect(key).toMatchObject({ action: "api_key.delete", target: { id } });
  });

  test("tells of one action and one actor alone, page by page", async () => {
    const { id, owner } = await gateway.newOwnedOrg();
    const path = `/api/v2/orgs/${id}`;
    const made = await gateway.newKey(id, owner, "admin");
    for (const name of ["One", "Two", "Three"]) {
      await gateway.ask("PATCH", path, { as: made.key, body: { name } });
    }
    await gateway.ask("PATCH", path, { as: owner, body: { name: "Four" } });
    const read = async (query: string) =>
      (await gateway.ask("GET", `${path}/audit-log?${query}`, { as: owner })).body;
    const of = async (query: string) =>
      (await read(query)).data.map(({ action, actor }: Entry) => `${action} ${actor.type}`);

    expect(await of("action=api_key.create")).toEqual(["api_key.create person"]);
    expect(await of(`actor_id=${made.id}`)).toEqual(Array(3).fill("organization.update api_key"));
    expect(await of(`action=api_key.create&actor_id=${made.id}`)).toEqual([]);

    const filtered = `action=organization.update&actor_id=${made.id}&limit=2`;
    const { data, next_cursor: cursor } = await read(filtered);
    const rest = await read(`${filtered}&cursor=${cursor}`);
    expect([data.length, rest.data.length, rest.next_cursor]).toEqual([2, 1, undefined]);
    expect(await read(`action=api_key.create&cursor=${cursor}`)).toMatchObject({ code: "invalid_cursor" });
  });

  test.each([
    ["action=organization.paint", "action"],
    ["action=", "action"],
    ["actor_id=", "actor_id"],
  ])("refuses to be filtered by %s", async (query, field) => {
    const refused = await gateway.ask("GET", `${base}/audit-log?${query}`, { as: admin });
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_parameter"]);
    expect(refused.body.details[0].field).toBe(field);
  });

  test("is for owners and admins, whatever it is filtered by", async () => {
    for (const query of ["", "?action=member.create", `?actor_id=${ID.person}`]) {
      expect((await gateway.ask("GET", `${base}/audit-log${query}`, { as: admin })).status).toBe(200);
      expect((await gateway.ask("GET", `${base}/audit-log${query}`, { as: member })).status).toBe(403);
    }
  });

  test("tells nothing of another organization, by whoever it is filtered", async () => {
    const other = await gateway.newOwnedOrg();
    const [{ actor }] = (await gateway.ask("GET", `/api/v2/orgs/${other.id}/audit-log`, { as: other.owner }))
      .body.data;
    const { body } = await gateway.ask("GET", `${base}/audit-log?actor_id=${actor.id}`, { as: org.owner });
    expect(body.data).toEqual([]);
  });

  test("can't be written to by anybody", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const refused = await gateway.ask(method, `${base}/audit-log`, { as: org.owner });
      expect(refused.status).toBe(405);
      expect(refused.headers.get("allow")).toBe("GET, HEAD");
    }
  });
});
