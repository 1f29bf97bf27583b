import { describe, expect, test } from "bun:test";

import fc from "fast-check";
import { CreateAccount, DeleteAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListSources, UpdateSource, type IacSource } from "@leeway/shared/contracts/inventory/sources";

import { declaredGroup, declaredQueue, declaring, group, ONE, queue, TWO, type Org } from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";

const { call, database, start } = declaring();

const THREE = "333333333333";

type Counts = Partial<Record<"matched" | "missing" | "unobserved", number>>;

/** Returns the sources' counts of declared resources, by source name. */
async function countsBySource(org: Org): Promise<Record<string, Counts>> {
  const { data } = await call(ListSources, { org_id: org.id, limit: 100 });
  return Object.fromEntries(data.map((source) => [source.name, countsOf(source)]));
}

const countsOf = ({ matched_count, missing_count, unobserved_count }: IacSource): Counts => ({
  ...(matched_count > 0 && { matched: matched_count }),
  ...(missing_count > 0 && { missing: missing_count }),
  ...(unobserved_count > 0 && { unobserved: unobserved_count }),
});

/** Counts the declared resources of each source by their match status in the list. */
async function listed(org: Org): Promise<Record<string, Counts>> {
  const { data } = await call(ListSources, { org_id: org.id, limit: 100 });
  const declared = await org.declared();
  return Object.fromEntries(
    data.map(({ id, name }) => {
      const counts: Counts = {};
      for (const { iac_source_id, match } of declared)
        if (iac_source_id === id) counts[match.status] = (counts[match.status] ?? 0) + 1;
      return [name, counts];
    }),
  );
}

/** Returns the sources' counts after checking that they agree with the list. */
async function counts(org: Org): Promise<Record<string, Counts>> {
  const said = await countsBySource(org);
  expect(said).toEqual(await listed(org));
  return said;
}

/** A group with an inline rule. */
const groupWithRule = declaredGroup("sg-1", {
  ingress: [{ protocol: "tcp", from_port: 1, to_port: 1, cidr_blocks: ["10.0.0.0/8"] }],
});

/** Returns the unobserved count of each account's posture after checking that it agrees with the list. */
async function unobserved(org: Org): Promise<Record<string, number>> {
  const rows = await org.posture();
  for (const { cloud_account_id: id, unobserved_count } of rows) {
    expect(await org.declared({ account_id: id, match: "unobserved" })).toHaveLength(unobserved_count);
  }
  return Object.fromEntries(rows.map((row) => [row.external_id, row.unobserved_count]));
}

const tableArn = (name: string, account: string): string =>
  `arn:aws:dynamodb:eu-west-1:${account}:table/${name}`;

type DeclaredResource = Parameters<typeof tfstate>[0][number];

interface Resource {
  kind: "queue" | "table" | "group";
  name: string;
  account: string;
}

function declaredAs({ kind, name, account }: Resource): DeclaredResource {
  if (kind === "group") return declaredGroup(`sg-${name}`);
  if (kind === "queue") return declaredQueue(`${name}_${account}`, account);
  return {
    type: "aws_dynamodb_table",
    name: `${name}_${account}`,
    attributes: { arn: tableArn(name, account) },
  };
}

function listedAs({ kind, name, account }: Resource): object {
  if (kind === "group") return group(`sg-${name}`);
  if (kind === "queue") return queue(`${name}_${account}`, account);
  return { provider_resource_id: tableArn(name, account), provider_type: "AWS::DynamoDB::Table" };
}

/** A state for one of three sources, or a listing of one of two accounts. */
const push = fc.record({
  to: fc.constantFrom(0, 1, 2, 3, 4),
  resources: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom("queue", "table", "group"),
      name: fc.constantFrom("a", "b"),
      account: fc.constantFrom(ONE, TWO, THREE),
    }),
    {
      minLength: 1,
      selector: ({ kind, name, account }) => `${kind} ${name} ${kind === "group" ? "" : account}`,
    },
  ),
});

describe("the posture counts an account's unobserved resources", () => {
  test("of its sources, by its name, and from before it was connected", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const state = tfstate([declaredQueue("a"), declaredQueue("b", TWO), declaredQueue("c", THREE)]);
    await org.pushState(await org.source("any"), state);
    await org.pushState(await org.source("of one", one.id), tfstate([declaredQueue("d", THREE)]));
    expect(await unobserved(org)).toEqual({ [one.external_id]: 1, [TWO]: 1 });
    const three = await org.account("aws", THREE);
    expect(await unobserved(org)).toEqual({ [one.external_id]: 1, [TWO]: 1, [THREE]: 1 });
    await org.pushListing(three, ndjson([queue("x", THREE)]));
    await org.pushListing(two, ndjson([queue("b", TWO)]));
    expect(await unobserved(org)).toEqual({ [one.external_id]: 0, [TWO]: 0, [THREE]: 0 });
    await call(DeleteAccount, { org_id: org.id, account_id: three.id });
    expect(await unobserved(org)).toEqual({ [one.external_id]: 1, [TWO]: 0 });
  });

  test("even if an older service matched last", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("jobs", one.id), tfstate([declaredQueue("a")]));
    await database().org(org.id)`delete from inventory.source_counts where org_id = ${org.id}`;
    await database().org(org.id)`update inventory.counted_orgs set is_right = false where org_id = ${org.id}`;
    expect(await unobserved(org)).toMatchObject({ [one.external_id]: 1 });
  });
});

describe("a source counts its matched, missing and unobserved resources", () => {
  test("after each push, without inline ones", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a"), queue("b"), group("sg-1")]));
    const [jobs, other] = [await org.source("jobs", one.id), await org.source("other")];
    await org.pushState(other, tfstate([declaredQueue("b")]));
    const states = [
      [declaredQueue("a"), declaredQueue("gone"), declaredQueue("lost"), groupWithRule],
      [declaredQueue("a"), declaredQueue("gone")],
      [],
    ];
    const seen = [];
    for (const [serial, resources] of states.entries()) {
      const state = tfstate(resources, { serial: serial + 1 });
      const pushed = await org.pushState(jobs, state);
      expect(await counts(org)).toEqual({ jobs: countsOf(pushed), other: { matched: 1 } });
      seen.push([pushed.resource_count, countsOf(pushed)]);
    }
    expect(seen).toEqual([
      [4, { matched: 2, missing: 2 }],
      [2, { matched: 1, missing: 1 }],
      [0, {}],
    ]);
    const inline = await org.source("inline", one.id);
    await org.pushState(inline, tfstate([groupWithRule]));
    await expect(
      database().org(org.id)`select 1 from inventory.iac_resources where source_id = ${inline.id} and inline`,
    ).resolves.toHaveLength(1);
    await org.removeSource(jobs);
    await org.removeSource(inline);
    expect(await counts(org)).toEqual({ other: { matched: 1 } });
    expect(await database().org(org.id)`select source_id from inventory.source_counts`).toHaveLength(1);
  });

  test("after scans, another account and its account's deletion", async () => {
    const { org, one, two } = await start();
    const both = await org.source("both");
    const state = tfstate([declaredQueue("a"), declaredQueue("b", TWO), declaredGroup("sg-1")]);
    await org.pushState(both, state);
    expect(await counts(org)).toEqual({ both: { unobserved: 3 } });
    await org.pushListing(one, ndjson([queue("a"), group("sg-1")]));
    expect(await counts(org)).toEqual({ both: { matched: 2, unobserved: 1 } });
    await org.pushListing(two, ndjson([queue("x", TWO)]));
    expect(await counts(org)).toEqual({ both: { matched: 2, missing: 1 } });
    await org.pushListing(two, ndjson([queue("b", TWO)]));
    expect(await counts(org)).toEqual({ both: { matched: 3 } });
    await call(UpdateSource, { org_id: org.id, source_id: both.id, cloud_account_id: two.id });
    expect(await counts(org)).toEqual({ both: { matched: 2, missing: 1 } }); // the group isn't in that account
    await call(DeleteAccount, { org_id: org.id, account_id: two.id });
    expect(await counts(org)).toEqual({ both: { matched: 2, unobserved: 1 } }); // the queue's account isn't connected
  });

  test("with those of an unconnected account as unobserved until it is listed", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const jobs = await org.source("jobs");
    await org.pushState(
      jobs,
      tfstate([declaredQueue("a"), declaredQueue("b", THREE), declaredGroup("sg-1")]),
    );
    expect(await counts(org)).toEqual({ jobs: { matched: 1, missing: 1, unobserved: 1 } });
    const three = await call(CreateAccount, { org_id: org.id, provider: "aws", external_id: THREE });
    expect(await counts(org)).toEqual({ jobs: { matched: 1, missing: 1, unobserved: 1 } });
    await org.pushListing(three, ndjson([queue("b", THREE)]));
    expect(await counts(org)).toEqual({ jobs: { matched: 2, missing: 1 } });
  });

  test("even if an older service matched last", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const jobs = await org.source("jobs", one.id);
    await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("b")]));
    expect(await counts(org)).toEqual({ jobs: { matched: 1, missing: 1 } });
    await database().transaction(org.id, async (tx) => {
      await tx`delete from inventory.matches where org_id = ${org.id}`;
      await tx`
        update inventory.cloud_accounts
           set missing_count = 2, medium_losses = 2
         where org_id = ${org.id}
           and missing_count <> 2
      `;
    });
    expect(await counts(org)).toEqual({ jobs: { missing: 2 } });
    await org.pushListing(one, ndjson([queue("a"), queue("b")]));
    expect(await counts(org)).toEqual({ jobs: { matched: 2 } });
  });

  test("after any pushes, as if all were counted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(push, { minLength: 3, maxLength: 8 }), async (pushes) => {
        const { org, one, two } = await start();
        const sources = [
          await org.source("one", one.id),
          await org.source("two", two.id),
          await org.source("any"),
        ];
        for (const [serial, { to, resources }] of pushes.entries()) {
          const source = sources[to];
          if (source) await org.pushState(source, tfstate(resources.map(declaredAs), { serial: serial + 1 }));
          else {
            const account = to === 3 ? one : two;
            const own = resources.filter(
              (row) => row.kind === "group" || row.account === account.external_id,
            );
            await org.pushListing(account, ndjson([group("sg-other"), ...own.map(listedAs)]));
          }
          const [stored, counted] = await database().transaction(org.id, async (tx) => [
            await tx`
              select id, missing_count::integer, critical_losses::integer, high_losses::integer
                from inventory.cloud_accounts order by id
            `,
            await tx`
              select a.id, count(d.id)::integer as missing_count,
                     count(d.id) filter (where d.loss in ('stateful', 'key_material', 'container'))::integer
                       as critical_losses,
                     count(d.id) filter (where d.loss in ('maybe_stateful', 'serving'))::integer as high_losses
                from inventory.cloud_accounts a
                left join inventory.declared_resources d on d.cloud_account_id = a.id and d.status = 'missing'
               group by a.id
               order by a.id
            `,
          ]);
          expect(stored).toEqual(counted);
          await counts(org);
        }
      }),
      { numRuns: 8 },
    );
  });

  test("without reading them", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const jobs = await org.source("jobs", one.id);
    await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("b")]));
    expect(await counts(org)).toEqual({ jobs: { matched: 1, missing: 1 } });
    // The counts are stored: deleting the resources doesn't change them.
    await database().org(org.id)`delete from inventory.iac_resources where org_id = ${org.id}`;
    expect(await countsBySource(org)).toEqual({ jobs: { matched: 1, missing: 1 } });
  });
});
