import { stripVTControlCharacters } from "node:util";

import { isObject, member, type JsonObject } from "@leeway/shared/json";
import { formatVersion } from "@leeway/shared/plan/mask-plan";

import { Failure } from "../failure.ts";

const SHOW = "run `terraform show -json PLANFILE` and send what it prints";

/** Classic wrong inputs: what tells each, and what to do. */
const IMPOSTORS: [(document: JsonObject) => boolean, string][] = [
  [isSubmission, "is what the API takes: give what stands in its member plan"],
  [
    (document) => "encrypted_data" in document,
    "is encrypted by OpenTofu: `tofu show -json PLANFILE` decrypts it",
  ],
  [(document) => "serial" in document && "lineage" in document, `is a state, not a plan: ${SHOW}`],
  [isShownState, `is what \`show -json\` prints of a state, not of a plan: ${SHOW}`],
  [(document) => formatVersion(document) === undefined, `has no format_version, so it is no plan: ${SHOW}`],
  [(document) => !/^[01]\./.test(formatVersion(document) ?? ""), "has a format_version other than 0 and 1"],
  [isShownNothing, `is what \`show -json\` prints where there is no state yet, not of a plan: ${SHOW}`],
  [(document) => !areLists(document), "has resource changes that are no list, so it is no plan"],
];

/**
 * The plan that a planner shows as JSON, alone or on a line of its own among warnings. Of several none is taken for all.
 * @throws {Failure} `plan_unreadable`, which says what was given instead, and quotes nothing of it.
 */
export function parsePlan(text: string): JsonObject {
  if (text.trim() === "") throw unreadable("is empty: look at what `terraform show -json PLANFILE` said");
  if (text.startsWith("PK")) throw unreadable(`is a binary plan: ${SHOW}`);
  const whole = parseJson(text);
  const document = whole === undefined ? parseJson(planLine(text)) : whole;
  if (document === undefined) throw unreadable(adviceOn(text));
  if (!isObject(document)) throw unreadable(`is JSON, but no plan: ${SHOW}`);
  const impostor = IMPOSTORS.find(([isOne]) => isOne(document));
  if (impostor) throw unreadable(impostor[1]);
  return document;
}

function unreadable(problem: string): Failure {
  return new Failure("plan_unreadable", `what was given as the plan ${problem}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Planners keep what a tool writes as warnings in front of its output. @throws {Failure} `plan_unreadable` */
function planLine(text: string): string {
  const [line, ...others] = text.match(/^\{\s*"format_version".*$/gm) ?? [];
  if (others.length > 0) {
    const terragrunt = "with Terragrunt, `run --all plan --json-out-dir DIR` writes a file for each";
    throw unreadable(`is ${others.length + 1} plans in one: send each by itself; ${terragrunt}`);
  }
  return line ?? "";
}

function adviceOn(text: string): string {
  if (isStream(text)) return streamAdvice();
  return isForPeople(text) ? `is a plan as text: ${SHOW}` : `is no JSON: ${SHOW}`;
}

/** What `plan`, or `show` without `-json`, prints; coloured or not. */
function isForPeople(text: string): boolean {
  return /^(?:Plan: \d+ to|No changes\.|(?:Terraform|OpenTofu) (?:used the selected|will perform))/m.test(
    stripVTControlCharacters(text),
  );
}

function isStream(text: string): boolean {
  const first = parseJson(text.slice(0, text.indexOf("\n")));
  return isObject(first) && "@level" in first;
}

function streamAdvice(): string {
  return `is the stream of \`plan -json\`: plan with -out=PLANFILE, then ${SHOW}`;
}

/** A plan with what is wanted of it, as `POST …/analyze` takes it. */
function isSubmission(document: JsonObject): boolean {
  return formatVersion(document) === undefined && formatVersion(member(document, "plan") ?? {}) !== undefined;
}

/** A plan, even one that changes nothing, tells more than its format. */
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
