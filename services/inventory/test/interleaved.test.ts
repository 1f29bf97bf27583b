import { CancelScan, CreateScan, ListScans } from "@leeway/shared/contracts/inventory/scans";
import { abortable } from "@leeway/shared/platform/context";
import { failureOf } from "@leeway/shared/testing/testing";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TransactionSql } from "postgres";

import { ndjson, tfstate } from "./kit.ts";
import { keepProperties } from "../src/enrichment/store.ts";
import { findResource } from "../src/resources/find-resource.ts";
import { ACCOUNT, arn, declaredQueue, pushing, queue, wideFrom } from "./pushing.ts";

const service = pushing();
const { start } = service;
const OTHER = "210987654321";
const ACTOR = { type: "system" as const, id: "test" };

const queueIn = (turn: string, name: string) => queue(name, { name, tags: { turn } });
const both = (turn: string): string => ndjson([queueIn(turn, "a"), queueIn(turn, "b")]);

const GROUP = { provider_type: "AWS::AutoScaling::AutoScalingGroup", region: "eu-west-1" };

/** A queue and a group of each name; a group's id is the same in every account. */
const listing = (names: string[], number: string, turn = "first"): string =>
  ndjson(
    names.flatMap((name) => [
      { ...queue(name), provider_resource_id: arn(name, number), tags: { turn } },
      { ...GROUP, provider_resource_id: name, tags: { turn } },
    ]),
  );

/** A group that can be in either account. */
const floating = (name: string) => ({ type: "aws_autoscaling_group", name, attributes: { id: name, name } });

/** Everything that matching leaves behind in an organization, but for ids that are made. */
async function standing(orgId: string): Promise<unknown> {
  const { admin } = service.inventory.test;
  const live = await admin`
    select a.external_id, l.provider_resource_id, l.tags, l.match_status, l.match_level, l.match_conflict, s.name as source,
           i.address, a.live_count, a.matched_count, a.undeclared_count, a.missing_count
      from inventory.live_resources l
      join inventory.cloud_accounts a on a.id = l.cloud_account_id
      left join inventory.iac_resources i on i.id = l.iac_resource_id
      left join inventory.iac_sources s on s.id = i.source_id
     where l.org_id = ${orgId}
     order by 1, 2
  `;
  const matches = await admin`
    select a.external_id, s.name, i.address, l.provider_resource_id, m.level, m.contested
      from inventory.matches m
      join inventory.cloud_accounts a on a.id = m.cloud_account_id
      left join inventory.live_resources l on l.id = m.live_resource_id
      left join inventory.iac_resources i on i.id = m.iac_resource_id
      left join inventory.iac_sources s on s.id = i.source_id
     where m.org_id = ${orgId}
     order by 1, 2, 3
  `;
  return { live: [...live], matches: [...matches] };
}

/** Holds an organization's matching lock, as a writer of matches does, until it is released. */
async function holdMatching(orgId: string) {
  const key = `match ${orgId}`;
  const release = await hold((tx) => tx`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
  return {
    waiting: async (): Promise<number> => (await holders(key)).filter(({ granted }) => !granted).length,
    release,
  };
}

/** Locks something in a transaction of its own. @returns a function that releases it */
async function hold(lock: (tx: TransactionSql) => PromiseLike<unknown>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = service.inventory.test.admin.begin(async (tx) => {
    await lock(tx);
    held.resolve();
    await released;
  });
  await held.promise;
  return async () => {
    release();
    await holding;
  };
}

/** How many wait for a lock of the same name as `name`, or have it. */
async function holders(name: string): Promise<{ granted: boolean }[]> {
  return service.inventory.test.admin<{ granted: boolean }[]>`
    select granted
      from pg_locks
     where locktype = 'advisory'
       and (classid::bigint << 32 | objid::bigint) = hashtextextended(${name}, 0)
  `;
}

/** The number of transactions that wait for a row or key of another. */
async function waitingForRows(): Promise<number> {
  const rows = await service.inventory.test.admin`
    select
      from pg_stat_activity
     where datname = current_database()
       and wait_event_type = 'Lock'
       and wait_event = 'transactionid'
  `;
  return rows.length;
}

/** Holds the next edition of a resource, for which a listing or state that rewrites the resource waits. */
function holdNextEdition(orgId: string, name: string): Promise<() => Promise<void>> {
  return hold(async (tx) => {
    await tx`
      create temp table held on commit drop as
      select * from inventory.live_resources where org_id = ${orgId} and provider_resource_id = ${arn(name)}
    `;
    await tx`update held set edition = nextval('inventory.editions') - 1`;
    await tx`insert into inventory.live_resources select * from held`;
    await tx`delete from inventory.live_resources l using held h where l.id = h.id and l.edition = h.edition`;
  });
}

/** Stores properties of a resource, as an enricher does. */
async function enrich(orgId: string, name: string): Promise<void> {
  const sql = service.inventory.database.org(orgId);
  const read = { value: { DelaySeconds: 7 }, redactions: [] };
  await keepProperties(sql, await findResource(sql, arn(name)), read);
}

const ENRICHED = { enrichment_status: "enriched", properties: '{"DelaySeconds":7}' };

/** The tags and the match of each stored row of the organization. */
async function stored(orgId: string): Promise<unknown[]> {
  return [
    ...(await service.inventory.test.admin`
      select name, tags::json ->> 'turn' as turn, match_status
        from inventory.live_resources
       where org_id = ${orgId}
       order by provider_resource_id
    `),
  ];
}

/** The scan of an organization that hasn't ended, once it is there. */
async function openScan(orgId: string): Promise<string> {
  for (;;) {
    const { data } = await service.inventory.call(ListScans, { org_id: orgId, limit: 10 });
    const open = data.find(({ finished_at }) => finished_at === undefined);
    if (open) return open.id;
    await Bun.sleep(5);
  }
}

describe("interleaved pushes of one organization", () => {
  test("give the same result as sequential ones", async () => {
    const name = fc.constantFrom("a", "b", "c", "d");
    const names = fc.uniqueArray(name, { minLength: 1 });
    const push = fc.record({
      kind: fc.constantFrom("one", "other", "state", "floating"),
      names,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(names, { maxLength: 2 }),
        fc.array(push, { minLength: 2, maxLength: 4 }),
        async (before, pushes) => {
          const last = [...new Map(pushes.map((one) => [one.kind, one])).values()];
          const outcomes = [];
          for (const isTogether of [false, true]) {
            const { org, account } = await start();
            const other = await org.account("aws", OTHER);
            const source = await org.source("s");
            const rest = await org.source("rest");
            if (before[0]) await org.pushListing(account, listing(before[0], ACCOUNT));
            if (before[1]) await org.pushListing(other, listing(before[1], OTHER));
            const send = {
              one: (some: string[]) => org.pushListing(account, listing(some, ACCOUNT, "later")),
              other: (some: string[]) => org.pushListing(other, listing(some, OTHER, "later")),
              state: (some: string[]) => org.pushState(source, tfstate(some.map(declaredQueue))),
              floating: (some: string[]) => org.pushState(rest, tfstate(some.map(floating))),
            };
            const work = last.map(
              ({ kind, names: some }) =>
                () =>
                  send[kind](some),
            );
            if (isTogether) await Promise.all(work.map((one) => one()));
            else for (const one of work) await one();
            outcomes.push(await standing(org.id));
          }
          expect(outcomes[1]).toEqual(outcomes[0]);
        },
      ),
      { numRuns: 8 },
    );
  }, 240_000);

  test("match a listing again with declarations stored while it waited", async () => {
    const { org, account } = await start();
    const source = await org.source("s");
    const held = await holdMatching(org.id);
    const state = org.pushState(source, tfstate([declaredQueue("q1")]));
    while ((await held.waiting()) < 1) await Bun.sleep(5);
    const listing = org.pushListing(account, ndjson([queue("q1"), queue("q2")]));
    while ((await held.waiting()) < 2) await Bun.sleep(5);
    await held.release();
    await state;
    expect((await listing).stats).toMatchObject({ created: 2, matched: 1, undeclared: 1 });
  });

  test("leave a declaration undecided that the first listings of two accounts match at a time", async () => {
    const { org, account } = await start();
    const other = await org.account("aws", OTHER);
    await org.pushState(await org.source("rest"), tfstate([floating("a")]));
    const held = await holdMatching(org.id);
    const listings = [
      org.pushListing(account, listing(["a"], ACCOUNT)),
      org.pushListing(other, listing(["a"], OTHER)),
    ];
    while ((await held.waiting()) < 2) await Bun.sleep(5);
    await held.release();
    await Promise.all(listings);
    expect(await org.resources({ match: "matched" })).toEqual([]);
    expect(await org.declared()).toMatchObject([{ match: { status: "unobserved" } }]);
  });

  test("finish a small one while a large one is read and matched", async () => {
    const { org, account } = await start();
    const small = await org.account("aws", OTHER);
    const names = Array.from({ length: 60_000 }, (_, index) => queue(`q${index}`));
    let isOver = false;
    const large = org.startPush(account, Bun.gzipSync(ndjson(names))).finally(() => (isOver = true));
    const scanId = await openScan(org.id);
    while (((await org.scan(scanId)).stats.seen ?? 0) === 0) await Bun.sleep(5);
    await org.pushListing(small, ndjson([{ ...queue("q"), provider_resource_id: arn("q", OTHER) }]));
    expect({ isOver, ...(await org.scan(scanId)) }).toMatchObject({
      isOver: false,
      status: "running",
      phase: "discover",
    });
    await large;
    expect(
      await service.inventory.test.admin`
      select count(*)::integer as count from inventory.live_resources where org_id = ${org.id}
    `,
    ).toMatchObject([{ count: 60_001 }]);
  }, 120_000);
});

describe("a push", () => {
  test("doesn't wait for the drift of accounts that others have matched", async () => {
    const { org, account } = await start();
    const other = await org.account("aws", OTHER);
    await org.pushListing(account, listing(["a"], ACCOUNT));
    const [large, small] = [await org.source("large"), await org.source("small")];
    const release = await hold(
      (tx) => tx`select pg_advisory_xact_lock(hashtextextended(${`compute drift ${account.id}`}, 0))`,
    );
    const pushed = org.pushState(large, tfstate([declaredQueue("a")]));
    while ((await holders(`compute drift ${account.id}`)).length < 2) await Bun.sleep(5);
    const declared = { type: "aws_sqs_queue", name: "b", attributes: { arn: arn("b", OTHER) } };
    expect(await org.pushListing(other, listing(["b"], OTHER))).toMatchObject({ status: "succeeded" });
    expect(await org.pushState(small, tfstate([declared]))).toMatchObject({ matched_count: 1 });
    expect(await holders(`compute drift ${account.id}`)).toHaveLength(2);
    await release();
    await pushed;
  });
});

describe("a pushed state", () => {
  test("doesn't delay a small listing while it is stored and matched", async () => {
    const { org, account } = await start();
    const source = await org.source("s");
    const many = Array.from({ length: 20_000 }, (_, index) => declaredQueue(`q${index}`));
    let isOver = false;
    const large = org.pushState(source, tfstate(many)).finally(() => (isOver = true));
    while ((await holders(`source ${source.id}`)).length === 0) await Bun.sleep(5);
    await org.pushListing(await org.account("aws", OTHER), listing(["a"], OTHER));
    expect(isOver).toBe(false);
    await large;
    expect((await org.pushListing(account, listing(["q1"], ACCOUNT))).stats).toMatchObject({ matched: 1 });
  }, 120_000);

  test("delays no small listing while it writes matches of live resources", async () => {
    const { org, account } = await start();
    const small = await org.account("aws", OTHER);
    await org.pushListing(account, both("first"));
    const source = await org.source("s");
    const release = await holdNextEdition(org.id, "b");
    const pushed = org.pushState(source, tfstate([declaredQueue("a"), declaredQueue("b")]));
    while ((await waitingForRows()) === 0) await Bun.sleep(5);
    await org.pushListing(small, listing(["c"], OTHER));
    expect(await waitingForRows()).toBe(1);
    await release();
    await pushed;
    expect(await org.resources({ match: "matched" })).toHaveLength(2);
  });

  test("changes nothing of a live resource but its match", async () => {
    const { org, account } = await start();
    await org.pushListing(account, both("first"));
    await service.inventory.test.admin`
      update inventory.live_resources
         set region = 'eu-west-1', exclusion = 'x', cloud_created_at = '2026', redactions = '[]', read_at = now(),
             enriched_at = now(), enrichment_failure_reason = 'x', shards = '{x}', overlooked_since = now()
       where org_id = ${org.id}
    `;
    const rows = () => service.inventory.test.admin`
      select to_jsonb(l) - '{edition,match_status,match_level,iac_resource_id}'::text[] as kept
        from inventory.live_resources l
       where org_id = ${org.id}
       order by provider_resource_id
    `;
    const before = [...(await rows())];
    await org.pushState(await org.source("s"), tfstate([declaredQueue("a"), declaredQueue("b")]));
    expect([...(await rows())]).toEqual(before);
    expect(await org.resources({ match: "matched" })).toHaveLength(2);
  });

  test("keeps properties that were read while it waited for the lock", async () => {
    const { org, account } = await start();
    const sql = service.inventory.database.org(org.id);
    await org.pushListing(account, both("first"));
    const source = await org.source("s");
    const held = await holdMatching(org.id);
    const pushed = org.pushState(source, tfstate([declaredQueue("a")]));
    while ((await held.waiting()) < 1) await Bun.sleep(5);
    await enrich(org.id, "a");
    await held.release();
    await pushed;
    expect(await findResource(sql, arn("a"))).toMatchObject({ ...ENRICHED, match_level: 2 });
  });

  test("matches what a listing has stored while it waited for the lock", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson(["a", "gone"].map((name) => queueIn("first", name))));
    const source = await org.source("s");
    const held = await holdMatching(org.id);
    const first = org.pushListing(account, ndjson(["a", "new"].map((name) => queueIn("later", name))));
    while ((await held.waiting()) < 1) await Bun.sleep(5);
    const second = org.pushState(source, tfstate(["a", "gone", "new"].map(declaredQueue)));
    while ((await held.waiting()) < 2) await Bun.sleep(5);
    await held.release();
    await Promise.all([first, second]);
    expect(await stored(org.id)).toEqual([
      { name: "a", turn: "later", match_status: "matched" },
      { name: "new", turn: "later", match_status: "matched" },
    ]);
  });

  test("matches what another has declared while it waited for the lock", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson(["a", "b", "c"].map((name) => queueIn("first", name))));
    const [source, other] = [await org.source("s"), await org.source("other")];
    const held = await holdMatching(org.id);
    const first = org.pushState(other, tfstate(["a", "b"].map(declaredQueue)));
    while ((await held.waiting()) < 1) await Bun.sleep(5);
    const second = org.pushState(source, tfstate(["b", "c"].map(declaredQueue)));
    while ((await held.waiting()) < 2) await Bun.sleep(5);
    await held.release();
    await Promise.all([first, second]);
    const matches = (await org.resources()).map(({ name, match }) => [name, match.status, match.conflict]);
    expect(matches).toEqual([
      ["a", "matched", undefined],
      ["b", "matched", true],
      ["c", "matched", undefined],
    ]);
  });

  test("whose caller leaves while it waits for the lock changes nothing", async () => {
    const { org, account } = await start();
    await org.pushListing(account, both("first"));
    const source = await org.source("s");
    const before = await standing(org.id);
    const held = await holdMatching(org.id);
    const gone = new AbortController();
    const pushed = abortable(gone.signal, () =>
      failureOf(org.pushState(source, tfstate([declaredQueue("a")]))),
    );
    while ((await held.waiting()) === 0) await Bun.sleep(5);
    gone.abort();
    await pushed;
    while ((await held.waiting()) > 0) await Bun.sleep(5);
    await held.release();
    expect(await standing(org.id)).toEqual(before);
    expect(await org.declared()).toEqual([]);
  });

  test("is refused if its source was deleted before it was stored", async () => {
    const { org, account } = await start();
    await org.pushListing(account, listing(["a"], ACCOUNT));
    const source = await org.source("s");
    await org.pushState(source, tfstate([declaredQueue("a"), declaredQueue("b")]));
    const held = await holdMatching(org.id);
    const removed = org.removeSource(source);
    while ((await held.waiting()) === 0) await Bun.sleep(5);
    const later = tfstate([{ ...declaredQueue("c"), name: "a" }], { serial: 2 });
    const refused = failureOf(org.pushState(source, later));
    while ((await held.waiting()) + (await holders(`source ${source.id}`)).length < 3) await Bun.sleep(5);
    await held.release();
    await removed;
    expect(await refused).toMatchObject({ code: "not_found" });
    expect(await org.declared()).toEqual([]);
    expect(await org.resources({ match: "matched" })).toEqual([]);
  });
});

test("drift is computed while another transaction writes matches", async () => {
  const { org, account } = await start();
  await org.pushListing(account, listing(["a"], ACCOUNT));
  const held = await holdMatching(org.id);
  const asked = { org_id: org.id, account_id: account.id, kind: "drift" as const, requested_by: ACTOR };
  const { id } = await service.inventory.call(CreateScan, asked);
  while ((await org.scan(id)).finished_at === undefined) await Bun.sleep(10);
  expect(await org.scan(id)).toMatchObject({ status: "succeeded" });
  await held.release();
});

test("drift is computed again if the account was matched during it", async () => {
  const { admin } = service.inventory.test;
  const { org, account } = await start();
  await org.pushListing(account, listing(["a"], ACCOUNT));
  const source = await org.source("s");
  const startComputing = await hold(
    (tx) => tx`select pg_advisory_xact_lock(hashtextextended(${`compute drift ${account.id}`}, 0))`,
  );
  const asked = { org_id: org.id, account_id: account.id, kind: "drift" as const, requested_by: ACTOR };
  await service.inventory.call(CreateScan, asked);
  const pending = () => admin<{ id: string }[]>`
    select id from inventory.drift_snapshots where cloud_account_id = ${account.id} and status = 'pending' order by id
  `;
  while ((await pending()).length === 0) await Bun.sleep(5);
  const [first] = await pending();
  const endReading = await hold(
    (tx) => tx`select from inventory.drift_snapshots where id = ${first?.id ?? null} for update`,
  );
  await startComputing();
  while ((await waitingForRows()) === 0) await Bun.sleep(5);
  const pushed = org.pushState(source, tfstate([declaredQueue("b")]));
  while ((await pending()).length < 2) await Bun.sleep(5);
  await endReading();
  await pushed;
  while ((await pending()).length > 0) await Bun.sleep(5);
  expect(
    await admin`
      select missing_count from inventory.drift_snapshots where id >= ${first?.id ?? null} and cloud_account_id = ${account.id}
    `,
  ).toMatchObject([{ missing_count: 1 }, { missing_count: 1 }]);
});

describe("a cancelled push", () => {
  test("ends while it waits for another, and leaves nothing", async () => {
    const { org, account } = await start();
    const held = await holdMatching(org.id);
    const push = failureOf(org.startPush(account, ndjson(wideFrom(0, 40))));
    while ((await held.waiting()) === 0) await Bun.sleep(5);
    const scan_id = await openScan(org.id);
    const canceled = await service.inventory.call(CancelScan, { org_id: org.id, scan_id });
    expect(canceled).toMatchObject({ status: "canceled" });
    expect(await push).toMatchObject({ code: "conflict", message: "the scan was canceled during the push" });
    while ((await held.waiting()) > 0) await Bun.sleep(5);
    await held.release();
    expect(await org.resources()).toEqual([]);
    expect(await org.pushListing(account, ndjson([queue("q")]))).toMatchObject({ status: "succeeded" });
  });
});

describe("a listing that rewrites resources", () => {
  test("holds up no small one of the organization while it writes", async () => {
    const { org, account } = await start();
    const small = await org.account("aws", OTHER);
    await org.pushListing(account, both("first"));
    const release = await holdNextEdition(org.id, "b");
    const rewriting = org.pushListing(account, both("later"));
    while ((await waitingForRows()) === 0) await Bun.sleep(5);
    await org.pushListing(small, listing(["c"], OTHER));
    expect(await waitingForRows()).toBe(1);
    await release();
    await rewriting;
    expect(await stored(org.id)).toEqual([
      { name: "a", turn: "later", match_status: "undeclared" },
      { name: "b", turn: "later", match_status: "undeclared" },
      { name: null, turn: "first", match_status: "undeclared" },
      { name: null, turn: "first", match_status: "undeclared" },
    ]);
  });

  test("lets a state match the resources that it has rewritten, and matches them again", async () => {
    const { org, account } = await start();
    const source = await org.source("s");
    await org.pushListing(account, both("first"));
    const ids = (await org.resources()).map(({ id }) => id);
    const held = await holdMatching(org.id);
    const state = org.pushState(source, tfstate([declaredQueue("a")]));
    while ((await held.waiting()) < 1) await Bun.sleep(5);
    const rewriting = org.pushListing(account, both("later"));
    while ((await held.waiting()) < 2) await Bun.sleep(5);
    await held.release();
    await Promise.all([state, rewriting]);
    expect((await rewriting).stats).toMatchObject({ created: 0, gone: 0, matched: 1, undeclared: 1 });
    expect(await stored(org.id)).toEqual([
      { name: "a", turn: "later", match_status: "matched" },
      { name: "b", turn: "later", match_status: "undeclared" },
    ]);
    expect((await org.resources()).map(({ id }) => id)).toEqual(ids);
  });

  test("keeps properties that were read while it waited for the lock", async () => {
    const { org, account } = await start();
    const sql = service.inventory.database.org(org.id);
    await org.pushListing(account, both("first"));
    const held = await holdMatching(org.id);
    const rewriting = org.pushListing(account, both("later"));
    while ((await held.waiting()) < 1) await Bun.sleep(5);
    await enrich(org.id, "a");
    await held.release();
    await rewriting;
    expect(await findResource(sql, arn("a"))).toMatchObject(ENRICHED);
    expect(await stored(org.id)).toMatchObject([{ turn: "later" }, { turn: "later" }]);
  });

  test.each(["with the rows", "without the rows"])(
    "loses no properties that wait to be stored while it ends, %s of the last one",
    async (which) => {
      const { org, account } = await start();
      const { admin } = service.inventory.test;
      await org.pushListing(account, both("first"));
      if (which === "without the rows")
        await admin`delete from inventory.listing_digests where org_id = ${org.id}`;
      // The last row that the listing writes before its commit, but for its scan.
      const endListing = await hold(
        (tx) => tx`select from inventory.counted_orgs where org_id = ${org.id} for update`,
      );
      // A new resource has to be matched and counted.
      const rewriting = org.pushListing(account, both("later") + ndjson([queueIn("later", "c")]));
      while ((await waitingForRows()) < 1) await Bun.sleep(5);
      const kept = service.inventory.database.transaction(
        org.id,
        async (tx) => {
          const value = { DelaySeconds: 7 };
          await keepProperties(tx, await findResource(tx, arn("a")), { value, redactions: [] });
        },
        { lane: "bulk" },
      );
      while ((await waitingForRows()) < 2) await Bun.sleep(5);
      await endListing();
      await Promise.all([rewriting, kept]);
      expect(
        await admin`
      select enrichment_status, properties, tags::json ->> 'turn' as turn
        from inventory.live_resources
       where org_id = ${org.id}
         and name = 'a'
    `,
      ).toMatchObject([{ enrichment_status: "enriched", properties: '{"DelaySeconds":7}', turn: "later" }]);
    },
  );

  test("leaves them as they were when it is canceled before it has the lock", async () => {
    const { org, account } = await start();
    await org.pushListing(account, both("first"));
    const before = await stored(org.id);
    const held = await holdMatching(org.id);
    const push = failureOf(org.startPush(account, ndjson([queueIn("later", "a"), queueIn("later", "c")])));
    while ((await held.waiting()) === 0) await Bun.sleep(5);
    await service.inventory.call(CancelScan, { org_id: org.id, scan_id: await openScan(org.id) });
    expect(await push).toMatchObject({ code: "conflict", message: "the scan was canceled during the push" });
    await held.release();
    expect(await stored(org.id)).toEqual(before);
  });
});
