import type { ChannelKind } from "@leeway/shared/contracts/webhooks/channels";

import { email } from "./email.ts";
import type { Kind } from "../kind.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";

/** Every kind of channel. A new one is added here and in the contract's `CHANNEL_KINDS`. */
export const KINDS: Readonly<Record<ChannelKind, Kind>> = { webhook, slack, teams, email };

const BY_NAME: ReadonlyMap<string, Kind> = new Map(Object.entries(KINDS));

/** Returns the kind of a stored channel; undefined if only a newer version of this service knows it. */
export function kindOf(name: string): Kind | undefined {
  return BY_NAME.get(name);
}
