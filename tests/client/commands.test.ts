import { afterAll, beforeAll, expect, test } from "bun:test";

import { join } from "node:path";

import { run, type Run } from "../../packages/cli/src/run.fixture.ts";
import { patient } from "../../services/gateway/test/support/gateway.ts";
import { ndjson } from "../../services/inventory/test/kit.ts";
import { ROOT } from "../docs/repository.ts";
import { DEAD_END, startStack, type Stack } from "../isolation/stack.ts";

let stack: Stack;
let env: Record<string, string>;
beforeAll(async () => {
  stack = await startStack({ scans: true });
  const owner = await stack.newPerson("ada@example.com");
  const ask = patient(stack.ask);
  const org = await ask("POST", "/api/v2/orgs", { as: owner, body: { name: "Commands" } });
  const path = `/api/v2/orgs/${org.body.id}/api-keys`;
  const key = await ask("POST", path, { as: owner, body: { name: "cli", role: "admin" } });
  env = { LEEWAY_URL: stack.url, LEEWAY_ORG_ID: org.body.id, LEEWAY_API_KEY: key.body.key };
});
afterAll(() => stack.stop());

const leeway = (args: string, input?: string): Promise<Run> => run(args.split(" "), env, input);
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into it freely
async function json(args: string, input?: string): Promise<any> {
  const { code, output, messages } = await leeway(`${args} --json`, input);
  if (code !== 0) throw new Error(messages.join("\n"));
  return JSON.parse(output);
}

test("an account and a source are created, filled, read and linked", async () => {
  const account = await json("accounts create aws:123456789012 --name production --region eu-west-1");
  expect(account).toMatchObject({ provider: "aws", name: "production", regions: ["eu-west-1"] });
  expect(account.dashboard_url).toEndWith(`/orgs/${env["LEEWAY_ORG_ID"]}/accounts/${account.id}`);
  await json(
    "sources create network/prod --account aws:123456789012 --repository acme/network --dir envs/prod",
  );
  const state = await Bun.file(join(ROOT, "examples/aws-shop/states/shop.tfstate")).text();
  expect((await leeway("state push - --source network/prod", state)).code).toBe(0);
  const arn = "arn:aws:sqs:eu-west-1:123456789012:orders";
  const listing = ndjson([{ provider_resource_id: arn, provider_type: "AWS::SQS::Queue" }]);
  expect((await leeway("listing push - --account aws:123456789012", listing)).code).toBe(0);

  expect(await json("resources --account aws:123456789012 --match undeclared")).toMatchObject([
    { provider_resource_id: arn },
  ]);
  const { output, messages } = await leeway("accounts");
  expect(output).toMatch(/^ID .*\n\S+ +aws +123456789012 +production +push\n$/);
  expect(messages).toEqual([`${stack.url}/orgs/${env["LEEWAY_ORG_ID"]}/accounts`]);
  expect((await leeway("accounts show aws:123456789012")).output).toContain("external_id: 123456789012");
  expect((await leeway("sources show network/prod")).output).toContain("  path: acme/network");
  expect(await json("posture")).toMatchObject([{ external_id: "123456789012" }]);
});

const CREDENTIALS = JSON.stringify({
  kind: "static",
  access_key_id: `AKIA${"X".repeat(16)}`,
  secret_access_key: "x",
});

test("a schedule and a channel are created and listed", async () => {
  await json("accounts create aws:210987654321 --credentials - --name scanned", CREDENTIALS);
  const schedule = await json(
    "schedules create aws:210987654321 --cron @daily --timezone Europe/Berlin --window 22:00-06:00",
  );
  expect(schedule).toMatchObject({
    cron: "@daily",
    timezone: "Europe/Berlin",
    window: { start: "22:00", end: "06:00", timezone: "Europe/Berlin" },
    next_run_at: expect.any(String),
  });
  expect(await json("schedules --account aws:210987654321")).toMatchObject([{ id: schedule.id }]);

  const hook =
    "channels create on-call --kind webhook --event drift.detected --event scan.failed --url-file -";
  const address = `http://${DEAD_END}/leeway\n`;
  const { code, output, messages } = await leeway(`${hook} --min-risk high --digest daily`, address);
  expect([code, output]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)]);
  expect(messages.join()).toContain("the signing secret is shown only now");
  expect(await json("channels")).toMatchObject([
    { kind: "webhook", min_risk: "high", digest: "daily", target: { host: DEAD_END } },
  ]);
  expect((await leeway("channels")).output).toMatch(/on-call +webhook +drift.detected, scan.failed +true/);
  const mail = "channels create mail --kind email --event scan.failed --to ada@example.com";
  expect((await leeway(mail)).messages.join()).toContain("the operator must set SMTP_URL");
});

test("a view is saved, used by a channel, and deleted by its name", async () => {
  const view = await json("views create missing --kind missing --min-risk high --shared");
  expect(view).toMatchObject({ filter: { kind: "missing", min_risk: "high" }, shared: true });
  expect((await leeway("views")).output).toMatch(/missing +drift +true/);
  const channel = "channels create of-view --kind webhook --event drift.detected --url-file -";
  const address = `http://${DEAD_END}/view\n`;
  const unknown = await leeway(`${channel} --view mising`, address);
  expect(unknown.messages.join()).toContain('no view named "mising"; did you mean missing');
  await json("views create spare --kind changed");
  expect(await json(`${channel} --view missing`, address)).toMatchObject({ view_id: view.id });
  expect((await leeway("views delete missing")).messages.join()).toContain('channel "of-view"');
  expect((await leeway("views delete spare")).output).toBe("deleted spare\n");
});

test.each(["orgs", "plans", "schedules", "channels", "scans", "keys", "noise", "changes", "sources"])(
  "leeway %s lists what there is, as JSON and as text",
  async (command) => {
    expect(await json(command)).toBeArray();
    expect(await leeway(command)).toMatchObject({ code: 0 });
  },
);

test("a drift change of the server is listed and shown with its evidence", async () => {
  let changes: { fingerprint: string }[] = [];
  while (changes.length === 0) {
    changes = await json("changes --kind undeclared --limit 1");
    if (changes.length === 0) await Bun.sleep(100);
  }
  const [{ fingerprint } = { fingerprint: "" }] = changes;
  expect((await leeway(`changes show ${fingerprint}`)).output).toContain("kind: undeclared");
});

test.each([
  ["changes --kind odd", 64, "--kind must be one of changed, missing, undeclared, pending"],
  ["accounts show nonsense", 64, "an account is PROVIDER:EXTERNAL_ID"],
  ["accounts create aws:1 --credentials /nowhere", 64, "no such file"],
  ["resources show aws-no-such", 1, "(404)"],
  ["plans show 12", 64, "the id of plan is a UUID"],
  ["schedules create aws:123456789012", 64, "--cron is required"],
  ["schedules create aws:123456789012 --cron @daily --window 6-8", 64, "two times, such as 22:00-06:00"],
  ["schedules create aws:123456789012 --cron @daily", 1, "credentials"],
  ["channels create x --kind pager --event scan.failed", 64, "--kind must be one of webhook, slack"],
  ["channels create x --kind slack --event scan.failed --to a@b.ch", 64, "--kind slack needs --url-file"],
  ["channels create x --kind email --event scan.done --to a@b.ch", 64, "--event must be one of"],
  ["keys create ci --role member", 1, "sign in as an owner or admin"],
  ["scan aws:999999999999", 1, 'no account "aws:999999999999"'],
])("leeway %s exits with %i", async (args, code, message) => {
  const done = await leeway(args);
  expect([done.code, done.output, done.messages.join()]).toEqual([
    code,
    "",
    expect.stringContaining(message),
  ]);
});

test("a scan is waited for", async () => {
  const done = await leeway("scan aws:123456789012 --kind drift --wait");
  expect(done).toMatchObject({ code: 0, output: expect.stringMatching(/^scan \S+ succeeded\n$/) });
});
