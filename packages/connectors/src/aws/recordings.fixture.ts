import { corpusFiles, corpusJson } from "@leeway/clouds/corpus.fixture";
import { isObject, type JsonObject, member, members, text } from "@leeway/shared/values/json";

import type { Shard } from "../connector.ts";
import { type Answer, asAccount, type Call, pageOf } from "./aws.fixture.ts";

export const REGION = "us-east-1";
/** Recordings of list calls that the connector makes. */
export const RECORDINGS = corpusFiles(
  "live-listings/{cloud-custodian-aws/*{cloudcontrolapi.ListResources,tagging.GetResources}_*,aws-cli-examples/{cloudcontrol--list-resources,resourcegroupstaggingapi--get-resources}}.json",
);

/** Returns a recorded answer; some recordings keep it in `data`. */
export function recording(path: string): JsonObject {
  const document = corpusJson(path);
  return isObject(document) ? (member(document, "data") ?? document) : {};
}

export function shardOf(page: JsonObject): Shard {
  const service = text(page, "TypeName")?.split("::")[1]?.toLowerCase() ?? "tagging";
  return { service, region: REGION };
}

/** Answers list calls for the recordings' types or tags, two rows per page. */
export function answering(...pages: readonly JsonObject[]) {
  return asAccount(({ action, input }: Call): Answer => {
    if (action === "account:ListRegions") return { body: { Regions: [{ RegionName: REGION }] } };
    if (action === "resource-explorer-2:ListIndexes") return { body: { Indexes: [] } };
    const isOfTags = action === "tag:GetResources";
    const type = isOfTags ? undefined : text(input, "TypeName");
    const asked = pages.filter((page) => text(page, "TypeName") === type);
    if (!isOfTags && (type === undefined || asked.length === 0))
      return { status: 400, code: "TypeNotFoundException" };
    const [rows, token] = isOfTags
      ? (["ResourceTagMappingList", "PaginationToken"] as const)
      : (["ResourceDescriptions", "NextToken"] as const);
    const all = asked.flatMap((page) => members(page, rows));
    const part = pageOf(all, 2, text(input, token));
    return { body: { ...asked[0], [rows]: part.rows, [token]: part.next ?? "" } };
  });
}
