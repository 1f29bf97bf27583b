/** How a gate stands: skipped, shut for good, shut until it starts anew, or open. */
export type Gate =
  | { kind: "unlimited" }
  | { kind: "off" }
  | { kind: "used_up"; cap: number }
  | { kind: "open"; used: number; cap: number; left: number; percent: number };

const UNLIMITED = -1;

/** A gate by the API's figures. One that is unlimited counts nothing, so that its 0 doesn't mean that none is used. */
export function gateOf(used: number, cap: number): Gate {
  if (cap === UNLIMITED) return { kind: "unlimited" };
  if (cap === 0) return { kind: "off" };
  if (used >= cap) return { kind: "used_up", cap };
  return { kind: "open", used, cap, left: cap - used, percent: (100 * used) / cap };
}
