import { describe, expect, test } from "bun:test";

import { ListScans } from "@leeway/shared/contracts/inventory/scans";
import { failureOf } from "@leeway/shared/testing/testing";

import { ndjson } from "./kit.ts";
import { ACCOUNT, arn, ids, pushing, queue } from "./pushing.ts";

const service = pushing();
const start = () => service.start();

const [OTHER, THIRD] = ["999999999999", "888888888888"] as const;
const queueOf = (account: string, index: number) => ({
  provider_resource_id: arn(`q${index}`, account),
  provider_type: "AWS::SQS::Queue",
});
const queuesOf = (account: string, count: number) =>
  Array.from({ length: count }, (_, index) => queueOf(account, index));
/** Builds a bucket, whose ARN names no account. */
const bucket = (name: string) => ({
  provider_resource_id: `arn:aws:s3:::${name}`,
  provider_type: "AWS::S3::Bucket",
});

describe("a listing with rows of other accounts", () => {
  test("is accepted without them if they are at most a tenth", async () => {
    const { org, account } = await start();
    const scan = await org.pushListing(account, ndjson([...queuesOf(ACCOUNT, 9), queueOf(OTHER, 0)]));
    expect(scan.stats).toMatchObject({ seen: 9, foreign: 1 });
    expect(await org.resources()).toHaveLength(9);
  });

  test("is refused if they are more, and the error names the accounts by number of rows", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    const rows = [...queuesOf(ACCOUNT, 90), queueOf(THIRD, 0), ...queuesOf(OTHER, 10)];
    expect(await failureOf(org.startPush(account, ndjson(rows)))).toMatchObject({
      code: "account_mismatch",
      message: `other accounts own 11 of the 101 resources that name an account: ${OTHER} (10), ${THIRD} (1). This account is ${ACCOUNT}. Push the listing to the account it belongs to, or add ?allow_foreign=true to accept only this account's rows.`,
      fields: {
        accounts: [
          { external_id: OTHER, resources: 10 },
          { external_id: THIRD, resources: 1 },
        ],
      },
    });
  });

  test("changes no resources, counts or scans when it is refused", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a"), bucket("own")]));
    const [resources, posture] = [await org.resources(), await org.posture()];
    const rows = [...queuesOf(OTHER, 209), ...Array.from({ length: 28 }, (_, at) => bucket(`b${at}`))];
    for (const allow_foreign of [false, true]) {
      expect(await failureOf(org.startPush(account, ndjson(rows), { allow_foreign }))).toMatchObject({
        code: "account_mismatch",
        fields: { own_resources: 0 },
      });
    }
    expect([await org.resources(), await org.posture()]).toEqual([resources, posture]);
    const { data } = await service.inventory.call(ListScans, { org_id: org.id, limit: 10 });
    expect(data).toHaveLength(1);
  });

  test("is refused as a first listing of any size and leaves the account empty", async () => {
    const { org, account } = await start();
    const rows = [...queuesOf(ACCOUNT, 5_000), ...queuesOf(OTHER, 5_000)];
    expect(await failureOf(org.startPush(account, ndjson(rows)))).toMatchObject({
      code: "account_mismatch",
      fields: { accounts: [{ external_id: OTHER, resources: 5_000 }] },
    });
    expect(await org.resources()).toEqual([]);
  });

  test("is accepted without them if the caller allows it", async () => {
    const { org, account } = await start();
    const rows = ndjson([queue("a"), bucket("b"), ...queuesOf(OTHER, 5)]);
    const scan = await org.pushListing(account, rows, { allow_foreign: true });
    expect(scan).toMatchObject({ status: "succeeded", stats: { seen: 2, foreign: 5 } });
    expect(ids(await org.resources())).toEqual(["arn:aws:s3:::b", arn("a")]);
  });

  test("is always refused if all rows that name an account are foreign", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    const rows = ndjson(queuesOf(OTHER, 3));
    for (const allow_foreign of [false, true]) {
      expect(await failureOf(org.startPush(account, rows, { allow_foreign }))).toMatchObject({
        code: "account_mismatch",
        message: `other accounts own all 3 resources that name an account: ${OTHER} (3). This account is ${ACCOUNT}. Push the listing to the account it belongs to.`,
      });
    }
    expect(ids(await org.resources())).toEqual([arn("a")]);
  });

  test("gets an error that names at most twenty accounts, those with the most rows", async () => {
    const { org, account } = await start();
    const rows = Array.from({ length: 30 }, (_, index) => queuesOf(`${100_000_000_000 + index}`, index + 1));
    const shown = Array.from({ length: 20 }, (_, index) => ({
      external_id: String(100_000_000_029 - index),
      resources: 30 - index,
    }));
    expect(await failureOf(org.startPush(account, ndjson(rows.flat())))).toMatchObject({
      fields: { accounts: shown },
    });
  });
});

test("rows without an account don't count for the limit", async () => {
  const { org, account } = await start();
  const buckets = Array.from({ length: 100 }, (_, index) => bucket(`b${index}`));
  const rows = [...buckets, queue("a"), queueOf(OTHER, 0)];
  expect(await failureOf(org.startPush(account, ndjson(rows)))).toMatchObject({
    code: "account_mismatch",
    fields: { own_resources: 101 },
  });
  const shared = ndjson([...buckets, queueOf(OTHER, 0)]);
  const allowed = await org.pushListing(account, shared, { allow_foreign: true });
  expect(allowed.stats).toMatchObject({ seen: 100, foreign: 1 });
  expect((await org.pushListing(account, ndjson(buckets))).stats).toMatchObject({ seen: 100 });
});
