/** Both sides are shown to mean the same. */
export const PROVEN = 1;
/** Something else than the configuration is known to own what changes, or it is a known default. */
export const OWNED = 0.9;
/** As after a difference that came twice: worth telling, never hidden. */
export const LIKELY = repeatConfidence(2);

/** Noise counts no more in the risk from this confidence on, unless a rule forbids to hide it. */
export const HIDDEN_FROM = 0.9;

/** How sure it is that what reappeared after `times` applies is noise; 0 below two, when it isn't shown. */
export function repeatConfidence(times: number): number {
  return times < 2 ? 0 : 1 - 2 ** -times;
}
