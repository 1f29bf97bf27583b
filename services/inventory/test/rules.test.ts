import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import {
  ListDriftChanges,
  ListSnapshotChanges,
  type DriftChange,
} from "@leeway/shared/contracts/inventory/drift";
import { ListSnapshots } from "@leeway/shared/contracts/inventory/posture";
import {
  CreateRule,
  DeleteRule,
  ListRules,
  MAX_RULES,
  PreviewRule,
  UpdateRule,
  type Rule,
  type RuleContent,
} from "@leeway/shared/contracts/inventory/rules";
import { AppError } from "@leeway/shared/values/errors";
import { failureOf, testLog } from "@leeway/shared/testing/testing";

import { lockDrift } from "../src/drift/store/settle.ts";
import { sweepDrift } from "../src/drift/upkeep.ts";
import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const BY = { type: "person" as const, id: "ada" };
const BUILT_IN = "aws.service_linked_role";

const arnOf = (name: string): string => `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${name}`;

const declared = (name: string) => ({
  type: "aws_lambda_function",
  name,
  attributes: { id: name, function_name: name, arn: arnOf(name), memory_size: 256, timeout: 30, tags: null },
});
const live = (name: string, Timeout = 30, tags: Record<string, string> = {}) => ({
  provider_resource_id: arnOf(name),
  provider_type: "AWS::Lambda::Function",
  region: "eu-west-1",
  tags,
  properties: { FunctionName: name, MemorySize: 256, Timeout },
});
const queue = (name: string) => ({
  provider_resource_id: `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`,
  provider_type: "AWS::SQS::Queue",
  tags: { env: name },
});

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const IGNORE: Pick<RuleContent, "reason" | "then"> = { reason: "tried out", then: { ignore: true } };

/** Creates an account with one changed function, one missing function and two undeclared queues. */
async function estate() {
  const org = newOrg(inventory);
  const org_id = org.id;
  const { call } = inventory;
  const account = await org.account("aws", ACCOUNT);
  await org.pushState(await org.source("main", account.id), tfstate([declared("orders"), declared("gone")]));
  const push = (...rows: object[]) => org.pushListing(account, ndjson(rows));
  await push(live("orders", 60, { team: "a" }), queue("dev"), queue("prod"));
  const changes = (filter: object = {}) =>
    call(ListDriftChanges, { org_id, limit: 100, ...filter }).then(({ data }) => data);
  const rule = (name: string, content: Omit<RuleContent, "name">): Promise<Rule> =>
    call(CreateRule, { org_id, created_by: BY, name, ...content });
  return { org, org_id, account, push, changes, rule, rules: () => call(ListRules, { org_id }) };
}

/** Asks until the answer satisfies, as rules are applied in the background. */
async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    await Bun.sleep(10);
  }
}

/** Returns the error of a request that is refused. */
async function refusal(work: Promise<unknown>): Promise<AppError> {
  const failure = await failureOf(work);
  if (failure instanceof AppError) return failure;
  throw failure;
}

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const kindsOf = (changes: readonly DriftChange[]): string[] => changes.map(({ kind }) => kind).toSorted();

describe("a rule that ignores", () => {
  test("hides matching changes without a scan, counts them, and lists them on request", async () => {
    const { org, org_id, changes, rule, rules } = await estate();
    expect(kindsOf(await changes())).toEqual(["changed", "missing", "undeclared", "undeclared"]);
    const before = (await org.posture())[0]!;
    await rule("Queues", { ...IGNORE, on: ["undeclared"], when: 'resource.type == "AWS::SQS::Queue"' });
    await rule("Dev", { ...IGNORE, on: ["undeclared", "changed"], when: 'resource.tags["env"] == "dev"' });
    await until(rules, ({ data }) => data[1]?.matched_count === 1);
    const shown = await changes();
    expect(kindsOf(shown)).toEqual(["changed", "missing"]);

    const all = await changes({ hidden: "include" });
    expect(all).toHaveLength(4);
    const hidden = await changes({ hidden: "only" });
    expect(hidden.map(({ hidden_by }) => hidden_by?.name)).toEqual(["Queues", "Queues"]);
    const { data } = await rules();
    // A change that two rules hide counts for the first, so the counts add up.
    expect(data.slice(0, 2).map(({ hidden_count, matched_count }) => [matched_count, hidden_count])).toEqual([
      [2, 2],
      [1, 0],
    ]);
    const [row] = await org.posture();
    expect(row).toMatchObject({ hidden_count: 2, undeclared_count: 2, coverage_pct: before.coverage_pct });
    expect(row!.undeclared_risk_level).toBe("none");
    const [snapshot] = (await inventory.call(ListSnapshots, { org_id, limit: 1 })).data;
    const within = await inventory.call(ListSnapshotChanges, {
      org_id,
      snapshot_id: snapshot!.id,
      limit: 100,
    });
    expect(within.data).toHaveLength(2);
  });

  test("still hides them after the next scan, and shows them when it is disabled or deleted", async () => {
    const { push, changes, rule, org_id } = await estate();
    const { id } = await rule("All", { ...IGNORE, on: ["undeclared", "changed", "missing"], when: "true" });
    await until(changes, ({ length }) => length === 0);
    await push(live("orders", 90), queue("dev"), queue("new"));
    expect(await changes()).toEqual([]);
    expect(await changes({ hidden: "only" })).toHaveLength(4);
    await inventory.call(UpdateRule, { org_id, rule_id: id, enabled: false });
    await until(changes, ({ length }) => length === 4);
    await inventory.call(UpdateRule, { org_id, rule_id: id, enabled: true });
    await until(changes, ({ length }) => length === 0);
    await inventory.call(DeleteRule, { org_id, rule_id: id });
    expect(await until(changes, ({ length }) => length === 4)).not.toContainEqual(
      expect.objectContaining({ hidden_by: expect.anything() }),
    );
  });

  test("shows its changes again when its time is over", async () => {
    const { changes, rule, org_id, org } = await estate();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await rule("Soon over", { ...IGNORE, on: ["missing"], when: "true", expires_at });
    await until(changes, ({ length }) => length === 3);
    await inventory.test.admin`update inventory.rules set expires_at = now() where id = ${id}`;
    const platform = { database: inventory.database, bus: inventory.bus, log: testLog() };
    await sweepDrift(platform, 3_600);
    expect(kindsOf(await changes())).toContain("missing");
    expect((await org.posture())[0]).toMatchObject({ hidden_count: 0 });
    const [entry] = await inventory.test.admin`
      select action, actor ->> 'type' as by from inventory.audit_outbox where org_id = ${org_id} and action = 'rule.expire'
    `;
    expect(entry).toEqual({ action: "rule.expire", by: "system" });
    await sweepDrift(platform, 3_600);
    const entries = await inventory.test.admin`
      select 1 from inventory.audit_outbox where org_id = ${org_id} and action = 'rule.expire'
    `;
    expect(entries).toHaveLength(1);
  });
});

test("channels hear of a rule that ends soon, of its new end, and again in its last day", async () => {
  const { changes, rule, org_id } = await estate();
  const content = { ...IGNORE, on: ["missing" as const], when: "true", owner: "ops" };
  const { id } = await rule("Soon over", { ...content, expires_at: inHours(24) });
  await rule("Much later", { ...content, expires_at: inHours(24 * 30) });
  await until(changes, ({ length }) => length === 3);
  const heard = async () => {
    const platform = { database: inventory.database, bus: inventory.bus, log: testLog() };
    for (let times = 0; times < 2; times += 1) await sweepDrift(platform, 3_600);
    const rows = await inventory.test.admin`
      select publication::jsonb -> 'event' as event from inventory.notices where org_id = ${org_id} order by id
    `;
    return rows.map(({ event }) => event).filter(({ type }) => type === "rule.expiring");
  };
  expect(await heard()).toEqual([]); // it has just begun
  await inventory.test
    .admin`update inventory.rules set updated_at = now() - interval '30 days' where id = ${id}`;
  const data = { rule_id: id, rule_name: "Soon over", owner: "ops", hidden_count: 1 };
  expect(await heard()).toMatchObject([{ data }]);
  await inventory.call(UpdateRule, { org_id, rule_id: id, expires_at: inHours(48) });
  await inventory.test
    .admin`update inventory.rules set updated_at = now() - interval '30 days' where id = ${id}`;
  expect(await heard()).toHaveLength(2);
  await inventory.test.admin`
    update inventory.rules
       set expires_at = now() + interval '20 hours', announced_at = now() - interval '6 days'
     where id = ${id}
  `;
  expect(await heard()).toHaveLength(3);
});

test("a rule raises levels and the account's risk, and never lowers them", async () => {
  const { org, changes, rule, org_id } = await estate();
  const { id } = await rule("Functions", {
    on: ["changed", "missing"],
    when: 'resource.type == "aws_lambda_function"',
    then: { raise_to: "medium" },
    reason: "customers notice",
  });
  const raised = await until(changes, (all) => all.some((one) => one.raised !== undefined));
  const byKind = new Map(raised.map((one) => [one.kind, one]));
  expect(byKind.get("changed")).toMatchObject({
    risk_level: "medium",
    raised: { from: "low", by: { id, name: "Functions" } },
  });
  // It is high without the rule.
  expect(byKind.get("missing")).toMatchObject({ risk_level: "high" });
  expect(byKind.get("missing")).not.toContainKey("raised");
  expect((await org.posture())[0]?.risk_counts).toEqual({ critical: 0, high: 1, medium: 1, low: 0 });
  expect(await changes({ risk_level: "medium" })).toMatchObject([{ kind: "changed" }]);

  await inventory.call(UpdateRule, { org_id, rule_id: id, then: { raise_to: "critical" }, name: "Shop" });
  const both = await until(
    changes,
    (all) => all.filter(({ risk_level }) => risk_level === "critical").length === 2,
  );
  expect(both.map(({ raised: now }) => [now?.from, now?.by.name])).toContainEqual(["high", "Shop"]);
  await inventory.call(DeleteRule, { org_id, rule_id: id });
  const after = await until(changes, (all) => all.every((one) => one.raised === undefined));
  expect(after.find(({ kind }) => kind === "changed")?.risk_level).toBe("low");
});

test("a rule labels changes by what is known of resource and declaration", async () => {
  const { changes, rule } = await estate();
  const when = [
    'resource.tags["team"] == "a" && resource.region == "eu-west-1" && resource.provider == "aws"',
    `resource.account == "${ACCOUNT}" && declared.source == "main" && "timeout" in paths`,
    'declared.address == "aws_lambda_function.orders" && actor.principal == ""',
  ].join(" && ");
  await rule("Team A", { on: ["changed"], when, then: { label: "team:a" }, reason: "" });
  const labeled = await until(changes, (all) => all.some(({ labels }) => labels !== undefined));
  expect(labeled.filter(({ labels }) => labels).map(({ kind, labels }) => [kind, labels])).toEqual([
    ["changed", ["team:a"]],
  ]);
});

test("a preview counts and shows what a rule would do, and stores nothing", async () => {
  const { changes, org_id, rules } = await estate();
  const preview = await inventory.call(PreviewRule, {
    org_id,
    on: ["undeclared", "changed"],
    when: 'resource.tags["env"] == "dev"',
    then: { ignore: true },
  });
  expect(preview).toMatchObject({
    matched_count: 1,
    hidden_count: 1,
    raised_count: 0,
    failed_count: 1,
    evaluated_count: 3,
    counts: { undeclared: 1, changed: 0 },
    failure:
      'a change has no "env"; ask for it first, as in has(resource.tags.env) && resource.tags.env == "dev"',
    samples: [{ kind: "undeclared" }],
  });
  expect(await changes()).toHaveLength(4);
  expect((await rules()).data.filter(({ built_in }) => !built_in)).toEqual([]);
  const raise = { org_id, on: ["missing" as const], when: "true", then: { raise_to: "low" as const } };
  expect(await inventory.call(PreviewRule, raise)).toMatchObject({ matched_count: 1, raised_count: 0 });
});

describe("a rule is refused", () => {
  test.each([
    [
      "an unknown name",
      { when: 'resource.typ == "x"' },
      'when uses the unknown member "typ" (line 1, column 10); did you mean type?',
    ],
    ["a wrong type", { when: "resource.type" }, "when must be true or false, but is of type string (line 1"],
    ["a costly condition", { when: "paths.all(p, paths.all(q, p == q))" }, "when costs too much"],
    ["an end in the past", { expires_at: "2020-01-01T00:00:00Z" }, "expires_at must be in the future"],
    [
      "raised noise",
      { on: ["noise" as const], then: { raise_to: "high" as const } },
      "then can't raise noise, which has no level; leave noise out of on",
    ],
  ])("with %s", async (_, wrong, message) => {
    const org_id = crypto.randomUUID();
    const content: RuleContent = { name: "a", ...IGNORE, on: ["changed"], when: "true", ...wrong };
    const failure = await refusal(inventory.call(CreateRule, { org_id, created_by: BY, ...content }));
    expect(failure.code).toBe("invalid_parameter");
    expect(failure.message).toStartWith(message);
    expect(failure.details?.[0]?.field).toBe(message.split(" ")[0]);
  });

  test("with a name in use, or one too many", async () => {
    const org_id = crypto.randomUUID();
    const { call } = inventory;
    const content = { ...IGNORE, on: ["changed" as const], when: "true", created_by: BY, org_id };
    const first = await call(CreateRule, { ...content, name: "a" });
    expect((await refusal(call(CreateRule, { ...content, name: "a" }))).code).toBe("conflict");
    const second = await call(CreateRule, { ...content, name: "b" });
    expect((await refusal(call(UpdateRule, { org_id, rule_id: second.id, name: "a" }))).code).toBe(
      "conflict",
    );
    // The same id is the same rule.
    expect(await call(CreateRule, { ...content, rule_id: first.id, name: "a" })).toEqual(first);
    await inventory.test.admin`
      insert into inventory.rules (org_id, id, name, subjects, condition, effect, reason, enabled, created_by)
      select org_id, gen_random_uuid(), 'n' || n, subjects, condition, effect, reason, enabled, created_by
        from inventory.rules, generate_series(3, ${MAX_RULES}) n where id = ${first.id}
    `;
    expect((await refusal(call(CreateRule, { ...content, name: "last" }))).message).toContain("200 rules");
  });
});

test("a rule can change while others are applied, and none is missed", async () => {
  const { changes, rule, org_id, account } = await estate();
  const held = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  // Another worker is applying rules to the account.
  const other = inventory.database.transaction(org_id, async (tx) => {
    await lockDrift(tx, account.id, "decide");
    held.resolve();
    await free.promise;
  });
  await held.promise;
  const names = ["a", "b", "c"];
  for (const name of names)
    await rule(name, { on: ["missing"], when: "true", then: { label: name }, reason: "" });
  free.resolve();
  await other;
  const [missing] = await until(
    async () => (await changes()).filter(({ kind }) => kind === "missing"),
    ([one]) => one?.labels?.length === 3,
  );
  expect(missing?.labels).toEqual(names);
  await until(
    () => inventory.test.admin`select 1 from inventory.due_rules where org_id = ${org_id}`,
    ({ length }) => length === 0,
  );
});

test("a rule of another organization can't be read, changed or deleted, nor has it an effect", async () => {
  const mine = await estate();
  const theirs = await estate();
  const { id } = await theirs.rule("Theirs", { ...IGNORE, on: ["missing"], when: "true" });
  await until(theirs.changes, ({ length }) => length === 3);
  expect(await mine.changes()).toHaveLength(4);
  const { org_id } = mine;
  expect((await mine.rules()).data.some((rule) => rule.id === id)).toBe(false);
  for (const failed of [
    () => inventory.call(UpdateRule, { org_id, rule_id: id, enabled: false }),
    () => inventory.call(DeleteRule, { org_id, rule_id: id }),
  ])
    expect((await refusal(failed())).code).toBe("not_found");
});

test("built-in exclusion rules are listed, and can only be switched", async () => {
  const { org_id, rules } = await estate();
  const { call } = inventory;
  const find = async () => (await rules()).data.find(({ id }) => id === BUILT_IN);
  expect(await find()).toMatchObject({ built_in: true, enabled: true });
  await call(UpdateRule, { org_id, rule_id: BUILT_IN, enabled: false });
  expect(await find()).toMatchObject({ enabled: false });
  for (const failed of [
    () => call(UpdateRule, { org_id, rule_id: BUILT_IN, when: "true" }),
    () => call(DeleteRule, { org_id, rule_id: BUILT_IN }),
  ])
    expect((await refusal(failed())).code).toBe("forbidden");
});

test("every change of a rule is in the audit log", async () => {
  const { org_id, rule } = await estate();
  const { id } = await rule("A", { ...IGNORE, on: ["missing"], when: "true" });
  await inventory.call(UpdateRule, { org_id, rule_id: id, owner: "ops" });
  await inventory.call(UpdateRule, { org_id, rule_id: id, owner: null });
  await inventory.call(DeleteRule, { org_id, rule_id: id });
  const entries = await inventory.test.admin`
    select action from inventory.audit_outbox where org_id = ${org_id} and target_id = ${id} order by id
  `;
  expect(entries.map(({ action }) => action)).toEqual([
    "rule.create",
    "rule.update",
    "rule.update",
    "rule.delete",
  ]);
});
