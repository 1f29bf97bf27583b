import type { RuleCase } from "../rule.ts";
import type { Transition } from "../tables/table.ts";

/**
 * The meaning of settings on any type, by name. A name is the last two steps of a path, in lower case with
 * underscores.
 */
export interface GeneralSign {
  /** Types that it applies to; any if omitted. */
  types?: RegExp;
  names: RegExp;
  /** Names that it doesn't apply to. */
  but?: RegExp;
  transition: Transition | WordTransition;
  case: RuleCase;
  /** Start of its message. */
  message: string;
  /** Whether it applies only to types that hold data, or concern a type that does. */
  isOfData?: true;
}

/** Change of a setting's word; see `words.ts`. */
export type WordTransition =
  | "unblocked"
  | "loosened"
  | "plainer"
  | "published"
  | "unauthenticated"
  | "anybody"
  | "set"
  | "ended"
  | "shorter"
  | "switched_off";

/** Builds signs with the same meaning. */
export function meaning(
  found: RuleCase,
  message: string,
  signs: readonly Omit<GeneralSign, "case" | "message">[],
): readonly GeneralSign[] {
  return signs.map((row) => ({ ...row, case: found, message }));
}

/** Names that reverse the meaning of the rest: `non_ssl_port_enabled`, `delete_automated_backups`. */
export const OPPOSITE =
  /(?:^|[._])(?:disable|exclude|skip|delete|non)_|dead_letter|cross_tenant|zone_redundancy|cleanup/;

/** Switches of a resource or of a part of it. */
export const SWITCHES = /(?:^|[._])(?:(?:is_)?enabled?|status|state|mode|enforcement_state)$/;
