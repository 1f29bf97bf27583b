import { counted } from "@leeway/shared/values/counted";
import { member, members, text, type JsonObject } from "@leeway/shared/values/json";

import { clean } from "./clean.ts";

/** Text of a message above its link: a one-line summary and details. */
export interface Words {
  title: string;
  lines: string[];
}

const MAX_CHANGES = 10;
const MAX_ERRORS = 3;
const KINDS = ["changed", "missing", "undeclared"] as const;

/** Describes events' data in words. The data is untrusted, so it is cleaned and never used as markup. */
export const WORDS: Readonly<Record<string, (data: JsonObject) => Words>> = {
  "scan.failed": (data) => {
    const failures = number(data, "consecutive_failures");
    const what = failures > 1 ? `${failures} consecutive scans failed` : "a scan failed";
    const errors = members(data, "errors").map((error) => said(error, "message"));
    return { title: `${account(data)}: ${what}`, lines: errors.filter(Boolean).slice(0, MAX_ERRORS) };
  },
  "scan_schedule.disabled": (data) => ({
    title: `${account(data)}: a scan schedule was disabled`,
    lines: reason(data),
  }),
  "iac_source.unreadable": (data) => ({
    title: `The state of source ${said(data, "source_name", "without a name")} can't be read`,
    lines: [
      ...reason(data),
      data["read_at"] === undefined
        ? "It has never been read."
        : `Drift is computed from the state of ${minute(data, "read_at")}.`,
    ],
  }),
  "drift.detected": (data) => {
    const level = text(data, "risk_level");
    const worst = level === undefined || level === "none" ? "" : `${clean(level)} `;
    return { title: `${account(data)}: ${worst}drift: ${kinds(data)}${view(data)}`, lines: changes(data) };
  },
  "drift.resolved": (data) => ({
    title: `${account(data)}: drift resolved: ${kinds(data)}${view(data)}`,
    lines: changes(data),
  }),
  "posture.degraded": (data) => {
    const prior = member(data, "prior") ?? {};
    const before = new Map(standing(prior));
    const moves = standing(data).filter(([what, now]) => now !== before.get(what));
    const words = moves.map(
      ([what, now], index) => `${what} ${index === 0 ? "went " : ""}from ${before.get(what)} to ${now}`,
    );
    return { title: `${account(data)}: ${words.join(", ")}`, lines: [] };
  },
  "rule.expiring": (data) => {
    const hidden = number(data, "hidden_count");
    const owner = said(data, "owner");
    return {
      title: `The rule ${said(data, "rule_name", "without a name")} expires at ${minute(data, "expires_at")}`,
      lines: [
        ...(hidden > 0 ? [`It hides ${counted(hidden, "change")}, which will be shown again.`] : []),
        ...(owner === "" ? [] : [`Owner: ${owner}`]),
        ...reason(data),
      ],
    };
  },
  "vcs_token.expiring": (data) => {
    const config = said(data, "name", "a code host");
    const days = number(data, "days_left");
    const when = days === 0 ? "today" : `in ${counted(days, "day")}`;
    return {
      title: `The token of ${config} expires ${when}`,
      lines: ["Replace it before then. Otherwise plans and comments stop working."],
    };
  },
  "quota.exhausted": (data) => {
    const bucket = text(data, "bucket") === "weekly" ? "week" : "hour";
    const calls = counted(number(data, "cap"), "call");
    return {
      title: `The platform AI quota for this ${bucket} is used up (${calls})`,
      lines: [`Until ${minute(data, "resets_at")}, findings come without a model's explanation.`],
    };
  },
  "byok.breaker_opened": (data) => ({
    title: `Your model provider ${said(data, "provider")} keeps failing`,
    lines: [
      `${counted(number(data, "consecutive_failures"), "call")} in a row failed. Leeway tries again at ${minute(data, "retry_at")}.`,
    ],
  }),
  "webhook_config.rejecting": (data) => {
    const rejected = counted(number(data, "consecutive_rejects"), "request");
    const which = said(data, "name") ? `webhook ${said(data, "name")}` : `${said(data, "source")} webhook`;
    const sender = said(data, "sender");
    const from = sender && ` from ${sender}, whose earlier requests were accepted`;
    return { title: `The ${which} rejected ${rejected} in a row${from}`, lines: reason(data) };
  },
  "notification_channel.disabled": (data) => ({
    title: `The channel ${said(data, "name", "without a name")} was disabled`,
    lines: reason(data),
  }),
  "channel.test": (data) => ({
    title: `Test of the notification channel ${said(data, "name", "without a name")}`,
    lines: [],
  }),
};

function account(data: JsonObject): string {
  return said(data, "account_name", "An account");
}

/** Names the view by which the channel filters. */
function view(data: JsonObject): string {
  const name = said(data, "view_name");
  return name === "" ? "" : ` (view ${name})`;
}

function standing(data: JsonObject): [what: string, value: string][] {
  return [
    ["risk", said(data, "risk_level")],
    ["coverage", `${number(data, "coverage_pct")} %`],
  ];
}

function kinds(data: JsonObject): string {
  return KINDS.filter((kind) => number(data, kind) > 0)
    .map((kind) => `${number(data, kind)} ${kind}`)
    .join(", ");
}

/** Describes each change on one line, worst first. */
function changes(data: JsonObject): string[] {
  const shown = members(data, "changes").slice(0, MAX_CHANGES).map(change);
  const all = KINDS.reduce((sum, kind) => sum + number(data, kind), 0);
  return all > shown.length ? [...shown, `and ${all - shown.length} more`] : shown;
}

function change(data: JsonObject): string {
  const message = said(data, "message");
  const kind = text(data, "kind");
  const level = said(data, "risk_level");
  const resource = said(data, "resource");
  if (kind !== "undeclared")
    return clean(`[${level}] ${resource}: ${message || (kind === "missing" ? "Missing" : "Changed")}`);
  // A cloud id doesn't show the resource's type, unlike an address.
  return clean(
    `[${level}] ${said(data, "resource_type")} ${resource}: Undeclared${message && `. ${message}`}`,
  );
}

function reason(data: JsonObject): string[] {
  return [said(data, "reason")].filter(Boolean);
}

/** Formats a time of the data to the minute, in UTC. */
function minute(data: JsonObject, name: string): string {
  const at = new Date(text(data, name) ?? "");
  if (Number.isNaN(at.getTime())) return "later";
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function said(data: JsonObject, name: string, otherwise = ""): string {
  return clean(text(data, name) ?? "") || otherwise;
}

function number(data: JsonObject, name: string): number {
  const value = data[name];
  return typeof value === "number" ? value : 0;
}
