import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

const API_VERSION = "2026-04";
const MOST_FACTS = 20;
/** Of a list. */
const MOST_ITEMS = 10;
const LONGEST = 300;
const LONGEST_LABEL = 60;
/** Control characters, and those that turn the direction of text or can't be seen. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** What is told, as it was published. */
export interface Told {
  id: string;
  type: string;
  createdAt: string;
  data: JsonObject;
  url?: string | undefined;
}

/** One message for people: fixed words, and what others wrote beside their labels. */
export interface Text {
  title: string;
  facts: [label: string, value: string][];
  url?: string | undefined;
}

const TITLES: Readonly<Record<string, string>> = {
  "scan.failed": "A scan failed",
  "scan_schedule.disabled": "A scan schedule was disabled",
  "iac_source.unreadable": "A source's state can't be read",
  "drift.detected": "Drift was detected",
  "drift.resolved": "Drift was resolved",
  "posture.degraded": "The posture got worse",
  "vcs_token.expiring": "A code host's token expires",
  "quota.exhausted": "The quota of the platform's model is used up",
  "byok.breaker_opened": "Your model provider keeps failing",
  "webhook_config.rejecting": "A webhook's calls are being rejected",
  "notification_channel.disabled": "A notification channel was disabled",
  "channel.test": "This is a test of a notification channel",
};

/** The body that a webhook gets. */
export function payloadOf(orgId: string, { id, type, createdAt, data, url }: Told): JsonObject {
  return {
    id,
    type,
    api_version: API_VERSION,
    created_at: createdAt,
    org_id: orgId,
    data,
    ...(url !== undefined && { url }),
  };
}

/** What people read of an event. */
export function textOf({ type, data, url }: Told): Text {
  const facts = Object.entries(data).flatMap(([name, value]) =>
    // What is behind the link needs no id.
    url !== undefined && name.endsWith("_id") ? [] : factsOf(name.replaceAll("_", " "), value),
  );
  return { title: TITLES[type] ?? clean(type), facts: facts.slice(0, MOST_FACTS), url };
}

/** What people read of a member; of a list what each of its items says, one below the other, and of `prior` all. */
function factsOf(name: string, value: Json): [label: string, value: string][] {
  if (name === "prior" && isObject(value))
    return Object.entries(value).flatMap(([of, before]) =>
      factsOf(`prior ${of.replaceAll("_", " ")}`, before),
    );
  if (value === null || isObject(value)) return [];
  if (!Array.isArray(value)) return [[clean(name, LONGEST_LABEL), clean(String(value))]];
  const label = clean(name.replace(/s$/, ""), LONGEST_LABEL);
  return value.slice(0, MOST_ITEMS).map((item) => [label, clean(wordsOf(item).join(" "))]);
}

function wordsOf(item: Json): string[] {
  if (!isObject(item)) return [typeof item === "string" ? item : JSON.stringify(item)];
  return Object.entries(item).flatMap(([name, value]) =>
    name === "fingerprint" || isObject(value) || Array.isArray(value) || value === null
      ? []
      : [String(value)],
  );
}

/** `text` in one line without what can't be seen, shortened. */
export function clean(text: string, longest = LONGEST): string {
  const line = text.replaceAll(INVISIBLE, " ").trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1).toWellFormed()}…`;
}
