import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import { existsSync } from "node:fs";
import https from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { CORPUS } from "@leeway/shared/corpus.fixture";

import { createEgress, type Egress } from "@leeway/shared/egress";
import { failureOf } from "@leeway/shared/testing";
import { createAuthority } from "@leeway/shared/testing-certificate";

import { validateToken, type TokenFacts } from "../src/code-host/token.ts";
import {
  bytes,
  dayFrom,
  flood,
  hang,
  json,
  redirect,
  reset,
  startCodeHost,
  trickle,
  truncated,
  type Answer,
  type CodeHost,
} from "./support/code-host.ts";

const NOW = new Date("2026-10-07T14:00:00Z");
const REPO = "platform/network";
const UNREACHABLE = "instance unreachable";
const REJECTED = "api_token was rejected by the instance";
const HIDDEN = "api_token cannot reach repo_path";
let host: CodeHost;
let egress: Egress;
let token: string;
const canary = createServer((socket) => {
  contacts += 1;
  socket.destroy();
});
let contacts = 0;
let canaryUrl = "";

beforeAll(async () => {
  host = await startCodeHost();
  egress = createEgress({ allow: [host.host] });
  token = host.issue();
  canaryUrl = `http://127.0.0.1:${await listen(canary)}/`;
});

afterEach(() => {
  host.answerAsUsual();
  expect(contacts).toBe(0);
});

afterAll(async () => {
  await host.stop();
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

const validate = (
  given: { token?: string; repoPath?: string; baseUrl?: string; egress?: Egress } = {},
  now = NOW,
): Promise<TokenFacts> => validateToken(given.egress ?? egress, { baseUrl: host.url, token, ...given }, now);

/** What the host says of a token that is good at `NOW`. */
const GOOD = {
  id: 42,
  name: "leeway",
  revoked: false,
  created_at: "2026-01-31T03:53:24.000Z",
  scopes: ["api"],
  user_id: 7,
  last_used_at: null,
  active: true,
  expires_at: "2026-12-31",
};
const about = (changes: object = {}): Answer => json(200, { ...GOOD, ...changes });
/** The same, as long as is said. */
const padded = (size: number): Answer => bytes(200, JSON.stringify(GOOD).padEnd(size));
const SELF = /personal_access_tokens\/self$/;

const refused = (message: string): object => ({
  code: "invalid_parameter",
  message,
  details: [{ field: "api_token", code: expect.stringMatching(/^[a-z_]+$/), message }],
});

describe("a good token", () => {
  test("is told by its name, its user, its scopes and its last day", async () => {
    host.answerWith(about({ scopes: ["api", "read_user"] }), SELF);
    expect(await validate()).toEqual({
      name: "leeway",
      username: "project_1_bot",
      scopes: ["api", "read_user"],
      expiresAt: "2026-12-31",
    });
  });

  test("is sent to the host and its API only, in a header", async () => {
    const sent = host.issue();
    host.requests.length = 0;
    await validate({ token: sent, repoPath: REPO }, new Date());
    expect(host.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v4/personal_access_tokens/self",
      "GET /api/v4/user",
      "GET /api/v4/projects/platform%2Fnetwork",
    ]);
    expect(host.requests.map(({ headers }) => headers["private-token"])).toEqual([sent, sent, sent]);
  });

  test("may be told in 256 KB", async () => {
    host.answerWith(padded(256 * 1024), SELF);
    expect(await validate()).toMatchObject({ name: "leeway" });
  });

  test("works for an instance that lives under a path", async () => {
    host.requests.length = 0;
    await validate({ baseUrl: `${host.url}/gitlab` }, new Date());
    expect(host.requests[0]?.path).toBe("/gitlab/api/v4/personal_access_tokens/self");
  });

  test.each([
    ["in the morning of its last day", "2026-10-07", "2026-10-07T00:00:00Z"],
    ["in the last moment of its last day, in UTC", "2026-10-07", "2026-10-07T23:59:59.999Z"],
    ["on the day before", "2026-10-08", "2026-10-07T23:59:59.999Z"],
  ])("is good %s", async (_, expiresAt, now) => {
    host.answerWith(about({ expires_at: expiresAt }), SELF);
    expect(await validate({}, new Date(now))).toMatchObject({ expiresAt });
  });

  test("may have a long name and signs in it that nobody can print", async () => {
    host.answerWith(about({ name: `a\0b\u{202e}c\ud800${"x".repeat(1_000)}` }), SELF);
    const { name } = await validate();
    expect(name).toStartWith("abcxx");
    expect(name.length).toBeLessThanOrEqual(255);
  });
});

const unauthorized = (description: string): Answer =>
  json(401, { error: "invalid_token", error_description: description });

describe("a token is refused that", () => {
  test.each<[string, Answer, string]>([
    ["ended yesterday", about({ expires_at: "2026-10-06" }), "api_token is expired"],
    ["ended and is inactive", about({ expires_at: "2026-10-06", active: false }), "api_token is expired"],
    [
      "the host calls expired",
      unauthorized("Token is expired. You can either do re-authorization or token refresh."),
      "api_token is expired",
    ],
    [
      "the host calls expired in its message",
      json(401, { message: "Token expired" }),
      "api_token is expired",
    ],
    ["never ends", about({ expires_at: null }), "api_token has no expiry"],
    ["may only read", about({ scopes: ["read_api", "read_user"] }), "api_token is missing the api scope"],
    ["may nothing", about({ scopes: [] }), "api_token is missing the api scope"],
    ["is revoked", about({ revoked: true }), "api_token is revoked"],
    ["is revoked and has ended", about({ revoked: true, expires_at: "2020-01-01" }), "api_token is revoked"],
    ["is inactive", about({ active: false }), "api_token is revoked"],
    ["is inactive and never ends", about({ active: false, expires_at: null }), "api_token is revoked"],
    ["the host doesn't know", json(401, { message: "401 Unauthorized" }), REJECTED],
    ["may be this or that", unauthorized("The access token is expired, revoked or malformed"), REJECTED],
    ["meets a 401 without a word", bytes(401, ""), REJECTED],
    ["meets a 401 page", bytes(401, "<html>Your session expired</html>"), REJECTED],
    ["is forbidden", json(403, { message: "403 Forbidden" }), REJECTED],
  ])("%s", async (_, answer, message) => {
    host.answerWith(answer, SELF);
    expect(await failureOf(validate())).toMatchObject(refused(message));
  });

  test.each<[string, Answer, string]>([
    ["is nobody's", json(401, { message: "401 Unauthorized" }), REJECTED],
    ["is that of a blocked user", json(403, { message: "403 Forbidden - blocked" }), REJECTED],
    ["is that of a user without a name", json(200, { id: 7 }), UNREACHABLE],
  ])("%s", async (_, answer, message) => {
    host.answerWith(answer, /\/user$/);
    expect(await failureOf(validate({}, new Date()))).toMatchObject(refused(message));
  });

  test("the host had issued and now turns away", async () => {
    const expired = host.issue({ expires_at: dayFrom(new Date(), -1) });
    expect(await failureOf(validate({ token: expired }))).toMatchObject(refused("api_token is expired"));
    const revoked = host.issue({ revoked: true });
    expect(await failureOf(validate({ token: revoked }))).toMatchObject(refused(REJECTED));
    expect(await failureOf(validate({ token: "glpat-unknown" }))).toMatchObject(refused(REJECTED));
  });

  test.each([
    ["is empty", ""],
    ["is a space", " "],
    ["holds a newline", "glpat-x\r\nx-admin: 1"],
    ["ends with a newline", "glpat-x\n"],
    ["holds NUL", "glpat-\0"],
    ["isn't ASCII", "glpat-ü"],
    ["isn't Latin", "glpat-€"],
    ["has 10 KB", "x".repeat(10_240)],
  ])("%s, without a call", async (_, unsendable) => {
    host.requests.length = 0;
    expect(await failureOf(validate({ token: unsendable }))).toMatchObject(refused(REJECTED));
    expect(host.requests).toEqual([]);
  });
});

const project = (changes: object): Answer =>
  json(200, {
    id: 1,
    merge_requests_access_level: "enabled",
    permissions: { project_access: { access_level: 30 }, group_access: null },
    ...changes,
  });

describe("the repository", () => {
  const level = (own: number | null, inherited: number | null): Answer => {
    const [project_access, group_access] = [own, inherited].map((value) => value && { access_level: value });
    return project({ permissions: { project_access, group_access } });
  };
  const PROJECT = /\/projects\/[^/]+$/;
  const MEMBER = /\/members\/all\/7$/;

  test.each<[string, Answer, Answer]>([
    ["of a developer", level(30, null), reset],
    ["of an owner of the group", level(null, 50), reset],
    ["of a guest who is a maintainer of the group", level(10, 40), reset],
    ["of a member of an invited group", level(null, null), json(200, { access_level: 30 })],
    ["whose host doesn't say who may what", project({ permissions: undefined }), reset],
    ["with merge requests for members only", project({ merge_requests_access_level: "private" }), reset],
  ])("%s can be reached", async (_, answer, member) => {
    host.answerWith(answer, PROJECT);
    host.answerWith(member, MEMBER);
    expect(await validate({ repoPath: REPO }, new Date())).toMatchObject({ name: "leeway" });
  });

  test.each<[string, Answer, Answer, string]>([
    ["that isn't there", json(404, { message: "404 Project Not Found" }), reset, HIDDEN],
    ["that is forbidden", json(403, { message: "403 Forbidden" }), reset, HIDDEN],
    ["without merge requests", project({ merge_requests_access_level: "disabled" }), reset, HIDDEN],
    ["of a reporter", level(20, null), json(200, { access_level: 20 }), HIDDEN],
    ["of the public", level(null, null), json(404, { message: "404 Not found" }), HIDDEN],
    ["that answers with a list", json(200, []), reset, UNREACHABLE],
    ["that moved", redirect("/api/v4/projects/2"), reset, UNREACHABLE],
    ["of a token that was revoked meanwhile", json(401, {}), reset, REJECTED],
  ])("%s can't be reached", async (_, answer, member, message) => {
    host.answerWith(answer, PROJECT);
    host.answerWith(member, MEMBER);
    expect(await failureOf(validate({ repoPath: REPO }, new Date()))).toMatchObject(refused(message));
  });

  test.each(["other/repo", "platform", "..", ".", "a/../../user", "%2e%2e", "a?b#c", "\ud800", "ü/€"])(
    "%p isn't another",
    async (repoPath) => {
      expect(await failureOf(validate({ repoPath }, new Date()))).toMatchObject(refused(HIDDEN));
    },
  );
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
    host.answerWith(answer, SELF);
    expect(await failureOf(validate({ egress: hasty(egress) }))).toMatchObject(refused(UNREACHABLE));
  });

  test.each([301, 302, 303, 307, 308])(
    "redirects elsewhere with %d, which isn't followed",
    async (status) => {
      for (const to of [canaryUrl, `${host.url}/elsewhere`, "//127.0.0.1/"]) {
        host.answerWith(bytes(status, "", { location: to }), SELF);
        host.requests.length = 0;
        expect(await failureOf(validate())).toMatchObject(refused(UNREACHABLE));
        expect(host.requests).toHaveLength(1);
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
    host.answerWith((request, response) => {
      setTimeout(() => about()(request, response), 6_000);
    }, SELF);
    host.answerWith((request, response) => {
      setTimeout(() => json(200, { id: 7, username: "bot" })(request, response), 6_000);
    }, /\/user$/);
    const started = performance.now();
    expect(await failureOf(validate())).toMatchObject(refused(UNREACHABLE));
    const tookMs = performance.now() - started;
    expect(tookMs).toBeGreaterThan(9_000);
    expect(tookMs).toBeLessThan(11_000);
  }, 15_000);
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

const recorded = join(CORPUS, "vcs-webhooks/gitlab-api/atlantis--project-success.json");

describe.skipIf(!existsSync(recorded))("real data (skipped where there is none: set LEEWAY_CORPUS)", () => {
  test("a project as GitLab describes it is one that its owner can reach", async () => {
    host.answerWith(bytes(200, await Bun.file(recorded).bytes()), /\/projects\//);
    expect(await validate({ repoPath: "lkysow/atlantis-example" }, new Date())).toMatchObject({
      name: "leeway",
    });
  });
});
