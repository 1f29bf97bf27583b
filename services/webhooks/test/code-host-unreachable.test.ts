import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import https from "node:https";
import { createServer } from "node:net";

import { createEgress, type Egress } from "@leeway/shared/egress/egress";
import { failureOf } from "@leeway/shared/testing";
import { createAuthority } from "@leeway/shared/testing-certificate";

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

/** The same, but patient for less long than a person would be. */
const hasty = (patient: Egress): Egress => ({
  check: patient.check,
  fetch: (url, init) => patient.fetch(url, { ...init, timeoutMs: 300 }),
});

describe("a host isn't reached that", () => {
  test.each<[string, Answer]>([
    ["breaks the connection", reset],
    ["breaks off its answer", truncated],
    ["says nothing", hang],
    ["trickles", trickle],
    ["answers with 10 MB", flood(10 * 1024 * 1024)],
    ["answers with 256 KB and one byte", padded(256 * 1024 + 1)],
    [
      "answers with 64 MB that were zipped",
      bytes(200, Bun.gzipSync(new Uint8Array(64 * 1024 * 1024)), { "content-encoding": "gzip" }),
    ],
    ["zips wrongly", bytes(200, "no zip", { "content-encoding": "gzip" })],
    [
      "answers with a page",
      bytes(200, "<!doctype html><title>GitLab</title>", { "content-type": "text/html" }),
    ],
    ["answers with other JSON", json(200, { ok: true })],
    ["answers with a list", json(200, [])],
    ["answers with null", json(200, null)],
    ["answers with a deep list", bytes(200, "[".repeat(100_000))],
    ["answers with nothing", bytes(200, "")],
    ["has no content", bytes(204, "")],
    ["has scopes of another type", about({ scopes: "api" })],
    ["has scopes of other types", about({ scopes: ["api", 1] })],
    ["has more scopes than there are", about({ scopes: Array(1_000).fill("api") })],
    ["has a state of another type", about({ active: "true" })],
    ["has no word on the expiry", about({ expires_at: undefined })],
    ["has a day that isn't one", about({ expires_at: "2027-02-30" })],
    ["has a month that isn't one", about({ expires_at: "2027-99-99" })],
    ["has an instant for a day", about({ expires_at: "2027-01-01T00:00:00Z" })],
    ["has a number for a day", about({ expires_at: 20_270_101 })],
    ["is too busy", json(429, { message: "Too Many Requests" }, { "retry-after": "60" })],
    ["has failed", json(500, { message: "500 Internal Server Error" })],
    ["is under maintenance", bytes(503, "GitLab is not responding")],
    ["doesn't know tokens", json(404, { error: "404 Not Found" })],
    ["asks for another kind of token", json(400, { message: "400 Bad request" })],
    ["has created something", json(201, GOOD)],
  ])("%s", async (_, answer) => {
    here.host.answerWith(answer, SELF);
    expect(await failureOf(validate({ egress: hasty(here.egress) }))).toMatchObject(refused(UNREACHABLE));
  });

  test.each([301, 302, 303, 307, 308])(
    "redirects elsewhere with %d, which isn't followed",
    async (status) => {
      for (const to of [canaryUrl, `${here.host.url}/elsewhere`, "//127.0.0.1/"]) {
        here.host.answerWith(bytes(status, "", { location: to }), SELF);
        here.host.requests.length = 0;
        expect(await failureOf(validate())).toMatchObject(refused(UNREACHABLE));
        expect(here.host.requests).toHaveLength(1);
      }
    },
  );

  test.each([
    ["isn't allowed", "http://127.0.0.1:"],
    ["is private", "https://127.0.0.1:"],
    ["has a name for it", "https://localhost:"],
  ])("%s", async (_, prefix) => {
    const baseUrl = prefix + new URL(canaryUrl).port;
    expect(await failureOf(validate({ baseUrl }))).toMatchObject(refused(UNREACHABLE));
  });

  test.each(["", "nothing", "ftp://example.com", "https://", "https://user:pw@example.com"])(
    "is %p",
    async (baseUrl) => {
      expect(await failureOf(validate({ baseUrl }))).toMatchObject(refused(UNREACHABLE));
    },
  );

  test("nobody listens for", async () => {
    const gone = await startCodeHost();
    await gone.stop();
    const there = createEgress({ allow: [gone.host] });
    expect(await failureOf(validate({ baseUrl: gone.url, egress: there }))).toMatchObject(
      refused(UNREACHABLE),
    );
  });

  test("is slow each time, all in all for more than 10 seconds", async () => {
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

  /** Egress that takes `secure` for the host at a public address, and notes where it connects to. */
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

  test("is asked at the address that was vetted, over TLS", async () => {
    const { egress, sentTo } = publicly(async () => [PUBLIC]);
    const facts = await validateToken(egress, { ...check, token: issued }, new Date());
    expect(facts).toMatchObject({ username: "project_1_bot" });
    expect(sentTo).toEqual([PUBLIC, PUBLIC, PUBLIC]);
    expect(secure.requests.map(({ headers }) => headers.host)).toEqual([NAME, NAME, NAME]);
  });

  test("whose name leads into our network at the second look gets no second call", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"]];
    const { egress, sentTo } = publicly(async () => answers.shift() ?? ["127.0.0.1"]);
    const failed = failureOf(validateToken(egress, { ...check, token: issued }, new Date()));
    expect(await failed).toMatchObject(refused(UNREACHABLE));
    expect(sentTo).toEqual([PUBLIC]);
  });

  test.each([[["127.0.0.1"]], [[PUBLIC, "10.0.0.1"]], [["169.254.169.254"]], [[]]])(
    "at %j isn't called",
    async (addresses) => {
      const { egress, sentTo } = publicly(async () => addresses);
      const failed = failureOf(validateToken(egress, { ...check, token: issued }, new Date()));
      expect(await failed).toMatchObject(refused(UNREACHABLE));
      expect(sentTo).toEqual([]);
    },
  );

  test("with the certificate of another gets no token", async () => {
    secure.requests.length = 0;
    const { egress } = publicly(async () => [PUBLIC]);
    const baseUrl = "https://other.example.com";
    const failed = failureOf(validateToken(egress, { ...check, baseUrl, token: issued }, new Date()));
    expect(await failed).toMatchObject(refused(UNREACHABLE));
    expect(secure.requests).toEqual([]);
  });
});
