import { randomBytes } from "node:crypto";

import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from "bun:test";

import { GetScan } from "@leeway/shared/contracts/inventory/scans";
import { sha256 } from "@leeway/shared/values/digest";
import { testLog } from "@leeway/shared/testing/testing";

import { createCookies, csrfTokenOf } from "../src/auth/session-cookie.ts";
import { ownPath } from "../src/auth/sign-in.ts";
import { SCAN } from "../src/examples/common.ts";
import { startWithProvider } from "./support/gateway-with-provider.ts";
import { startTestGateway, type Answered, type TestGateway } from "./support/gateway.ts";
import { createTestBrowser, logInAt, type OpenIdProvider } from "./support/openid-provider.ts";
import { ampleMinute } from "./support/minute.ts";
import { until } from "./support/until.ts";

const SESSION = "leeway_session";

let provider: OpenIdProvider;
let gateway: TestGateway;
beforeAll(async () => {
  ({ provider, gateway } = await startWithProvider());
});
afterAll(async () => {
  await gateway.stop();
  provider.stop();
});

afterEach(() => void setSystemTime());

/** Signs `login` in with a new browser. */
async function signIn(login: string, to = "/") {
  const browser = createTestBrowser();
  const back = await logInAt(
    browser,
    browser.next(await browser.visit(`${gateway.url}/auth/sign-in?to=${encodeURIComponent(to)}`)),
    login,
  );
  const landed = await browser.visit(back);
  return { browser, back, landed, token: browser.cookies.get(SESSION) ?? "" };
}

interface Sent {
  body?: unknown;
  csrf?: string | undefined;
}

function ask(token: string, method: string, path: string, { body, csrf = csrfTokenOf(token) }: Sent = {}) {
  const headers = { cookie: `other=1; ${SESSION}=${token}`, "x-csrf-token": csrf };
  return gateway.ask(method, path, { headers, ...(body !== undefined && { body }) });
}

const newOrg = (token: string, csrf?: string): Promise<Answered> =>
  ask(token, "POST", "/api/v2/orgs", { body: { name: "Made by a person" }, csrf });

test("a person who signs in with the provider returns to the page they opened", async () => {
  const { landed, token } = await signIn("ada", "/orgs/x/inventory?match=undeclared");
  expect([landed.status, landed.headers.get("location")]).toEqual([
    302,
    "/orgs/x/inventory?match=undeclared",
  ]);
  const { body } = await ask(token, "GET", "/auth/session");
  const [row] = await gateway.db.admin`select id from identity.people where name = 'ada'`;
  const person = { id: row?.["id"], name: "ada", csrf_token: csrfTokenOf(token) };
  expect(body).toEqual({ sign_in: "provider", person });
  const made = await newOrg(token);
  expect(made.status).toBe(201);
  const keys = await ask(token, "POST", `/api/v2/orgs/${made.body.id}/api-keys`, {
    body: {
      name: "ci",
      role: "member",
    },
  });
  expect(keys.status).toBe(201);
});

test("an invitation to a verified address is accepted at the next sign-in", async () => {
  const { token: ada } = await signIn("ada");
  const org = await newOrg(ada);
  const path = `/api/v2/orgs/${org.body.id}`;
  const invitation = { email: "grace@example.com", role: "viewer" };
  expect((await ask(ada, "POST", `${path}/members`, { body: invitation })).status).toBe(201);
  const { token: grace } = await signIn("grace");
  expect((await ask(grace, "GET", path)).body.role).toBe("viewer");
  const refused = await ask(grace, "POST", `${path}/api-keys`, { body: { name: "x", role: "viewer" } });
  expect(refused.status).toBe(403);
});

describe("a session cookie", () => {
  test("is hidden from scripts and not sent by other sites", async () => {
    const { landed } = await signIn("ada");
    const cookie = landed.headers.getSetCookie().find((one) => one.startsWith(SESSION));
    expect(cookie).toEndWith("; Path=/; HttpOnly; SameSite=Strict");
  });

  test("requires HTTPS when the public address uses it", () => {
    const { session, noSession } = createCookies("https://leeway.example.com");
    expect(session("x")).toBe("__Host-leeway_session=x; Path=/; HttpOnly; Secure; SameSite=Strict");
    expect(noSession).toContain("Max-Age=0");
  });

  test("is stored only as a hash", async () => {
    const { token } = await signIn("ada");
    const rows = await gateway.db.admin`select token_hash from identity.sessions`;
    const hashes = rows.map(({ token_hash: hash }) => Buffer.from(hash).toString("hex"));
    expect(hashes).toContain(sha256(token).toString("hex"));
    expect(JSON.stringify(hashes)).not.toContain(Buffer.from(token).toString("hex"));
  });

  test.each([
    ["no CSRF token", ""],
    ["another session's CSRF token", csrfTokenOf("x".repeat(43))],
  ])("allows no change with %s", async (_, csrf) => {
    const { token } = await signIn("ada");
    expect((await newOrg(token, csrf)).status).toBe(401);
    expect((await ask(token, "POST", "/auth/sign-out", { csrf })).status).toBe(401);
    expect((await ask(token, "GET", "/api/v2/orgs", { csrf })).status).toBe(200);
  });

  test("is ignored next to an invalid bearer token", async () => {
    const { token } = await signIn("ada");
    const headers = { cookie: `${SESSION}=${token}`, "x-csrf-token": csrfTokenOf(token) };
    expect((await gateway.ask("GET", "/api/v2/orgs", { as: "leeway_wrong", headers })).status).toBe(401);
  });

  test.each(["", "short", "x".repeat(43), "x".repeat(5_000)])(
    "with the made-up value %s is refused",
    async (token) => {
      expect((await ask(token, "GET", "/api/v2/orgs")).status).toBe(401);
      expect((await ask(token, "GET", "/auth/session")).body).toEqual({ sign_in: "provider" });
    },
  );

  test("isn't a bearer token", async () => {
    const { token } = await signIn("ada");
    expect((await gateway.ask("GET", "/api/v2/orgs", { as: token })).status).toBe(401);
  });
});

test("signing out invalidates every copy of the cookie", async () => {
  const { token } = await signIn("ada");
  const out = await ask(token, "POST", "/auth/sign-out");
  expect([out.status, out.headers.getSetCookie()]).toEqual([
    204,
    [`${SESSION}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`],
  ]);
  expect((await ask(token, "GET", "/api/v2/orgs")).status).toBe(401);
});

test("scan events last as long as the session", async () => {
  const { token } = await signIn("ada");
  const org = await newOrg(token);
  gateway.others.on(GetScan, () => ({ ...SCAN, status: "running" }));
  const response = await fetch(`${gateway.url}/api/v2/orgs/${org.body.id}/scans/${SCAN.id}/events`, {
    headers: { cookie: `${SESSION}=${token}` },
  });
  expect(response.status).toBe(200);
  let isOver = false;
  const over = response.text().then(() => (isOver = true));
  await Bun.sleep(2_500); // long enough for two permission checks
  expect(isOver).toBe(false);
  await ask(token, "POST", "/auth/sign-out");
  await over;
});

test("a session expires", async () => {
  const { token } = await signIn("ada");
  await gateway.db.admin`update identity.sessions set expires_at = now() where token_hash = ${sha256(token)}`;
  await until(async () => (await ask(token, "GET", "/api/v2/orgs")).status === 401);
});

describe("a sign-in link", () => {
  const follow = (token: unknown) => gateway.ask("POST", "/auth/link", { body: { token } });

  /** Creates a link as `up` does, which owns the database. */
  async function linkOf(name: string, validity: string): Promise<string> {
    const token = randomBytes(32).toString("base64url");
    await gateway.db.admin`
      insert into identity.sign_in_links (token_hash, person_id, expires_at)
      select ${sha256(token)}, id, now() + ${validity}::interval from identity.people where name = ${name}
    `;
    return token;
  }

  test("signs its person in once, even if two browsers open it at the same time", async () => {
    await signIn("ada");
    const token = await linkOf("ada", "1 hour");
    const answers = await Promise.all([follow(token), follow(token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    const [cookie = ""] = answers.flatMap(({ headers }) => headers.getSetCookie());
    expect(cookie).toEndWith("; Path=/; HttpOnly; SameSite=Strict");
    const session = /=([^;]+)/.exec(cookie)?.[1] ?? "";
    expect((await ask(session, "GET", "/auth/session")).body).toMatchObject({ person: { name: "ada" } });
  });

  test("doesn't work once it has expired, or if nobody created it", async () => {
    await signIn("ada");
    for (const token of [await linkOf("ada", "-1 second"), "x".repeat(43), "x"]) {
      const { status, body, headers } = await follow(token);
      expect([status, body.message]).toEqual([401, "this sign-in link was used already or has expired"]);
      expect(headers.getSetCookie()).toEqual([]);
    }
    for (const token of ["", 7, "x".repeat(101)]) expect((await follow(token)).status).toBe(400);
  });

  test("can't be created by the gateway", async () => {
    const own = new SQL(gateway.db.urlOf("gateway"), { max: 1 });
    const made = own`
      insert into identity.sign_in_links (token_hash, person_id, expires_at)
      select '\\x00', id, now() + interval '1 hour' from identity.people limit 1
    `;
    expect(await made.catch(String)).toContain("permission denied for table sign_in_links");
    await own.close();
  });
});

describe("the callback from the provider", () => {
  test("refuses an answer that another browser started", async () => {
    const mallory = createTestBrowser();
    const begun = mallory.next(await mallory.visit(`${gateway.url}/auth/sign-in`));
    const back = await logInAt(mallory, begun, "mallory");
    const victim = createTestBrowser();
    const landed = await victim.visit(back);
    expect([landed.headers.get("location"), landed.headers.getSetCookie()]).toEqual([
      "/?sign_in=refused",
      [],
    ]);
    await victim.visit(`${gateway.url}/auth/sign-in`);
    expect((await victim.visit(back)).headers.get("location")).toBe("/?sign_in=refused");
  });

  test("accepts an answer only once", async () => {
    const { browser, back } = await signIn("ada");
    expect((await browser.visit(back)).headers.get("location")).toBe("/?sign_in=refused");
  });

  test("keeps the destination for the next attempt after a failure", async () => {
    const browser = createTestBrowser();
    const to = encodeURIComponent("/orgs/x/drift?kind=missing");
    const begun = await browser.visit(`${gateway.url}/auth/sign-in?to=${to}`);
    // A sign-in must finish within ten minutes.
    expect(begun.headers.getSetCookie()[0]).toContain("Max-Age=3600");
    const landed = await browser.visit(`${gateway.url}/auth/callback?error=access_denied&state=another`);
    expect(landed.headers.get("location")).toBe(`/?sign_in=refused&to=${to}`);
  });

  test.each(["", "?code=x", "?code=x&state=y", "?error=access_denied&state=z", "?state"])(
    "refuses %s",
    async (search) => {
      const landed = await gateway.ask("GET", `/auth/callback${search}`);
      expect([landed.status, landed.headers.get("location")]).toEqual([302, "/?sign_in=refused"]);
    },
  );

  test("refuses a forged cookie without raising the alarm metric", async () => {
    const unopened = async () =>
      /^leeway_sealed_unopened_total.*$/m.exec((await gateway.inside("/metrics")).text)?.[0];
    const before = await unopened();
    const headers = { cookie: `leeway_sign_in=${Buffer.from("made up").toString("base64url")}` };
    const landed = await gateway.ask("GET", "/auth/callback?code=x&state=y", { headers });
    expect(landed.headers.get("location")).toBe("/?sign_in=refused");
    expect(await unopened()).toBe(before);
    expect(before).toMatch(/ \d+$/);
  });

  test("reports a refusal by the provider", async () => {
    const browser = createTestBrowser();
    const begun = new URL(browser.next(await browser.visit(`${gateway.url}/auth/sign-in`)));
    const state = begun.searchParams.get("state") ?? "";
    const landed = await browser.visit(
      `${gateway.url}/auth/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`,
    );
    expect(landed.headers.get("location")).toBe("/?sign_in=refused");
  });
});

test("an address with too many refused sign-ins must wait a minute, others sign in", async () => {
  const own = await startWithProvider({ env: { RATE_LIMIT_LOGIN_PER_MINUTE: "3", TRUSTED_PROXIES: "1" } });
  await ampleMinute();
  const begin = async (from: string) => {
    const browser = createTestBrowser({ "x-forwarded-for": from });
    const begun = browser.next(await browser.visit(`${own.gateway.url}/auth/sign-in`));
    return { browser, back: await logInAt(browser, begun, "ada") };
  };
  const signsIn = async (from: string): Promise<string | null> => {
    const { browser, back } = await begin(from);
    return (await browser.visit(back)).headers.get("location");
  };
  for (let times = 0; times < 4; times += 1) expect(await signsIn("1.1.1.1")).toBe("/");
  const { browser, back } = await begin("1.1.1.1");
  const wrong = new URL(back);
  wrong.searchParams.set("code", "guessed");
  const places = [];
  for (let times = 0; times < 5; times += 1)
    places.push((await browser.visit(wrong.href)).headers.get("location"));
  const [refused, limited] = ["/?sign_in=refused", "/?sign_in=limited"];
  expect(places).toEqual([refused, refused, refused, limited, limited]);
  expect(await signsIn("1.1.1.1")).toBe(limited);
  expect(await signsIn("2.2.2.2")).toBe("/");
  await own.gateway.stop();
  own.provider.stop();
});

test("sign-ins that fail in an outage of the provider don't count as refused", async () => {
  const own = await startWithProvider({ env: { RATE_LIMIT_LOGIN_PER_MINUTE: "2" } });
  await ampleMinute();
  const browser = createTestBrowser();
  const begun = browser.next(await browser.visit(`${own.gateway.url}/auth/sign-in`));
  const back = await logInAt(browser, begun, "ada");
  const ledTo = async (url: string) => (await browser.visit(url)).headers.get("location");
  own.provider.fail();
  for (let times = 0; times < 4; times += 1) expect(await ledTo(back)).toBe("/?sign_in=unavailable");
  own.provider.fail(false);
  const { searchParams } = new URL(begun);
  const failed = new URLSearchParams({ error: "server_error", state: searchParams.get("state") ?? "" });
  failed.set("iss", own.provider.issuer);
  for (let times = 0; times < 4; times += 1)
    expect(await ledTo(`${own.gateway.url}/auth/callback?${failed.toString()}`)).toBe(
      "/?sign_in=unavailable",
    );
  expect(await ledTo(back)).toBe("/");
  await own.gateway.stop();
  own.provider.stop();
});

test("after an abrupt key change of the provider, people can sign in within seconds", async () => {
  await signIn("ada");
  await provider.rotate();
  setSystemTime(new Date(Date.now() + 6_000));
  expect((await signIn("ada")).landed.headers.get("location")).toBe("/");
});

test.each([
  ["/orgs/a?b=c", "/orgs/a?b=c"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["/.//evil.example", "/"],
  ["/orgs/..//evil.example", "/"],
  ["/%2e/\\evil.example", "/"],
  ["https://evil.example/x", "/"],
  ["javascript:alert(1)", "/"],
  ["orgs", "/"],
  ["", "/"],
])("after a sign-in, %j redirects to %s", (to, path) => {
  expect(ownPath(to, "https://leeway.example.com")).toBe(path);
});

test("without a client at the provider, people sign in with an API key", async () => {
  const plain = await startTestGateway();
  try {
    expect((await plain.ask("GET", "/auth/session")).body).toEqual({ sign_in: "api_key" });
    expect((await plain.ask("GET", "/auth/sign-in")).status).toBe(404);
    expect((await plain.ask("GET", "/auth/callback?code=x")).status).toBe(404);
    expect((await plain.ask("POST", "/auth/sign-out")).status).toBe(401);
  } finally {
    await plain.stop();
  }
});

test.each<[what: string, happens: (provider: OpenIdProvider) => void]>([
  ["stops", (own) => own.stop()],
  ["fails", (own) => own.fail()],
])("a sign-in is unavailable, not refused, when the provider %s", async (_, happens) => {
  const own = await startWithProvider();
  const browser = createTestBrowser();
  const begun = browser.next(await browser.visit(`${own.gateway.url}/auth/sign-in`));
  const back = await logInAt(browser, begun, "ada");
  happens(own.provider);
  expect((await browser.visit(back)).headers.get("location")).toBe("/?sign_in=unavailable");
  await own.gateway.stop();
  own.provider.stop();
});

test("the log says why a provider refuses the gateway", async () => {
  const lines: unknown[][] = [];
  const log = testLog();
  log.warn = (...line: unknown[]) => void lines.push(line);
  const own = await startWithProvider({ log });
  const browser = createTestBrowser();
  const begun = browser.next(await browser.visit(`${own.gateway.url}/auth/sign-in`));
  const back = new URL(await logInAt(browser, begun, "ada"));
  back.searchParams.set("code", "another");
  expect((await browser.visit(back.href)).headers.get("location")).toBe("/?sign_in=refused");
  const error = expect.objectContaining({ message: "the identity provider answered invalid_grant" });
  expect(lines).toEqual([[{ error }, "a sign-in failed"]]);
  await own.gateway.stop();
  own.provider.stop();
});

test("the log reports a token signed with an unpublished key", async () => {
  const lines: unknown[][] = [];
  const log = testLog();
  log.warn = (...line: unknown[]) => void lines.push(line);
  const own = await startWithProvider({ log });
  const browser = createTestBrowser();
  const visit = async () => {
    const begun = browser.next(await browser.visit(`${own.gateway.url}/auth/sign-in`));
    return (await browser.visit(await logInAt(createTestBrowser(), begun, "ada"))).headers.get("location");
  };
  setSystemTime(new Date()); // freezes the clock
  expect(await visit()).toBe("/");
  await own.provider.rotate();
  expect(await visit()).toBe("/?sign_in=refused");
  const cause = new Error("the ID token isn't signed with a published key of its issuer");
  const error = expect.objectContaining({ message: "the identity provider's answer is invalid", cause });
  expect(lines).toEqual([[{ error }, "a sign-in failed"]]);
  await own.gateway.stop();
  own.provider.stop();
});

test("an unreachable provider is reported while the API keeps working", async () => {
  const cut = await startTestGateway({
    OIDC_ISSUER: "http://127.0.0.1:9",
    OIDC_AUDIENCE: "x",
    OIDC_CLIENT_ID: "x",
    EGRESS_ALLOW: "127.0.0.1:9",
  });
  try {
    const begun = await cut.ask("GET", "/auth/sign-in");
    expect([begun.status, begun.headers.get("location")]).toEqual([302, "/?sign_in=unavailable"]);
    const onItsWay = await cut.ask("GET", "/auth/sign-in?to=/orgs/x");
    expect(onItsWay.headers.get("location")).toBe("/?sign_in=unavailable&to=%2Forgs%2Fx");
    const { id, key } = await cut.newOrg();
    expect((await cut.ask("GET", `/api/v2/orgs/${id}`, { as: key })).status).toBe(200);
  } finally {
    await cut.stop();
  }
});
