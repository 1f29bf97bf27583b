import { createHmac } from "node:crypto";

import { constantTimeEqual } from "@leeway/shared/values/digest";
import { deriveKeys, type KeyRing } from "@leeway/shared/security/encryption/keyring";

const DAY_MS = 24 * 60 * 60 * 1000;
export const CONFIRMATION_DAYS = 7;

/** A pending confirmation. */
interface Confirmation {
  orgId: string;
  confirmationId: string;
}

/** One address of one channel. */
interface Subscription {
  orgId: string;
  channelId: string;
  addressKey: Buffer;
}

type Kind = "confirm" | "unsubscribe";

/** Links in mails. A token is `<payload>.<mac>` in base64url and contains no address. */
export interface Links {
  /** Returns a link that expires after seven days. */
  confirmUrl(confirmation: Confirmation, now?: number): string;
  /** Returns undefined for a token that is forged, of another kind or expired. */
  readConfirm(token: string, now?: number): Confirmation | undefined;
  /** Returns a link that never expires. */
  unsubscribeUrl(subscription: Subscription): string;
  /** Returns undefined for a token that is forged or of another kind. */
  readUnsubscribe(token: string): Subscription | undefined;
}

export function createLinks(ring: KeyRing, publicBaseUrl: string): Links {
  const { current, all } = deriveKeys(ring, "mail-link");

  function signed(kind: Kind, parts: readonly string[]): string {
    const payload = Buffer.from(JSON.stringify(parts)).toString("base64url");
    return `${publicBaseUrl}/mail/${kind}?token=${payload}.${macOf(current, kind, payload)}`;
  }

  function verified(kind: Kind, token: string): string[] {
    const [payload = "", mac = ""] = token.split(".", 2);
    const isOurs = all.some((key) => constantTimeEqual(mac, macOf(key, kind, payload)));
    return isOurs ? JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) : [];
  }

  return {
    confirmUrl: ({ orgId, confirmationId }, now = Date.now()) =>
      signed("confirm", [orgId, confirmationId, String(now + CONFIRMATION_DAYS * DAY_MS)]),
    readConfirm(token, now = Date.now()) {
      const [orgId, confirmationId, expires] = verified("confirm", token);
      if (orgId === undefined || confirmationId === undefined || Number(expires) <= now) return undefined;
      return { orgId, confirmationId };
    },
    unsubscribeUrl: ({ orgId, channelId, addressKey }) =>
      signed("unsubscribe", [orgId, channelId, addressKey.toString("base64url")]),
    readUnsubscribe(token) {
      const [orgId, channelId, key] = verified("unsubscribe", token);
      if (orgId === undefined || channelId === undefined || key === undefined) return undefined;
      return { orgId, channelId, addressKey: Buffer.from(key, "base64url") };
    },
  };
}

function macOf(key: Buffer, kind: Kind, payload: string): string {
  return createHmac("sha256", key).update(`${kind} ${payload}`).digest("base64url");
}
