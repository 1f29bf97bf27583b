import type { Egress } from "@leeway/shared/egress/egress";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import { repeat } from "@leeway/shared/repeat";
import type { Platform, Running } from "@leeway/shared/service";

import { tellExpiringTokens } from "./expiring.ts";
import type { MailSettings } from "./mail.ts";
import { createPublisher, type Publisher } from "./publish.ts";
import type { Senders } from "./send.ts";
import { MESSAGE_DAYS } from "./store/messages.ts";
import { forgetNotifications } from "./store/notifications.ts";
import { startNotifier } from "./worker.ts";

const HOUR_MS = 60 * 60 * 1000;
const RETENTION = { days: MESSAGE_DAYS, toldDays: 400, atMost: 5_000 };

interface NotificationSettings {
  ring: KeyRing;
  egress: Egress;
  publicBaseUrl: string;
  mail?: MailSettings | undefined;
  ladderSeconds?: readonly number[] | undefined;
}

interface Notifications extends Running {
  senders: Senders;
  publisher: Publisher;
  wakeNotifier: () => void;
}

/** Starts what sends notifications, and what publishes those that nobody else does. */
export function startNotifications(
  platform: Platform,
  { ring, egress, publicBaseUrl, mail, ladderSeconds }: NotificationSettings,
): Notifications {
  const { database, log } = platform;
  const senders = { egress, mail };
  const wakeNotifier = (): void => notifier.wake();
  const publisher = createPublisher(database, wakeNotifier);
  const notifier = startNotifier({ ...platform, ring, senders, publisher, publicBaseUrl, ladderSeconds });
  const house = async (): Promise<void> => {
    await tellExpiringTokens(database, publisher, new Date());
    if ((await forgetNotifications(database.system, RETENTION)) === RETENTION.atMost) hourly.wake();
  };
  const hourly = repeat({ name: "notifications' house", everyMs: HOUR_MS, log, work: house });
  return {
    senders,
    publisher,
    wakeNotifier,
    async drain() {
      await Promise.all([hourly.stop(), notifier.stop()]);
    },
  };
}
