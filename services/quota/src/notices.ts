import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { withContext } from "@leeway/shared/platform/context";
import type { SlotDenial } from "@leeway/shared/contracts/quota/slots";
import { PublishNotification, type NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import { eventIdOf } from "@leeway/shared/values/event-id";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

/** A key whose breaker has opened. */
interface OpenedBreaker {
  provider: string;
  consecutiveFailures: number;
  retryAt: Date;
}

/** Notifies organizations' channels; never throws, and nothing waits for it. */
export interface Notices {
  breakerOpened(orgId: string, opened: OpenedBreaker): void;
  /** Reports the first denial in each bucket, and again after its cap changed. */
  denied(orgId: string, denial: SlotDenial): void;
}

/** Delays before retries; a longer outage is logged. */
const WAITS_MS = [0, 1_000, 10_000];
const MAX_REMEMBERED = 10_000;

export function createNotices(bus: BusConnection, log: Logger): Notices {
  /** End of each reported bucket, by gate and cap. */
  const notified = new Map<string, string>();

  async function publish(orgId: string, event: NotificationEvent): Promise<boolean> {
    let failure: unknown;
    for (const waitMs of WAITS_MS) {
      await Bun.sleep(waitMs);
      try {
        await call(bus, PublishNotification, { org_id: orgId, event });
        return true;
      } catch (error) {
        failure = error;
      }
    }
    log.warn(
      { error: failure, org_id: orgId, type: event.type },
      "couldn't publish a notification; it is lost",
    );
    return false;
  }

  // Runs in its own context, because the request doesn't wait for it.
  const publishInBackground = (orgId: string, event: NotificationEvent): Promise<boolean> =>
    withContext({ requestId: crypto.randomUUID() }, () => publish(orgId, event));

  return {
    breakerOpened(orgId, { provider, consecutiveFailures, retryAt }) {
      const at = retryAt.toISOString();
      void publishInBackground(orgId, {
        id: eventIdOf("byok.breaker_opened", orgId, at),
        type: "byok.breaker_opened",
        created_at: new Date().toISOString(),
        data: { provider, consecutive_failures: consecutiveFailures, retry_at: at },
      });
    },
    denied(orgId, { reason, gate, used, cap, week_resets_at, hour_resets_at }) {
      if (reason === "hard_off") return; // a gate that is off has nothing to use up
      const resetsAt = gate === "weekly" ? week_resets_at : hour_resets_at;
      const bucket = `${orgId} ${gate} ${cap}`;
      if (notified.get(bucket) === resetsAt) return;
      if (notified.size >= MAX_REMEMBERED) notified.clear();
      notified.set(bucket, resetsAt);
      const event = {
        id: eventIdOf("quota.exhausted", orgId, gate, resetsAt, `${cap}`),
        type: "quota.exhausted" as const,
        created_at: new Date().toISOString(),
        data: { bucket: gate, used, cap, resets_at: resetsAt },
      };
      void publishInBackground(orgId, event).then((isPublished) => isPublished || notified.delete(bucket)); // the next denial tries again
    },
  };
}
