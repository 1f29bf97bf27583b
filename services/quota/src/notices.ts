import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { withContext } from "@leeway/shared/context";
import type { SlotDenial } from "@leeway/shared/contracts/quota/slots";
import { PublishNotification, type NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import { eventIdOf } from "@leeway/shared/event-id";
import type { Logger } from "@leeway/shared/telemetry/log";

/** A key whose calls are held back from now on. */
interface OpenedBreaker {
  provider: string;
  consecutiveFailures: number;
  retryAt: Date;
}

/** Tells organizations' notification channels; never fails, and nothing waits for it. */
export interface Notices {
  breakerOpened(orgId: string, opened: OpenedBreaker): void;
  /** Of each bucket the first denial is told, and of one whose cap was changed meanwhile the first after that. */
  denied(orgId: string, denial: SlotDenial): void;
}

/** A service that is away for a moment is tried again; a longer outage is logged. */
const WAITS_MS = [0, 1_000, 10_000];
const MOST_REMEMBERED = 10_000;

export function createNotices(bus: BusConnection, log: Logger): Notices {
  /** Until when a gate's bucket lasts that was told of, at its cap. */
  const told = new Map<string, string>();

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
    log.warn({ error: failure, org_id: orgId, type: event.type }, "a notification is lost");
    return false;
  }

  // Not in the context of the request that brought it about, which doesn't wait for it.
  const tell = (orgId: string, event: NotificationEvent): Promise<boolean> =>
    withContext({ requestId: crypto.randomUUID() }, () => publish(orgId, event));

  return {
    breakerOpened(orgId, { provider, consecutiveFailures, retryAt }) {
      const at = retryAt.toISOString();
      void tell(orgId, {
        id: eventIdOf("byok.breaker_opened", orgId, at),
        type: "byok.breaker_opened",
        created_at: new Date().toISOString(),
        data: { provider, consecutive_failures: consecutiveFailures, retry_at: at },
      });
    },
    denied(orgId, { reason, gate, used, cap, week_resets_at, hour_resets_at }) {
      if (reason === "hard_off") return; // there was nothing to use up
      const resetsAt = gate === "weekly" ? week_resets_at : hour_resets_at;
      const bucket = `${orgId} ${gate} ${cap}`;
      if (told.get(bucket) === resetsAt) return;
      if (told.size >= MOST_REMEMBERED) told.clear();
      told.set(bucket, resetsAt);
      const event = {
        id: eventIdOf("quota.exhausted", orgId, gate, resetsAt, `${cap}`),
        type: "quota.exhausted" as const,
        created_at: new Date().toISOString(),
        data: { bucket: gate, used, cap, resets_at: resetsAt },
      };
      void tell(orgId, event).then((isTold) => isTold || told.delete(bucket)); // the next denial tries again
    },
  };
}
