const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const HOLD_MS = 15 * 60 * 1000;

interface Slot {
  state: "held" | "consumed" | "released";
  /** Start of the bucket that counts it; undefined if the gate had no cap. */
  week: number | undefined;
  hour: number | undefined;
  expires: number;
}

/** In-memory model of one organization's gates as specified, for sequential calls. */
export class Model {
  now: number;
  weekly: number;
  hourly: number;
  readonly slots = new Map<string, Slot>();
  /** Latest buckets that counted a slot: setting the clock back doesn't reopen an earlier one. */
  private latest = { week: 0, hour: 0 };

  constructor(now: number, weekly: number, hourly: number) {
    this.now = now;
    this.weekly = weekly;
    this.hourly = hourly;
  }

  get week(): number {
    const midnight = this.now - (this.now % DAY_MS);
    const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
    return Math.max(this.latest.week, midnight - sinceMonday * DAY_MS);
  }

  get hour(): number {
    return Math.max(this.latest.hour, this.now - (this.now % HOUR_MS));
  }

  get weekEnd(): number {
    return this.week + 7 * DAY_MS;
  }

  get hourEnd(): number {
    return this.hour + HOUR_MS;
  }

  /** Returns the number of consumed and held slots in the current buckets. */
  get used(): { weekly: number; hourly: number } {
    const counted = [...this.slots.values()].filter(({ state }) => state !== "released");
    return {
      weekly: counted.filter(({ week }) => week === this.week).length,
      hourly: counted.filter(({ hour }) => hour === this.hour).length,
    };
  }

  /** Returns the gate that denies a call now; undefined if none does. */
  get closed(): { gate: "weekly" | "hourly"; reason: string } | undefined {
    const { weekly, hourly } = this.used;
    if (this.weekly === 0) return { gate: "weekly", reason: "hard_off" };
    if (this.hourly === 0) return { gate: "hourly", reason: "hard_off" };
    if (this.weekly > 0 && weekly >= this.weekly) return { gate: "weekly", reason: "weekly_exhausted" };
    if (this.hourly > 0 && hourly >= this.hourly) return { gate: "hourly", reason: "hourly_exhausted" };
    return undefined;
  }

  reserve(job: string): boolean {
    const known = this.slots.get(job);
    const expires = this.now + HOLD_MS;
    if (known && known.state !== "released") {
      if (known.state === "held") known.expires = expires;
      return true;
    }
    if (this.closed) return false;
    const week = this.weekly > 0 ? this.week : undefined;
    const hour = this.hourly > 0 ? this.hour : undefined;
    if (week !== undefined || hour !== undefined) this.latest = { week: this.week, hour: this.hour };
    this.slots.set(job, { state: "held", week, hour, expires });
    return true;
  }

  end(job: string, ending: "consumed" | "released"): "consumed" | "released" | undefined {
    const slot = this.slots.get(job);
    if (!slot) return undefined;
    if (slot.state === "held") slot.state = ending;
    return slot.state;
  }

  /** Releases slots that are held too long. */
  sweep(): void {
    for (const slot of this.slots.values()) {
      if (slot.state === "held" && slot.expires <= this.now) slot.state = "released";
    }
  }
}
