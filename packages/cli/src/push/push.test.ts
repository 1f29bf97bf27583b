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
const page = (server: LeewayServer, place: string): string => `${server.url}/orgs/${ORG_ID}/${place}`;
const puts = (server: LeewayServer) => server.requests.filter(({ method }) => method === "PUT");

describe("a state is pushed", () => {
  test.each([
    ["by the name of its source, found on a later page", "shop"],
    ["by the id of its source", shop ?? ""],
  ])("%s", async (_, source) => {
    using server = new LeewayServer();
    const pushed = await run(["state", "push", file, "--source", source], server.env);
    expect(pushed).toMatchObject({
      code: 0,
      output: `shop: 7 resources, 5 found live, 1 missing, 1 unobserved (no listing says whether they exist); ${page(server, `sources/${shop}`)}\n`,
      messages: [],
    });
    expect(puts(server)).toMatchObject([{ path: `/api/v2/orgs/${ORG_ID}/iac-sources/${shop}/state` }]);
    expect(puts(server)[0]?.body.toString()).toBe(STATE);
  });

  test("and a single resource is reported in the singular", async () => {
    const body = {
      ...SOURCES[1],
      resource_count: 1,
      matched_count: 1,
      missing_count: 0,
      unobserved_count: 0,
    };
    using server = new LeewayServer("leeway", "leeway", { status: 200, body });
    const { output } = await run(["state", "push", file, "--source", "shop"], server.env);
    expect(output).toBe(`shop: 1 resource, 1 found live, 0 missing; ${page(server, `sources/${shop}`)}\n`);
  });

  test("compressed as a stream, unless it is already compressed", async () => {
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

  test("in UTF-8 if it is in UTF-16, from a file and from stdin", async () => {
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

  test("from a named pipe, again if the connection breaks", async () => {
    using server = new LeewayServer("leeway", "leeway", "reset");
    const pipe = join(folder, "pipe");
    await Bun.$`mkfifo ${pipe}`;
    // Killed at the end of the test, because nothing reads the pipe if the push fails.
    await using writer = Bun.spawn(["sh", "-c", 'printf %s "$1" >"$0"', pipe, STATE]);
    expect(await run(["state", "push", pipe, "--source", "shop"], server.env)).toMatchObject({ code: 0 });
    expect(puts(server).map(({ body }) => body.toString())).toEqual([STATE, STATE]);
    expect(await writer.exited).toBe(0);
  });

  test("from stdin, again if the connection breaks", async () => {
    using server = new LeewayServer("leeway", "leeway", "reset");
    const pushed = await run(["state", "push", "-", "--source", "shop"], server.env, STATE);
    expect(pushed).toMatchObject({
      code: 0,
      messages: [expect.stringContaining("can't reach http://127.0.0.1:")],
    });
    expect(puts(server).map(({ body }) => body.toString())).toEqual([STATE, STATE]);
  });

  test.each([
    ["compressed", Bun.gzipSync(STATE)],
    ["uncompressed", Buffer.from(STATE)],
  ])("from stdin in single bytes, %s", async (_, input) => {
    using server = new LeewayServer();
    const parts = Array.from(input, (byte) => Uint8Array.of(byte));
    expect(await run(["state", "push", "-", "--source", "shop"], server.env, parts)).toMatchObject({
      code: 0,
    });
    expect(puts(server)[0]?.body.toString()).toBe(STATE);
  });

  test("from the start of the file after 503", async () => {
    using server = new LeewayServer("leeway", "leeway", refusal(503, "unavailable", "busy"));
    expect(await run(["state", "push", file, "--source", "shop"], server.env)).toMatchObject({ code: 0 });
    expect(puts(server).map(({ body }) => body.toString())).toEqual([STATE, STATE]);
  });
});

describe("a state isn't pushed", () => {
  test.each<[string, string[], RegExp, number?]>([
    ["without a source", [file], /--source is required/, 64],
    [
      "without a file",
      ["--source", "shop"],
      /FILE is missing: leeway state push FILE; see leeway state push --help/,
      64,
    ],
    [
      "to a source that doesn't exist",
      [file, "--source", "lab"],
      /no source named "lab"; create it at http.*\/sources, or with POST/,
    ],
    [
      "to a source with a mistyped name",
      [file, "--source", "shp"],
      /no source named "shp"; did you mean shop\?/,
    ],
    ["to an id that doesn't exist", [file, "--source", ORG_ID], /rejected the source \(404\)/],
    [
      "from a file that doesn't exist",
      [join(folder, "no"), "--source", "shop"],
      /can't read .*no: no such file/,
      64,
    ],
    ["from a directory", [folder, "--source", "shop"], /can't read .*: it is a directory/],
  ])("%s", async (_, args, problem, exit = 1) => {
    using server = new LeewayServer();
    const { code, output, messages } = await run(["state", "push", ...args], server.env);
    expect([code, output]).toEqual([exit, ""]);
    expect(messages.at(-1)).toMatch(problem);
    expect(puts(server)).toEqual([]);
  });

  test("if it is empty", async () => {
    using server = new LeewayServer();
    const { code, messages } = await run(["state", "push", "-", "--source", "shop"], server.env, "");
    expect([code, messages]).toEqual([1, ["standard input is empty"]]);
  });

  test("if a proxy has a lower limit", async () => {
    using server = new LeewayServer();
    server.pushed = { status: 413, body: "<html>" };
    const { code, messages } = await run(["state", "push", file, "--source", "shop"], server.env);
    expect([code, messages]).toEqual([
      1,
      ["Leeway rejected the state (413): the body is too large for Leeway or a proxy in front of it"],
    ]);
  });

  test("if Leeway has a newer one", async () => {
    using server = new LeewayServer();
    server.pushed = refusal(409, "stale_state", "serial 7 is newer");
    const { code, messages } = await run(["state", "push", file, "--source", "shop"], server.env);
    expect([code, messages]).toEqual([
      1,
      ["Leeway rejected the state (409): serial 7 is newer (request req-1)"],
    ]);
    expect(network).not.toBe(shop);
  });
});

const LISTING = '{"provider_resource_id":"x","provider_type":"y"}';
const push = (server: LeewayServer, ...args: string[]) =>
  run(["listing", "push", "-", ...args], server.env, LISTING);

describe("a listing", () => {
  test.each([["aws:222222222222"], [second ?? ""]])("is pushed to the account %s", async (account) => {
    using server = new LeewayServer();
    expect(await push(server, "--account", account)).toMatchObject({
      code: 0,
      output: `aws:222222222222: 3 resources, 2 declared, 1 undeclared; ${page(server, `scans/${SCAN.id}`)}\n`,
    });
    const [put] = puts(server);
    expect(put?.path).toBe(`/api/v2/orgs/${ORG_ID}/cloud-accounts/${second}/listing`);
    expect(put?.query.get("allow_empty")).toBeNull();
  });

  test("matches accounts of known clouds in any case, and others exactly", async () => {
    using server = new LeewayServer();
    const azure = "azure:abcdef11-2222-4333-8444-555555555555";
    expect(await push(server, "--account", azure)).toMatchObject({ code: 0 });
    expect(puts(server)[0]?.path).toContain(`/cloud-accounts/${ACCOUNTS[2]?.id}/`);
    expect(await push(server, "--account", "acme:Rack")).toMatchObject({ code: 0 });
    expect(await push(server, "--account", "acme:rack")).toMatchObject({ code: 1 });
  });

  test("empties an account only with --allow-empty and otherwise exits with 1", async () => {
    using server = new LeewayServer();
    const errors = [{ code: "empty_listing", message: "nothing was removed", count: 1 }];
    server.pushed = { status: 202, body: { ...SCAN, status: "partial", errors } };
    const { code, messages } = await push(server, "--account", "aws:222222222222");
    expect([code, messages]).toEqual([
      1,
      ["nothing was removed", "aws:222222222222 is unchanged; --allow-empty removes all its resources"],
    ]);
    server.pushed = undefined;
    expect(await push(server, "--account", "aws:222222222222", "--allow-empty")).toMatchObject({ code: 0 });
    expect(puts(server)[1]?.query.get("allow_empty")).toBe("true");
  });

  test("of other accounts exits with 1 and names the accounts and the flag", async () => {
    using server = new LeewayServer();
    const body = {
      code: "account_mismatch",
      error: "account_mismatch",
      message: "other accounts own 3 of the 3 resources that name an account",
      accounts: [
        { external_id: "111111111111", resources: 2 },
        { external_id: "333333333333", resources: 1 },
      ],
    };
    const refused =
      "nothing was pushed: the listing doesn't belong to aws:222222222222, but to 111111111111 (2 resources), 333333333333 (1 resource). Check --account";
    server.pushed = { status: 400, body: { ...body, own_resources: 28 } };
    expect(await push(server, "--account", "aws:222222222222")).toMatchObject({
      code: 1,
      output: "",
      messages: [`${refused}, or push only its own rows with --allow-foreign`],
    });
    server.pushed = { status: 400, body: { ...body, own_resources: 0 } };
    expect(await push(server, "--account", "aws:222222222222")).toMatchObject({
      code: 1,
      messages: [refused],
    });
  });

  test("of other accounts is pushed with only its own rows if --allow-foreign is set", async () => {
    using server = new LeewayServer();
    const flags = ["--allow-empty", "--allow-foreign"];
    expect(await push(server, "--account", "aws:222222222222", ...flags)).toMatchObject({ code: 0 });
    expect(puts(server)[0]?.query.toString()).toBe("allow_empty=true&allow_foreign=true");
  });

  test("that is compressed on stdin is sent unchanged", async () => {
    using server = new LeewayServer();
    const packed = Bun.gzipSync(LISTING);
    const args = ["listing", "push", "-", "--account", "aws:222222222222"];
    expect(await run(args, server.env, [packed])).toMatchObject({ code: 0 });
    expect(puts(server)[0]?.sent).toEqual(Buffer.from(packed));
  });

  test("waits for another scan of the account without using a try", async () => {
    using server = new LeewayServer("leeway", "leeway", refusal(409, "scan_in_progress", "another scan"));
    const { code, messages } = await push(server, "--account", "aws:222222222222", "--tries", "1");
    expect([code, messages[0]]).toEqual([
      0,
      expect.stringMatching(/^another scan of this account is running; retrying in [\d.]+ s$/),
    ]);
  });

  test("is summarized with new, gone, excluded and foreign resources", async () => {
    using server = new LeewayServer();
    const stats = {
      seen: 1237,
      created: 209,
      gone: 1,
      matched: 1183,
      undeclared: 54,
      excluded: 12,
      foreign: 3,
    };
    server.pushed = { status: 202, body: { ...SCAN, stats } };
    expect((await push(server, "--account", "aws:222222222222")).output).toStartWith(
      "aws:222222222222: 1,237 resources (209 new, 1 gone), 1,183 declared, 54 undeclared, 12 excluded, " +
        "3 of other accounts ignored; http://",
    );
  });

  test.each<[string, RegExp, number]>([
    ["aws:999", /no account "aws:999"; connect it at http.*\/accounts\/new, or with POST/, 1],
    ["aws", /must be PROVIDER:EXTERNAL_ID.*, not "aws"/, 64],
    ["aws:", /must be PROVIDER:EXTERNAL_ID/, 64],
    ["", /--account is required/, 64],
  ])("isn't pushed to the account %p", async (account, problem, exit) => {
    using server = new LeewayServer();
    const { code, messages } = await push(server, "--account", account);
    expect([code, messages[0]]).toEqual([exit, expect.stringMatching(problem)]);
    expect(puts(server)).toEqual([]);
  });
});
