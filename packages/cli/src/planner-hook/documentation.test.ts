import { afterAll, describe, expect, test } from "bun:test";

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isObject, member, text } from "@leeway/shared/values/json";
import { CANARY, change, planOf } from "@leeway/analysis/plan/plan.fixture";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { OUTCOMES } from "../failure.ts";
import { Endpoint } from "./endpoint.fixture.ts";
import { STEPS } from "../plan/fit-plan.ts";
import { DELIVERY_FLAGS, PLAN_FLAGS, SWITCHES } from "./flags.ts";
import { ATLANTIS, run } from "../run.fixture.ts";

const DOCUMENT = await Bun.file(join(import.meta.dir, "../../../../docs/planner-hook.md")).text();
const folder = await mkdtemp(join(tmpdir(), "leeway-document-"));
afterAll(() => rm(folder, { recursive: true }));

/** Returns the fenced blocks of a language, unchanged. */
function blocks(language: string): string[] {
  return [...DOCUMENT.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );
}

/** Returns the rows of the table below a second- or third-level heading, as cells without backticks. */
function table(title: string): string[][] {
  const chapter = DOCUMENT.split(/^##+ /m).find((each) => each.startsWith(`${title}\n`)) ?? "";
  const rows = chapter.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(1).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("`", "").trim()),
  );
}

test("the document lists exactly the flags, with variables and defaults", () => {
  const flags = Object.entries({ ...PLAN_FLAGS, ...DELIVERY_FLAGS }).map(([name, { variables, reads }]) => [
    name,
    variables.join("/"),
    reads.fallback === "none" || name === "--pull-number"
      ? reads.fallback.replace("none", "")
      : reads.fallback,
  ]);
  const switches = Object.keys(SWITCHES).map((name) => [name, "", ""]);
  expect(table("Flags").map((row) => row.slice(0, 3))).toEqual([...flags, ...switches]);
});

test("the document lists every exit code", () => {
  expect(table("Exit codes").map(([code, name]) => [name, Number(code)])).toEqual(
    Object.entries(OUTCOMES).map(([name, { code }]) => [name, code]),
  );
});

test("the document lists every pruning step in order", () => {
  expect(table("Too large a plan").map(([name]) => name)).toEqual(STEPS.map(({ name }) => name));
});

test("the documented event has the sent members in order", async () => {
  const [documented = ""] = blocks("json");
  const { output } = await run(["planner-hook", "--dry-run", "--plan", "-"], ATLANTIS, {
    format_version: "1.2",
    planned_values: {},
  });
  const event = JSON.parse(output);
  expect(Object.keys(JSON.parse(documented))).toEqual(Object.keys(event));
  expect(Object.keys(JSON.parse(documented).change_request)).toEqual(Object.keys(event.change_request));
});

/** Returns the commands of a workflow's custom steps, and the names of all steps. */
function stepsOf(yaml: string): { names: string[]; commands: string[] } {
  const config: unknown = Bun.YAML.parse(yaml);
  const leeway = isObject(config) ? member(member(config, "workflows"), "leeway") : undefined;
  const steps = member(leeway, "plan")?.["steps"];
  const each = Array.isArray(steps) ? steps : [];
  return {
    names: each.map((step) => (typeof step === "string" ? step : Object.keys(step ?? {}).join())),
    commands: each.flatMap((step) => (isObject(step) ? (text(step, "run") ?? []) : [])),
  };
}

describe("the documented workflows", () => {
  const [simple, byHand, ...more] = blocks("yaml");

  test("apply to every repository of an Atlantis server and plan before sending", () => {
    expect(more).toEqual([]);
    for (const yaml of [simple, byHand]) {
      expect(Bun.YAML.parse(yaml ?? "")).toMatchObject({ repos: [{ id: "/.*/", workflow: "leeway" }] });
    }
    expect(stepsOf(simple ?? "").names).toEqual(["init", "plan", "show", "run"]);
    expect(stepsOf(byHand ?? "").names).toEqual(["init", "run", "show", "run"]);
  });

  test("run as documented: plans are delivered, and a failed plan is reported and fails", async () => {
    const programs = {
      leeway: `exec "${process.execPath}" "${join(import.meta.dir, "../main.ts")}" "$@"`,
      "terraform1.9.0": 'exit "$FAKE_CODE"',
    };
    for (const [name, line] of Object.entries(programs)) {
      await Bun.write(join(folder, name), `#!/bin/sh\n${line}\n`);
      await chmod(join(folder, name), 0o755);
    }
    await Bun.write(join(folder, "show.json"), JSON.stringify(planOf([])));

    using endpoint = new Endpoint();
    const env = {
      ...ATLANTIS,
      PATH: `${folder}:${process.env["PATH"]}`,
      SHOWFILE: join(folder, "show.json"),
      PLANFILE: join(folder, "plan"),
      LEEWAY_WEBHOOK_URL: endpoint.url,
    };
    const shell = (command = "", code = "0"): Promise<number> =>
      Bun.spawn(["sh", "-c", command], { env: { ...env, FAKE_CODE: code } }).exited;
    const [send] = stepsOf(simple ?? "").commands;
    const [plan, sendToo] = stepsOf(byHand ?? "").commands;
    expect(await shell(send)).toBe(0);
    expect(await shell(plan)).toBe(0);
    expect(await shell(plan, "3")).toBe(1);
    expect(await shell(sendToo)).toBe(0);
    expect(endpoint.events.map(({ status }) => status)).toEqual(["success", "failure", "success"]);
  });
});

const TOOLS = ["sh", "curl", "jq", "openssl"];
const missing = TOOLS.filter((tool) => !Bun.which(tool));

describe.skipIf(missing.length > 0)(
  `the documented script (skipped unless all of its tools are installed: ${TOOLS.join(", ")})`,
  () => {
    const SCRIPT = blocks("sh").find((text) => text.startsWith("#!/bin/sh")) ?? "";
    const sides = {
      before: { id: "db-1", note: CANARY, size: 1, tags: null, block: [{ note: "a" }, { note: CANARY }] },
      after: {
        id: "db-1",
        note: CANARY,
        size: 2,
        tags: null,
        block: [{ note: "a" }, { note: CANARY }],
        api_key: CANARY,
      },
      before_sensitive: { note: true, block: [{}, { note: true }] },
      after_sensitive: { block: [{}, { note: true }] },
    };
    const PLAN = planOf([change(["update"], { ...sides, generated_config: CANARY })], {
      resource_drift: [change(["update"], sides)],
    });

    async function script(
      endpoint: Endpoint,
      env: Record<string, string> = {},
      plan: object = PLAN,
    ): Promise<{ code: number; output: string }> {
      const [path, showfile] = [join(folder, "leeway-plan.sh"), join(folder, "script.json")];
      await Promise.all([Bun.write(path, SCRIPT), Bun.write(showfile, JSON.stringify(plan))]);
      const child = Bun.spawn(["sh", path], {
        env: {
          PATH: process.env["PATH"] ?? "",
          ...ATLANTIS,
          SHOWFILE: showfile,
          LEEWAY_WEBHOOK_URL: endpoint.url,
          ...env,
        },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
      return { code, output };
    }

    test("sends the same event as leeway", async () => {
      using endpoint = new Endpoint();
      const { code, output } = await script(endpoint);
      expect([code, JSON.parse(output)]).toEqual([
        0,
        { status: "accepted", delivery_id: expect.any(String) },
      ]);
      const [sent = {}] = endpoint.events;
      expect(sent["event_id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
      const { output: body } = await run(["planner-hook", "--dry-run", "--plan", "-"], ATLANTIS, PLAN);
      const { planner: _planner, ...ours } = JSON.parse(body);
      expect(sent).toEqual({
        ...ours,
        event_id: sent["event_id"],
        occurred_at: expect.stringMatching(/^\d{4}-.*Z$/),
      });
    });

    test("masks marked values on both sides and attributes with secret names", async () => {
      using endpoint = new Endpoint();
      await script(endpoint);
      expect(endpoint.requests[0]?.body.toString()).not.toContain(CANARY);
      expect(endpoint.events[0]).toMatchObject({
        plan: {
          resource_changes: [
            {
              change: {
                after: {
                  note: REDACTED,
                  api_key: REDACTED,
                  size: 2,
                  tags: null,
                  block: [{ note: "a" }, { note: REDACTED }],
                },
              },
            },
          ],
        },
      });
    });

    test("accepts an old format, no pull request and no project name", async () => {
      using endpoint = new Endpoint();
      const { code } = await script(
        endpoint,
        { PULL_NUM: "0", PROJECT_NAME: "" },
        { format_version: "0.1", terraform_version: "0.12.31" },
      );
      expect(code).toBe(0);
      expect(endpoint.events[0]).not.toHaveProperty("change_request");
      expect(endpoint.events[0]).toMatchObject({ project: { dir: "infra/shop", workspace: "default" } });
    });

    test("sends the project even if only the directory is known", async () => {
      using endpoint = new Endpoint();
      const nothing = { PULL_NUM: "", PROJECT_NAME: "", REPO_REL_DIR: "", WORKSPACE: "" };
      expect((await script(endpoint, nothing)).code).toBe(0);
      const { output } = await run(
        ["planner-hook", "--dry-run", "--plan", "-"],
        { ...ATLANTIS, ...nothing },
        PLAN,
      );
      expect(endpoint.events[0]?.["project"]).toEqual(JSON.parse(output).project);
      expect(endpoint.events[0]?.["project"]).toEqual({ dir: "." });
    });

    test("sends nothing without a repository", async () => {
      using endpoint = new Endpoint();
      expect((await script(endpoint, { BASE_REPO_NAME: "" })).code).not.toBe(0);
      expect(endpoint.requests).toHaveLength(0);
    });

    test("fails if Leeway rejects the signature, and retries if it is busy", async () => {
      using endpoint = new Endpoint();
      expect((await script(endpoint, { LEEWAY_WEBHOOK_SECRET: "whsec_other" })).code).not.toBe(0);
      using busy = new Endpoint({ status: 503 });
      expect((await script(busy)).code).toBe(0);
      expect(busy.requests).toHaveLength(2);
    });

    test("sends nothing above the limit", async () => {
      using endpoint = new Endpoint();
      const plan = planOf([change(["create"], { after: { note: "x".repeat(5_300_000) } })]);
      expect((await script(endpoint, {}, plan)).code).toBe(4);
      expect(endpoint.requests).toHaveLength(0);
    });
  },
);
