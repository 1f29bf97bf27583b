import type { Json, JsonObject } from "@leeway/shared/values/json";

/**
 * Converts a live value to the state's form. Returns `declared` itself
 * if both mean the same; undefined if the two can't be compared.
 */
export type Shape = (live: Json, declared: Json) => Json | undefined;

/** A resource that is declared separately, but live inside another: a security group's rule, a bucket's policy. */
export interface Part {
  /** Terraform type. */
  type: string;
  /** Attributes in the tool's spelling. */
  attributes: JsonObject;
}

/** Resource that an attribute belongs to. */
export interface Whole {
  declared: JsonObject;
  live: JsonObject;
  parts: readonly Part[];
}

/** A shape that depends on other attributes of the resource. */
export type ShapeWithin = (live: Json, declared: Json, whole: Whole) => Json | undefined;

/** Shape of an attribute that isn't compared, because it has another meaning in the API or changes on its own. */
export const notCompared: ShapeWithin = () => undefined;

/** Place of an attribute in the live properties. */
export interface Row {
  /** Path; see `valueAtPath`. */
  live: string;
  shape: ShapeWithin;
  /** Value of a missing member. Without it, a missing member means nothing, because listings omit many. */
  absent?: Json;
  /**
   * Declared value for a type that lacks the attribute, because only parts declare it. It is stored with the state's
   * attributes, so that the parts' declarations can be compared.
   */
  unstated?: Json;
  /** Value in a new resource, unless that is null. Undeclared live values are compared with it. */
  initial?: Json;
  /** Path of the value, for rows with an empty `live`. */
  reads?: string;
  /** Key of the value, for rows whose path leads to a list of keys and values. */
  key?: string;
  /** Terraform type of a part that may declare it instead of the whole. */
  part?: string;
  /** Returns the compared part of a block, under any tool's names. Without it, the whole value is stored. */
  compared?: (declared: Json) => Json;
}

/** Rows by attribute. An attribute inside a block has the block's name in front: `vpc_config.subnet_ids`. */
export type TypeMapping = Readonly<Record<string, Row>>;

/** Rows of a cloud's types; a plain path is compared with `mirrored`. */
export type MappingTable = Readonly<Record<string, Readonly<Record<string, string | Row>>>>;
