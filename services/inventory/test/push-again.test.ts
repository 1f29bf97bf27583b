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
            where m.org_id = l.org_id and m.live_resource_id = l.id
         ) as matches,
         (
           select array_agg(j.address order by j.address)
             from inventory.ambiguities u
             join inventory.iac_resources j on j.org_id = u.org_id and j.id = u.iac_resource_id
            where u.org_id = l.org_id and u.cloud_account_id = l.cloud_account_id
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

test("listings that change step by step give the same result as listings that are read in full", async () => {
  const name = fc.constantFrom("a", "b", "c", "d", "e");
  const row = fc.record({
    name,
    byUrl: fc.boolean(),
    parent: fc.option(name),
    team: fc.constantFrom("x", "y"),
  });
  const listings = fc.array(fc.uniqueArray(row, { minLength: 1, selector: (one) => one.name }), {
    minLength: 2,
    maxLength: 4,
  });
  const state = fc.uniqueArray(name, { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(listings, state, async (all, declared) => {
      const outcomes = [];
      for (const isInFull of [false, true]) {
        const { org, account } = await start();
        await org.pushState(await org.source("s"), tfstate(declared.map(declaredQueue)));
        const steps = [];
        for (const listing of all) {
          if (isInFull) await forget(org.id);
          const body = listing.map(({ name: of, byUrl, parent, team }) => ({
            ...tagged(of, team),
            ...(byUrl && { provider_resource_id: url(of) }),
            ...(parent !== null && { parent_id: arn(parent) }),
          }));
          const { stats } = await org.pushListing(account, ndjson(body));
          steps.push({ stats, standing: await standing(org.id) });
        }
        outcomes.push(steps);
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
    }),
    { numRuns: 8 },
  );
});
