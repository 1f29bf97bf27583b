import type { ChannelTarget } from "@leeway/shared/contracts/webhooks/channels";
import { invalidParameter } from "@leeway/shared/values/errors";
import type { JsonObject } from "@leeway/shared/values/json";

import { deliverMail } from "../mail/deliver.ts";
import { CONFIRMATION_TYPE } from "../mail/recipients.ts";
import type { Kind, Outgoing, Target } from "../kind.ts";

const TESTS_PER_HOUR = 5;

/** Mail to addresses that agreed to it; see the folder `mail`. */
export const email: Kind = {
  async check({ mail }, given, before) {
    // Addresses of an existing channel may change even while e-mail is off.
    if (!mail && !before)
      throw invalidParameter(
        "kind",
        "email isn't available on this server; the operator must set SMTP_URL and SMTP_FROM",
      );
    return targetOf(checkedAddresses(given));
  },
  restore: (stored) => targetOf(addressesIn(stored)),
  testLimit: {
    perHour: TESTS_PER_HOUR,
    message: `an e-mail channel can be tested ${TESTS_PER_HOUR} times an hour; try again later`,
  },
};

function targetOf(to: string[]): Target {
  return {
    stored: { kind: "email", to },
    shown: { to },
    to,
    async send(deps, message) {
      const addresses = addressesOf(to, message);
      if (addresses.length === 0) return { delivered: true, reason: NO_ADDRESS_LEFT };
      return deliverMail({ ...deps, mail: deps.senders.mail }, addresses, message);
    },
  };
}

const NO_ADDRESS_LEFT = "the remaining addresses were removed from the channel";

/**
 * Returns the addresses that a message goes to. A partly delivered one goes only to the remaining recipients that are
 * still on the channel.
 */
function addressesOf(to: readonly string[], { type, left }: Outgoing): readonly string[] {
  if (!left) return type === CONFIRMATION_TYPE ? [] : to;
  const remaining = new Set(left);
  return to.filter((address) => remaining.has(address));
}

/** @throws {AppError} `invalid_parameter` */
function checkedAddresses({ url, to }: ChannelTarget): string[] {
  if (url !== undefined)
    throw invalidParameter("target.url", "isn't allowed for e-mail; list addresses in target.to");
  if (to === undefined) throw invalidParameter("target.to", "is required", "required");
  return to;
}

function addressesIn({ to }: JsonObject): string[] {
  return Array.isArray(to) ? to.filter((address) => typeof address === "string") : [];
}
