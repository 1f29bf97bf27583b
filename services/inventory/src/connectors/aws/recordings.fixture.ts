import { isObject, type JsonObject, member, members, text } from "@leeway/shared/json";

import { corpusFiles, corpusJson } from "../../clouds/corpus.fixture.ts";
import type { Shard } from "../connector.ts";
import { type Answer, asAccount, type Call, pageOf } from "./aws.fixture.ts";

export const REGION = "us-east-1";
/** Recordings of lists that the connector asks for. */
export const RECORDINGS = corpusFiles(
  "live-listings/{cloud-custodian-aws/*{cloudcontrolapi.ListResources,tagging.GetResources}_*,aws-cli-examples/{cloudcontrol--list-resources,resourcegroupstaggingapi--get-resources}}.json",
);

/** A recorded answer; recordings of tests keep it in `data`. */
export function recording(path: string): JsonObject {
  const document = corpusJson(path);
  return isObject(document) ? (member(document, "data") ?? document) : {};
}

export function shardOf(page: JsonObject): Shard {
  const service = text(page, "TypeName")?.split("::")[1]?.toLowerCase() ?? "tagging";
  return { service, region: REGION };
}

/** The recording, two rows to a page, for whoever asks for its type or its tags. */
export function answering(page: JsonObject) {
  return asAccount(({ action, input }: Call): Answer => {
    if (action === "account:ListRegions") return { body: { Regions: [{ RegionName: REGION }] } };
    if (action === "resource-explorer-2:ListIndexes") return { body: { Indexes: [] } };
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
