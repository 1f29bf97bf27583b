import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Rule } from "@leeway/shared/contracts/inventory/rules";
import { decode } from "@leeway/shared/values/decode";

import { KEY, ORG_ID } from "../api/server.fixture.ts";
import { run } from "../run.fixture.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-rules-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(content: string): Promise<string> {
  const path = join(folder, "rules.yaml");
  await Bun.write(path, content);
  return path;
}

const GOOD = `
rules:
  - name: Sandbox
    on: [undeclared, changed]
    when: |
      resource.account == "123456789012" &&
      "sandbox" in resource.tags
    then: {ignore: true}
    reason: Anyone may try things there.
    expires_at: 2999-01-01T00:00:00Z
  - name: Payments
    on: [finding, changed]
    when: declared.module == "module.payments"
    then: {raise_to: critical}
    reason: Customers notice.
    owner: team payments
`;

describe("leeway rules check", () => {
  test("accepts a file without problems", async () => {
    const path = await file(GOOD);
    expect(await run(["rules", "check", path])).toEqual({
      code: 0,
      output: `${path}: 2 rules, no problems\n`,
      messages: [],
    });
  });

  test.each([
    [
      "a wrong name in a block",
      GOOD.replace("resource.tags", "resource.tagz"),
      '7:29: when uses the unknown member "tagz"; did you mean tags?',
    ],
    [
      "a wrong name in one line",
      GOOD.replace("declared.module", "declared.modul"),
      '13:20: when uses the unknown member "modul"; did you mean module?',
    ],
    [
      "a wrong name in quotation marks",
      GOOD.replace(/when: declared.*/, "when: 'paths == pathz'"),
      '13:21: when uses the unknown name "pathz"; did you mean paths?',
    ],
    [
      "a costly condition",
      GOOD.replace(/when: declared.*/, "when: paths.all(p, paths.all(q, p == q))"),
      "13:11: when costs too much",
    ],
    ["an unknown member", GOOD.replace("owner:", "ownr:"), "16:"],
    ["a missing member", GOOD.replace("    reason: Customers notice.\n", ""), "11:5: reason is required"],
    ["an unknown kind", GOOD.replace("[finding", "[findings"), "12:10: on.0 must be one of"],
    ["a wrong effect", GOOD.replace("raise_to: critical", "raise_to: worst"), "14:11: then"],
    [
      "a name used twice",
      GOOD.replace("Payments", "Sandbox"),
      '11:11: name is that of another rule: "Sandbox"',
    ],
    ["raised noise", GOOD.replace("[finding", "[noise"), "14:11: then can't raise noise"],
    ["wrong YAML", GOOD.replace("{ignore: true}", "{ignore: true"), "9:"],
    ["something else", "a: 1\n", "1:1: the file must be a list of rules"],
  ])("shows where there is %s", async (_, content, expected) => {
    const path = await file(content);
    const { code, messages } = await run(["rules", "check", path]);
    expect(code).toBe(1);
    expect(messages.join("\n")).toStartWith(`${path}:${expected}`);
  });

  test("lists all problems, and ends quickly with a hostile file", async () => {
    const both = GOOD.replace("resource.tags", "resource.tagz").replace("declared.module", "declared.modul");
    const { messages } = await run(["rules", "check", await file(both)]);
    expect(messages.join("\n").split("\n")).toHaveLength(2);
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f", "g", "h"]
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[index]}`).join(",")}]`)
      .join("\n")}\nrules: *h\n`;
    expect((await run(["rules", "check", await file(bomb)])).code).toBe(1);
  });
});

/** A server that keeps an organization's rules in memory. */
function startServer(rules: Rule[]) {
  const requests: { method: string; path: string; body: unknown }[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname.replace(`/api/v2/orgs/${ORG_ID}/rules`, "");
      const body: unknown = request.body ? await request.json() : undefined;
      requests.push({ method: request.method, path, body });
      if (request.method === "GET") return Response.json({ data: rules });
      if (request.method === "DELETE") return new Response(undefined, { status: 204 });
      return Response.json({}, { status: request.method === "POST" ? 201 : 200 });
    },
  });
  stops.push(() => void server.stop(true));
  const env = { LEEWAY_URL: `http://127.0.0.1:${server.port}`, LEEWAY_API_KEY: KEY, LEEWAY_ORG_ID: ORG_ID };
  return { requests, env };
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const stored = (name: string, more: Partial<Rule> = {}): Rule => ({
  id: crypto.randomUUID(),
  name,
  on: ["missing"],
  when: "true",
  then: { ignore: true },
  reason: "",
  enabled: true,
  built_in: false,
  matched_count: 0,
  hidden_count: 0,
  ...more,
});
const payments = stored("Payments", {
  on: ["changed", "finding"],
  when: 'declared.module == "module.payments"',
  then: { raise_to: "high" },
  reason: "Customers notice.",
  owner: "team payments",
});
const builtIn = stored("Service-linked roles", { id: "aws.service_linked_role", built_in: true });

test("leeway rules plan shows the changes and makes none", async () => {
  const { env, requests } = startServer([payments, stored("Old"), builtIn]);
  const { code, output } = await run(["rules", "plan", await file(GOOD)], env);
  expect({ code, output }).toEqual({
    code: 0,
    output: [
      "+ Sandbox: ignore undeclared, changed",
      "~ Payments: then",
      "- Old",
      "1 to create, 1 to change, 1 to delete, 0 unchanged",
      "",
    ].join("\n"),
  });
  expect(requests.map(({ method }) => method)).toEqual(["GET"]);
});

test("leeway rules apply creates and changes rules, and keeps those that the file lacks", async () => {
  const { env, requests } = startServer([payments, stored("Old"), builtIn]);
  const { code, output } = await run(["rules", "apply", await file(GOOD)], env);
  expect(code).toBe(0);
  expect(output).toContain(
    "  Old: not in the file; --prune deletes it\n1 to create, 1 to change, 0 to delete",
  );
  expect(requests.map(({ method, path }) => [method, path])).toEqual([
    ["GET", ""],
    ["PATCH", `/${payments.id}`],
    ["POST", ""],
  ]);
  expect(requests[1]?.body).toMatchObject({
    then: { raise_to: "critical" },
    expires_at: null,
    enabled: true,
  });
  expect(requests[2]?.body).toMatchObject({ name: "Sandbox", expires_at: "2999-01-01T00:00:00Z" });
});

test("leeway rules apply --prune deletes rules that the file lacks, but no built-in one", async () => {
  const old = stored("Old");
  const { env, requests } = startServer([old, builtIn]);
  expect((await run(["rules", "apply", await file(GOOD), "--prune"], env)).code).toBe(0);
  const deleted = requests.filter(({ method }) => method === "DELETE").map(({ path }) => path);
  expect(deleted).toEqual([`/${old.id}`]);
});

test("leeway rules apply changes nothing the second time", async () => {
  const first = startServer([]);
  const path = await file(GOOD);
  await run(["rules", "apply", path], first.env);
  const made = first.requests.filter(({ method }) => method === "POST").map(({ body }) => body);
  const second = startServer(made.map((body) => decode(Rule, Object.assign(stored(""), body))));
  const { output } = await run(["rules", "apply", path], second.env);
  expect(output).toBe("0 to create, 0 to change, 0 to delete, 2 unchanged\n");
  expect(second.requests.map(({ method }) => method)).toEqual(["GET"]);
});

test("a wrong file changes nothing on the server", async () => {
  const { env, requests } = startServer([]);
  const { code } = await run(
    ["rules", "apply", await file(GOOD.replace("paths", "path").replace("on:", "om:"))],
    env,
  );
  expect(code).toBe(1);
  expect(requests).toEqual([]);
});
