import { broadcast } from "@leeway/shared/bus/broadcast";
import {
  changeText,
  OrganizationChanged,
  type OrganizationChange,
} from "@leeway/shared/contracts/gateway/changes";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

type Org = Awaited<ReturnType<TestGateway["newOwnedOrg"]>>;

/** Follows an organization, and collects the events as `name data`. */
async function follow(org: { id: string }, as: string, lastEventId?: string) {
  const leaving = new AbortController();
  const response = await fetch(`${gateway.url}/api/v2/orgs/${org.id}/events`, {
    headers: {
      authorization: `Bearer ${as}`,
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
    signal: leaving.signal,
  });
  const events: string[] = [];
  let lastId = "";
  const read = async (): Promise<void> => {
    let text = "";
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + part).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const found = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(block);
        if (!found) continue;
        lastId = found[1]!;
        events.push(`${found[2]} ${found[3]}`);
      }
    }
  };
  const ended = read().catch(() => undefined);
  return { status: response.status, events, ended, lastId: () => lastId, leave: () => leaving.abort() };
}

const announce = (org: Org, change: Omit<OrganizationChange, "orgId">): void =>
  broadcast(gateway.bus, OrganizationChanged, changeText({ orgId: org.id, ...change }));

describe("the events of an organization", () => {
  test("say what changed, once a second at most, and nothing of other organizations", async () => {
    const [org, other] = [await gateway.newOwnedOrg(), await gateway.newOwnedOrg()];
    const client = await follow(org, org.owner);
    await until(() => client.events.length === 1);
    announce(other, { topic: "plans" });
    announce(org, { topic: "drift", newChanges: 5 });
    announce(org, { topic: "drift", newChanges: 7 });
    announce(org, { topic: "scans" });
    await until(() => client.events.length === 2);
    expect(client.events).toEqual(["ready {}", 'changed {"topics":["drift","scans"],"new_changes":12}']);
    client.leave();
  });

  test("include changes that another member makes", async () => {
    const org = await gateway.newOwnedOrg();
    const client = await follow(org, org.owner);
    await until(() => client.events.length === 1);
    const body = { name: "renamed" };
    await gateway.ask("PATCH", `/api/v2/orgs/${org.id}`, { as: org.owner, body });
    await until(() => client.events.length === 2);
    expect(client.events[1]).toBe('changed {"topics":["settings"]}');
    client.leave();
  });

  test("go on where a client lost its connection, or make it reload", async () => {
    const org = await gateway.newOwnedOrg();
    const first = await follow(org, org.owner);
    await until(() => first.events.length === 1);
    first.leave();
    await first.ended;
    const witness = await follow(org, org.owner);
    await until(() => witness.events.length === 1);
    announce(org, { topic: "plans" });
    await until(() => witness.events.length === 2);
    const again = await follow(org, org.owner, first.lastId());
    await until(() => again.events.length === 2);
    expect(again.events).toEqual(["ready {}", 'changed {"topics":["plans"]}']);
    const elsewhere = await follow(org, org.owner, "7f3c.12");
    await until(() => elsewhere.events.length === 1);
    expect(elsewhere.events).toEqual(["reload {}"]);
    for (const client of [witness, again, elsewhere]) client.leave();
  });

  test("make clients reload after the bus was away", async () => {
    const org = await gateway.newOwnedOrg();
    const client = await follow(org, org.owner);
    await until(() => client.events.length === 1);
    await gateway.bus.nats.reconnect();
    await until(() => client.events.includes("reload {}"));
    client.leave();
  });

  test("end when the caller loses access", async () => {
    const org = await gateway.newOwnedOrg();
    const key = await gateway.newKey(org.id, org.owner, "viewer");
    const client = await follow(org, key.key);
    await until(() => client.events.length === 1);
    await gateway.ask("DELETE", `/api/v2/orgs/${org.id}/api-keys/${key.id}`, { as: org.owner });
    await client.ended;
  });

  test("end at once when the gateway stops", async () => {
    const stopping = await startTestGateway();
    const { id, key } = await stopping.newOrg();
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${stopping.url}/api/v2/orgs/${id}/events`, { headers });
    const read = response.text();
    await stopping.stop();
    expect(await read).toContain("event: ready");
  });

  test("are refused to others, and to a caller with ten streams", async () => {
    const [org, other] = [await gateway.newOwnedOrg(), await gateway.newOwnedOrg()];
    expect((await follow(org, other.owner)).status).toBe(404);
    const clients = [];
    for (let at = 0; at < 10; at += 1) clients.push(await follow(org, org.owner));
    expect((await follow(org, org.owner)).status).toBe(429);
    for (const client of clients) client.leave();
    await until(async () => {
      const again = await follow(org, org.owner);
      again.leave();
      return again.status === 200;
    });
  });
});
