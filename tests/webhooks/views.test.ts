import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { serviceBus, testLog } from "@leeway/shared/testing/testing";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { createNotices } from "../../services/inventory/src/notices/notices.ts";
import { newsOfViews } from "../../services/inventory/src/views/news.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { startReceiver, type Receiver } from "../../services/webhooks/test/support/receiver.ts";
import { startStack, type Stack } from "../isolation/stack.ts";

const ACCOUNT = "123456789012";
const arnOf = (name: string): string => `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${name}`;
const live = (name: string, timeout: number, tags: Record<string, string> = {}) => ({
  provider_resource_id: arnOf(name),
  provider_type: "AWS::Lambda::Function",
  region: "eu-west-1",
  tags,
  properties: { Timeout: timeout },
});
const declared = (name: string) => ({
  type: "aws_lambda_function",
  name,
  attributes: { id: name, arn: arnOf(name), timeout: 30 },
});

let receiver: Receiver;
let stack: Stack;
let stopNotices: () => Promise<void>;
beforeAll(async () => {
  receiver = startReceiver();
  stack = await startStack({ egressAllow: [receiver.host] });
  const platform = {
    database: stack.db.open("inventory"),
    bus: await serviceBus("inventory"),
    log: testLog(),
  };
  const notices = createNotices(platform, newsOfViews).start();
  stopNotices = async () => {
    await notices.stop();
    await platform.bus.nats.drain();
  };
});
afterAll(async () => {
  await stopNotices();
  await stack.stop();
  await receiver.stop();
});

/** Creates an organization with an account that declares functions. */
async function tenant(...names: string[]) {
  const owner = await stack.newPerson(`${crypto.randomUUID()}@example.com`);
  const org = await stack.ask("POST", "/api/v2/orgs", { as: owner, body: { name: "Shop" } });
  const ask = async (method: string, below: string, body?: unknown, as: string = owner) =>
    stack.ask(method, `/api/v2/orgs/${org.body.id}/${below}`, { as, ...(body !== undefined && { body }) });
  const keyOf = async (role: string): Promise<string> => {
    const path = `/operator/orgs/${org.body.id}/api-keys`;
    return (await stack.ask("POST", path, { as: OPERATOR_TOKEN, body: { name: role, role } })).body.key;
  };
  const account = await ask("POST", "cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  const source = await ask("POST", "iac-sources", { name: "main", cloud_account_id: account.body.id });
  await ask("PUT", `iac-sources/${source.body.id}/state`, tfstate(names.map(declared)));
  const save = async (name: string, filter: object, more: object = {}) =>
    ask("POST", "views", { name, page: "drift", filter, shared: true, ...more });
  const channel = async (name: string, more: object = {}) =>
    ask("POST", "notification-channels", {
      kind: "webhook",
      name,
      events: ["drift.detected", "drift.resolved", "posture.degraded"],
      target: { url: `${receiver.url}/${org.body.id}/${name}` },
      ...more,
    });
  /** Pushes a listing and waits until its drift is computed. */
  const list = async (...rows: object[]) => {
    const { body } = await ask("PUT", `cloud-accounts/${account.body.id}/listing`, ndjson(rows));
    while ((await ask("GET", `scans/${body.id}`)).body.finished_at === undefined) await Bun.sleep(20);
  };
  /** Waits until a channel has got a number of messages, and returns their bodies. */
  const got = async (name: string, count: number) => {
    const path = `/hook/${org.body.id}/${name}`;
    const own = () => receiver.received.filter((one) => one.path === path);
    while (own().length < count) await Bun.sleep(20);
    return own().map(({ body }) => JSON.parse(body));
  };
  return { ask, keyOf, save, channel, list, got };
}

describe("a view", () => {
  test("is seen by all if it is shared, and by its owner alone if not", async () => {
    const { ask, keyOf, save } = await tenant();
    const viewer = await keyOf("viewer");
    const shared = await save("Everyone's", { kind: "missing" });
    expect(shared).toMatchObject({ status: 201, body: { filter: { kind: "missing" }, shared: true } });
    const own = await save("Mine", { kind: ["missing", "!undeclared"] }, { shared: false });
    const names = async (as?: string) =>
      (await ask("GET", "views", undefined, as)).body.data.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(["Everyone's", "Mine"]);
    expect(await names(viewer)).toEqual(["Everyone's"]);
    expect((await ask("PATCH", `views/${own.body.id}`, { name: "x" }, viewer)).status).toBe(404);
    expect((await ask("DELETE", `views/${own.body.id}`, undefined, viewer)).status).toBe(404);
    await ask("PATCH", `views/${own.body.id}`, { shared: true });
    expect(await names(viewer)).toEqual(["Everyone's", "Mine"]);
    expect((await ask("DELETE", `views/${own.body.id}`)).status).toBe(204);
    expect(await names(viewer)).toEqual(["Everyone's"]);
  });

  test("of a viewer is private, while a member may share and change shared ones", async () => {
    const { ask, keyOf, save } = await tenant();
    const [viewer, member] = [await keyOf("viewer"), await keyOf("member")];
    const view = { name: "Missing", page: "drift", filter: { kind: "missing" } };
    expect((await ask("POST", "views", { ...view, shared: true }, viewer)).status).toBe(403);
    const own = await ask("POST", "views", view, viewer);
    expect(own.status).toBe(201);
    expect((await ask("PATCH", `views/${own.body.id}`, { shared: true }, viewer)).status).toBe(403);
    expect((await ask("PATCH", `views/${own.body.id}`, { name: "Gone" }, viewer)).status).toBe(200);
    const shared = await save("Of the owner", {});
    expect((await ask("PATCH", `views/${shared.body.id}`, { name: "x" }, viewer)).status).toBe(403);
    expect((await ask("DELETE", `views/${shared.body.id}`, undefined, viewer)).status).toBe(403);
    expect((await ask("PATCH", `views/${shared.body.id}`, { name: "x" }, member)).status).toBe(200);
    expect((await ask("DELETE", `views/${shared.body.id}`, undefined, member)).status).toBe(204);
    expect((await ask("POST", "views", { ...view, shared: true }, member)).status).toBe(201);
  });

  test.each([
    [{ kind: "gone" }, "filter.kind"],
    [{ colour: "red" }, "filter.colour"],
    [{ movement: "new" }, "movement"],
    [{ limit: 10 }, "filter.limit"],
  ])("with the filter %j is refused by name", async (filter, field) => {
    const { ask, save } = await tenant();
    const refused = await save("Odd", filter);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "invalid_parameter", details: [{ field }] },
    });
    const { body } = await save("Even", { kind: "missing" });
    expect((await ask("PATCH", `views/${body.id}`, { filter })).body).toMatchObject({ details: [{ field }] });
  });

  test("has a name of its own, and the filter of its page", async () => {
    const { ask, save } = await tenant();
    await save("Queues", { tag: "env=production" });
    expect(await save("Queues", {})).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await save("Queues", {}, { shared: false })).status).toBe(201);
    const resources = { page: "resources" };
    expect((await save("Queues", { normalized_type: "queue" }, resources)).status).toBe(201);
    expect((await save("Changes", { kind: "missing" }, resources)).status).toBe(400);
    const { body } = await ask("GET", "views?page=resources");
    expect(body.data).toMatchObject([{ name: "Queues", filter: { normalized_type: "queue" } }]);
    expect((await ask("PATCH", `views/${body.data[0].id}`, {})).body.code).toBe("empty_update");
    expect((await ask("GET", "views?page=plans")).status).toBe(400);
  });

  test("isn't saved beyond 50 private ones, which others' views don't count towards", async () => {
    const { ask, keyOf, save } = await tenant();
    for (let count = 0; count < 50; count += 1) await save(`v${count}`, {}, { shared: false });
    expect((await save("one more", {}, { shared: false })).body.message).toContain("50 private views");
    const view = { name: "v0", page: "drift", filter: {} };
    expect((await ask("POST", "views", view, await keyOf("viewer"))).status).toBe(201);
  });
});

describe("a channel with a view", () => {
  test("reports only the drift that the view selects", async () => {
    const { save, channel, list, got } = await tenant("orders", "mail");
    const view = (await save("Production", { tag: "env=production", kind: "!undeclared" })).body;
    await channel("all");
    await channel("production", { view_id: view.id });
    await list(live("orders", 60, { env: "production" }), live("mail", 60, { env: "test" }));
    const [all] = await got("all", 1);
    expect(all.data).toMatchObject({ changed: 2 });
    const [first] = await got("production", 1);
    expect(first).toMatchObject({
      type: "drift.detected",
      data: {
        changed: 1,
        missing: 0,
        changes: [{ resource: "aws_lambda_function.orders" }],
        view_id: view.id,
        view_name: "Production",
      },
    });
    await list(live("orders", 60, { env: "production" }), live("mail", 90, { env: "test" }));
    await list(live("orders", 30, { env: "production" }), live("mail", 30, { env: "test" }));
    const everything = await got("all", 3);
    expect(everything.map(({ type }) => type)).toEqual([
      "drift.detected",
      "drift.detected",
      "drift.resolved",
    ]);
    const selected = await got("production", 2);
    expect(selected).toHaveLength(2);
    expect(selected[1]).toMatchObject({
      type: "drift.resolved",
      data: { changed: 1, changes: [{ resource: "aws_lambda_function.orders" }] },
    });
  });

  test("reports all drift if the view was deleted while the channel was given it", async () => {
    const { save, channel, list, got } = await tenant("orders");
    const view = (await save("Gone", { q: "mail" })).body;
    await channel("bound", { view_id: view.id });
    await stack.db.admin`delete from inventory.views where id = ${view.id}`;
    await list(live("orders", 60));
    expect(await got("bound", 1)).toMatchObject([{ type: "drift.detected", data: { changed: 1 } }]);
  });

  test("still reports events that aren't about changes", async () => {
    const { save, channel, list, got } = await tenant("orders", "mail");
    const view = (await save("Only mail", { q: "mail" })).body;
    await channel("mail", { view_id: view.id });
    await list(live("orders", 30), live("mail", 30));
    await list(live("mail", 30));
    expect(await got("mail", 1)).toMatchObject([{ type: "posture.degraded" }]);
  });

  test("keeps it from being deleted, made private, or given a filter that channels can't use", async () => {
    const { ask, save, channel } = await tenant();
    const path = `views/${(await save("Missing", { kind: "missing" })).body.id}`;
    const made = await channel("on-call", { view_id: path.slice(6) });
    expect(made).toMatchObject({ status: 201, body: { view_id: path.slice(6) } });
    const used = { status: 409, body: { message: expect.stringContaining('channel "on-call"') } };
    expect(await ask("DELETE", path)).toMatchObject(used);
    expect(await ask("PATCH", path, { shared: false })).toMatchObject(used);
    expect(await ask("PATCH", path, { filter: { principal: "ada" } })).toMatchObject(used);
    expect((await ask("PATCH", path, { filter: { kind: "changed" } })).status).toBe(200);
    const released = await ask("PATCH", `notification-channels/${made.body.id}`, { view_id: null });
    expect(released.body).not.toHaveProperty("view_id");
    expect((await ask("DELETE", path)).status).toBe(204);
  });

  test("can't have a private, unknown or unfit one", async () => {
    const { ask, save, channel } = await tenant();
    const own = (await save("Mine", {}, { shared: false })).body.id;
    const byPerson = (await save("Ada's", { principal: "ada" })).body.id;
    const noise = (await save("Noise", { noise: "only" })).body.id;
    const queues = (await save("Queues", {}, { page: "resources" })).body.id;
    const { body } = await channel("free");
    for (const view_id of [own, crypto.randomUUID(), byPerson, noise, queues]) {
      const refused = { status: 400, body: { details: [{ field: "view_id" }] } };
      expect(await channel("bound", { view_id })).toMatchObject(refused);
      expect(await ask("PATCH", `notification-channels/${body.id}`, { view_id })).toMatchObject(refused);
    }
  });
});
