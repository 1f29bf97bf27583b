import { describe, expect, test } from "bun:test";

import { isObject, type JsonObject, member, members, text } from "@leeway/shared/json";

import { corpusFiles, corpusJson, hasCorpus } from "../../clouds/corpus.fixture.ts";
import type { Shard } from "../connector.ts";
import { createAwsConnector } from "./aws-connector.ts";
import {
  ACCESS_KEY,
  ACCOUNT,
  type Answer,
  asAccount,
  type Call,
  pageOf,
  resourcesOf,
  serveAws,
} from "./aws.fixture.ts";

const REGION = "us-east-1";
const RECORDINGS = corpusFiles(
  "live-listings/{cloud-custodian-aws/*{cloudcontrolapi.ListResources,tagging.GetResources}_*,aws-cli-examples/{cloudcontrol--list-resources,resourcegroupstaggingapi--get-resources}}.json",
);

/** A recorded answer; recordings of tests keep it in `data`. */
function recording(path: string): JsonObject {
  const document = corpusJson(path);
  return isObject(document) ? (member(document, "data") ?? document) : {};
}

function shardOf(page: JsonObject): Shard {
  const service = text(page, "TypeName")?.split("::")[1]?.toLowerCase() ?? "tagging";
  return { service, region: REGION };
}

/** The recording, two rows to a page, for whoever asks for its type or its tags. */
function answering(page: JsonObject) {
  return asAccount(({ action, input }: Call): Answer => {
    const type = text(page, "TypeName");
    const isAsked = type === undefined ? action === "tag:GetResources" : text(input, "TypeName") === type;
    if (!isAsked && action === "tag:GetResources") return { body: { ResourceTagMappingList: [] } };
    if (!isAsked) return { status: 400, code: "TypeNotFoundException" };
    const [rows, token] =
      type === undefined
        ? (["ResourceTagMappingList", "PaginationToken"] as const)
        : (["ResourceDescriptions", "NextToken"] as const);
    const part = pageOf(members(page, rows), 2, text(input, token));
    return { body: { ...page, [rows]: part.rows, [token]: part.next ?? "" } };
  });
}

describe.skipIf(!hasCorpus)("an account that answers as recorded (skipped without the corpus)", () => {
  test("gave lists of types and of tags", () => {
    const services = new Set(RECORDINGS.map((path) => shardOf(recording(path)).service));
    expect([...services].toSorted()).toEqual(["bedrockmantle", "kinesis", "logs", "tagging"]);
  });

  test.each(RECORDINGS)("has the same resources as the pushed recording: %s", async (path) => {
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
    const pushed = await resourcesOf([page]);
    expect(pushed.length).toBeGreaterThan(0);
    expect(await resourcesOf(documents)).toEqual(pushed);
  });
});
