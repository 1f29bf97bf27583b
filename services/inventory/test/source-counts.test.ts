import { describe, expect, test } from "bun:test";
import { CreateAccount, DeleteAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListSources, UpdateSource, type IacSource } from "@leeway/shared/contracts/inventory/sources";

import { declaredGroup, declaredQueue, declaring, group, queue, TWO, type Org } from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";

const { call, database, start } = declaring();

const THREE = "333333333333";

type Counts = Partial<Record<"matched" | "missing" | "unobserved", number>>;

/** What sources say of what they declare, by their names. */
async function told(org: Org): Promise<Record<string, Counts>> {
  const { data } = await call(ListSources, { org_id: org.id, limit: 100 });
  return Object.fromEntries(data.map((source) => [source.name, countsOf(source)]));
}

const countsOf = ({ matched_count, missing_count, unobserved_count }: IacSource): Counts => ({
  ...(matched_count > 0 && { matched: matched_count }),
  ...(missing_count > 0 && { missing: missing_count }),
  ...(unobserved_count > 0 && { unobserved: unobserved_count }),
});

/** How many of what they declare is listed as what. */
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

/** What sources say, which is what is listed of them. */
async function counts(org: Org): Promise<Record<string, Counts>> {
  const said = await told(org);
  expect(said).toEqual(await listed(org));
  return said;
}

/** A group that holds a rule inline. */
const groupWithRule = declaredGroup("sg-1", {
  ingress: [{ protocol: "tcp", from_port: 1, to_port: 1, cidr_blocks: ["10.0.0.0/8"] }],
});

describe("a source says how many of its resources are matched, missing and unobserved", () => {
  test("right after a push, one with fewer, and none; what is held inline isn't counted", async () => {
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

  test("as the scans of its accounts find them, and as its account is another and is gone", async () => {
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
    expect(await counts(org)).toEqual({ both: { matched: 2, missing: 1 } }); // the queue of that account is gone
  });

  test("and what names an account that isn't there is missing until it is added, which nobody has seen yet", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const jobs = await org.source("jobs");
    await org.pushState(
      jobs,
      tfstate([declaredQueue("a"), declaredQueue("b", THREE), declaredGroup("sg-1")]),
    );
    expect(await counts(org)).toEqual({ jobs: { matched: 1, missing: 2 } });
    const three = await call(CreateAccount, { org_id: org.id, provider: "aws", external_id: THREE });
    expect(await counts(org)).toEqual({ jobs: { matched: 1, missing: 1, unobserved: 1 } });
    await org.pushListing(three, ndjson([queue("b", THREE)]));
    expect(await counts(org)).toEqual({ jobs: { matched: 2, missing: 1 } });
  });

  test("though a service that knows nothing of the counts was the last to match", async () => {
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

  test("without a look at them", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const jobs = await org.source("jobs", one.id);
    await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("b")]));
    expect(await counts(org)).toEqual({ jobs: { matched: 1, missing: 1 } });
    // What nobody counted, nobody sees.
    await database().org(org.id)`delete from inventory.iac_resources where org_id = ${org.id}`;
    expect(await told(org)).toEqual({ jobs: { matched: 1, missing: 1 } });
  });
});
