import type { Channel, ChannelKind, ChannelTarget } from "@leeway/shared/contracts/webhooks/channels";
import type { Egress } from "@leeway/shared/egress/egress";
import { open, seal } from "@leeway/shared/encryption/envelope";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

/** Where targets are sealed; a row of it is the channel's id. */
const TABLE = "webhooks.channels";
const MESSAGES_TABLE = "webhooks.messages";

/** Where a channel leads, and of a webhook what signs. */
export type Target =
  | { kind: "webhook"; url: string; secret: string }
  | { kind: "slack" | "teams"; url: string }
  | { kind: "email"; to: string[] };

interface Place {
  orgId: string;
  channelId: string;
}

/** The target as it is given, checked. @throws {AppError} `invalid_parameter` */
export async function checkedTarget(
  egress: Egress,
  kind: ChannelKind,
  { url, to }: ChannelTarget,
): Promise<{ url: string } | { to: string[] }> {
  if (kind === "email") {
    if (url !== undefined)
      throw invalidParameter("target.url", "is not for e-mail: name addresses in target.to");
    if (to === undefined) throw invalidParameter("target.to", "is required", "required");
    return { to };
  }
  if (to !== undefined) throw invalidParameter("target.to", "is for e-mail only");
  if (url === undefined) throw invalidParameter("target.url", "is required", "required");
  try {
    await egress.check(url);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isRefused = error.code === "invalid_parameter";
    const message = isRefused
      ? error.message.replace(/^the address /, "")
      : "names a host that can't be resolved";
    throw invalidParameter("target.url", message);
  }
  return { url };
}

export function sealTarget(ring: KeyRing, { orgId, channelId }: Place, target: Target): Buffer {
  return seal(ring, { orgId, table: TABLE, rowId: channelId }, JSON.stringify(target));
}

/** @throws {SealError} */
export function openTarget(ring: KeyRing, { orgId, channelId }: Place, sealed: Uint8Array): Target {
  const text = open(ring, { orgId, table: TABLE, rowId: channelId }, sealed);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `sealTarget` seals here
  return JSON.parse(text) as Target;
}

interface MessagePlace {
  orgId: string;
  messageId: string;
}

/** To whom of its recipients a message is still to be sent. */
export function sealLeft(ring: KeyRing, { orgId, messageId }: MessagePlace, to: readonly string[]): Buffer {
  return seal(ring, { orgId, table: MESSAGES_TABLE, rowId: messageId }, JSON.stringify(to));
}

/** @throws {SealError} */
export function openLeft(ring: KeyRing, { orgId, messageId }: MessagePlace, sealed: Uint8Array): string[] {
  return JSON.parse(open(ring, { orgId, table: MESSAGES_TABLE, rowId: messageId }, sealed));
}

/** What of a target is shown: nothing of an address but its host. */
export function shownTarget(target: Target): Channel["target"] {
  return target.kind === "email" ? { to: target.to } : { host: new URL(target.url).host };
}
