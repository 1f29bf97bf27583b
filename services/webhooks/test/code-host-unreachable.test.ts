import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import https from "node:https";
import { createServer } from "node:net";

import { createEgress, type Egress } from "@leeway/shared/security/egress/egress";
import { failureOf } from "@leeway/shared/testing/testing";
import { createAuthority } from "@leeway/shared/testing/certificate";

import { validateToken } from "../src/code-host/token.ts";
import {
  bytes,
  flood,
  hang,
  json,
  reset,
  startCodeHost,
  trickle,
  truncated,
  type Answer,
  type CodeHost,
} from "./support/code-host.ts";
import { about, GOOD, padded, refused, REPO, SELF, UNREACHABLE, validating } from "./support/validating.ts";

const here = validating();
const { validate } = here;

const canary = createServer((socket) => {
  contacts += 1;
  socket.destroy();
});
let contacts = 0;
let canaryUrl = "";

beforeAll(async () => {
  canaryUrl = `http://127.0.0.1:${await listen(canary)}/`;
});

afterEach(() => expect(contacts).toBe(0));

afterAll(() => {
  canary.close();
});

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** Returns the same egress with a shorter timeout. */
const hasty = (patient: Egress): Egress => ({
  check: patient.check,
  fetch: (url, init) => patient.fetch(url, { ...init, timeoutMs: 300 }),
});

describe("a host counts as unreachable when it", () => {
  test.each<[string, Answer]>([
    ["resets the connection", reset],
    ["truncates its response", truncated],
    ["never responds", hang],
    ["sends its response too slowly", trickle],
    ["sends 10 MB", flood(10 * 1024 * 1024)],
    ["sends 256 KB and one byte", padded(256 * 1024 + 1)],
    [
      "sends 64 MB in compressed form",
      bytes(200, Bun.gzipSync(new Uint8Array(64 * 1024 * 1024)), { "content-encoding": "gzip" }),
    ],
    ["sends invalid compressed data", bytes(200, "no zip", { "content-encoding": "gzip" })],
    [
      "sends an HTML page",
      bytes(200, "<!doctype html><title>GitLab</title>", { "content-type": "text/html" }),
    ],
    ["sends other JSON", json(200, { ok: true })],
    ["sends a list", json(200, [])],
    ["sends null", json(200, null)],
    ["sends a deeply nested list", bytes(200, "[".repeat(100_000))],
    ["sends an empty body", bytes(200, "")],
    ["sends 204", bytes(204, "")],
    ["sends scopes of the wrong type", about({ scopes: "api" })],
    ["sends scopes with wrong items", about({ scopes: ["api", 1] })],
    ["sends too many scopes", about({ scopes: Array(1_000).fill("api") })],
    ["sends a state of the wrong type", about({ active: "true" })],
    ["sends no expiry", about({ expires_at: undefined })],
    ["sends an invalid day", about({ expires_at: "2027-02-30" })],
    ["sends an invalid month", about({ expires_at: "2027-99-99" })],
    ["sends a timestamp as the expiry", about({ expires_at: "2027-01-01T00:00:00Z" })],
    ["sends a number as the expiry", about({ expires_at: 20_270_101 })],
    ["responds with 429", json(429, { message: "Too Many Requests" }, { "retry-after": "60" })],
    ["responds with 500", json(500, { message: "500 Internal Server Error" })],
    ["responds with 503", bytes(503, "GitLab is not responding")],
    ["responds with 404", json(404, { error: "404 Not Found" })],
    ["responds with 400", json(400, { message: "400 Bad request" })],
    ["responds with 201", json(201, GOOD)],
  ])("%s", async (_, answer) => {
    here.host.answerWith(answer, SELF);
    expect(await failureOf(validate({ egress: hasty(here.egress) }))).toMatchObject(refused(UNREACHABLE));
  });

  test.each([301, 302, 303, 307, 308])("redirects with %d, which isn't followed", async (status) => {
    for (const to of [canaryUrl, `${here.host.url}/elsewhere`, "//127.0.0.1/"]) {
      here.host.answerWith(bytes(status, "", { location: to }), SELF);
      here.host.requests.length = 0;
      expect(await failureOf(validate())).toMatchObject(refused(UNREACHABLE));
      expect(here.host.requests).toHaveLength(1);
    }
  });

  test.each([
    ["isn't allowed", "http://127.0.0.1:"],
    ["is private", "https://127.0.0.1:"],
    ["has a private name", "https://localhost:"],
  ])("%s", async (_, prefix) => {
    const baseUrl = prefix + new URL(canaryUrl).port;
    expect(await failureOf(validate({ baseUrl }))).toMatchObject(refused(UNREACHABLE));
  });

  test.each(["", "nothing", "ftp://example.com", "https://", "https://user:pw@example.com"])(
    "has the URL %p",
    async (baseUrl) => {
      expect(await failureOf(validate({ baseUrl }))).toMatchObject(refused(UNREACHABLE));
    },
  );

  test("refuses connections", async () => {
    const gone = await startCodeHost();
    await gone.stop();
    const there = createEgress({ allow: [gone.host] });
    expect(await failureOf(validate({ baseUrl: gone.url, egress: there }))).toMatchObject(
      refused(UNREACHABLE),
    );
  });

  test("takes more than 10 seconds in total", async () => {
    here.host.answerWith((request, response) => {
      setTimeout(() => about()(request, response), 6_000);
    }, SELF);
    here.host.answerWith((request, response) => {
      setTimeout(() => json(200, { id: 7, username: "bot" })(request, response), 6_000);
    }, /\/user$/);
    const started = performance.now();
    expect(await failureOf(validate())).toMatchObject(refused(UNREACHABLE));
    const tookMs = performance.now() - started;
    expect(tookMs).toBeGreaterThan(9_000);
  });
});

describe("a public host", () => {
  const NAME = "gitlab.example.com";
  const PUBLIC = "93.184.215.14";
  const authority = createAuthority();
  let secure: CodeHost;
  let issued: string;

  beforeAll(async () => {
    secure = await startCodeHost({ tls: authority.issue(NAME) });
    issued = secure.issue();
  });
  afterAll(() => secure.stop());

  /** Creates egress that finds `secure` at a public address, and records the addresses it connects to. */
  function publicly(resolve: () => Promise<string[]>): { egress: Egress; sentTo: string[] } {
    const sentTo: string[] = [];
    const egress = createEgress({
      allow: [],
      resolve,
      open: (url, { lookup, ...options }) => {
        lookup?.(url.hostname, { all: false }, (_, address) => {
          if (typeof address === "string") sentTo.push(address);
        });
        return https.request(url, {
          ...options,
          ca: authority.cert,
          port: new URL(secure.url).port,
          lookup: (_, __, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
        });
      },
    });
    return { egress, sentTo };
  }

  const check = { baseUrl: `https://${NAME}`, repoPath: REPO };

  test("is called at the checked address over TLS", async () => {
    const { egress, sentTo } = publicly(async () => [PUBLIC]);
    const facts = await validateToken(egress, { ...check, token: issued }, new Date());
    expect(facts).toMatchObject({ username: "project_1_bot" });
    expect(sentTo).toEqual([PUBLIC, PUBLIC, PUBLIC]);
    expect(secure.requests.map(({ headers }) => headers.host)).toEqual([NAME, NAME, NAME]);
  });

  test("that later resolves to a private address gets no second request", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"]];
    const { egress, sentTo } = publicly(async () => answers.shift() ?? ["127.0.0.1"]);
    const failed = failureOf(validateToken(egress, { ...check, token: issued }, new Date()));
    expect(await failed).toMatchObject(refused(UNREACHABLE));
    expect(sentTo).toEqual([PUBLIC]);
  });

  test.each([[["127.0.0.1"]], [[PUBLIC, "10.0.0.1"]], [["169.254.169.254"]], [[]]])(
    "that resolves to %j isn't called",
    async (addresses) => {
      const { egress, sentTo } = publicly(async () => addresses);
      const failed = failureOf(validateToken(egress, { ...check, token: issued }, new Date()));
      expect(await failed).toMatchObject(refused(UNREACHABLE));
      expect(sentTo).toEqual([]);
    },
  );

  test("with another host's certificate never receives the token", async () => {
    secure.requests.length = 0;
    const { egress } = publicly(async () => [PUBLIC]);
    const baseUrl = "https://other.example.com";
    const failed = failureOf(validateToken(egress, { ...check, baseUrl, token: issued }, new Date()));
    expect(await failed).toMatchObject(refused(UNREACHABLE));
    expect(secure.requests).toEqual([]);
  });
});
