import { afterAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ACCOUNTS, SCAN, SOURCES } from "../api/recorded.fixture.ts";
import { LeewayServer, ORG_ID, refusal } from "../api/server.fixture.ts";
import { run } from "../run.fixture.ts";

const folder = await mkdtemp(join(tmpdir(), "leeway-push-"));
afterAll(() => rm(folder, { recursive: true }));

const STATE = JSON.stringify({ version: 4, serial: 1, lineage: "x", resources: [] });
const file = join(folder, "terraform.tfstate");
await Bun.write(file, STATE);

const [network, shop] = SOURCES.map(({ id }) => id);
const [, second] = ACCOUNTS.map(({ id }) => id);
const puts = (server: LeewayServer) => server.requests.filter(({ method }) => method === "PUT");

describe("a state is pushed", () => {
  test.each([
    ["by its source's name, found on a later page", "shop"],
    ["by its source's id", shop ?? ""],
  ])("%s", async (_, source) => {
    using server = new LeewayServer();
    const pushed = await run(["state", "push", file, "--source", source], server.env);
    expect(pushed).toMatchObject({
      code: 0,
      output: "pushed to shop, 7 resources, 5 matched, 1 missing, 1 unobserved\n",
      messages: [],
    });
    expect(puts(server)).toMatchObject([{ path: `/api/v2/orgs/${ORG_ID}/iac-sources/${shop}/state` }]);
    expect(puts(server)[0]?.body.toString()).toBe(STATE);
  });

  test("and one resource is told as one", async () => {
    const body = {
      ...SOURCES[1],
      resource_count: 1,
      matched_count: 1,
      missing_count: 0,
      unobserved_count: 0,
    };
    using server = new LeewayServer("leeway", "leeway", { status: 200, body });
    const { output } = await run(["state", "push", file, "--source", "shop"], server.env);
    expect(output).toBe("pushed to shop, 1 resource, 1 matched, 0 missing, 0 unobserved\n");
  });

  test("packed as it streams; what is packed already goes as it is", async () => {
    using server = new LeewayServer();
    const [large, packed] = [join(folder, "large"), join(folder, "packed")];
    await Bun.write(large, STATE.padEnd(5_000_000));
    await Bun.write(packed, Bun.gzipSync(STATE));
    for (const path of [large, packed]) await run(["state", "push", path, "--source", "shop"], server.env);
    const [first, then] = puts(server);
    expect(first?.headers).toMatchObject({ "content-encoding": "gzip", "transfer-encoding": "chunked" });
    expect(first?.sent.length).toBeLessThan(50_000);
    expect(first?.body.length).toBe(5_000_000);
    expect(then?.body.toString()).toBe(STATE);
  });

  test("in UTF-8, though PowerShell has written it in UTF-16, from a file and from the standard input", async () => {
    using server = new LeewayServer();
    const state = STATE.replace('"x"', '"å𝄞"');
    const written = Buffer.from(`\uFEFF${state}`, "utf16le");
    const utf16 = join(folder, "utf16.json");
    await Bun.write(utf16, written);
    await run(["state", "push", utf16, "--source", "shop"], server.env);
    const parts = Array.from(written, (byte) => Uint8Array.of(byte));
    await run(["state", "push", "-", "--source", "shop"], server.env, parts);
    expect(puts(server).map(({ body }) => body.toString())).toEqual([state, state]);
  });

  test("from a pipe that a shell names like a file, and again when the connection breaks", async () => {
    using server = new LeewayServer("leeway", "leeway", "reset");
    const pipe = join(folder, "pipe");
    await Bun.$`mkfifo ${pipe}`;
    // Ended with the test: nobody reads what isn't pushed.
    await using writer = Bun.spawn(["sh", "-c", 'printf %s "$1" >"$0"', pipe, STATE]);
    expect(await run(["state", "push", pipe, "--source", "shop"], server.env)).toMatchObject({ code: 0 });
    expect(puts(server).map(({ body }) => body.toString())).toEqual([STATE, STATE]);
    expect(await writer.exited).toBe(0);
  });

  test("from the standard input, and again when the connection breaks", async () => {
    using server = new LeewayServer("leeway", "leeway", "reset");
    const pushed = await run(["state", "push", "-", "--source", "shop"], server.env, STATE);
    expect(pushed).toMatchObject({ code: 0, messages: [expect.stringContaining("can't be reached")] });
    expect(puts(server).map(({ body }) => body.toString())).toEqual([STATE, STATE]);
  });

  test.each([
    ["as it is", Bun.gzipSync(STATE)],
    ["packed, when it is plain", Buffer.from(STATE)],
  ])("from the standard input in single bytes, %s", async (_, input) => {
    using server = new LeewayServer();
    const parts = Array.from(input, (byte) => Uint8Array.of(byte));
    expect(await run(["state", "push", "-", "--source", "shop"], server.env, parts)).toMatchObject({
      code: 0,
    });
    expect(puts(server)[0]?.body.toString()).toBe(STATE);
  });

  test("a file again from its beginning after 503", async () => {
    using server = new LeewayServer("leeway", "leeway", refusal(503, "unavailable", "busy"));
    expect(await run(["state", "push", file, "--source", "shop"], server.env)).toMatchObject({ code: 0 });
    expect(puts(server).map(({ body }) => body.toString())).toEqual([STATE, STATE]);
  });
});

describe("a state isn't pushed", () => {
  test.each<[string, string[], RegExp]>([
    ["without a source", [file], /--source is required/],
    ["without a file", ["--source", "shop"], /name FILE \(see leeway state push --help\)/],
    ["to a source that there isn't", [file, "--source", "sh"], /no source .* add it by POST/],
    ["to an id that there isn't", [file, "--source", ORG_ID], /refuses the source \(404\)/],
    ["from a file that there isn't", [join(folder, "no"), "--source", "shop"], /no can't be read \(ENOENT\)/],
    ["from a folder", [folder, "--source", "shop"], /can't be read \(EISDIR\)/],
  ])("%s", async (_, args, problem) => {
    using server = new LeewayServer();
    const { code, output, messages } = await run(["state", "push", ...args], server.env);
    expect([code, output]).toEqual([1, ""]);
    expect(messages.at(-1)).toMatch(problem);
    expect(puts(server)).toEqual([]);
  });

  test("when it is empty", async () => {
    using server = new LeewayServer();
    const { code, messages } = await run(["state", "push", "-", "--source", "shop"], server.env, "");
    expect([code, messages]).toEqual([1, ["the standard input is empty"]]);
  });

  test("when a proxy takes less, which is told", async () => {
    using server = new LeewayServer();
    server.pushed = { status: 413, body: "<html>" };
    const { code, messages } = await run(["state", "push", file, "--source", "shop"], server.env);
    expect([code, messages]).toEqual([
      1,
      ["Leeway refuses the state (413): it is too large for Leeway or a proxy in front of it"],
    ]);
  });

  test("when Leeway has a newer one, which is told", async () => {
    using server = new LeewayServer();
    server.pushed = refusal(409, "stale_state", "serial 7 is newer");
    const { code, messages } = await run(["state", "push", file, "--source", "shop"], server.env);
    expect([code, messages]).toEqual([
      1,
      ["Leeway refuses the state (409): serial 7 is newer (request req-1)"],
    ]);
    expect(network).not.toBe(shop);
  });
});

const LISTING = '{"provider_resource_id":"x","provider_type":"y"}';
const push = (server: LeewayServer, ...args: string[]) =>
  run(["listing", "push", "-", ...args], server.env, LISTING);

describe("a listing", () => {
  test.each([["aws:222222222222"], [second ?? ""]])("goes to the account %s", async (account) => {
    using server = new LeewayServer();
    expect(await push(server, "--account", account)).toMatchObject({
      code: 0,
      output: `scan ${SCAN.id}, seen 3, matched 2, undeclared 1\n`,
    });
    const [put] = puts(server);
    expect(put?.path).toBe(`/api/v2/orgs/${ORG_ID}/cloud-accounts/${second}/listing`);
    expect(put?.query.get("allow_empty")).toBeNull();
  });

  test("goes to an account of a cloud in whatever case it is named, to another only as it is", async () => {
    using server = new LeewayServer();
    const azure = "azure:abcdef11-2222-4333-8444-555555555555";
    expect(await push(server, "--account", azure)).toMatchObject({ code: 0 });
    expect(puts(server)[0]?.path).toContain(`/cloud-accounts/${ACCOUNTS[2]?.id}/`);
    expect(await push(server, "--account", "acme:Rack")).toMatchObject({ code: 0 });
    expect(await push(server, "--account", "acme:rack")).toMatchObject({ code: 1 });
  });

  test("may empty an account only when that is said; else it ends with 1", async () => {
    using server = new LeewayServer();
    const errors = [{ code: "empty_listing", message: "nothing was removed", count: 1 }];
    server.pushed = { status: 202, body: { ...SCAN, status: "partial", errors } };
    const { code, messages } = await push(server, "--account", "aws:222222222222");
    expect([code, messages]).toEqual([
      1,
      ["nothing was removed", "the account stays as it was: --allow-empty empties it"],
    ]);
    server.pushed = undefined;
    expect(await push(server, "--account", "aws:222222222222", "--allow-empty")).toMatchObject({ code: 0 });
    expect(puts(server)[1]?.query.get("allow_empty")).toBe("true");
  });

  test("comes packed from the standard input, and goes as it is", async () => {
    using server = new LeewayServer();
    const packed = Bun.gzipSync(LISTING);
    const args = ["listing", "push", "-", "--account", "aws:222222222222"];
    expect(await run(args, server.env, [packed])).toMatchObject({ code: 0 });
    expect(puts(server)[0]?.sent).toEqual(Buffer.from(packed));
  });

  test("waits for another scan of the account, which uses up no try", async () => {
    using server = new LeewayServer("leeway", "leeway", refusal(409, "scan_in_progress", "another scan"));
    const { code, messages } = await push(server, "--account", "aws:222222222222", "--tries", "1");
    expect([code, messages[0]]).toEqual([0, expect.stringContaining("409 (scan_in_progress)")]);
  });

  test.each<[string, RegExp]>([
    ["aws:999", /no account that --account names/],
    ["aws", /must be PROVIDER:EXTERNAL_ID/],
    ["aws:", /must be PROVIDER:EXTERNAL_ID/],
    ["", /--account is required/],
  ])("doesn't go to the account %p", async (account, problem) => {
    using server = new LeewayServer();
    const { code, messages } = await push(server, "--account", account);
    expect([code, messages[0]]).toEqual([1, expect.stringMatching(problem)]);
    expect(puts(server)).toEqual([]);
  });
});
