import type { Json, JsonObject } from "@leeway/shared/json";

/**
 * What is live in the form in which the state has it. What means the same is `declared` itself; undefined when the
 * two can't be compared.
 */
export type Shape = (live: Json, declared: Json) => Json | undefined;

/** A resource that is declared by itself and live inside another: a rule of a security group, a policy of a bucket. */
export interface Part {
  /** The Terraform type. */
  type: string;
  /** As the tool spells them. */
  attributes: JsonObject;
}

/** The resource that an attribute is of. */
export interface Whole {
  declared: JsonObject;
  live: JsonObject;
  parts: readonly Part[];
}

/** A shape that depends on more of the resource than its attribute. */
export type ShapeWithin = (live: Json, declared: Json, whole: Whole) => Json | undefined;

/** Where an attribute is in the live properties. */
export interface Row {
  /** See `valueAtPath`. */
  live: string;
  shape: ShapeWithin;
  /** What it means that it isn't there; without one that tells nothing, since listings leave out much. */
  absent?: Json;
  /**
   * What a state declares of it that has no such attribute, since others declare it. It is kept with the attributes of a
   * state when that is taken in: then what the others declare is known, too.
   */
  unstated?: Json;
}

/** Rows by the attribute; one in a block of its own is named with the block: `vpc_config.subnet_ids`. */
export type TypeMapping = Readonly<Record<string, Row>>;

/** What is known of a cloud's types; a path alone is compared by `mirrored`. */
export type MappingTable = Readonly<Record<string, Readonly<Record<string, string | Row>>>>;
