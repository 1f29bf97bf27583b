import { stripVTControlCharacters } from "node:util";

import { isObject, member, type JsonObject } from "@leeway/shared/values/json";
import { formatVersion } from "@leeway/analysis/plan/mask-plan";

import { Failure } from "../failure.ts";

const SHOW = "terraform show -json plan.bin > plan.json";
const CREATE = `Create it with: ${SHOW}`;
const OTHERS = "leeway reads plans of Terraform and OpenTofu";

/** Documents that users mistake for a plan: a test for each, and the end of the error message. */
const IMPOSTORS: [(document: JsonObject) => boolean, string][] = [
  [isSubmission, 'is an API request, not a plan: pass the value of its "plan" member'],
  [
    (document) => "encrypted_data" in document,
    "is encrypted by OpenTofu. Decrypt it with: tofu show -json plan.bin > plan.json",
  ],
  [(document) => "serial" in document && "lineage" in document, `is a state, not a plan. ${CREATE}`],
  [isShownState, `is a state in JSON, not a plan. ${CREATE}`],
  [(document) => "changeSummary" in document && "steps" in document, `is a Pulumi preview: ${OTHERS}`],
  [(document) => "ChangeSetName" in document, `is a CloudFormation change set: ${OTHERS}`],
  [
    (document) => formatVersion(document) === undefined,
    `isn't a Terraform plan (no format_version). ${CREATE}`,
  ],
  [
    (document) => !/^[01]\./.test(formatVersion(document) ?? ""),
    "has a format_version that this leeway can't read (it reads 0 and 1): upgrade leeway",
  ],
  [isShownNothing, `is the output for a missing state, not a plan. ${CREATE}`],
  [(document) => !areLists(document), `isn't a Terraform plan (its changes aren't a list). ${CREATE}`],
];

/**
 * Extracts the plan from the output of `show -json`: the whole text, or a line among warnings.
 * @param name for messages, such as the file's
 * @throws {Failure} `plan_unreadable`, which says what the text is instead, without quoting it
 */
export function parsePlan(text: string, name: string): JsonObject {
  const problem = (what: string): Failure => new Failure("plan_unreadable", `${name} ${what}`);
  if (text.trim() === "") throw problem("is empty: look for the error that terraform show -json printed");
  if (text.startsWith("PK")) throw problem(`is a binary plan. Convert it with: ${SHOW}`);
  const whole = parseJson(text);
  const lines = whole === undefined ? planLines(text) : [];
  if (lines.length > 1) throw problem(severalPlans(lines.length));
  const document = whole === undefined ? parseJson(lines[0] ?? "") : whole;
  if (document === undefined) throw problem(adviceOn(text));
  if (!isObject(document)) throw problem(`is JSON, but not a plan. ${CREATE}`);
  const impostor = IMPOSTORS.find(([isOne]) => isOne(document));
  if (impostor) throw problem(impostor[1]);
  return document;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns lines that look like a plan, because planners print the tool's warnings before it. */
function planLines(text: string): string[] {
  return text.match(/^\{\s*"format_version".*$/gm) ?? [];
}

function severalPlans(count: number): string {
  const terragrunt = "with Terragrunt, `run --all plan --json-out-dir DIR` writes a file for each";
  return `contains ${count} plans: send each one separately; ${terragrunt}`;
}

function adviceOn(text: string): string {
  if (isStream(text)) return `is the stream of plan -json. Plan with -out=plan.bin, then run: ${SHOW}`;
  return isForPeople(text) ? `is a plan as text. ${CREATE}` : `isn't valid JSON. ${CREATE}`;
}

/** Checks for the output of `plan`, or of `show` without `-json`, with or without colours. */
function isForPeople(text: string): boolean {
  return /^(?:Plan: \d+ to|No changes\.|(?:Terraform|OpenTofu) (?:used the selected|will perform))/m.test(
    stripVTControlCharacters(text),
  );
}

function isStream(text: string): boolean {
  const first = parseJson(text.slice(0, text.indexOf("\n")));
  return isObject(first) && "@level" in first;
}

/** Checks for a body of `POST …/analyze`. */
function isSubmission(document: JsonObject): boolean {
  return formatVersion(document) === undefined && formatVersion(member(document, "plan") ?? {}) !== undefined;
}

/** Checks for an empty plan: every real one has more members than its format. */
function isShownNothing(document: JsonObject): boolean {
  return Object.keys(document).join() === "format_version";
}

function isShownState(document: JsonObject): boolean {
  return member(document, "values") !== undefined && !("planned_values" in document);
}

function areLists(document: JsonObject): boolean {
  const lists = ["resource_changes", "resource_drift"].map((name) => document[name] ?? []);
  return lists.every((list) => Array.isArray(list));
}
