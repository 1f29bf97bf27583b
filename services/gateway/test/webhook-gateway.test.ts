import { ReceiveDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import { unavailable } from "@leeway/shared/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";

import { ID } from "../src/openapi/examples.ts";
import { startTestGateway, type Answered, type TestGateway } from "./support/gateway.ts";
import { ampleMinute } from "./support/minute.ts";
import { until } from "./support/until.ts";

const MB = 1024 * 1024;
const MOST = 5 * MB;
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
  test("goes to its owner byte for byte, with what its sender proves itself with", async () => {
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
        input: { org_id: ID.org, source: "planner", credential: "sha256=00" },
        body: Buffer.from(bytes),
      },
    ]);
  });

  test("is taken though its address was pasted with a slash at its end", async () => {
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
  test.each(proofs)("of a %s with headers %p is verified by %p", async (source, headers, credential) => {
    await post(`/webhooks/${source}/${ID.org}`, "{}", headers);
    expect(asked()[0]?.input["credential"]).toBe(credential);
  });

  test("needs neither API key nor token, and gains nothing by one", async () => {
    const { key } = await gateway.newOrg();
    gateway.others.on(ReceiveDelivery, () => ({ status: "unauthorized" }));
    const answered = await gateway.ask("POST", planner, { as: key, body: "{}" });
    expect([answered.status, answered.text]).toEqual([401, UNAUTHORIZED]);
  });

  test("is taken for an organization that is written in capitals", async () => {
    await post(`/webhooks/vcs/${ID.org.toUpperCase()}`, "{}");
    expect(asked()[0]?.input["org_id"]).toBe(ID.org);
  });

  test.each(["accepted", "duplicate", "ignored"])("that is %s gets 202", async (status) => {
    gateway.others.on(ReceiveDelivery, () => ({ status, delivery_id: ID.delivery }));
    const answered = await post(vcs, "{}");
    expect(answered.status).toBe(202);
    expect(answered.body).toEqual({ status, delivery_id: ID.delivery });
  });

  test("without a body is an event too", async () => {
    expect((await gateway.ask("POST", planner)).status).toBe(202);
    expect(asked()[0]?.body).toEqual(Buffer.alloc(0));
  });
});

describe("who isn't known", () => {
  test.each([
    ["an organization that is no uuid", "/webhooks/planner/acme"],
    ["an organization that isn't even percent-encoded", "/webhooks/planner/%zz"],
    ["an organization of bytes", "/webhooks/vcs/%ff%00"],
    ["a uuid with more behind it", `/webhooks/vcs/${ID.org}%20`],
  ])("%s gets the one 401, and nobody is asked", async (_, path) => {
    const answered = await post(path, "{}");
    expect([answered.status, answered.text]).toEqual([401, UNAUTHORIZED]);
    expect(asked()).toEqual([]);
  });

  test("gets the one 401 of its owner's", async () => {
    gateway.others.on(ReceiveDelivery, () => ({ status: "unauthorized" }));
    const answered = await post(planner, "{}");
    expect([answered.status, answered.text]).toEqual([401, UNAUTHORIZED]);
    expect(answered.headers.get("www-authenticate")).toBeNull();
  });

  test("by its repository gets 403", async () => {
    gateway.others.on(ReceiveDelivery, () => ({ status: "repository_mismatch" }));
    const answered = await post(planner, "{}");
    expect([answered.status, answered.text]).toEqual([403, '{"error":"repository_mismatch"}']);
  });

  test.each(["github", "PLANNER", "planner%20", "%zz", "__proto__"])(
    "as a source, %p, gets 404 before anything else is looked at",
    async (source) => {
      const answered = await post(`/webhooks/${source}/acme`, new Uint8Array(MOST + 1));
      expect([answered.status, answered.text]).toEqual([
        404,
        '{"error":"unknown provider","message":"unknown provider"}',
      ]);
    },
  );

  test.each(["GET", "PUT", "DELETE"])("%s isn't taken", async (method) => {
    const answered = await gateway.ask(method, planner);
    expect([answered.status, answered.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("a body", () => {
  test("of exactly 5 MiB is taken", async () => {
    expect((await post(planner, new Uint8Array(MOST).fill(0x20))).status).toBe(202);
    expect(asked()[0]?.body?.length).toBe(MOST);
  });

  test.each([
    ["says so", () => new Uint8Array(MOST + 1)],
    ["comes in chunks", () => chunks(MOST + 1)],
    ["would go on for ever", () => chunks(Infinity)],
  ])("that is a byte too large and %s gets 413, whoever sent it", async (_, body) => {
    const answered = await post("/webhooks/planner/acme", body());
    expect(answered.status).toBe(413);
    expect(answered.body).toMatchObject({ code: "payload_too_large", error: "payload_too_large" });
    expect(asked()).toEqual([]);
  });

  test("that is announced as too large gets 413 before it is sent", async () => {
    const answer = await sendRaw(
      `POST ${planner} HTTP/1.1\r\nhost: x\r\ncontent-length: ${50 * MB}\r\n\r\n`,
      "HTTP/1.1 413",
    );
    expect(answer).toContain("payload_too_large");
  });

  test("whose chunk hides a megabyte in its extension is refused", async () => {
    const chunk = `1;${"x".repeat(MB)}\r\na\r\n`;
    const answer = await sendRaw(
      `POST ${planner} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`,
      "HTTP/1.1 ",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4(?:00|13)/);
    expect(asked()).toEqual([]);
  });

  test("that trickles is cut off", async () => {
    const answer = await sendRaw(
      `POST ${planner} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`,
      "HTTP/1.1 408",
    );
    expect(answer).toContain("request_timeout");
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });
});

test("who begins bodies and goes no further holds up those of others for no moment", async () => {
  const behind = await startTestGateway({ TRUSTED_PROXIES: "1", RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" });
  const head = (from: string) =>
    `POST ${planner} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\ncontent-length: ${MOST}\r\n\r\n`;
  const begun = Array.from({ length: 30 }, () => {
    const socket = connect(behind.serving.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(head("1.1.1.1") + " ".repeat(100_000));
    return socket;
  });
  await Bun.sleep(500); // so that they are there first
  const headers = { "x-forwarded-for": "2.2.2.2" };
  const answered = await behind.ask("POST", planner, { body: new Uint8Array(MOST), headers });
  expect(answered.status).toBe(202);
  for (const socket of begun) socket.destroy();
  await behind.stop();
});

test("a flood of calls from one address, which nobody has verified, holds up its own and hardly others", async () => {
  const behind = await startTestGateway({ TRUSTED_PROXIES: "1", RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" });
  const begun = Promise.withResolvers<void>();
  let before: Promise<unknown> = begun.promise;
  // Whoever verifies does one after the other.
  for (const { others } of [gateway, behind]) {
    others.on(ReceiveDelivery, () => {
      before = before.then(() => Bun.sleep(1));
      return before.then(() => ({ status: "unauthorized" }));
    });
  }
  const answered: string[] = [];
  const send = async (from: string) => {
    const answer = await behind.ask("POST", planner, { body: "{}", headers: { "x-forwarded-for": from } });
    answered.push(from); // 503 it may be where the machine is busy: the flood's own have waited longer
    return answer.status;
  };
  const flood = Array.from({ length: 200 }, () => send("1.1.1.1"));
  await until(() => asked().length + behind.others.asked.length >= 128);
  await Bun.sleep(500); // the rest is there by then
  const other = send("2.2.2.2");
  await behind.ask("GET", "/healthz"); // by then it is there, too
  begun.resolve();
  expect(await other).toBe(401);
  await Promise.all(flood);
  expect(answered.at(-1)).not.toBe("2.2.2.2");
  await behind.stop();
});

describe("too many", () => {
  test("verified events of an organization and source are told to wait, refused ones take nothing from it", async () => {
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

  test("and how many are left is told to who is verified, and to nobody else", async () => {
    let isKnown = true;
    const limited = await limitedTo("1", () => isKnown);
    const told = async () => {
      const { status, headers } = await limited.ask("POST", planner, { body: "{}" });
      return [status, headers.get("ratelimit-policy"), headers.get("ratelimit")];
    };
    const policy = '"webhooks";q=1;w=60';
    const none = expect.stringMatching(/^"webhooks";r=0;t=\d+$/);
    expect(await told()).toEqual([202, policy, none]);
    expect(await told()).toEqual([429, policy, none]);
    isKnown = false;
    expect(await told()).toEqual([401, null, null]);
    await limited.stop();
  });

  test("isn't what nobody could verify while its owner was away", async () => {
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

test("an event whose owner can't take it is to be sent again, and its sender isn't blamed", async () => {
  gateway.others.on(ReceiveDelivery, () => {
    throw unavailable("the database can't be reached");
  });
  const answered = await post(planner, "{}");
  expect(answered.status).toBe(503);
  expect(answered.headers.get("retry-after")).toBe("1");
});

/** A gateway with a limit; who owns the events takes what is known, within it. */
async function limitedTo(perMinute: string, isKnown: () => boolean) {
  const limited = await startTestGateway({ RATE_LIMIT_WEBHOOK_PER_MINUTE: perMinute });
  await ampleMinute();
  // Whichever of the two answers.
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

/** What comes back first over a connection of its own, once it begins with `begin`. */
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
