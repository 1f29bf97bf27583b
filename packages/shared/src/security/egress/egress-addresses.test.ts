import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { startCanary, type Canary } from "./canary.fixture.ts";
import { createEgress } from "./egress.ts";
import { HOST, PUBLIC, publicly, refused } from "./peer.fixture.ts";
import { failureOf } from "../../testing/testing.ts";

const SECRET = "Canary7hunter2";

let canary: Canary;

beforeAll(async () => {
  canary = await startCanary();
});
afterAll(() => canary.close());
beforeEach(() => {
  canary.contacts = 0;
});

/** Error about the address itself, not its port. */
const notPublic = { code: "invalid_parameter", message: "the address must be public https" };

describe("an address that isn't public https is refused:", () => {
  const literals = [
    "127.0.0.1",
    "127.1",
    "127.255.255.254",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "017700000001",
    "0177.0.0.1",
    "①②⑦.⓪.⓪.①",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "192.0.2.1",
    "224.0.0.1",
    "255.255.255.255",
    "127.0.0.1.",
    "0x7f.0.0.1.",
    "0",
    "192.168.257",
    "0300.0250.1.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "public.example.com%2f@127.0.0.1",
    "[::]",
    "[::1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::8.8.8.8]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:a9fe:a9fe]",
    "[0:0:0:0:0:ffff:10.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::]",
    "[64:ff9b::a9fe:a9fe]",
    "[2001::1]",
    "[2001:db8::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[100::1]",
    "[4000::1]",
    "[5f00::1]",
  ];
  test.each(literals)("https://%s", async (host) => {
    const egress = createEgress({ allow: [] });
    const reason = host.includes("@") ? refused : notPublic;
    expect(await failureOf(egress.check(`https://${host}:${canary.port}/`))).toMatchObject(reason);
    expect(await failureOf(egress.fetch(`https://${host}:${canary.port}/`))).toMatchObject(reason);
    expect(canary.contacts).toBe(0);
  });

  test.each([
    "localhost",
    "localhost.",
    "LOCALHOST",
    "ⓛocalhost",
    "a.localhost",
    "postgres",
    "metadata.google.internal",
    "metadata.google.internal.",
    "printer.local",
    "nas.home.arpa",
  ])("https://%s, an internal name, without resolving it", async (host) => {
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => [asked.push(name).toString(), PUBLIC];
    const egress = createEgress({ allow: [], resolve });
    expect(await failureOf(egress.fetch(`https://${host}:${canary.port}/`))).toMatchObject(notPublic);
    expect(asked).toEqual([]);
    expect(canary.contacts).toBe(0);
  });

  test.each([
    [["127.0.0.1"]],
    [["169.254.169.254"]],
    [["fd00:ec2::254"]],
    [["127.0.0.1", PUBLIC]],
    [[PUBLIC, "127.0.0.1"]],
    [[PUBLIC, "::1"]],
    [[PUBLIC, "fd00::1"]],
    [["::ffff:10.0.0.1"]],
    [["not an address"]],
    [[]],
  ])("a name that resolves to %j", async (addresses) => {
    const egress = createEgress({ allow: [], resolve: async () => addresses });
    expect(await failureOf(egress.fetch(`https://${HOST}:${canary.port}/`))).toMatchObject(notPublic);
    expect(canary.contacts).toBe(0);
  });

  test.each([
    "https://peer.example.com:8443/",
    "https://93.184.215.14:22/",
    "https://peer.example.com:0/",
    "http://peer.example.com:443/",
    "http://peer.example.com/",
    "ftp://peer.example.com/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "unix:///var/run/docker.sock",
    "javascript:1",
    "https://",
    "no address",
    "",
  ])("%p", async (url) => {
    const egress = createEgress({ allow: [], resolve: publicly });
    expect(await failureOf(egress.check(url))).toMatchObject(refused);
    expect(await failureOf(egress.fetch(url))).toMatchObject(refused);
  });

  test("one with a password, even if the host is allowed", async () => {
    const egress = createEgress({ allow: [`127.0.0.1:${canary.port}`], resolve: publicly });
    for (const host of [HOST, `127.0.0.1:${canary.port}`])
      expect(await failureOf(egress.fetch(`https://user:${SECRET}@${host}/`))).toMatchObject(refused);
    expect(canary.contacts).toBe(0);
  });
});

describe("an allowed target", () => {
  test("may be private and plain http", async () => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
    const egress = createEgress({ allow: [`127.0.0.1:${server.port}`] });
    await egress.check(`http://127.0.0.1:${server.port}/`);
    expect(await (await egress.fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("hello");
  });

  test("is exactly that host and port", async () => {
    const egress = createEgress({ allow: [`127.0.0.1:${canary.port + 1}`, `Gitlab.internal:80`] });
    for (const url of [
      `http://127.0.0.1:${canary.port}/`,
      `https://127.0.0.1:${canary.port}/`,
      `http://localhost:${canary.port + 1}/`,
      "http://gitlab.internal:8080/",
      "ftp://gitlab.internal:80/",
    ])
      expect(await failureOf(egress.fetch(url))).toMatchObject(refused);
    expect(canary.contacts).toBe(0);
    await egress.check("http://gitlab.internal/");
    await egress.check("http://GITLAB.internal:80/x");
  });
});
