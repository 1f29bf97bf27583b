import { text, type JsonObject } from "@leeway/shared/values/json";

import { payloadOf } from "../content.ts";
import { makeSigningSecret, signatureHeaders } from "../signature.ts";
import type { Kind, Outgoing, Target } from "../kind.ts";
import { checkedUrl, post, shownUrl } from "./url-target.ts";

/** A receiver of the organization's own. Messages are signed as Standard Webhooks asks; a new URL keeps the secret. */
export const webhook: Kind = {
  async check({ egress }, given, before) {
    return targetOf(await checkedUrl(egress, given), before?.secret ?? makeSigningSecret());
  },
  restore: (stored) => targetOf(text(stored, "url") ?? "", text(stored, "secret") ?? ""),
};

function targetOf(url: string, secret: string): Target {
  return {
    stored: { kind: "webhook", url, secret },
    shown: shownUrl(url),
    secret,
    send({ senders }, message) {
      const body = JSON.stringify(bodyOf(message));
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = signatureHeaders(secret, { id: message.messageId, timestamp, body });
      return post(senders.egress, { url, body, headers });
    },
  };
}

function bodyOf({ orgId, messageId, type, createdAt, events }: Outgoing): JsonObject {
  const [only] = events;
  if (type !== "digest" && only) return payloadOf(orgId, only);
  const data = { events: events.map((event) => payloadOf(orgId, event)) };
  return payloadOf(orgId, { id: messageId, type, createdAt, data });
}
