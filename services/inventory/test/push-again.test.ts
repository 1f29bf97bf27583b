import { SwitchExclusionRule } from "@leeway/shared/contracts/inventory/posture";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { ndjson, tfstate } from "./kit.ts";
import { arn, declaredQueue, pushing, queue, url } from "./pushing.ts";

const service = pushing();
const { start } = service;

/** Returns everything that listings have stored for an organization, without generated ids. */
const standing = (orgId: string) => service.inventory.test.admin`
  select l.provider_resource_id as live, l.name, l.tags, l.properties, l.match_status, l.match_level, l.match_conflict,
         l.overlooked_since is not null as overlooked, i.address,
         (
           select array_agg(j.address || m.level || m.contested order by j.address, m.level)
             from inventory.matches m
             join inventory.iac_resources j on j.org_id = m.org_id and j.id = m.iac_resource_id
            where m.org_id = ${orgId} and m.live_resource_id = l.id
         ) as matches,
         (
           select array_agg(j.address order by j.address)
             from inventory.ambiguities u
             join inventory.iac_resources j on j.org_id = u.org_id and j.id = u.iac_resource_id
            where u.org_id = ${orgId} and u.cloud_account_id = l.cloud_account_id
         ) as ambiguous,
         a.live_count, a.matched_count, a.missing_count, a.undeclared_count, a.observed_types
    from inventory.live_resources l
    join inventory.cloud_accounts a on a.org_id = l.org_id and a.id = l.cloud_account_id
    left join inventory.iac_resources i on i.org_id = l.org_id and i.id = l.iac_resource_id
   where l.org_id = ${orgId}
   order by 1
`;

/** Returns the stored rows as PostgreSQL identifies them: a row that was written again is another. */
const rows = (orgId: string) => service.inventory.test.admin`
  select provider_resource_id, id, ctid::text, xmin::text from inventory.live_resources where org_id = ${orgId} order by 1
`;

const forget = (orgId: string) =>
  service.inventory.test.admin`delete from inventory.listing_digests where org_id = ${orgId}`;

const tagged = (name: string, team: string) => queue(name, { tags: { team } });

describe("a listing like the last one", () => {
  test("writes no row, and counts the same", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate(["a", "gone"].map(declaredQueue)));
    const listing = ndjson([tagged("a", "core"), tagged("b", "core")]);
    const { stats } = await org.pushListing(account, listing);
    const before = await rows(org.id);
    const again = await org.pushListing(account, listing);
    expect(again.stats).toEqual({ ...stats, created: 0, gone: 0 });
    expect(await rows(org.id)).toEqual(before);
  });

  test("writes only the row that changed", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate(["a"].map(declaredQueue)));
    await org.pushListing(account, ndjson([tagged("a", "core"), tagged("b", "core"), tagged("c", "core")]));
    const before = await rows(org.id);
    await org.pushListing(account, ndjson([tagged("a", "edge"), tagged("b", "core"), tagged("c", "core")]));
    const after = await rows(org.id);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(after[0]?.["id"]).toEqual(before[0]?.["id"]);
    const [first] = await standing(org.id);
    expect(first).toMatchObject({ tags: '{"team":"edge"}', match_status: "matched" });
  });

  test("with a declaration that came in between has its match", async () => {
    const { org, account } = await start();
    const listing = ndjson([tagged("a", "core"), tagged("b", "core")]);
    await org.pushListing(account, listing);
    await org.pushState(await org.source("s"), tfstate(["b", "c"].map(declaredQueue)));
    const { stats } = await org.pushListing(account, listing);
    expect(stats).toMatchObject({ seen: 2, matched: 1, undeclared: 1 });
    expect(await org.posture()).toMatchObject([{ matched_count: 1, missing_count: 1 }]);
  });
});

test("a row that is read by another release, or for an account of another name, is read again", async () => {
  const { org, account } = await start();
  const { admin } = service.inventory.test;
  const listing = ndjson([tagged("a", "core"), tagged("b", "core")]);
  await org.pushListing(account, listing);
  // As if the release before had read a row otherwise.
  await admin`update inventory.live_resources set name = 'old', content_hash = 0 where org_id = ${org.id}`;
  const names = async () => (await org.resources()).map(({ name }) => name);
  await org.pushListing(account, listing);
  expect(await names()).toEqual(["old", "old"]);
  await admin`update inventory.listing_digests set seed = seed + 1 where org_id = ${org.id}`;
  await org.pushListing(account, listing);
  expect(await names()).not.toContain("old");
  const before = await rows(org.id);
  await org.pushListing(account, listing);
  expect(await rows(org.id)).toEqual(before);
});

const name = fc.constantFrom("a", "b", "c", "d", "e");
const row = fc.record({
  name,
  byUrl: fc.boolean(),
  parent: fc.option(name, { freq: 1 }),
  team: fc.constantFrom("x", "y"),
  delay: fc.constantFrom(undefined, 1, 2),
});
const listing = fc.record({
  kind: fc.constant("listing" as const),
  rows: fc.oneof(
    { weight: 4, arbitrary: fc.uniqueArray(row, { minLength: 1, selector: (one) => one.name }) },
    { weight: 1, arbitrary: fc.array(row, { minLength: 1 }) },
  ),
  form: fc.constantFrom("lines", "array", "indented", "pages", "incomplete"),
  isAgain: fc.boolean(),
});
const step = fc.oneof(
  { weight: 4, arbitrary: listing },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("state" as const), names: fc.uniqueArray(name) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("exclusion" as const), enabled: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Listed = Extract<Step, { kind: "listing" }>;

const role = {
  provider_resource_id: "arn:aws:iam::123456789012:role/aws-service-role/sqs.amazonaws.com/x",
  provider_type: "AWS::IAM::Role",
};

function bodyOf({ rows: listed, form }: Listed): string {
  if (form === "pages" || form === "incomplete") {
    const ResourceDescriptions = listed.map(({ name: of, team, delay }) => ({
      Identifier: url(of),
      Properties: JSON.stringify({
        QueueUrl: url(of),
        DelaySeconds: delay,
        Tags: [{ Key: "team", Value: team }],
      }),
    }));
    const next = form === "incomplete" ? { NextToken: "more" } : {};
    return JSON.stringify({ TypeName: "AWS::SQS::Queue", ResourceDescriptions, ...next });
  }
  const own = listed.map(({ name: of, byUrl, parent, team, delay }) => ({
    ...tagged(of, team),
    ...(byUrl && { provider_resource_id: url(of) }),
    ...(parent !== null && { parent_id: arn(parent) }),
    ...(delay !== undefined && { properties: { DelaySeconds: delay } }),
  }));
  const all = [...own, role];
  return form === "lines" ? ndjson(all) : JSON.stringify(all, null, form === "indented" ? 1 : undefined);
}

const declared = (of: string) => {
  const queueOf = declaredQueue(of);
  return { ...queueOf, attributes: { ...queueOf.attributes, name: of, delay_seconds: 1 } };
};

/** Returns the drift that counts now, without generated ids. */
const drifted = (orgId: string) => service.inventory.test.admin`
  select kind, risk_level, hidden, content::jsonb ->> 'address' as address,
         content::jsonb ->> 'provider_resource_id' as live, content::jsonb -> 'attributes' as attributes
    from inventory.drift_changes
   where org_id = ${orgId}
     and gone_at = 'infinity'
   order by 1, 2, 4, 5
`;

const POSTURE: ReadonlySet<string> = new Set([
  "live_count",
  "matched_count",
  "undeclared_count",
  "unchecked_count",
  "excluded_count",
  "missing_count",
  "changed_count",
  "coverage_pct",
  "risk_level",
]);

/** Runs steps in a new organization, and returns everything that each leaves behind. */
async function outcomesOf(steps: readonly Step[], isInFull: boolean): Promise<unknown[]> {
  const { org, account } = await start();
  const source = await org.source("s");
  const push = async (body: string) => {
    if (isInFull) await forget(org.id);
    const { stats, status, format } = await org.pushListing(account, body);
    return { stats, status, format };
  };
  const run = async (one: Step, serial: number): Promise<unknown> => {
    if (one.kind === "listing") return [await push(bodyOf(one)), one.isAgain && (await push(bodyOf(one)))];
    if (one.kind === "state")
      return void (await org.pushState(source, tfstate(one.names.map(declared), { serial })));
    const rule = { rule_id: "aws.service_linked_role", enabled: one.enabled };
    return void (await service.inventory.call(SwitchExclusionRule, { org_id: org.id, ...rule }));
  };
  const outcomes: unknown[] = [];
  for (const [serial, one] of steps.entries()) {
    const result = await run(one, serial);
    const posture = (await org.posture()).map((counts) =>
      Object.fromEntries(Object.entries(counts).filter(([member]) => POSTURE.has(member))),
    );
    outcomes.push({ one, result, standing: await standing(org.id), drift: await drifted(org.id), posture });
  }
  return outcomes;
}

test("steps one after another give the same result as if every listing were read in full", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      expect(await outcomesOf(steps, false)).toEqual(await outcomesOf(steps, true));
    }),
    { numRuns: 8 },
  );
});
