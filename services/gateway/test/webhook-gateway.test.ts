import { ReceiveDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import { AppError, unavailable } from "@leeway/shared/values/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";

import { ID } from "../src/examples/common.ts";
import { startTestGateway, type Answered, type TestGateway } from "./support/gateway.ts";
import { ampleMinute } from "./support/minute.ts";
import { until } from "./support/until.ts";

const MB = 1024 * 1024;
const MAX = 5 * MB;
const UNAUTHORIZED = '{"error":"unauthorized","message":"invalid signature"}';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const post = (
  path: string,
  body: unknown,
  headers: Record<string, string> = { "x-planner-signature": "sha256=00" },
): Promise<Answered> => gateway.ask("POST", path, { body, headers });
const planner = `/webhooks/planner/${ID.org}`;
const vcs = `/webhooks/vcs/${ID.org}`;
const asked = () => gateway.others.asked;

describe("an event", () => {
  test("is passed on unchanged, with the sender's signature", async () => {
    const bytes = Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0x0a, 0x0d, 0x7d]);
    const { status, text, headers } = await post(planner, bytes);
    expect({ status, text }).toEqual({
      status: 202,
      text: `{"status":"accepted","delivery_id":"${ID.delivery}"}`,
    });
    expect(headers.get("x-request-id")).toBeTruthy();
    expect(asked()).toEqual([
      {
        subject: "webhooks.deliveries.receive",
        input: { org_id: ID.org, source: "planner", credential: "sha256=00", sender: "127.0.0.1" },
        body: Buffer.from(bytes),
      },
    ]);
  });

  test("is accepted by an older service that doesn't know the sender field", async () => {
    gateway.others.on(ReceiveDelivery, ({ sender }) => {
      if (sender !== undefined) throw new AppError("invalid_parameter", 'unknown field "sender"');
      return { status: "accepted", delivery_id: ID.delivery };
    });
    expect((await post(planner, "{}")).status).toBe(202);
  });

  test("is accepted with a slash at the end of its URL", async () => {
    expect((await post(`${planner}/`, "{}")).status).toBe(202);
    expect(asked()).toMatchObject([{ input: { org_id: ID.org, source: "planner" } }]);
  });

  const proofs: [string, Record<string, string>, string | undefined][] = [
    ["planner", { "x-planner-signature": "a", "x-hub-signature-256": "b" }, "a"],
    ["planner", { "x-hub-signature-256": "b" }, "b"],
    ["planner", { "x-planner-signature": "", "x-hub-signature-256": "b" }, ""],
    ["planner", { "x-vcs-token": "c", "x-gitlab-token": "d" }, undefined],
    ["vcs", { "x-vcs-token": "c", "x-gitlab-token": "d" }, "c"],
    ["vcs", { "x-gitlab-token": "d" }, "d"],
    ["vcs", { "x-planner-signature": "a" }, undefined],
    ["vcs", { authorization: "Bearer c" }, undefined],
  ];
  test.each(proofs)("of %s with headers %p is verified with %p", async (source, headers, credential) => {
    await post(`/webhooks/${source}/${ID.org}`, "{}", headers);
    expect(asked()[0]?.input["credential"]).toBe(credential);
  });

  test("needs no API key, and gains nothing from one", async () => {
    const { key } = await gateway.newOrg();
    gateway.others.on(ReceiveDelivery, () => ({ status: "unauthorized" }));
    const answered = await gateway.ask("POST", planner, { as: key, body: "{}" });
    expect([answered.status, answered.text]).toEqual([401, UNAUTHORIZED]);
  });

  test("is accepted for an organization id in capitals", async () => {
    await post(`/webhooks/vcs/${ID.org.toUpperCase()}`, "{}");
    expect(asked()[0]?.input["org_id"]).toBe(ID.org);
  });

  test.each(["accepted", "duplicate", "ignored"])("that is %s gets 202", async (status) => {
    gateway.others.on(ReceiveDelivery, () => ({ status, delivery_id: ID.delivery }));
    const answered = await post(vcs, "{}");
    expect(answered.status).toBe(202);
    expect(answered.body).toEqual({ status, delivery_id: ID.delivery });
  });

  test("may have an empty body", async () => {
    expect((await gateway.ask("POST", planner)).status).toBe(202);
    expect(asked()[0]?.body).toEqual(Buffer.alloc(0));
  });
});

describe("a refused event", () => {
  test.each([
    ["for an organization id that isn't a UUID", "/webhooks/planner/acme"],
    ["for an invalid percent-encoding", "/webhooks/planner/%zz"],
    ["for invalid UTF-8 bytes", "/webhooks/vcs/%ff%00"],
    ["for a UUID followed by more text", `/webhooks/vcs/${ID.org}%20`],
  ])("%s gets the same 401, and no service is called", async (_, path) => {
    const answered = await post(path, "{}");
    expect([answered.status, answered.text]).toEqual([401, UNAUTHORIZED]);
    expect(asked()).toEqual([]);
  });

  test("gets the same 401 from the service", async () => {
    gateway.others.on(ReceiveDelivery, () => ({ status: "unauthorized" }));
    const answered = await post(planner, "{}");
    expect([answered.status, answered.text]).toEqual([401, UNAUTHORIZED]);
    expect(answered.headers.get("www-authenticate")).toBeNull();
  });

  test("of another repository gets 403", async () => {
    gateway.others.on(ReceiveDelivery, () => ({ status: "repository_mismatch" }));
    const answered = await post(planner, "{}");
    expect([answered.status, answered.text]).toEqual([403, '{"error":"repository_mismatch"}']);
  });

  test.each(["github", "PLANNER", "planner%20", "%zz", "__proto__"])(
    "for the source %p gets 404 before any other check",
    async (source) => {
      const answered = await post(`/webhooks/${source}/acme`, new Uint8Array(MAX + 1));
      expect([answered.status, answered.text]).toEqual([
        404,
        '{"error":"unknown provider","message":"unknown provider"}',
      ]);
    },
  );

  test.each(["GET", "PUT", "DELETE"])("sent with %s gets 405", async (method) => {
    const answered = await gateway.ask(method, planner);
    expect([answered.status, answered.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("a body", () => {
  test("of exactly 5 MiB is accepted", async () => {
    expect((await post(planner, new Uint8Array(MAX).fill(0x20))).status).toBe(202);
    expect(asked()[0]?.body?.length).toBe(MAX);
  });

  test.each([
    ["has a Content-Length", () => new Uint8Array(MAX + 1)],
    ["is sent in chunks", () => chunks(MAX + 1)],
    ["never ends", () => chunks(Infinity)],
  ])("over 5 MiB that %s gets 413 before authentication", async (_, body) => {
    const answered = await post("/webhooks/planner/acme", body());
    expect(answered.status).toBe(413);
    expect(answered.body).toMatchObject({ code: "payload_too_large", error: "payload_too_large" });
    expect(asked()).toEqual([]);
  });

  test("with too large a Content-Length gets 413 before it is sent", async () => {
    const answer = await sendRaw(
      `POST ${planner} HTTP/1.1\r\nhost: x\r\ncontent-length: ${50 * MB}\r\n\r\n`,
      "HTTP/1.1 413",
    );
    expect(answer).toContain("payload_too_large");
  });

  test("with a megabyte in a chunk extension is refused", async () => {
    const chunk = `1;${"x".repeat(MB)}\r\na\r\n`;
    const answer = await sendRaw(
      `POST ${planner} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`,
      "HTTP/1.1 ",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4(?:00|13)/);
    expect(asked()).toEqual([]);
  });

  test("that arrives too slowly gets 408", async () => {
    const answer = await sendRaw(
      `POST ${planner} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`,
      "HTTP/1.1 408",
    );
    expect(answer).toContain("request_timeout");
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });
});

test("senders that stall don't delay other senders", async () => {
  const behind = await startTestGateway({ TRUSTED_PROXIES: "1", RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" });
  const head = (from: string) =>
    `POST ${planner} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\ncontent-length: ${MAX}\r\n\r\n`;
  const begun = Array.from({ length: 30 }, () => {
    const socket = connect(behind.serving.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(head("1.1.1.1") + " ".repeat(100_000));
    return socket;
  });
  await Bun.sleep(500); // so that they arrive first
  const headers = { "x-forwarded-for": "2.2.2.2" };
  const answered = await behind.ask("POST", planner, { body: new Uint8Array(MAX), headers });
  expect(answered.status).toBe(202);
  for (const socket of begun) socket.destroy();
  await behind.stop();
});

test("a flood of unverified events from one address barely delays other senders", async () => {
  const behind = await startTestGateway({ TRUSTED_PROXIES: "1", RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" });
  const begun = Promise.withResolvers<void>();
  let before: Promise<unknown> = begun.promise;
  // The fake service verifies one call at a time.
  for (const { others } of [gateway, behind]) {
    others.on(ReceiveDelivery, () => {
      before = before.then(() => Bun.sleep(1));
      return before.then(() => ({ status: "unauthorized" }));
    });
  }
  const answered: string[] = [];
  const send = async (from: string) => {
    const answer = await behind.ask("POST", planner, { body: "{}", headers: { "x-forwarded-for": from } });
    answered.push(from); // may be a 503 on a busy machine, where the flood's calls waited longer
    return answer.status;
  };
  const flood = Array.from({ length: 200 }, () => send("1.1.1.1"));
  await until(() => asked().length + behind.others.asked.length >= 128);
  await Bun.sleep(500); // the rest has arrived
  const other = send("2.2.2.2");
  await behind.ask("GET", "/healthz"); // so that the other has arrived too
  begun.resolve();
  expect(await other).toBe(401);
  await Promise.all(flood);
  expect(answered.at(-1)).not.toBe("2.2.2.2");
  await behind.stop();
});

describe("the rate limit of events", () => {
  test("counts verified ones per organization and source, and no refused ones", async () => {
    let isKnown = false;
    const limited = await limitedTo("3", () => isKnown);
    const send = (path: string) => limited.ask("POST", path, { body: "{}" });
    for (let n = 0; n < 10; n += 1) expect((await send(planner)).status).toBe(401);
    isKnown = true;
    for (let n = 0; n < 3; n += 1) expect((await send(planner)).status).toBe(202);
    const refused = await send(planner);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: "rate_limited" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send(vcs)).status).toBe(202);
    expect((await send(`/webhooks/planner/${ID.person}`)).status).toBe(202);
    isKnown = false;
    expect((await send(planner)).status).toBe(401);
    await limited.stop();
  });

  test("is reported only to verified senders", async () => {
    let isKnown = true;
    const limited = await limitedTo("1", () => isKnown);
    const attempt = async () => {
      const { status, headers } = await limited.ask("POST", planner, { body: "{}" });
      return [status, headers.get("ratelimit-policy"), headers.get("ratelimit")];
    };
    const policy = '"webhooks";q=1;w=60';
    const none = expect.stringMatching(/^"webhooks";r=0;t=\d+$/);
    expect(await attempt()).toEqual([202, policy, none]);
    expect(await attempt()).toEqual([429, policy, none]);
    isKnown = false;
    expect(await attempt()).toEqual([401, null, null]);
    await limited.stop();
  });

  test("doesn't count those that couldn't be verified in an outage", async () => {
    let isAway = true;
    const limited = await limitedTo("2", () => {
      if (isAway) throw unavailable("the database can't be reached");
      return true;
    });
    const send = async () => (await limited.ask("POST", planner, { body: "{}" })).status;
    for (let n = 0; n < 5; n += 1) expect(await send()).toBe(503);
    isAway = false;
    expect([await send(), await send(), await send()]).toEqual([202, 202, 429]);
    await limited.stop();
  });
});

test("an event during an outage gets 503 with Retry-After", async () => {
  gateway.others.on(ReceiveDelivery, () => {
    throw unavailable("the database can't be reached");
  });
  const answered = await post(planner, "{}");
  expect(answered.status).toBe(503);
  expect(answered.headers.get("retry-after")).toBe("1");
});

/** Starts a gateway with a limit, and a fake webhooks service that accepts known calls within it. */
async function limitedTo(perMinute: string, isKnown: () => boolean) {
  const limited = await startTestGateway({ RATE_LIMIT_WEBHOOK_PER_MINUTE: perMinute });
  await ampleMinute();
  // The bus sends each request to either of the two.
  for (const { others } of [gateway, limited]) {
    others.on(ReceiveDelivery, ({ over_limit }) => {
      if (!isKnown()) return { status: "unauthorized" };
      return over_limit ? { status: "over_limit" } : { status: "accepted", delivery_id: ID.delivery };
    });
  }
  return limited;
}

function chunks(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const size = Math.min(64 * 1024, left);
      if (size <= 0) return controller.close();
      left -= size;
      controller.enqueue(new Uint8Array(size));
    },
  });
}

/** Sends raw bytes on a new connection. Returns the answer once it begins with `begin`, or when the connection ends. */
async function sendRaw(request: string, begin: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(gateway.serving.port, "127.0.0.1");
  socket.on("data", (chunk) => {
    answer += String(chunk);
    if (answer.startsWith(begin) && answer.includes("\r\n\r\n")) resolve(answer);
  });
  for (const end of ["close", "error"]) socket.on(end, () => resolve(answer));
  socket.write(request);
  const seen = await promise;
  socket.destroy();
  return seen;
}
