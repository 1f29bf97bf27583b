import { isObject, type JsonObject, member, members, text } from "@leeway/shared/values/json";

import type { KnownDocument } from "../cloud.ts";

const KIND = /^[a-z]+#[A-Za-z]+$/;

/** Answers of Google Cloud and its tools that aren't listings of resources. */
export const knownDocuments: readonly KnownDocument[] = [
  {
    name: "Google Cloud service account key",
    matches: (value) => text(value, "type") === "service_account" && text(value, "private_key") !== undefined,
  },
  {
    name: "IAM policy (gcloud get-iam-policy)",
    matches: (value) => Array.isArray(value["bindings"]) && text(value, "etag") !== undefined,
  },
  {
    name: "Google Cloud Asset Inventory searchAllIamPolicies",
    matches: (value) => isPolicyResult(value) || isPolicyResult(members(value, "results")[0]),
  },
  {
    name: "Google Cloud Asset Inventory history or feed",
    matches: (value) => isChange(value) || isChange(members(value, "assets")[0]),
  },
  {
    name: "Google Cloud Asset Inventory export operation",
    matches: (value) => text(value, "name")?.includes("/operations/ExportAssets/") ?? false,
  },
  {
    name: "response of one Google Cloud API (gcloud … list)",
    matches: (value) => KIND.test(text(value, "kind") ?? ""),
  },
  {
    name: "error of a Google Cloud API",
    matches: (value) => text(member(value, "error"), "status") !== undefined,
  },
];

function isPolicyResult(value: JsonObject | undefined): boolean {
  return text(value, "resource") !== undefined && isObject(value?.["policy"]);
}

/** Reports whether a value is an asset's history; `window` is the time range of the asset's content. */
function isChange(value: JsonObject | undefined): boolean {
  return isObject(value?.["window"]) && isObject(value["asset"] ?? value["priorAsset"]);
}
