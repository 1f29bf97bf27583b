import { describe, expect, test } from "bun:test";
import { PurgeInventory } from "@leeway/shared/contracts/inventory/accounts";
import { GetResource } from "@leeway/shared/contracts/inventory/resources";
import { CancelScan, CreateScan, ListScans, PushListing } from "@leeway/shared/contracts/inventory/scans";
import { failureOf } from "@leeway/shared/testing/testing";

import { dropScan, noteProgress } from "../src/scans/store/pushed.ts";
import { ndjson, tfstate } from "./kit.ts";
import { ACCOUNT, arn, ids, pushing, queue } from "./pushing.ts";

const service = pushing();
const { start } = service;

/** Builds a page of a Cloud Control listing. */
const queuesFrom = (from: number) => ({
  TypeName: "AWS::SQS::Queue",
  ResourceDescriptions: Array.from({ length: 1_000 }, (_, index) => ({
    Identifier: `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/q${from + index}`,
    Properties: JSON.stringify({ QueueName: `q${from + index}`, Arn: arn(`q${from + index}`) }),
  })),
});

/** Waits until `count` statements wait for a lock in the database. */
async function untilWaiting(count: number): Promise<void> {
  while ((await waiting()) < count) await Bun.sleep(10);
}

async function untilNoneWaits(): Promise<void> {
  while ((await waiting()) > 0) await Bun.sleep(10);
}

async function waiting(): Promise<number> {
  const locks = await service.inventory.test.admin`
    select from pg_locks l join pg_database d on d.oid = l.database
     where not l.granted
       and d.datname = current_database()
  `;
  return locks.length;
}

describe("a pushed listing", () => {
  test("replaces the account's: absent resources are removed, others keep their ids", async () => {
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

  test("replaces properties of a resource that isn't enriched, even after a failure", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a", { properties: { DelaySeconds: 5, Tags: ["x"] } })]));
    const [row] = await org.resources();
    const shown = async (properties: object) => {
      await org.pushListing(account, ndjson([queue("a", { properties })]));
      return service.inventory.call(GetResource, { org_id: org.id, resource_id: row!.id });
    };
    expect(await shown({ DelaySeconds: 6 })).toMatchObject({ enrichment_status: "none" });
    expect((await shown({ DelaySeconds: 7 })).properties).toEqual({ DelaySeconds: 7 });
    await service.inventory.test.admin`
      update inventory.live_resources
         set enrichment_status = 'failed', enrichment_failure_reason = 'permission_denied: no'
       where id = ${row!.id}
    `;
    const failed = await shown({ Policy: "{}" });
    expect(failed.properties).toEqual({ Policy: "{}" });
    expect(failed).toMatchObject({
      enrichment_status: "failed",
      enrichment_failure_reason: "permission_denied: no",
    });
  });

  test("that can't be read to the end changes nothing and leaves no scan", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    await expect(org.startPush(account, `${ndjson([queue("b")])}{"cut":`)).rejects.toMatchObject({
      code: "unsupported_format",
      message: expect.stringContaining("line 2"),
    });
    expect(ids(await org.resources())).toEqual([arn("a")]);
    const { data } = await service.inventory.call(ListScans, { org_id: org.id, limit: 10 });
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
  ])("is refused with its kind if it is %s", async (_, body, name) => {
    const { org, account } = await start();
    await expect(org.startPush(account, body)).rejects.toMatchObject({
      code: "unsupported_format",
      message: expect.stringContaining(name),
    });
  });

  test.each<[string, string | Uint8Array]>([
    ["an empty body", ""],
    ["an empty gzip", Bun.gzipSync("")],
  ])("isn't accepted as %s, however often it is sent", async (_, body) => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    for (let times = 0; times < 2; times += 1) {
      await expect(org.startPush(account, body)).rejects.toMatchObject({
        message: "the request needs a body",
      });
    }
    expect(ids(await org.resources())).toEqual([arn("a")]);
  });

  test("that was deleted from the bus is refused without blocking the next", async () => {
    const { org, account } = await start();
    const { ref } = await service.inventory.bodies.put(new Blob([ndjson([queue("a")])]).stream(), 1_000);
    await service.inventory.bodies.delete(ref);
    const asked = {
      org_id: org.id,
      account_id: account.id,
      requested_by: { type: "system", id: "test" } as const,
    };
    const gone = service.inventory.call(PushListing, { ...asked, body: { ref }, allow_empty: false });
    expect(await failureOf(gone)).toMatchObject({ code: "unavailable" });
    await org.pushListing(account, ndjson([queue("b")]));
    expect(ids(await org.resources())).toEqual([arn("b")]);
  });

  test("may repeat a resource: the more detailed row is kept and matched", async () => {
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

  test("detects a resource recreated with the same id, even after listings without dates", async () => {
    const { org, account } = await start();
    const bucket = {
      ARN: "arn:aws:s3:::b",
      accountId: ACCOUNT,
      resourceType: "AWS::S3::Bucket",
      resourceId: "b",
    };
    const made = (year: number) => ({ ...bucket, resourceCreationTime: `${year}-01-01T00:00:00Z` });
    const statusAfter = async (listing: object) => {
      await org.pushListing(account, listing);
      const [row] = await org.resources();
      return row?.enrichment_status;
    };
    const configuration = JSON.stringify({ name: "b" });
    expect(await statusAfter({ configurationItems: [{ ...made(2024), configuration }] })).toBe("enriched");
    expect(await statusAfter({ ResourceTagMappingList: [{ ResourceARN: bucket.ARN, Tags: [] }] })).toBe(
      "enriched",
    );
    expect(await statusAfter({ Results: [JSON.stringify(made(2024))] })).toBe("enriched");
    expect(await statusAfter({ ResourceTagMappingList: [{ ResourceARN: bucket.ARN, Tags: [] }] })).toBe(
      "enriched",
    );
    expect(await statusAfter({ Results: [JSON.stringify(made(2025))] })).toBe("none");
  });

  test("without rows removes nothing unless it is allowed or repeated", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    const first = await org.pushListing(account, "[]");
    expect(first).toMatchObject({ status: "partial", errors: [{ code: "empty_listing" }] });
    expect(await org.resources()).toHaveLength(1);
    expect((await org.pushListing(account, "[]")).status).toBe("succeeded");
    expect(await org.resources()).toHaveLength(0);

    await org.pushListing(account, ndjson([queue("a")]));
    expect((await org.pushListing(account, "[]", { allow_empty: true })).status).toBe("succeeded");
    expect(await org.resources()).toHaveLength(0);
  });

  test.each([
    ["a line break", "\n"],
    ["a byte order mark and Windows line breaks", "\uFEFF\r\n"],
    ["a gzip of a space", Bun.gzipSync(Buffer.from(" "))],
  ])("isn't accepted as %s, however often it is sent", async (_, nothing) => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    for (let time = 0; time < 3; time += 1) {
      const refused = { code: "invalid_parameter", message: "the request needs a body" };
      expect(await failureOf(org.startPush(account, nothing))).toMatchObject(refused);
    }
    expect(await org.resources()).toHaveLength(1);
  });

  test("without rows is accepted the second time, even after a drift computation", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    await org.pushListing(account, "[]");
    const { id } = await service.inventory.call(CreateScan, {
      org_id: org.id,
      account_id: account.id,
      kind: "drift",
      requested_by: { type: "system", id: "t" },
    });
    while ((await org.scan(id)).finished_at === undefined) await Bun.sleep(10);
    expect((await org.pushListing(account, "[]")).status).toBe("succeeded");
    expect(await org.resources()).toEqual([]);
  });

  test("is stored without secrets", async () => {
    const { org, account } = await start();
    const properties = {
      Environment: { Variables: { DB_PASSWORD: "hunter2-canary", REGION: "eu" } },
      Note: "AKIAIOSFODNN7EXAMPLE",
    };
    await org.pushListing(
      account,
      ndjson([queue("a", { properties, tags: { token: "canary-token" }, name: "n" })]),
    );
    const [row] = await service.inventory.test
      .admin`select * from inventory.live_resources where org_id = ${org.id}`;
    const stored = JSON.stringify(row);
    expect(stored).not.toContain("hunter2-canary");
    expect(stored).not.toContain("AKIAIOSFODNN7EXAMPLE");
    expect(stored).not.toContain("canary-token");
    expect(JSON.parse(row?.["redactions"])).toEqual(["/Environment/Variables/DB_PASSWORD", "/Note"]);
  });

  test("is stored without the value of an API key", async () => {
    const { org, account } = await start();
    const Properties = JSON.stringify({ APIKeyId: "a1", Name: "partner", Value: "hunter2-canary" });
    await org.pushListing(account, {
      TypeName: "AWS::ApiGateway::ApiKey",
      ResourceDescription: { Identifier: "a1", Properties },
    });
    const [row] = await service.inventory.test
      .admin`select properties, redactions from inventory.live_resources where org_id = ${org.id}`;
    expect(row?.["properties"]).toContain("partner");
    expect(row?.["properties"]).not.toContain("hunter2-canary");
    expect(JSON.parse(row?.["redactions"])).toEqual(["/Value"]);
  });

  test("keeps any text unchanged", async () => {
    const { org, account } = await start();
    const name = `tab\t line\n quote" back\\slash {brace},comma \u{1F600} é`;
    const id = `arn:aws:sqs:eu-west-1:${ACCOUNT}:odd"\\,{}`;
    await org.pushListing(
      account,
      ndjson([{ ...queue("a"), provider_resource_id: id, name, tags: { 'k"\\': "v\n" } }]),
    );
    expect((await org.resources())[0]).toMatchObject({ provider_resource_id: id, name });
  });

  test("during another is refused with the id of the running scan", async () => {
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

  test("of 10,000 resources in many documents is one scan", async () => {
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

describe("a scan", () => {
  test("of an account without credentials is refused with instructions to push", async () => {
    const { org, account } = await start();
    await expect(
      service.inventory.call(CreateScan, {
        org_id: org.id,
        account_id: account.id,
        requested_by: { type: "system", id: "t" },
      }),
    ).rejects.toMatchObject({ code: "no_credentials", message: expect.stringContaining("/listing") });
  });

  test("that has ended can't be cancelled", async () => {
    const { org, account } = await start();
    const scan = await org.pushListing(account, "[]");
    await expect(
      service.inventory.call(CancelScan, { org_id: org.id, scan_id: scan.id }),
    ).rejects.toMatchObject({
      code: "not_cancelable",
    });
  });

  test("can't be cancelled during its drift computation", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a"), queue("b")]));
    const { admin } = service.inventory.test;
    const scan = await admin.begin(async (blocking) => {
      await blocking`select pg_advisory_xact_lock(hashtextextended(${`compute drift ${account.id}`}, 0))`;
      const { id } = await org.startPush(account, ndjson([queue("b")]));
      await expect(service.inventory.call(CancelScan, { org_id: org.id, scan_id: id })).rejects.toMatchObject(
        {
          code: "not_cancelable",
        },
      );
      return org.scan(id);
    });
    expect(scan).toMatchObject({ status: "running", phase: "drift" });
    expect(ids(await org.resources())).toEqual([arn("b")]);
  });

  test("is kept once it is the inventory, even if the database connection is lost", async () => {
    const { org, account } = await start();
    const { admin } = service.inventory.test;
    const id = await admin.begin(async (blocking) => {
      await blocking`select pg_advisory_xact_lock(hashtextextended(${`compute drift ${account.id}`}, 0))`;
      const scan = await org.startPush(account, ndjson([queue("a")]));
      await dropScan(service.inventory.database.org(org.id), scan.id);
      return scan.id;
    });
    while ((await org.scan(id)).finished_at === undefined) await Bun.sleep(10);
    expect(await org.scan(id)).toMatchObject({ status: "succeeded" });
  });

  test("reports all resources although a progress update arrives late", async () => {
    const { org, account } = await start();
    const { admin } = service.inventory.test;
    const stats = await admin.begin(async (blocking) => {
      await blocking`select pg_advisory_xact_lock(hashtextextended(${`compute drift ${account.id}`}, 0))`;
      const { id } = await org.startPush(account, ndjson([queue("a"), queue("b")]));
      await noteProgress(service.inventory.database.org(org.id), id, 1);
      return (await org.scan(id)).stats;
    });
    expect(stats).toMatchObject({ seen: 2 });
  });

  test("cancelled while its listing waits changes nothing and stays cancelled", async () => {
    const { org, account } = await start();
    const { admin } = service.inventory.test;
    const pushed = await admin.begin(async (blocking) => {
      await blocking`select pg_advisory_xact_lock(hashtextextended(${`match ${org.id}`}, 0))`;
      const push = org.startPush(account, ndjson([queue("a")])).catch((error: unknown) => error);
      let [scan] = (await service.inventory.call(ListScans, { org_id: org.id, limit: 1 })).data;
      while (!scan) [scan] = (await service.inventory.call(ListScans, { org_id: org.id, limit: 1 })).data;
      await service.inventory.call(CancelScan, { org_id: org.id, scan_id: scan.id });
      return { push, id: scan.id };
    });
    expect(await pushed.push).toMatchObject({
      code: "conflict",
      message: "the scan was canceled during the push",
    });
    expect(await org.scan(pushed.id)).toMatchObject({ status: "canceled" });
    expect(await org.resources()).toEqual([]);
  });

  test("cancelled while its statement waits stops that statement", async () => {
    const { org, account } = await start();
    const { admin } = service.inventory.test;
    await admin.begin(async (blocking) => {
      await blocking`select pg_advisory_xact_lock(hashtextextended(${`match ${org.id}`}, 0))`;
      const push = failureOf(org.startPush(account, JSON.stringify(queuesFrom(0))));
      await untilWaiting(1);
      const [scan] = (await service.inventory.call(ListScans, { org_id: org.id, limit: 1 })).data;
      await service.inventory.call(CancelScan, { org_id: org.id, scan_id: scan!.id });
      expect(await push).toMatchObject({ message: "the scan was canceled during the push" });
      await untilNoneWaits();
      expect(await org.scan(scan!.id)).toMatchObject({ status: "canceled" });
    });
    expect(await org.resources()).toEqual([]);
  });

  test("whose account is deleted while it waits fails with that reason", async () => {
    const { org, account } = await start();
    const { admin } = service.inventory.test;
    const push = await admin.begin(async (blocking) => {
      await blocking`select pg_advisory_xact_lock(hashtextextended(${`match ${org.id}`}, 0))`;
      const push = org.startPush(account, ndjson([queue("a")])).catch((error: unknown) => error);
      const open = () => service.inventory.call(ListScans, { org_id: org.id, limit: 1 });
      while ((await open()).data.length === 0) await Bun.sleep(10);
      await admin`delete from inventory.cloud_accounts where id = ${account.id}`;
      return { push };
    });
    expect(await push.push).toMatchObject({
      code: "conflict",
      message: "the account was deleted during the push",
    });
    expect(await org.resources()).toEqual([]);
  });

  test("of an organization that is deleted leaves nothing behind", async () => {
    const { org, account } = await start();
    const { admin } = service.inventory.test;
    const forgotten = await admin.begin(async (blocking) => {
      // The push stops here, after every insert except its snapshot.
      await blocking`lock table inventory.drift_snapshots in share mode`;
      const push = org.startPush(account, ndjson([queue("a")])).catch(() => undefined);
      await untilWaiting(1);
      const purge = service.inventory.call(PurgeInventory, { org_id: org.id });
      await untilWaiting(2);
      return { done: Promise.all([push, purge]) };
    });
    await forgotten.done;
    expect(await admin`select from inventory.live_resources where org_id = ${org.id}`).toHaveLength(0);
  });

  test("abandoned by its worker fails, and the account is free again", async () => {
    const { org, account } = await start();
    const { admin } = service.inventory.test;
    await admin`
      insert into inventory.scans (org_id, id, account_id, kind, trigger, status, phase, requested_by, touched_at)
      values (${org.id}, ${Bun.randomUUIDv7()}, ${account.id}, 'full', 'push', 'running', 'discover', '{"type":"system","id":"t"}',
              now() - interval '1 hour')
    `;
    for (;;) {
      const { data } = await service.inventory.call(ListScans, { org_id: org.id, limit: 1 });
      if (data[0]?.status === "failed") break;
      await Bun.sleep(50);
    }
    await org.pushListing(account, ndjson([queue("a")]));
  });
});
