import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { alignedValues } from "../../aligned.ts";
import { valueAtPath } from "../../live-path.ts";
import type { Row, Shape } from "../../mapping.ts";
import { isRead, setting } from "./bucket-setting.ts";

/** A kind of bucket notification. Cloud Control has one item per event, AWS Config one for all events. */
interface Kind {
  read: string;
  target: string;
  recorded: string;
  attribute: string;
}

interface Notification {
  target: string;
  prefix: string;
  suffix: string;
  events: string[];
}

/** Kinds by block name. */
const KINDS: Readonly<Record<string, Kind>> = {
  topic: { read: "TopicConfigurations", target: "Topic", recorded: "topicARN", attribute: "topic_arn" },
  queue: { read: "QueueConfigurations", target: "Queue", recorded: "queueARN", attribute: "queue_arn" },
  lambda_function: {
    read: "LambdaConfigurations",
    target: "Function",
    recorded: "functionARN",
    attribute: "lambda_function_arn",
  },
};

function notificationsRow(kind: Kind): Row {
  return setting("NotificationConfiguration", "BucketNotificationConfiguration", {
    shape: notifications(kind),
    otherwise: {},
    isReported: isRead,
  });
}

export const NOTIFICATION: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, notificationsRow(kind)])),
  // AWS Config doesn't record it.
  eventbridge: setting("NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled", undefined, {
    otherwise: false,
    isReported: isRead,
  }),
};

function notifications(kind: Kind): Shape {
  return (live, declared) => {
    if (!isObject(live) || !Array.isArray(declared)) return undefined;
    const found = new Map<string, Notification>();
    for (const one of [...readOf(live, kind), ...recordedOf(live, kind)]) {
      const known = found.get(keyOf(one));
      if (known) known.events.push(...one.events);
      else found.set(keyOf(one), one);
    }
    const known = declared.filter(isObject);
    const kept = known.map((block) => keptIn(found, block, kind));
    const added = found
      .values()
      .filter(({ events }) => events.length > 0)
      .toArray();
    const blocks = kept.map((block, index) => block ?? replaced(known[index] ?? {}, added.shift(), kind));
    return [...blocks, ...added.map((one) => blockOf(one, kind))];
  };
}

/** Returns what remains of a declared block, or null, and removes it from `found`. */
function keptIn(found: Map<string, Notification>, block: JsonObject, { attribute }: Kind): Json {
  const target = text(block, attribute) ?? "";
  const [prefix, suffix] = [text(block, "filter_prefix") ?? "", text(block, "filter_suffix") ?? ""];
  const one = found.get(keyOf({ target, prefix, suffix }));
  const declared = textsOf(block["events"]);
  const events = declared.filter((event) => one?.events.includes(event));
  if (one === undefined || events.length === 0) return null;
  one.events = one.events.filter((event) => !events.includes(event));
  return { ...block, events: alignedValues(events, declared) };
}

function replaced(block: JsonObject, one: Notification | undefined, kind: Kind): Json {
  if (one === undefined) return null;
  const unfiltered = Object.fromEntries(
    ["filter_prefix", "filter_suffix"].map((name) => [name, block[name] ? "" : (block[name] ?? null)]),
  );
  return { ...block, ...unfiltered, ...blockOf(one, kind) };
}

function keyOf({ target, prefix, suffix }: Omit<Notification, "events">): string {
  return [target, prefix, suffix].join(" ");
}

function blockOf({ target, prefix, suffix, events }: Notification, { attribute }: Kind): JsonObject {
  return {
    [attribute]: target,
    events,
    ...(prefix && { filter_prefix: prefix }),
    ...(suffix && { filter_suffix: suffix }),
  };
}

function readOf(live: JsonObject, { read, target }: Kind): Notification[] {
  return members(live, read).map((item) => ({
    target: text(item, target) ?? "",
    events: textsOf(item["Event"]),
    ...filterOf(valueAtPath(item, "Filter.S3Key.Rules")),
  }));
}

function recordedOf(live: JsonObject, { recorded }: Kind): Notification[] {
  return Object.values(member(live, "configurations") ?? {})
    .filter(isObject)
    .filter((item) => text(item, recorded) !== undefined)
    .map((item) => ({
      target: text(item, recorded) ?? "",
      events: textsOf(item["events"]),
      ...filterOf(valueAtPath(item, "filter.s3KeyFilter.filterRules")),
    }));
}

function filterOf(rules: Json | undefined): { prefix: string; suffix: string } {
  const ofName = (name: string): string =>
    (Array.isArray(rules) ? rules : [])
      .filter(isObject)
      .filter((rule) => textsOf(valueAtPath(rule, "Name")).join("").toLowerCase() === name)
      .flatMap((rule) => textsOf(valueAtPath(rule, "Value")))
      .join("");
  return { prefix: ofName("prefix"), suffix: ofName("suffix") };
}

function textsOf(value: Json | undefined): string[] {
  return [value].flat().filter((item) => typeof item === "string");
}
