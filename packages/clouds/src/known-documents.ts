import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { Cloud, KnownDocument } from "./cloud.ts";

/**
 * Documents of no particular cloud that are often pushed by mistake as a listing or a state; the first match names it.
 */
const DOCUMENTS: readonly KnownDocument[] = [
  {
    name: "a Terraform state (version 4)",
    matches: (value) => value["version"] === 4 && hasAny(value, "terraform_version", "lineage", "resources"),
  },
  {
    name: "a Terraform state of an old version (1 to 3)",
    matches: (value) =>
      [1, 2, 3].some((version) => value["version"] === version) &&
      hasAny(value, "modules", "remote", "backend", "serial"),
  },
  {
    name: "a Terraform plan (show -json of a plan)",
    matches: (value) =>
      hasAny(value, "format_version", "plan_format_version") &&
      hasAny(value, "resource_changes", "planned_values"),
  },
  {
    name: "a Terraform state (show -json of a state)",
    matches: (value) => text(value, "format_version") !== undefined,
  },
  {
    name: "a line of Terraform's -json output",
    matches: (value) => hasAny(value, "@level") && hasAny(value, "@message"),
  },
  { name: "an encrypted OpenTofu state", matches: (value) => hasAny(value, "encrypted_data") },
  {
    name: "a Pulumi checkpoint (stack export)",
    matches: (value) => {
      const deployment = member(value, "deployment") ?? member(member(value, "checkpoint"), "latest");
      return deployment !== undefined && hasAny(deployment, "manifest", "resources");
    },
  },
  { name: "a CloudFormation template", matches: isCloudFormationTemplate },
  {
    name: "the resources of a CloudFormation stack",
    matches: (value) => hasAny(value, "StackResources", "StackResourceSummaries", "StackResourceDetail"),
  },
  {
    name: "a SARIF report",
    matches: (value) => Array.isArray(value["runs"]) && hasAny(value, "version", "$schema"),
  },
  {
    name: "a GitLab webhook body",
    matches: (value) =>
      text(value, "object_kind") !== undefined ||
      (text(value, "event_name") !== undefined &&
        hasAny(value, "created_at", "project_id", "project", "user_id")),
  },
  {
    name: "a GitHub webhook body",
    matches: (value) =>
      member(value, "sender") !== undefined && hasAny(value, "repository", "organization", "installation"),
  },
  {
    name: "an HTTP recording",
    matches: (value) =>
      members(value, "interactions").length > 0 ||
      members(member(value, "log"), "entries").length > 0 ||
      (typeof value["status_code"] === "number" && hasAny(value, "data")),
  },
  {
    name: "an error response of AWS",
    matches: (value) =>
      text(value, "__type") !== undefined || text(member(value, "Error"), "Code") !== undefined,
  },
  {
    name: "an error response of Google Cloud",
    matches: (value) => typeof member(value, "error")?.["code"] === "number",
  },
  {
    name: "an error response of Azure",
    matches: (value) => text(member(value, "error"), "code") !== undefined,
  },
];

const MAX_MEMBERS = 5;
const MAX_NAME_LENGTH = 40;

/** Returns the name of an unreadable document: a known name, or its shape without any values. */
export function nameDocument(value: Json, clouds: readonly Cloud[]): string {
  if (!Array.isArray(value)) return nameOne(value, clouds);
  const [first] = value;
  if (first === undefined) return "an empty JSON array";
  return `a JSON array that starts with ${Array.isArray(first) ? "a JSON array" : nameOne(first, clouds)}`;
}

function nameOne(value: Json, clouds: readonly Cloud[]): string {
  if (!isObject(value)) return value === null ? "JSON null" : `a JSON ${typeof value}`;
  const documents = [...DOCUMENTS, ...clouds.flatMap((cloud) => cloud.knownDocuments)];
  return documents.find((document) => document.matches(value))?.name ?? shapeOf(value);
}

function shapeOf(value: JsonObject): string {
  const names = Object.keys(value);
  const shown = names.slice(0, MAX_MEMBERS).map(shortName);
  if (names.length > MAX_MEMBERS) shown.push(`${names.length - MAX_MEMBERS} more`);
  const last = shown.pop();
  if (last === undefined) return "an empty JSON object";
  if (shown.length === 0) return `a JSON object with the member ${last}`;
  return `a JSON object with the members ${shown.join(", ")} and ${last}`;
}

function shortName(name: string): string {
  const printable = name.replaceAll(/\p{C}/gu, "\u{FFFD}");
  return printable.length > MAX_NAME_LENGTH
    ? `${Array.from(printable).slice(0, MAX_NAME_LENGTH).join("")}…`
    : printable;
}

function hasAny(value: JsonObject, ...names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(value, name));
}

function isCloudFormationTemplate(value: JsonObject): boolean {
  if (hasAny(value, "AWSTemplateFormatVersion")) return true;
  const resources = Object.values(member(value, "Resources") ?? {});
  return (
    resources.length > 0 &&
    resources.every((resource) => isObject(resource) && text(resource, "Type") !== undefined)
  );
}
