import { afterAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { run } from "../run.fixture.ts";
import { KEY, LeewayServer, ORG_ID } from "./server.fixture.ts";

const folder = await mkdtemp(join(tmpdir(), "leeway-settings-"));
afterAll(() => rm(folder, { recursive: true }));

const SETTINGS = { LEEWAY_URL: "https://leeway.example.com", LEEWAY_API_KEY: KEY, LEEWAY_ORG_ID: ORG_ID };

describe("what is missing or wrong is named, all of it at once, and the key never told", () => {
  test.each<[string, Record<string, string>, string[], RegExp]>([
    [
      "nothing is set",
      { LEEWAY_URL: "", LEEWAY_ORG_ID: "" },
      [],
      /--url or \$LEEWAY_URL is required; --org or \$LEEWAY_ORG_ID is required/,
    ],
    ["no key", { LEEWAY_API_KEY: "" }, [], /LEEWAY_API_KEY is required, or --key-file \(see/],
    ["half a key", { LEEWAY_API_KEY: KEY.slice(0, -1) }, [], /LEEWAY_API_KEY must be a whole API key/],
    ["a key in quotes", { LEEWAY_API_KEY: `"${KEY}"` }, [], /must be a whole API key/],
    ["an address without https://", { LEEWAY_URL: "localhost:8080" }, [], /, such as https:\/\//],
    ["the key as an address", { LEEWAY_URL: KEY }, [], /--url must be an https:\/\/ address/],
    ["the key as an organization", { LEEWAY_ORG_ID: KEY }, [], /--org must be the organization's id/],
    ["the key as an operand", {}, [KEY], /takes no|Unexpected argument/],
    ["no TLS", { LEEWAY_URL: "http://leeway.example.com" }, [], /--url must be https/],
    ["a user in the address", { LEEWAY_URL: "https://u:p@leeway.example.com" }, [], /must not hold a user/],
    [
      "a key's file that isn't there",
      {},
      ["--key-file", "/nowhere"],
      /the file that --key-file names can't be read \(ENOENT\) \(see/,
    ],
    [
      "half a key in a file",
      {},
      ["--key-file", import.meta.path],
      /what --key-file names must be a whole API key/,
    ],
    ["a flag that isn't known", {}, ["--nonsense"], /see leeway noise --help/],
  ])("%s", async (_, env, args, problem) => {
    const { code, output, messages } = await run(["noise", ...args], { ...SETTINGS, ...env });
    expect([code, output, messages.length]).toEqual([1, "", 1]);
    expect(messages[0]).toMatch(problem);
    expect(messages[0]).not.toContain(KEY.slice(16));
  });
});

describe("Leeway is found", () => {
  test.each(["", "/", "/api/v2", "/api/v2/"])("at an address that ends with %p", async (end) => {
    using server = new LeewayServer();
    expect(await run(["noise"], { ...server.env, LEEWAY_URL: server.url + end })).toMatchObject({ code: 0 });
    expect(server.requests[0]?.path).toBe(`/api/v2/orgs/${ORG_ID}/plan-noise`);
  });

  test("below a path of a proxy", async () => {
    using server = new LeewayServer({ status: 200, body: { data: [] } });
    await run(["noise", "--url", `${server.url}/leeway/`], server.env);
    expect(server.requests[0]?.path).toBe(`/leeway/api/v2/orgs/${ORG_ID}/plan-noise`);
  });

  test("by flags, and with a key from a file with a line break behind it", async () => {
    using server = new LeewayServer();
    const file = join(folder, "key");
    await Bun.write(file, `${KEY}\n`);
    const args = ["--url", server.url, "--org", ORG_ID.toUpperCase(), "--key-file", file];
    expect(await run(["noise", ...args], {})).toMatchObject({ code: 0, messages: [] });
  });
});
