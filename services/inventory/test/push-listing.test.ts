import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CancelScan, CreateScan, ListScans, PushListing } from "@leeway/shared/contracts/inventory/scans";
import { failureOf } from "@leeway/shared/testing";
import fc from "fast-check";

import { newOrg, ndjson, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const ACCOUNT = "123456789012";
const arn = (name: string, account = ACCOUNT) => `arn:aws:sqs:eu-west-1:${account}:${name}`;
const queue = (name: string, more: object = {}) => ({
  provider_resource_id: arn(name),
  provider_type: "AWS::SQS::Queue",
  ...more,
});
const ids = (rows: { provider_resource_id: string }[]) =>
  rows.map((row) => row.provider_resource_id).toSorted();

async function start() {
  const org = newOrg(inventory);
  return { org, account: await org.account("aws", ACCOUNT) };
}

/** A page of the Cloud Control API's list. */
const queuesFrom = (from: number) => ({
  TypeName: "AWS::SQS::Queue",
  ResourceDescriptions: Array.from({ length: 1_000 }, (_, index) => ({
    Identifier: `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/q${from + index}`,
    Properties: JSON.stringify({ QueueName: `q${from + index}`, Arn: arn(`q${from + index}`) }),
  })),
});

describe("a pushed listing", () => {
  test("replaces the account's: what it doesn't name is gone, what it names again keeps its id", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a"), queue("b")]));
    const before = await org.resources();
    const scan = await org.pushListing(account, ndjson([queue("b", { name: "bee" }), queue("c")]));
    const after = await org.resources();
    expect(ids(after)).toEqual([arn("b"), arn("c")]);
    expect(scan.stats).toMatchObject({ seen: 2, created: 1, gone: 1 });
    const [b, again] = [before, after].map((rows) =>
      rows.find((row) => row.provider_resource_id === arn("b")),
    );
    expect(again).toMatchObject({ id: b!.id, name: "bee", first_seen_at: b!.first_seen_at });
    expect(again!.last_seen_at > b!.last_seen_at).toBe(true);
  });

  test("that can't be read to its end changes nothing and leaves no scan", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    await expect(org.startPush(account, `${ndjson([queue("b")])}{"cut":`)).rejects.toMatchObject({
      code: "unsupported_format",
      message: expect.stringContaining("line 2"),
    });
    expect(ids(await org.resources())).toEqual([arn("a")]);
    const { data } = await inventory.call(ListScans, { org_id: org.id, limit: 10 });
    expect(data.map(({ status }) => status)).toEqual(["succeeded"]);
    await org.pushListing(account, ndjson([queue("c")]));
  });

  test.each([
    ["a state", tfstate([]), "Terraform state"],
    [
      "a listing of another cloud",
      {
        assets: [
          {
            name: "//compute.googleapis.com/projects/p/global/networks/n",
            assetType: "compute.googleapis.com/Network",
            resource: { data: {} },
          },
        ],
      },
      "not a listing",
    ],
    ["something else", { hello: "world" }, "hello"],
  ])("is refused by its name when it is %s", async (_, body, name) => {
    const { org, account } = await start();
    await expect(org.startPush(account, body)).rejects.toMatchObject({
      code: "unsupported_format",
      message: expect.stringContaining(name),
    });
  });

  test("that is gone from the bus is refused, and holds up no other", async () => {
    const { org, account } = await start();
    const { ref } = await inventory.bodies.put(new Blob([ndjson([queue("a")])]).stream(), 1_000);
    await inventory.bodies.delete(ref);
    const asked = {
      org_id: org.id,
      account_id: account.id,
      requested_by: { type: "system", id: "test" } as const,
    };
    const gone = inventory.call(PushListing, { ...asked, body: { ref }, allow_empty: false });
    expect(await failureOf(gone)).toMatchObject({ code: "unavailable" });
    await org.pushListing(account, ndjson([queue("b")]));
    expect(ids(await org.resources())).toEqual([arn("b")]);
  });

  test("leaves out rows of another account, and is refused when all are", async () => {
    const { org, account } = await start();
    const foreign = { provider_resource_id: arn("x", "999999999999"), provider_type: "AWS::SQS::Queue" };
    const scan = await org.pushListing(account, ndjson([queue("a"), foreign]));
    expect(scan.stats).toMatchObject({ seen: 1, foreign: 1 });
    expect(ids(await org.resources())).toEqual([arn("a")]);
    await expect(org.startPush(account, ndjson([foreign]))).rejects.toMatchObject({
      code: "account_mismatch",
    });
    expect(ids(await org.resources())).toEqual([arn("a")]);
  });

  test("may name a resource twice; the row that tells more stays, and is matched", async () => {
    const { org, account } = await start();
    await org.pushState(
      await org.source("s"),
      tfstate([{ type: "aws_sqs_queue", name: "a", attributes: { id: "x", arn: arn("a") } }]),
    );
    await org.pushListing(account, ndjson([queue("a"), queue("a", { tags: { team: "core" } }), queue("b")]));
    const resources = await org.resources();
    expect(ids(resources)).toEqual([arn("a"), arn("b")]);
    expect(resources.find((row) => row.provider_resource_id === arn("a"))?.match.status).toBe("matched");
  });

  test("that names nothing removes nothing, unless it is meant or said twice", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    const first = await org.pushListing(account, "[]");
    expect(first).toMatchObject({ status: "partial", errors: [{ code: "empty_listing" }] });
    expect(await org.resources()).toHaveLength(1);
    expect((await org.pushListing(account, "[]")).status).toBe("succeeded");
    expect(await org.resources()).toHaveLength(0);

    await org.pushListing(account, ndjson([queue("a")]));
    expect((await org.pushListing(account, "[]", true)).status).toBe("succeeded");
    expect(await org.resources()).toHaveLength(0);
  });

  test("keeps no secret of what the cloud says", async () => {
    const { org, account } = await start();
    const properties = {
      Environment: { Variables: { DB_PASSWORD: "hunter2-canary", REGION: "eu" } },
      Note: "AKIAIOSFODNN7EXAMPLE",
    };
    await org.pushListing(
      account,
      ndjson([queue("a", { properties, tags: { token: "canary-token" }, name: "n" })]),
    );
    const [row] = await inventory.test.admin`select * from inventory.live_resources where org_id = ${org.id}`;
    const stored = JSON.stringify(row);
    expect(stored).not.toContain("hunter2-canary");
    expect(stored).not.toContain("AKIAIOSFODNN7EXAMPLE");
    expect(stored).not.toContain("canary-token");
    expect(JSON.parse(row?.["redactions"])).toEqual(["/Environment/Variables/DB_PASSWORD", "/Note"]);
  });

  test("holds texts of every kind, byte for byte", async () => {
    const { org, account } = await start();
    const name = `tab\t line\n quote" back\\slash {brace},comma \u{1F600} é`;
    const id = `arn:aws:sqs:eu-west-1:${ACCOUNT}:odd"\\,{}`;
    await org.pushListing(
      account,
      ndjson([{ ...queue("a"), provider_resource_id: id, name, tags: { 'k"\\': "v\n" } }]),
    );
    expect((await org.resources())[0]).toMatchObject({ provider_resource_id: id, name });
  });

  test("waits for no other: a second push meanwhile is told which scan is under way", async () => {
    const { org, account } = await start();
    const rows = ndjson(Array.from({ length: 3_000 }, (_, index) => queue(`q${index}`)));
    const pushes = await Promise.allSettled([org.startPush(account, rows), org.startPush(account, rows)]);
    const refused = pushes.find((push) => push.status === "rejected");
    expect(refused?.reason).toMatchObject({
      code: "scan_in_progress",
      fields: { scan_id: expect.any(String) },
    });
    expect(pushes.filter((push) => push.status === "fulfilled")).toHaveLength(1);
  });

  test("of ten thousand resources over many documents is one scan", async () => {
    const { org, account } = await start();
    const pages = Array.from({ length: 10 }, (_, index) =>
      JSON.stringify(queuesFrom(index * 1_000), null, 2),
    ).join("\n");
    const scan = await org.pushListing(account, pages);
    expect(scan).toMatchObject({
      format: "AWS Cloud Control list-resources",
      stats: { seen: 10_000, created: 10_000 },
    });
  });
});

/** Twenty of them are more than is written at once. */
const wide = (name: string, more: object = {}) =>
  queue(name, { properties: { Description: "-".repeat(200_000) }, ...more });
const wideFrom = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from }, (_, index) => wide(`q${from + index}`, more));
const url = (name: string) => `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/${name}`;
const declaredQueue = (name: string) => ({
  type: "aws_sqs_queue",
  name,
  attributes: { id: url(name), arn: arn(name) },
});

const instance = (provider_resource_id: string) => ({
  provider_resource_id,
  provider_type: "AWS::EC2::Instance",
  region: "eu-west-1",
});

const declaredInstance = (id: string) => ({ type: "aws_instance", name: id.slice(0, 3), attributes: { id } });

describe("a listing that is written piece by piece", () => {
  test("enters what is new, rewrites what has changed, removes what is gone, and nothing else", async () => {
    const { org, account } = await start();
    const versions = async () => {
      const rows = await inventory.test.admin`
        select provider_resource_id as id, name, xmin::text as version
          from inventory.live_resources
         where org_id = ${org.id}
      `;
      return new Map(rows.map(({ id, name, version }) => [id, { name, version }]));
    };
    await org.pushListing(account, ndjson(wideFrom(0, 40)));
    const before = await versions();
    const listing = [...wideFrom(10, 20, { name: "renamed" }), ...wideFrom(20, 40), ...wideFrom(40, 50)];
    const { stats } = await org.pushListing(account, ndjson(listing));
    expect(stats).toMatchObject({ seen: 40, created: 10, gone: 10, undeclared: 40 });
    const after = await versions();
    expect(new Set(after.keys())).toEqual(new Set(ids(listing)));
    for (const index of Array.from({ length: 30 }, (_, index) => index + 10)) {
      const [was, is] = [before, after].map((all) => all.get(arn(`q${index}`)));
      expect(is?.name).toBe(index < 20 ? "renamed" : null);
      expect(is?.version === was?.version).toBe(index >= 20);
    }
  });

  test("and breaks off late changes nothing", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    const cut = org.startPush(account, `${ndjson(wideFrom(0, 40))}{"cut":`);
    expect(await failureOf(cut)).toMatchObject({ code: "unsupported_format" });
    expect(ids(await org.resources())).toEqual([arn("a")]);
  });

  test("may name a resource again long after, with more: that stays, and is matched", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate([declaredQueue("a"), declaredQueue("q0")]));
    await org.pushListing(account, ndjson([queue("a", { name: "old" })]));
    const listing = [queue("q0"), queue("a"), ...wideFrom(1, 40), queue("a", { tags: { team: "core" } })];
    listing.push(queue("q0", { name: "late", tags: { team: "core" } }), queue("q0", { name: "less" }));
    const { stats } = await org.pushListing(account, ndjson(listing));
    expect(stats).toMatchObject({ seen: 44, created: 40, gone: 0, matched: 2, undeclared: 39 });
    expect(await org.resources({ q: ":q0" })).toMatchObject([{ name: "late", match: { status: "matched" } }]);
  });

  test("leaves a declaration open that two of its resources, far apart, seem to be", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate([declaredQueue("a")]));
    const byUrl = { ...queue("a"), provider_resource_id: url("a") };
    await org.pushListing(account, ndjson([queue("a"), ...wideFrom(0, 40), byUrl]));
    expect(await org.resources({ match: "matched" })).toEqual([]);
    expect(await org.declared()).toMatchObject([{ match: { status: "missing" } }]);

    await org.pushListing(account, ndjson([byUrl]));
    expect(ids(await org.resources({ match: "matched" }))).toEqual([url("a")]);
    expect(await org.declared()).toMatchObject([{ match: { status: "matched" } }]);
  });

  test("is nothing that a declaration's name only begins like, whatever that name holds", async () => {
    const { org, account } = await start();
    for (const [index, end] of ["\u001Ex", "\u001Fx"].entries())
      await org.pushState(
        await org.source(`s${index}`),
        tfstate([declaredInstance(`i-1${end}`), declaredInstance("i-2")]),
      );
    await org.pushListing(account, ndjson([instance("i-1"), instance("i-2")]));
    expect(ids(await org.resources({ match: "matched" }))).toEqual(["i-2"]);
  });

  test("gives a declaration to the surer of two resources, though the other came first", async () => {
    const { org, account } = await start();
    const sure = `arn:aws:ec2:eu-west-1:${ACCOUNT}:instance/i-1`;
    const attributes = { id: "i-1", arn: sure };
    await org.pushState(await org.source("s"), tfstate([{ type: "aws_instance", name: "a", attributes }]));
    await org.pushListing(account, ndjson([instance("i-1"), ...wideFrom(0, 40), instance(sure)]));
    const [matched, another] = await org.resources({ match: "matched" });
    expect([matched?.provider_resource_id, another]).toEqual([sure, undefined]);
    expect(await org.declared()).toMatchObject([{ match: { live_resource_id: matched!.id } }]);
  });
});

/** Everything that a listing leaves behind, but for ids that are made. */
const standing = (orgId: string) => inventory.test.admin`
  select l.provider_resource_id as live, l.match_status, l.match_level, l.match_conflict, s.name, i.address,
         (
           select array_agg(j.address || m.level || m.contested order by j.address, m.level)
             from inventory.matches m
             join inventory.iac_resources j on j.org_id = m.org_id and j.id = m.iac_resource_id
            where m.org_id = l.org_id and m.live_resource_id = l.id
         ) as matches,
         a.live_count, a.matched_count, a.missing_count, a.observed_types
    from inventory.live_resources l
    join inventory.cloud_accounts a on a.org_id = l.org_id and a.id = l.cloud_account_id
    left join inventory.iac_resources i on i.org_id = l.org_id and i.id = l.iac_resource_id
    left join inventory.iac_sources s on s.org_id = i.org_id and s.id = i.source_id
   where l.org_id = ${orgId}
   order by 1
`;

describe("the first listing of an account", () => {
  test("may name a resource twice, the second time long after: the row that tells more stays, and is matched", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate([declaredQueue("q0")]));
    const listing = [queue("q0"), ...wideFrom(1, 20), queue("q0", { name: "late", tags: { team: "core" } })];
    const { stats } = await org.pushListing(account, ndjson(listing));
    expect(stats).toMatchObject({ seen: 21, created: 20, gone: 0, matched: 1, undeclared: 19 });
    expect(await org.resources({ q: ":q0" })).toMatchObject([{ name: "late", match: { status: "matched" } }]);
  });

  test("may name a resource twice in a gzip that inflates to many times its size, too", async () => {
    const { org, account } = await start();
    const names = Array.from({ length: 40_000 }, () => crypto.randomUUID() + crypto.randomUUID());
    const properties = { Description: "-".repeat(900) };
    const listing = [...names, ...names.slice(15_000, 15_010), ...names.slice(-1)].map((name) =>
      queue(name, { properties }),
    );
    listing.splice(20_000, 0, queue(names[0]!, { properties }));
    const sent = Bun.gzipSync(ndjson(listing));
    expect(sent.length).toBeGreaterThan(3 * 512 * 1024);
    const { stats } = await org.pushListing(account, sent);
    expect(stats).toMatchObject({ seen: 40_012, created: 40_000, gone: 0, undeclared: 40_000 });
  }, 60_000);

  test("that breaks off late leaves the account empty", async () => {
    const { org, account } = await start();
    const cut = org.startPush(account, `${ndjson(wideFrom(0, 40))}{"cut":`);
    expect(await failureOf(cut)).toMatchObject({ code: "unsupported_format" });
    expect(await org.resources()).toEqual([]);
    expect((await inventory.call(ListScans, { org_id: org.id, limit: 1 })).data).toEqual([]);
  });

  test("gives what the same gives where there was another before", async () => {
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
      { numRuns: 25 },
    );
  }, 120_000);
});

describe("what is listed under another id than before", () => {
  test("takes the match along", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate([declaredQueue("a")]));
    await org.pushListing(account, ndjson([queue("a")]));
    const byUrl = { ...queue("a"), provider_resource_id: url("a") };
    // Named twice, so that it is matched anew: what is gone has no say in it.
    await org.pushListing(account, ndjson([byUrl, { ...byUrl, tags: { team: "core" } }]));
    const [live] = await org.resources();
    expect(live).toMatchObject({ provider_resource_id: url("a"), match: { status: "matched" } });
    expect(await org.declared()).toMatchObject([{ match: { live_resource_id: live!.id } }]);
  });

  test("is known again when that can't be stored as it is", async () => {
    const { org, account } = await start();
    const odd = ndjson([queue("a\u0000b"), queue("a\uD800b"), { ...queue("c"), provider_type: "T\u0000" }]);
    expect((await org.pushListing(account, odd)).stats).toMatchObject({ seen: 3, created: 2 });
    expect((await org.pushListing(account, odd)).stats).toMatchObject({ seen: 3, created: 0, gone: 0 });
  });
});

describe("a scan", () => {
  test("of an account without credentials is refused with the way to push", async () => {
    const { org, account } = await start();
    await expect(
      inventory.call(CreateScan, {
        org_id: org.id,
        account_id: account.id,
        requested_by: { type: "system", id: "t" },
      }),
    ).rejects.toMatchObject({ code: "no_credentials", message: expect.stringContaining("/listing") });
  });

  test("that has ended can't be canceled", async () => {
    const { org, account } = await start();
    const scan = await org.pushListing(account, "[]");
    await expect(inventory.call(CancelScan, { org_id: org.id, scan_id: scan.id })).rejects.toMatchObject({
      code: "not_cancelable",
    });
  });

  test("that is canceled while its listing waits takes nothing over, and stays canceled", async () => {
    const { org, account } = await start();
    const { admin } = inventory.test;
    const pushed = await admin.begin(async (blocking) => {
      await blocking`select pg_advisory_xact_lock(hashtextextended(${`match ${org.id}`}, 0))`;
      const push = org.startPush(account, ndjson([queue("a")])).catch((error: unknown) => error);
      let [scan] = (await inventory.call(ListScans, { org_id: org.id, limit: 1 })).data;
      while (!scan) [scan] = (await inventory.call(ListScans, { org_id: org.id, limit: 1 })).data;
      await inventory.call(CancelScan, { org_id: org.id, scan_id: scan.id });
      return { push, id: scan.id };
    });
    expect(await pushed.push).toMatchObject({ code: "conflict", message: "the scan was canceled" });
    expect(await org.scan(pushed.id)).toMatchObject({ status: "canceled" });
    expect(await org.resources()).toEqual([]);
  });

  test("that nobody works on any more is given up, and the account is free again", async () => {
    const { org, account } = await start();
    const { admin } = inventory.test;
    await admin`
      insert into inventory.scans (org_id, id, account_id, kind, trigger, status, phase, requested_by, touched_at)
      values (${org.id}, ${Bun.randomUUIDv7()}, ${account.id}, 'full', 'push', 'running', 'discover', '{"type":"system","id":"t"}',
              now() - interval '1 hour')
    `;
    for (;;) {
      const { data } = await inventory.call(ListScans, { org_id: org.id, limit: 1 });
      if (data[0]?.status === "failed") break;
      await Bun.sleep(50);
    }
    await org.pushListing(account, ndjson([queue("a")]));
  }, 15_000);
});
