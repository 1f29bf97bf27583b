import type { Egress } from "@leeway/shared/security/egress/egress";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { repeat } from "@leeway/shared/platform/repeat";
import type { Platform, Running } from "@leeway/shared/service/service";

import { publishExpiringTokens } from "./expiring.ts";
import { createLinks, type Links } from "./mail/links.ts";
import type { MailSettings } from "./mail/transport.ts";
import { createPublisher, type Publisher } from "./publish.ts";
import type { Senders } from "./kind.ts";
import { startNotifier } from "./worker.ts";

const HOUR_MS = 60 * 60 * 1000;

interface NotificationSettings {
  ring: KeyRing;
  egress: Egress;
  publicBaseUrl: string;
  mail?: MailSettings | undefined;
  ladderSeconds?: readonly number[] | undefined;
}

interface Notifications extends Running {
  senders: Senders;
  links: Links;
  publisher: Publisher;
  wakeNotifier: () => void;
}

/** Starts the sender of notifications, and the hourly loop that publishes expiring tokens. */
export function startNotifications(
  platform: Platform,
  { ring, egress, publicBaseUrl, mail, ladderSeconds }: NotificationSettings,
): Notifications {
  const { database, log } = platform;
  const senders = { egress, mail };
  const links = createLinks(ring, publicBaseUrl);
  const wakeNotifier = (): void => notifier.wake();
  const publisher = createPublisher(database, wakeNotifier);
  const notifier = startNotifier({
    ...platform,
    ring,
    senders,
    links,
    publisher,
    publicBaseUrl,
    ladderSeconds,
  });
  const expiring = repeat({
    name: "expiring tokens",
    everyMs: HOUR_MS,
    log,
    work: () => publishExpiringTokens(database, publisher, new Date()),
  });
  return {
    senders,
    links,
    publisher,
    wakeNotifier,
    async drain() {
      await Promise.all([expiring.stop(), notifier.stop()]);
    },
  };
}
