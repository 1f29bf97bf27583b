import type { JsonObject } from "@leeway/shared/values/json";

import { clean } from "./clean.ts";
import { WORDS } from "./words.ts";

const API_VERSION = "2026-04";

/** An event as it was published. */
export interface PublishedEvent {
  id: string;
  type: string;
  createdAt: string;
  data: JsonObject;
  url?: string | undefined;
}

/** A message for people, as plain text. */
export interface Text {
  title: string;
  lines: string[];
  url?: string | undefined;
}

/** Builds the body of a webhook message. */
export function payloadOf(orgId: string, { id, type, createdAt, data, url }: PublishedEvent): JsonObject {
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

/** Describes an event for people. */
export function textOf({ type, data, url }: PublishedEvent): Text {
  const words = WORDS[type]?.(data) ?? { title: clean(type), lines: [] };
  return { ...words, url };
}

/** Returns a normalized http(s) URL; undefined for any other. */
export function webAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}
