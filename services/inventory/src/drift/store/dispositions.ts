import type { Statements } from "@leeway/shared/database/database";

/** Returns whether a word is a decision. */
export function isDecision(word: string): word is keyof typeof DECIDED {
  return word in DECIDED;
}

/** Conditions on a fingerprint `f` for each decision, in a form that the planner can estimate. */
export const DECIDED = {
  open: ({ part }: Statements) =>
    part`(f.status = 'open' or f.status = 'ignored' and not inventory.is_ignored(f.status, f.ignored_until))`,
  acknowledged: ({ part }: Statements) => part`f.status = 'acknowledged'`,
  ignored: ({ part }: Statements) =>
    part`f.status = 'ignored' and inventory.is_ignored(f.status, f.ignored_until)`,
};
