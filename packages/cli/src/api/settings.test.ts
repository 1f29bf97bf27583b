import { afterAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { run } from "../run.fixture.ts";
import { KEY, LeewayServer, ORG_ID, refusal } from "./server.fixture.ts";

const folder = await mkdtemp(join(tmpdir(), "leeway-settings-"));
afterAll(() => rm(folder, { recursive: true }));

const SETTINGS = { LEEWAY_URL: "https://leeway.example.com", LEEWAY_API_KEY: KEY, LEEWAY_ORG_ID: ORG_ID };

describe("missing and invalid settings are all reported at once, without the key:", () => {
  test.each<[string, Record<string, string>, string[], RegExp]>([
    [
      "nothing is set",
      { LEEWAY_URL: "", LEEWAY_ORG_ID: "" },
      [],
      /--url or \$LEEWAY_URL is required; --org or \$LEEWAY_ORG_ID is required/,
    ],
    [
      "no key",
      { LEEWAY_API_KEY: "" },
      [],
      /LEEWAY_API_KEY, --key-file or leeway login is required; a CI job may set LEEWAY_ID_TOKEN; see/,
    ],
    [
      "an incomplete key",
      { LEEWAY_API_KEY: KEY.slice(0, -1) },
      [],
      /LEEWAY_API_KEY must contain a complete API key/,
    ],
    ["a key in quotes", { LEEWAY_API_KEY: `"${KEY}"` }, [], /must contain a complete API key/],
    ["a URL without https://", { LEEWAY_URL: "localhost:8080" }, [], /, such as https:\/\//],
    ["the key as the URL", { LEEWAY_URL: KEY }, [], /--url must be an https:\/\/ address/],
    ["the key as an organization", { LEEWAY_ORG_ID: KEY }, [], /--org must be an organization's id/],
    ["the key as an operand", {}, [KEY], /unexpected argument/],
    ["no TLS", { LEEWAY_URL: "http://leeway.example.com" }, [], /--url must be https/],
    ["a user in the URL", { LEEWAY_URL: "https://u:p@leeway.example.com" }, [], /must not contain a user/],
    [
      "a key file that doesn't exist",
      {},
      ["--key-file", "/nowhere"],
      /can't read the key file \/nowhere: no such file or directory; see/,
    ],
    [
      "an incomplete key in a file",
      {},
      ["--key-file", import.meta.path],
      /the key file .* must contain a complete API key/,
    ],
    ["an unknown flag", {}, ["--nonsense"], /unknown flag --nonsense; see leeway noise --help$/],
  ])("%s", async (_, env, args, problem) => {
    const { code, output, messages } = await run(["noise", ...args], { ...SETTINGS, ...env });
    expect([code, output, messages.length]).toEqual([64, "", 1]);
    expect(messages[0]).toMatch(problem);
    expect(messages[0]).not.toContain(KEY.slice(16));
  });
});

describe("the Leeway server is found", () => {
  test.each(["", "/", "/api/v2", "/api/v2/"])("at a URL that ends with %p", async (end) => {
    using server = new LeewayServer();
    expect(await run(["noise"], { ...server.env, LEEWAY_URL: server.url + end })).toMatchObject({ code: 0 });
    expect(server.requests[0]?.path).toBe(`/api/v2/orgs/${ORG_ID}/plan-noise`);
  });

  test("below a proxy's path", async () => {
    using server = new LeewayServer({ status: 200, body: { data: [] } });
    await run(["noise", "--url", `${server.url}/leeway/`], server.env);
    expect(server.requests[0]?.path).toBe(`/leeway/api/v2/orgs/${ORG_ID}/plan-noise`);
  });

  test("by flags, with a key from a file with a trailing newline", async () => {
    using server = new LeewayServer();
    const file = join(folder, "key");
    await Bun.write(file, `${KEY}\n`);
    const args = ["--url", server.url, "--org", ORG_ID.toUpperCase(), "--key-file", file];
    expect(await run(["noise", ...args], {})).toMatchObject({ code: 0 });
  });
});

describe("a CI job without a key", () => {
  const exchanged = { status: 200, body: { token: KEY, org_id: ORG_ID } };

  test("exchanges its id token once, for its own organization", async () => {
    using server = new LeewayServer(exchanged);
    const env = { LEEWAY_URL: server.url, LEEWAY_ORG_ID: ORG_ID, LEEWAY_ID_TOKEN: "eyJ.a.b" };
    expect(await run(["noise"], env)).toMatchObject({ code: 0 });
    expect(server.bodies("/auth/ci")).toEqual([{ token: "eyJ.a.b", org_id: ORG_ID }]);
    expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
    expect(server.requests[1]?.headers["authorization"]).toBe(`Bearer ${KEY}`);
  });

  test("says why its token is refused, and never shows it", async () => {
    using server = new LeewayServer(refusal(401, "unauthenticated", "the token has expired"));
    const env = { LEEWAY_URL: server.url, LEEWAY_ORG_ID: ORG_ID, LEEWAY_ID_TOKEN: "eyJ.secret.b" };
    const { code, messages } = await run(["noise"], env);
    expect(code).toBe(1);
    expect(messages.join()).toContain("the token has expired");
    expect(messages.join()).not.toContain("eyJ.secret");
  });

  test("uses its key where it has one", async () => {
    using server = new LeewayServer();
    expect(await run(["noise"], { ...server.env, LEEWAY_ID_TOKEN: "eyJ.a.b" })).toMatchObject({ code: 0 });
    expect(server.bodies("/auth/ci")).toEqual([]);
  });
});
