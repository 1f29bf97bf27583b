import type { Plan, PlanSettings } from "@leeway/shared/contracts/quota/plans";
import type { SlotDenial, SlotGrant, SlotLimit } from "@leeway/shared/contracts/quota/slots";
import type { LlmUsage } from "@leeway/shared/contracts/quota/usage";

/** A gate and its current bucket, a fixed window. */
interface Gate {
  name: SlotLimit["gate"];
  /** -1 unlimited, 0 hard-off. */
  cap: number;
  used: number;
  resetsAt: Date;
}

/** An organization's plan and gates, as the database saw them at `seenAt`. */
export interface Standing {
  plan: Plan;
  weekly: Gate;
  hourly: Gate;
  /** Both gates are passed then, and count nothing. */
  hasOwnKey: boolean;
  seenAt: Date;
}

/** The plan with the caps that hold: those of the contract, else of the plan. */
export function planSettings({ plan, weekly, hourly }: Standing): PlanSettings {
  return { plan, weekly_platform_llm_quota: weekly.cap, hourly_platform_llm_limit: hourly.cap };
}

/** What a job is told that has a slot, or needs none. */
export function grant({ weekly, hourly, hasOwnKey, seenAt }: Standing): SlotGrant {
  if (hasOwnKey) return { granted: true, source: "byok", limits: [] };
  const limits = [weekly, hourly]
    .filter(({ cap }) => cap >= 0)
    .map((gate) => ({
      gate: gate.name,
      cap: gate.cap,
      used: gate.used,
      resets_in_seconds: secondsUntil(gate, seenAt),
    }));
  return { granted: true, source: "platform", limits };
}

/** What a job is told that got no slot: by the gate that is off, else by the one that is full, weekly first. */
export function denial({ weekly, hourly, seenAt }: Standing): SlotDenial {
  const gate =
    [weekly, hourly].find(({ cap }) => cap === 0) ?? (weekly.cap > 0 && isFull(weekly) ? weekly : hourly);
  return {
    granted: false,
    reason: gate.cap === 0 ? "hard_off" : `${gate.name}_exhausted`,
    gate: gate.name,
    cap: gate.cap,
    used: gate.used,
    week_resets_at: timestamp(weekly.resetsAt),
    hour_resets_at: timestamp(hourly.resetsAt),
    retry_after_seconds: secondsUntil(gate, seenAt),
  };
}

/** Both gates and when they reset, and whose model is there to be asked. */
export function usage({ plan, weekly, hourly, hasOwnKey }: Standing, hasPlatformModel: boolean): LlmUsage {
  return {
    weekly_used: weekly.used,
    weekly_cap: weekly.cap,
    week_resets_at: timestamp(weekly.resetsAt),
    hourly_used: hourly.used,
    hourly_cap: hourly.cap,
    hour_resets_at: timestamp(hourly.resetsAt),
    byok_configured: hasOwnKey,
    platform_model_configured: hasPlatformModel,
    plan,
  };
}

function isFull({ cap, used }: Gate): boolean {
  return used >= cap;
}

/** Rounded up, so that whoever waits exactly that long is in the next bucket. */
function secondsUntil({ resetsAt }: Gate, seenAt: Date): number {
  return Math.max(1, Math.ceil((resetsAt.getTime() - seenAt.getTime()) / 1000));
}

/** Buckets end on the full hour: `2026-10-12T00:00:00Z`. */
function timestamp(at: Date): string {
  return at.toISOString().replace(".000Z", "Z");
}
