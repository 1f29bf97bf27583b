import { GetScan } from "@leeway/shared/contracts/inventory/scans";
import { AppError } from "@leeway/shared/errors";
import { testLog } from "@leeway/shared/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import { FINISHED_SCAN, SCAN } from "../src/openapi/examples.ts";
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
/** How often the scan was asked for. */
const looks = () => gateway.others.asked.length;

interface Told {
  event: string;
  id?: string;
  data: any; // oxlint-disable-line typescript/no-explicit-any -- tests look into it freely
}

/** A client of a stream. */
interface Client {
  status: number;
  headers: Headers;
  told: Told[];
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
  const told: Told[] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + part).split("\n\n");
      text = events.pop() ?? "";
      told.push(...events.flatMap(eventOf));
    }
  };
  const ended = read().catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    told,
    ended,
    leave: () => leaving.abort(),
  };
}

function eventOf(text: string): Told[] {
  const fields = Object.fromEntries(text.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return fields.event === undefined ? [] : [{ ...fields, data: JSON.parse(fields.data) }];
}

describe("a scan's events", () => {
  test("are the scan as it is, each change, and its end", async () => {
    let scan: object = SCAN;
    gateway.others.on(GetScan, () => scan);
    const client = await follow();
    expect(client.status).toBe(200);
    expect(client.headers.get("content-type")).toBe("text/event-stream");
    expect(client.headers.get("cache-control")).toBe("no-store");
    await until(() => client.told.length === 1);
    scan = RUNNING;
    await until(() => client.told.length === 2);
    scan = FINISHED_SCAN;
    await client.ended;
    expect(client.told).toEqual([
      { event: "scan", data: SCAN },
      { event: "scan", data: RUNNING },
      { event: "scan", data: FINISHED_SCAN },
      { event: "end", id: "end", data: FINISHED_SCAN },
    ]);
  });

  test("of one that has ended are there at once, and nothing more for who has seen its end", async () => {
    const { status, text } = await gateway.ask("GET", path(), { as: org.owner });
    expect([status, text.match(/event: \w+/g)]).toEqual([200, ["event: scan", "event: end"]]);
    const again = { as: org.owner, headers: { "last-event-id": "end" } };
    expect(await gateway.ask("GET", path(), again)).toMatchObject({ status: 204, text: "" });
    expect(await gateway.ask("HEAD", path(), { as: org.owner })).toMatchObject({ status: 200, text: "" });
  });

  test("of one that isn't there are a 404", async () => {
    gateway.others.on(GetScan, () => {
      throw new AppError("not_found", "no such scan");
    });
    const { status, body } = await gateway.ask("GET", path(), { as: org.owner });
    expect([status, body.code]).toEqual([404, "not_found"]);
  });

  test("end when it is deleted", async () => {
    let isThere = true;
    gateway.others.on(GetScan, () => {
      if (isThere) return SCAN;
      throw new AppError("not_found", "no such scan");
    });
    const client = await follow();
    await until(() => client.told.length === 1);
    isThere = false;
    await client.ended;
    expect(client.told).toHaveLength(1);
  });

  test("go on after the inventory was away", async () => {
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
    expect(client.told.map(({ event }) => event)).toEqual(["scan", "scan", "end"]);
  });

  test("are for members, and end within seconds for who isn't one any more", async () => {
    gateway.others.on(GetScan, () => SCAN);
    const stranger = await gateway.newPerson();
    expect((await gateway.ask("GET", path(), { as: stranger.token })).status).toBe(404);
    const { id, key } = await gateway.newKey(org.id, org.owner, "viewer");
    const client = await follow(key);
    await until(() => client.told.length === 1);
    await gateway.ask("DELETE", `/api/v2/orgs/${org.id}/api-keys/${id}`, { as: org.owner });
    await client.ended;
  });

  test("are asked for once, however many watch, and not at all when nobody does", async () => {
    gateway.others.on(GetScan, () => SCAN);
    const clients = await Promise.all(Array.from({ length: 40 }, () => follow()));
    await until(() => clients.every(({ told }) => told.length === 1));
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

  test("can't use up more than an organization's fifty streams, which come back when clients leave", async () => {
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

  test("aren't all used up by ten organizations that take what they can get", async () => {
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
