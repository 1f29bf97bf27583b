import { open, seal } from "@leeway/shared/security/encryption/envelope";
import type { JsonObject } from "@leeway/shared/values/json";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

/** Table name in the seal of targets; the row is the channel's id. */
const TABLE = "webhooks.channels";
const MESSAGES_TABLE = "webhooks.messages";

interface Place {
  orgId: string;
  channelId: string;
}

/** Seals the stored members of a target. */
export function sealTarget(ring: KeyRing, { orgId, channelId }: Place, stored: JsonObject): Buffer {
  return seal(ring, { orgId, table: TABLE, rowId: channelId }, JSON.stringify(stored));
}

/** @throws {SealError} */
export function openTarget(ring: KeyRing, { orgId, channelId }: Place, sealed: Uint8Array): JsonObject {
  return JSON.parse(open(ring, { orgId, table: TABLE, rowId: channelId }, sealed));
}

interface MessagePlace {
  orgId: string;
  messageId: string;
}

/** Seals the recipients that a message still has to reach. */
export function sealLeft(ring: KeyRing, { orgId, messageId }: MessagePlace, to: readonly string[]): Buffer {
  return seal(ring, { orgId, table: MESSAGES_TABLE, rowId: messageId }, JSON.stringify(to));
}

/** @throws {SealError} */
export function openLeft(ring: KeyRing, { orgId, messageId }: MessagePlace, sealed: Uint8Array): string[] {
  return JSON.parse(open(ring, { orgId, table: MESSAGES_TABLE, rowId: messageId }, sealed));
}
