import { describe, expect, test } from "bun:test";

import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { createAwsConnector } from "./aws-connector.ts";
import { ACCESS_KEY, ACCOUNT, resourcesOf, serveAws } from "./aws.fixture.ts";
import { answering, recording, RECORDINGS, REGION, shardOf } from "./recordings.fixture.ts";

describe.skipIf(!hasCorpus)("a recorded account (skipped without the corpus)", () => {
  test("includes lists of types and of tags", () => {
    const services = new Set(RECORDINGS.map((path) => shardOf(recording(path)).service));
    expect([...services].toSorted()).toEqual(["bedrockmantle", "kinesis", "logs", "tagging"]);
  });

  test.each(RECORDINGS)("has the same resources when scanned and when pushed: %s", async (path) => {
    const page = recording(path);
    await using cloud = serveAws(answering(page));
    const connector = createAwsConnector({
      credentials: {
        kind: "static",
        access_key_id: ACCESS_KEY.accessKeyId,
        secret_access_key: ACCESS_KEY.secretAccessKey,
      },
      accountId: ACCOUNT,
      externalId: "org-7",
      endpoint: cloud.endpoint,
    });
    const documents = await Array.fromAsync(connector.list(shardOf(page), AbortSignal.timeout(10_000)));
    const pushed = await resourcesOf([{ Region: REGION, AccountId: ACCOUNT, ...page }]);
    expect(pushed.length).toBeGreaterThan(0);
    expect(await resourcesOf(documents)).toEqual(pushed);
  });
});
