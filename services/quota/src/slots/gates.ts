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
  /** Whether it has its own key, so that both gates are bypassed and count nothing. */
  hasOwnKey: boolean;
  seenAt: Date;
}

/** Returns the plan with the effective caps: the contract's overrides, or the plan's defaults. */
export function planSettings({ plan, weekly, hourly }: Standing): PlanSettings {
  return { plan, weekly_platform_llm_quota: weekly.cap, hourly_platform_llm_limit: hourly.cap };
}

/** Builds the answer for a job that has a slot, or needs none. */
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

/** Builds the denial for a job. It names the gate that is off, or else the full one, weekly first. */
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

/** Returns both gates with their reset times, and which models are available. */
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

/** Rounds up, so that a caller that waits exactly that long is in the next bucket. */
function secondsUntil({ resetsAt }: Gate, seenAt: Date): number {
  return Math.max(1, Math.ceil((resetsAt.getTime() - seenAt.getTime()) / 1000));
}

/** Formats the end of a bucket, which is always a full hour: `2026-10-12T00:00:00Z`. */
function timestamp(at: Date): string {
  return at.toISOString().replace(".000Z", "Z");
}
