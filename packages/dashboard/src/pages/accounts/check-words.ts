import type { Tone } from "../../ui/badge.tsx";
import { inWords } from "../words.ts";
import type { Verification } from "./types.ts";

export type Check = Verification["checks"][number];

/** What each check tries, by its name; all clouds' names are different ones. */
const TRIED: Readonly<Record<string, string>> = {
  sts: "Signing in",
  credentials: "Signing in",
  "external id": "That the role asks for the external id",
  account: "Listing the regions of the account",
  "resource-explorer-2": "Asking Resource Explorer",
  cloudcontrol: "Listing and reading by Cloud Control",
  tagging: "Reading tags",
  ec2: "Reading the routes and rules of networks",
  route53: "Reading the records of hosted zones",
  "index contents": "Asking what Resource Explorer’s index holds",
  cloudtrail: "Asking CloudTrail who changed what",
  "list resources": "Listing resources",
  "search resources": "Searching resources",
  "list IAM policies": "Listing who may use what",
  "audit log": "Asking the audit log who changed what",
  subscription: "Reading the subscription",
  "read resources": "Reading all resources",
  "Resource Graph": "Asking Resource Graph",
  "activity log": "Asking the activity log who changed what",
};

/** What a check tried. */
export function triedText({ name }: Check): string {
  return TRIED[name] ?? inWords(name);
}

/** What came of a check. */
export function outcomeOf({ ok, optional, missing = [], message }: Check): { tone: Tone; text: string } {
  if (ok)
    return message === undefined ? { tone: "good", text: "Works" } : { tone: "low", text: "Works, but" };
  const text = missing.length > 0 ? "Permission missing" : "Doesn’t work";
  return { tone: optional ? "medium" : "critical", text };
}
