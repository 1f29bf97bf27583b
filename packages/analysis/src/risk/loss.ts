import type { Loss } from "@leeway/clouds/loss";
import { isObject, text, type Json } from "@leeway/shared/values/json";

import {
  isContainer,
  isHolder,
  isKeyMaterial,
  isMaybeStateful,
  isServing,
  isStateful,
  suggestedLoss,
  type TypeTest,
} from "./types.ts";

/**
 * Returns the worst loss caused by deleting a resource.
 * @param side its attributes, or null if unknown
 */
export function lossOf(type: string, side: Json = null): Loss {
  if (isDeadLetterQueue(type, side) || isTextRecord(type, side)) return "other";
  if (isAuditLog(type, side)) return "stateful";
  const held = isHolder(type, side) ? HELD.find(([isOf]) => isOf(type)) : undefined;
  if (held !== undefined) return held[1];
  return isServing(type) ? "serving" : suggestedLoss(type);
}

const HELD: readonly (readonly [TypeTest, Loss])[] = [
  [isKeyMaterial, "key_material"],
  [isContainer, "container"],
  [isStateful, "stateful"],
  [isMaybeStateful, "maybe_stateful"],
];

/** Checks for audit logs, which can't be recorded again. */
function isAuditLog(type: string, side: Json): boolean {
  const isLog = type === "aws_cloudwatch_log_group" && isObject(side);
  return isLog && /audit|cloudtrail/i.test(text(side, "name") ?? "");
}

const DEAD_LETTERS = /(?:^|[-_./])(?:dlq|dead-?_?letters?)(?:$|[-_./])/i;

/** Checks for a queue that only collects unprocessable messages. */
function isDeadLetterQueue(type: string, side: Json): boolean {
  return type.endsWith("_queue") && isObject(side) && DEAD_LETTERS.test(text(side, "name") ?? "");
}

const TEXT_RECORDS = /^(?:TXT|CAA|SPF|DS|NAPTR|SSHFP|TLSA)$/i;

/** Checks for DNS records that route no traffic, because they only prove or restrict something. */
function isTextRecord(type: string, side: Json): boolean {
  if (/_dns_(?:txt|caa)_record$/.test(type)) return true;
  return /_record(?:_set)?$/.test(type) && isObject(side) && TEXT_RECORDS.test(text(side, "type") ?? "");
}
