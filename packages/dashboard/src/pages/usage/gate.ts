/** State of a gate: unlimited, off, closed until it resets, or open. */
export type Gate =
  | { kind: "unlimited" }
  | { kind: "off" }
  | { kind: "used_up"; cap: number }
  | { kind: "open"; used: number; cap: number; left: number; percent: number };

const UNLIMITED = -1;

/**
 * Returns a gate's state from the API's figures. An unlimited gate counts nothing, so its 0 doesn't mean that it is
 * unused.
 */
export function gateOf(used: number, cap: number): Gate {
  if (cap === UNLIMITED) return { kind: "unlimited" };
  if (cap === 0) return { kind: "off" };
  if (used >= cap) return { kind: "used_up", cap };
  return { kind: "open", used, cap, left: cap - used, percent: (100 * used) / cap };
}
