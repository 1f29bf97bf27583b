import type { Channel, ChannelTarget } from "@leeway/shared/contracts/webhooks/channels";
import type { Database } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/security/egress/egress";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { JsonObject } from "@leeway/shared/values/json";

import type { PublishedEvent } from "./content.ts";
import type { Links } from "./mail/links.ts";
import type { MailSettings } from "./mail/transport.ts";

/** A kind of channel. Its file has everything that differs between kinds. */
export interface Kind {
  /**
   * Validates the target that a caller gave. `before` is the channel's previous target, if there is one and it can
   * be decrypted.
   * @throws {AppError} `invalid_parameter`
   */
  check(senders: Senders, given: ChannelTarget, before?: Target): Promise<Target>;
  /** Restores a target from its stored members. */
  restore(stored: JsonObject): Target;
  /** Limit on tests per channel and hour. A limited kind doesn't redeliver tests and confirmations. */
  testLimit?: { perHour: number; message: string };
}

/** Target of a channel. */
export interface Target {
  /** Members that are sealed, including `kind`. */
  stored: JsonObject;
  /** Part that callers see, without secrets. */
  shown: Channel["target"];
  /** Signing secret, which is shown when it is created. */
  secret?: string;
  /** Addresses that must confirm before they get messages. */
  to?: readonly string[];
  /** Sends a message once. A failing receiver is an outcome, not an error. */
  send(deps: SendDependencies, message: Outgoing): Promise<Sent>;
}

/** Means of sending to any kind of channel. */
export interface Senders {
  egress: Egress;
  /** Absent if this server sends no e-mail. */
  mail: MailSettings | undefined;
}

export interface SendDependencies {
  database: Database;
  ring: KeyRing;
  senders: Senders;
  links: Links;
  /** URL of the dashboard. */
  publicBaseUrl: string;
}

/** A message to send. In a digest, `events` contains several events. */
export interface Outgoing {
  orgId: string;
  channelId: string;
  messageId: string;
  type: string;
  createdAt: string;
  events: readonly PublishedEvent[];
  /** Recipients that it still has to reach; absent for all. */
  left?: readonly string[] | undefined;
}

/** Outcome of a failed attempt. */
export interface Failure {
  delivered: false;
  reason: string;
  status?: number;
  gone?: true;
  /** Recipients that an e-mail may still reach. The others have received it or never will. */
  left?: string[];
  /** Pause requested by the receiver. */
  retryAfterSeconds?: number;
  /** Set if it isn't retried and isn't the receiver's fault. */
  isFinal?: true;
}

/** Outcome of one attempt. */
export type Sent = { delivered: true; reason?: string; status?: number } | Failure;
