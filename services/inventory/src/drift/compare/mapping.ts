import type { Json } from "@leeway/shared/json";

/**
 * What is live in the form in which the state has it. What means the same is `declared` itself; undefined when the
 * two can't be compared.
 */
export type Shape = (live: Json, declared: Json) => Json | undefined;

/** Where an attribute is in the live properties. */
export interface Row {
  /** See `valuesAt`. */
  live: string;
  shape: Shape;
  /** What it means that it isn't there; without one that tells nothing, since listings leave out much. */
  absent?: Json;
}

/** Rows by the attribute; one in a block of its own is named with the block: `vpc_config.subnet_ids`. */
export type TypeMapping = Readonly<Record<string, Row>>;

/** What is known of a cloud's types; a path alone is compared by `mirrored`. */
export type MappingTable = Readonly<Record<string, Readonly<Record<string, string | Row>>>>;
