import { describe, expect, test } from "bun:test";

import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { Failure } from "../failure.ts";
import { Endpoint, SECRET, type Treatment } from "./endpoint.fixture.ts";
import { post, sign, type Receipt } from "./post.ts";

const BODY = new TextEncoder().encode('{"event":"plan"}');

interface Sent {
  outcome: Receipt | Failure;
  logged: string[];
  seconds: number;
}

async function send(url: string, { tries = 5, maxSeconds = 30 } = {}): Promise<Sent> {
  const logged: string[] = [];
  const started = performance.now();
  const delivery = { url: new URL(url), secret: SECRET, tries, maxSeconds, userAgent: "leeway-cli/1.2.3" };
  const outcome = await post(BODY, delivery, (message) => void logged.push(message)).catch(
    (error: unknown) => {
      if (error instanceof Failure) return error;
      throw error;
    },
  );
  return { outcome, logged, seconds: (performance.now() - started) / 1000 };
}

const TAKEN = { status: "accepted", deliveryId: expect.any(String) };
const BUSY = { status: 503 };

describe("a signature", () => {
  test("uses the key unchanged", () => {
    // HMAC-SHA-256 test vector with the key "key".
    expect(sign(Buffer.from("The quick brown fox jumps over the lazy dog"), "key")).toBe(
      "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
    );
  });

  test("equals the output of openssl", async () => {
    const child = Bun.spawn(["openssl", "dgst", "-sha256", "-hmac", SECRET], { stdin: BODY, stdout: "pipe" });
    const hex = (await new Response(child.stdout).text()).trim().split(" ").at(-1);
    expect(sign(BODY, SECRET)).toBe(`sha256=${hex}`);
  });

  test.skipIf(!hasCorpus)("agrees with published vectors (skipped without LEEWAY_CORPUS)", async () => {
    const { vectors } = await Bun.file(
      `${CORPUS}/planner-webhooks/signatures/hmac-sha256-vectors.json`,
    ).json();
    expect(vectors.length).toBeGreaterThan(5);
    for (const { secret, payload, header, valid } of vectors) {
      expect(sign(Buffer.from(payload), secret) === header).toBe(valid);
    }
  });
});

test("a body is sent as JSON with its signature and a user agent", async () => {
  using endpoint = new Endpoint();
  expect(await send(endpoint.url)).toMatchObject({ outcome: TAKEN, logged: [] });
  const [request] = endpoint.requests;
  expect(request?.body).toEqual(Buffer.from(BODY));
  expect(request?.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "leeway-cli/1.2.3",
    "x-planner-signature": sign(BODY, SECRET),
  });
});

describe("a temporary failure is retried, and the plan is delivered once", () => {
  test.each<[string, Treatment, string]>([
    ["503", BUSY, "answers 503"],
    ["500", { status: 500 }, "answers 500"],
    ["429", { status: 429, headers: "retry-after: 0\r\n" }, "answers 429"],
    ["a timeout of a proxy", { status: 408 }, "answers 408"],
    ["a reset connection", "reset", "connection closed; a proxy may do this when a body is too large"],
    ["another server's page", { status: 202, body: "<html>" }, "is incomplete or isn't from Leeway"],
  ])("%s", async (_, treatment, problem) => {
    using endpoint = new Endpoint(treatment);
    const { outcome, logged, seconds } = await send(endpoint.url);
    expect(outcome).toMatchObject(TAKEN);
    expect(logged).toEqual([expect.stringContaining(problem)]);
    expect(endpoint.requests).toHaveLength(2);
    expect(seconds).toBeGreaterThanOrEqual(0.24);
  });

  test("a truncated response: the retry is reported as a duplicate", async () => {
    using endpoint = new Endpoint("truncate");
    const { outcome, logged } = await send(endpoint.url);
    expect(outcome).toMatchObject({ status: "duplicate" });
    expect(logged).toHaveLength(1);
    expect(endpoint.requests[1]?.body).toEqual(endpoint.requests[0]?.body);
  });

  test("after the time in Retry-After", async () => {
    using endpoint = new Endpoint({ status: 429, headers: "retry-after: 2\r\n" });
    const { outcome, seconds } = await send(endpoint.url);
    expect(outcome).toMatchObject(TAKEN);
    expect(seconds).toBeGreaterThanOrEqual(2);
  });

  test("after the date in Retry-After", async () => {
    const date = new Date(Date.now() + 2000).toUTCString();
    using endpoint = new Endpoint({ status: 503, headers: `retry-after: ${date}\r\n` });
    const { outcome, seconds } = await send(endpoint.url);
    expect(outcome).toMatchObject(TAKEN);
    expect(seconds).toBeGreaterThanOrEqual(0.5);
  });
});

describe("it gives up", () => {
  test("after the maximum number of tries", async () => {
    using endpoint = new Endpoint(BUSY, BUSY, BUSY);
    const { outcome } = await send(endpoint.url, { tries: 3 });
    expect(outcome).toMatchObject({
      outcome: "unavailable",
      message: `${endpoint.origin} answers 503; gave up after 3 tries`,
    });
    expect(endpoint.requests).toHaveLength(3);
  });

  test("at once if it must wait longer than allowed", async () => {
    using endpoint = new Endpoint({ status: 429, headers: "retry-after: 3600\r\n" });
    const { outcome } = await send(endpoint.url);
    expect(outcome).toMatchObject({
      message: `${endpoint.origin} answers 429 and asks to wait 3600 s; gave up after 1 try`,
    });
  });

  test("if a server doesn't answer in time", async () => {
    using endpoint = new Endpoint("hang", "hang");
    const { outcome, seconds } = await send(endpoint.url, { maxSeconds: 1 });
    expect(outcome).toMatchObject({
      message: `can't reach ${endpoint.origin}: no answer in time; gave up after 1 try`,
    });
    expect(seconds).toBeGreaterThan(0.9);
  });

  test("if the connection is refused", async () => {
    const endpoint = new Endpoint();
    const { url, origin } = endpoint;
    endpoint[Symbol.dispose]();
    const { outcome, logged } = await send(url, { tries: 2 });
    expect(logged).toEqual([
      expect.stringMatching(
        /^can't reach http:\/\/127\.0\.0\.1:\d+: connection refused; retrying in 0\.\d s \(1 of 2\)$/,
      ),
    ]);
    expect(outcome).toMatchObject({
      outcome: "unavailable",
      message: `can't reach ${origin}: connection refused; gave up after 2 tries`,
    });
  });
});

describe("a permanent failure isn't retried and gives advice", () => {
  test.each<[number, string, RegExp]>([
    [400, "refused", /is a Leeway server/],
    [401, "unauthorized", /LEEWAY_WEBHOOK_SECRET is the complete whsec_/],
    [403, "repository_mismatch", /repo_path/],
    [404, "not_found", /\{base\}\/webhooks\/planner/],
    [413, "body_refused", /--max-bytes/],
    [200, "refused", /is a Leeway server/],
    [301, "refused", /redirects aren't followed/],
    [308, "refused", /redirects aren't followed/],
  ])("%i", async (status, outcome, advice) => {
    using endpoint = new Endpoint({ status, headers: "location: /webhooks/planner/elsewhere\r\n" });
    const sent = await send(endpoint.url);
    expect(sent).toMatchObject({ outcome: { outcome }, logged: [] });
    expect(sent.outcome).toMatchObject({ message: expect.stringMatching(advice) });
    expect(endpoint.requests).toHaveLength(1);
  });
});

test("a very long response is read only at its start", async () => {
  const answer = JSON.stringify({ status: "accepted", delivery_id: "x", more: "x".repeat(1_000_000) });
  using endpoint = new Endpoint({ status: 202, body: answer });
  expect(await send(endpoint.url)).toMatchObject({
    outcome: { status: "accepted" },
    logged: [expect.any(String)],
  });
});
