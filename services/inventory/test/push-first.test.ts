import { describe, expect, test } from "bun:test";
import { ListScans } from "@leeway/shared/contracts/inventory/scans";
import { failureOf } from "@leeway/shared/testing/testing";
import fc from "fast-check";

import { ndjson, tfstate } from "./kit.ts";
import { arn, declaredQueue, pushing, queue, url, wide, wideFrom } from "./pushing.ts";

const service = pushing();
const { start } = service;

/** Returns all stored results of a listing, without generated ids. */
const standing = (orgId: string) => service.inventory.test.admin`
  select l.provider_resource_id as live, l.match_status, l.match_level, l.match_conflict, s.name, i.address,
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
         a.live_count, a.matched_count, a.missing_count, a.observed_types
    from inventory.live_resources l
    join inventory.cloud_accounts a on a.org_id = l.org_id and a.id = l.cloud_account_id
    left join inventory.iac_resources i on i.org_id = l.org_id and i.id = l.iac_resource_id
    left join inventory.iac_sources s on s.org_id = i.org_id and s.id = i.source_id
   where l.org_id = ${orgId}
   order by 1
`;

/** Properties that inflate to many times their size. */
const properties = () => ({
  Description: crypto.getRandomValues(new Uint8Array(120)).toHex() + "-".repeat(3_000),
});

describe("the first listing of an account", () => {
  test("may repeat a resource much later: the more detailed row is kept and matched", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate([declaredQueue("q0")]));
    const listing = [queue("q0"), ...wideFrom(1, 20), queue("q0", { name: "late", tags: { team: "core" } })];
    const { stats } = await org.pushListing(account, ndjson(listing));
    expect(stats).toMatchObject({ seen: 21, created: 20, gone: 0, matched: 1, undeclared: 19 });
    expect(await org.resources({ q: ":q0" })).toMatchObject([{ name: "late", match: { status: "matched" } }]);
  });

  test("may repeat a resource in a gzip that inflates to many times its size", async () => {
    const { org, account } = await start();
    const names = Array.from({ length: 5_000 }, () => crypto.randomUUID());
    const listing = [...names, ...names.slice(2_000, 2_010), ...names.slice(-1)].map((name) =>
      queue(name, { properties: properties() }),
    );
    listing.splice(2_500, 0, queue(names[0]!, { properties: properties() }));
    const sent = Bun.gzipSync(ndjson(listing));
    expect(sent.length).toBeGreaterThan(3 * 256 * 1024);
    const { stats } = await org.pushListing(account, sent);
    expect(stats).toMatchObject({ seen: 5_012, created: 5_000, gone: 0, undeclared: 5_000 });
  });

  test("that ends with an error leaves the account empty", async () => {
    const { org, account } = await start();
    const cut = org.startPush(account, `${ndjson(wideFrom(0, 40))}{"cut":`);
    expect(await failureOf(cut)).toMatchObject({ code: "unsupported_format" });
    expect(await org.resources()).toEqual([]);
    expect((await service.inventory.call(ListScans, { org_id: org.id, limit: 1 })).data).toEqual([]);
  });

  test("gives the same result as a later listing", async () => {
    const name = fc.constantFrom("a", "b", "c", "d");
    const row = fc.record({ name, byUrl: fc.boolean(), parent: fc.option(name), isWide: fc.boolean() });
    const rows = fc.array(row, { minLength: 1, maxLength: 8 });
    const states = fc.tuple(fc.uniqueArray(name), fc.uniqueArray(name, { maxLength: 1 }));
    await fc.assert(
      fc.asyncProperty(rows, states, async (someRows, someStates) => {
        const listing = someRows.map(({ name: of, byUrl, parent, isWide }) => ({
          ...(isWide ? wide(of) : queue(of)),
          ...(byUrl && { provider_resource_id: url(of) }),
          ...(parent !== null && { parent_id: arn(parent) }),
        }));
        const outcomes = [];
        for (const before of [undefined, queue("before")]) {
          const { org, account } = await start();
          for (const [index, names] of someStates.entries())
            await org.pushState(await org.source(`s${index}`), tfstate(names.map(declaredQueue)));
          if (before) await org.pushListing(account, ndjson([before]));
          const { stats } = await org.pushListing(account, ndjson(listing));
          outcomes.push({ ...stats, gone: 0, standing: await standing(org.id) });
        }
        expect(outcomes[0]).toEqual(outcomes[1]);
      }),
      { numRuns: 8 },
    );
  });
});
