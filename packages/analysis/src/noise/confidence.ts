/** Both sides are proven to be equivalent. */
export const PROVEN = 1;
/** Another system is known to own the attribute, or the value is a known default. */
export const OWNED = 0.9;
/** Same as a difference that came back twice: worth reporting, never hidden. */
export const LIKELY = repeatConfidence(2);

/** From this confidence on noise doesn't count as risk, unless a rule forbids hiding it. */
export const HIDDEN_FROM = 0.9;

/** Returns the confidence that a difference which came back after `times` applies is noise; 0 below two. */
export function repeatConfidence(times: number): number {
  return times < 2 ? 0 : 1 - 2 ** -times;
}
