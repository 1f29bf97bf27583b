import { GetScan } from "@leeway/shared/contracts/inventory/scans";
import { AppError } from "@leeway/shared/values/errors";
import { testLog } from "@leeway/shared/testing/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import { FINISHED_SCAN, SCAN } from "../src/examples/common.ts";
import { createScanEvents } from "../src/streams/scan-events.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

let gateway: TestGateway;
let org: { id: string; owner: string };
beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
});
afterAll(() => gateway.stop());
afterEach(() => {
  gateway.others.reset();
});

const RUNNING = { ...SCAN, status: "running", stats: { seen: 1 } };
const path = (orgId = org.id, scanId = SCAN.id) => `/api/v2/orgs/${orgId}/scans/${scanId}/events`;
/** Returns the number of requests for the scan. */
const looks = () => gateway.others.asked.length;

interface ReceivedEvent {
  event: string;
  id?: string;
  data: any; // oxlint-disable-line typescript/no-explicit-any -- tests look into it freely
}

/** A client of an event stream. */
interface Client {
  status: number;
  headers: Headers;
  received: ReceivedEvent[];
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  leave(): void;
}

async function follow(as = org.owner, of = gateway): Promise<Client> {
  const leaving = new AbortController();
  const response = await fetch(of.url + path(), {
    headers: { authorization: `Bearer ${as}` },
    signal: leaving.signal,
  });
  const received: ReceivedEvent[] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + part).split("\n\n");
      text = events.pop() ?? "";
      received.push(...events.flatMap(eventOf));
    }
  };
  const ended = read().catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    received,
    ended,
    leave: () => leaving.abort(),
  };
}

function eventOf(text: string): ReceivedEvent[] {
  const fields = Object.fromEntries(text.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return fields.event === undefined ? [] : [{ ...fields, data: JSON.parse(fields.data) }];
}

describe("a scan's events", () => {
  test("contain the current scan, each change, and its end", async () => {
    let scan: object = SCAN;
    gateway.others.on(GetScan, () => scan);
    const client = await follow();
    expect(client.status).toBe(200);
    expect(client.headers.get("content-type")).toBe("text/event-stream");
    expect(client.headers.get("cache-control")).toBe("no-store");
    await until(() => client.received.length === 1);
    scan = RUNNING;
    await until(() => client.received.length === 2);
    scan = FINISHED_SCAN;
    await client.ended;
    expect(client.received).toEqual([
      { event: "scan", data: SCAN },
      { event: "scan", data: RUNNING },
      { event: "scan", data: FINISHED_SCAN },
      { event: "end", id: "end", data: FINISHED_SCAN },
    ]);
  });

  test("of a finished scan arrive at once, and a client that saw the end gets 204", async () => {
    const { status, text } = await gateway.ask("GET", path(), { as: org.owner });
    expect([status, text.match(/event: \w+/g)]).toEqual([200, ["event: scan", "event: end"]]);
    const again = { as: org.owner, headers: { "last-event-id": "end" } };
    expect(await gateway.ask("GET", path(), again)).toMatchObject({ status: 204, text: "" });
    expect(await gateway.ask("HEAD", path(), { as: org.owner })).toMatchObject({ status: 200, text: "" });
  });

  test("of an unknown scan give 404", async () => {
    gateway.others.on(GetScan, () => {
      throw new AppError("not_found", "no such scan");
    });
    const { status, body } = await gateway.ask("GET", path(), { as: org.owner });
    expect([status, body.code]).toEqual([404, "not_found"]);
  });

  test("end when the scan is deleted", async () => {
    let isThere = true;
    gateway.others.on(GetScan, () => {
      if (isThere) return SCAN;
      throw new AppError("not_found", "no such scan");
    });
    const client = await follow();
    await until(() => client.received.length === 1);
    isThere = false;
    await client.ended;
    expect(client.received).toHaveLength(1);
  });

  test("continue after an outage of the inventory", async () => {
    let scan: object | undefined = SCAN;
    gateway.others.on(GetScan, () => {
      if (scan) return scan;
      throw new AppError("unavailable", "not now");
    });
    const client = await follow();
    scan = undefined;
    const before = looks();
    await until(() => looks() > before + 1);
    scan = FINISHED_SCAN;
    await client.ended;
    expect(client.received.map(({ event }) => event)).toEqual(["scan", "scan", "end"]);
  });

  test("are for members, and end within seconds when a client's key is deleted", async () => {
    gateway.others.on(GetScan, () => SCAN);
    const stranger = await gateway.newPerson();
    expect((await gateway.ask("GET", path(), { as: stranger.token })).status).toBe(404);
    const { id, key } = await gateway.newKey(org.id, org.owner, "viewer");
    const client = await follow(key);
    await until(() => client.received.length === 1);
    await gateway.ask("DELETE", `/api/v2/orgs/${org.id}/api-keys/${id}`, { as: org.owner });
    await client.ended;
  });

  test("need one lookup for all watchers, and none without watchers", async () => {
    gateway.others.on(GetScan, () => SCAN);
    const clients = await Promise.all(Array.from({ length: 40 }, () => follow()));
    await until(() => clients.every(({ received }) => received.length === 1));
    const before = looks();
    await Bun.sleep(3_000);
    expect(looks() - before).toBeLessThanOrEqual(4);
    for (const client of clients) client.leave();
    await Promise.all(clients.map(({ ended }) => ended));
    await Bun.sleep(1_500);
    const after = looks();
    await Bun.sleep(2_000);
    expect(looks()).toBe(after);
  });

  test("are limited to fifty streams per organization, which are freed when clients leave", async () => {
    gateway.others.on(GetScan, () => SCAN);
    const clients = await Promise.all(Array.from({ length: 50 }, () => follow()));
    expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await gateway.ask("GET", path(), { as: org.owner });
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "5",
    ]);
    const other = await gateway.newOwnedOrg();
    const fine = new AbortController();
    const headers = { authorization: `Bearer ${other.owner}` };
    const response = await fetch(gateway.url + path(other.id), { headers, signal: fine.signal });
    expect(response.status).toBe(200);
    fine.abort();
    for (const client of clients) client.leave();
    await until(async () => {
      const client = await follow();
      client.leave();
      return client.status === 200;
    });
  });

  test("stay available while ten organizations open as many streams as they can", async () => {
    gateway.others.on(GetScan, () => SCAN);
    const events = createScanEvents({ bus: gateway.bus, log: testLog() });
    const leaving = new AbortController();
    const open = (orgId: string) =>
      events.follow({
        orgId,
        scanId: SCAN.id,
        isAllowed: () => Promise.resolve(true),
        signal: leaving.signal,
      });
    for (const orgId of Array.from({ length: 10 }, () => crypto.randomUUID())) {
      const opened = await Promise.allSettled(Array.from({ length: 50 }, () => open(orgId)));
      expect(opened.some(({ status }) => status === "fulfilled")).toBe(true);
    }
    await open(org.id);
    leaving.abort();
    await events.stop();
  });

  test("end at once when the gateway stops", async () => {
    const stopping = await startTestGateway();
    stopping.others.on(GetScan, () => SCAN);
    const { id, key } = await stopping.newOrg();
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(stopping.url + path(id), { headers });
    const read = response.text();
    await stopping.stop();
    expect(await read).toContain("event: scan");
  });
});
