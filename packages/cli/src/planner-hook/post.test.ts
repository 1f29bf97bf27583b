import { describe, expect, test } from "bun:test";

import { CORPUS, hasCorpus } from "@leeway/shared/corpus.fixture";

import { Failure } from "../failure.ts";
import { Endpoint, SECRET, type Treatment } from "./endpoint.fixture.ts";
import { post, sign, type Receipt } from "./post.ts";

const BODY = new TextEncoder().encode('{"event":"plan"}');

interface Sent {
  outcome: Receipt | Failure;
  told: string[];
  seconds: number;
}

async function send(url: string, { tries = 5, maxSeconds = 30 } = {}): Promise<Sent> {
  const told: string[] = [];
  const started = performance.now();
  const delivery = { url: new URL(url), secret: SECRET, tries, maxSeconds, userAgent: "leeway-cli/1.2.3" };
  const outcome = await post(BODY, delivery, (message) => void told.push(message)).catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
  return { outcome, told, seconds: (performance.now() - started) / 1000 };
}

const TAKEN = { status: "accepted", deliveryId: expect.any(String) };
const BUSY = { status: 503 };

describe("a signature", () => {
  test("is that of the key as it stands", () => {
    // HMAC-SHA-256 with the key "key" and the best known pangram.
    expect(sign(Buffer.from("The quick brown fox jumps over the lazy dog"), "key")).toBe(
      "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
    );
  });

  test("is what openssl makes of the same bytes", async () => {
    const child = Bun.spawn(["openssl", "dgst", "-sha256", "-hmac", SECRET], { stdin: BODY, stdout: "pipe" });
    const hex = (await new Response(child.stdout).text()).trim().split(" ").at(-1);
    expect(sign(BODY, SECRET)).toBe(`sha256=${hex}`);
  });

  test.skipIf(!hasCorpus)(
    "agrees with published vectors (skipped where there are none: set LEEWAY_CORPUS)",
    async () => {
      const { vectors } = await Bun.file(
        `${CORPUS}/planner-webhooks/signatures/hmac-sha256-vectors.json`,
      ).json();
      expect(vectors.length).toBeGreaterThan(5);
      for (const { secret, payload, header, valid } of vectors) {
        expect(sign(Buffer.from(payload), secret) === header).toBe(valid);
      }
    },
  );
});

test("a body goes out with its signature, as JSON, and says who sends it", async () => {
  using endpoint = new Endpoint();
  expect(await send(endpoint.url)).toMatchObject({ outcome: TAKEN, told: [] });
  const [request] = endpoint.requests;
  expect(request?.body).toEqual(Buffer.from(BODY));
  expect(request?.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "leeway-cli/1.2.3",
    "x-planner-signature": sign(BODY, SECRET),
  });
});

describe("what may pass is tried again, and the plan arrives once", () => {
  test.each<[string, Treatment, string]>([
    ["503", BUSY, "answers 503"],
    ["500", { status: 500 }, "answers 500"],
    ["429", { status: 429, headers: "retry-after: 0\r\n" }, "answers 429"],
    ["a time-out of a proxy", { status: 408 }, "answers 408"],
    ["a connection that is reset", "reset", "a proxy in front of it may do that to what is too large"],
    ["another server's page", { status: 202, body: "<html>" }, "not Leeway"],
  ])("%s", async (_, treatment, problem) => {
    using endpoint = new Endpoint(treatment);
    const { outcome, told, seconds } = await send(endpoint.url);
    expect(outcome).toMatchObject(TAKEN);
    expect(told).toEqual([expect.stringContaining(problem)]);
    expect(endpoint.requests).toHaveLength(2);
    expect(seconds).toBeGreaterThanOrEqual(0.24);
  });

  test("an answer that was cut off: the next try hears that it is a duplicate", async () => {
    using endpoint = new Endpoint("truncate");
    const { outcome, told } = await send(endpoint.url);
    expect(outcome).toMatchObject({ status: "duplicate" });
    expect(told).toHaveLength(1);
    expect(endpoint.requests[1]?.body).toEqual(endpoint.requests[0]?.body);
  });

  test("not before Retry-After says", async () => {
    using endpoint = new Endpoint({ status: 429, headers: "retry-after: 2\r\n" });
    const { outcome, seconds } = await send(endpoint.url);
    expect(outcome).toMatchObject(TAKEN);
    expect(seconds).toBeGreaterThanOrEqual(2);
  });

  test("a Retry-After that is a date counts too", async () => {
    const date = new Date(Date.now() + 2000).toUTCString();
    using endpoint = new Endpoint({ status: 503, headers: `retry-after: ${date}\r\n` });
    const { outcome, seconds } = await send(endpoint.url);
    expect(outcome).toMatchObject(TAKEN);
    expect(seconds).toBeGreaterThanOrEqual(0.5);
  });
});

describe("it gives up", () => {
  test("after as many tries as were allowed", async () => {
    using endpoint = new Endpoint(BUSY, BUSY, BUSY);
    const { outcome } = await send(endpoint.url, { tries: 3 });
    expect(outcome).toMatchObject({
      outcome: "unavailable",
      message: "Leeway answers 503: given up after 3 tries",
    });
    expect(endpoint.requests).toHaveLength(3);
  });

  test("at once, when it shall come back later than it may", async () => {
    using endpoint = new Endpoint({ status: 429, headers: "retry-after: 3600\r\n" });
    const { outcome } = await send(endpoint.url);
    expect(outcome).toMatchObject({
      message: "Leeway answers 429, and asks to come back in 3600 s: given up after 1 try",
    });
  });

  test("when time has run out on a server that never answers", async () => {
    using endpoint = new Endpoint("hang", "hang");
    const { outcome, seconds } = await send(endpoint.url, { maxSeconds: 1 });
    expect(outcome).toMatchObject({
      message: "Leeway can't be reached (no answer in time): given up after 1 try",
    });
    expect(seconds).toBeWithin(0.9, 4);
  });

  test("when nobody listens", async () => {
    const endpoint = new Endpoint();
    endpoint[Symbol.dispose]();
    const { outcome } = await send(endpoint.url, { tries: 2 });
    expect(outcome).toMatchObject({
      outcome: "unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

describe("what another try doesn't change is tried once, and says what to check", () => {
  test.each<[number, string, RegExp]>([
    [400, "refused", /leads to Leeway/],
    [401, "unauthorized", /LEEWAY_WEBHOOK_SECRET is the whole whsec_/],
    [403, "repository_mismatch", /repo_path/],
    [404, "not_found", /\{base\}\/webhooks\/planner/],
    [413, "body_refused", /--max-bytes/],
    [200, "refused", /leads to Leeway/],
    [301, "refused", /redirects are not followed/],
    [308, "refused", /redirects are not followed/],
  ])("%i", async (status, outcome, advice) => {
    using endpoint = new Endpoint({ status, headers: "location: /webhooks/planner/elsewhere\r\n" });
    const sent = await send(endpoint.url);
    expect(sent).toMatchObject({ outcome: { outcome }, told: [] });
    expect(sent.outcome).toMatchObject({ message: expect.stringMatching(advice) });
    expect(endpoint.requests).toHaveLength(1);
  });
});

test("an answer without end is read to its first pages only", async () => {
  const answer = JSON.stringify({ status: "accepted", delivery_id: "x", more: "x".repeat(1_000_000) });
  using endpoint = new Endpoint({ status: 202, body: answer });
  expect(await send(endpoint.url)).toMatchObject({
    outcome: { status: "accepted" },
    told: [expect.any(String)],
  });
});
