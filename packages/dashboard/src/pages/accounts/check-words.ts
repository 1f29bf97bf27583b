import type { Tone } from "../../ui/badge.tsx";
import { inWords } from "../words.ts";
import type { Verification } from "./types.ts";

export type Check = Verification["checks"][number];

/** Labels of the checks by name; names don't repeat across clouds. */
const TRIED: Readonly<Record<string, string>> = {
  sts: "Signing in",
  credentials: "Signing in",
  "external id": "Checking that the role requires the external id",
  account: "Listing the account’s regions",
  "resource-explorer-2": "Searching with Resource Explorer",
  cloudcontrol: "Listing and reading with Cloud Control",
  tagging: "Reading tags",
  ec2: "Reading network routes and rules",
  route53: "Reading hosted zone records",
  "index contents": "Reading the contents of Resource Explorer’s index",
  cloudtrail: "Looking up changes in CloudTrail",
  "list resources": "Listing resources",
  "search resources": "Searching resources",
  "list IAM policies": "Listing IAM policies",
  "audit log": "Looking up changes in the audit log",
  subscription: "Reading the subscription",
  "read resources": "Reading all resources",
  "Resource Graph": "Querying Resource Graph",
  "activity log": "Looking up changes in the activity log",
};

/** Returns the label of a check. */
export function triedText({ name }: Check): string {
  return TRIED[name] ?? inWords(name);
}

/** Describes the outcome of a check. */
export function outcomeOf({ ok, optional, missing = [], message }: Check): { tone: Tone; text: string } {
  if (ok)
    return message === undefined
      ? { tone: "good", text: "Works" }
      : { tone: "low", text: "Works, with a warning" };
  const text = missing.length > 0 ? "Permission missing" : "Doesn’t work";
  return { tone: optional ? "medium" : "critical", text };
}
