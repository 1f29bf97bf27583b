import type { Json, JsonObject } from "@leeway/shared/values/json";

import type { Part } from "./mapping.ts";

/** A live resource from a listing. */
export interface LiveProperties {
  /** Properties from the cloud, with redacted secrets. */
  properties: JsonObject;
  tags?: Readonly<Record<string, string>>;
  /** Parts that are declared separately. */
  parts?: readonly Part[];
  /** Whether the properties were read one resource at a time. */
  isRead?: boolean;
  /** Attributes that it has shown before; see `Sightings`. */
  seen?: string | undefined;
}

/** A live resource with a Terraform provider's attributes. */
export interface LiveAttributes {
  attributes: JsonObject;
}

/** Live value of an attribute; undefined if it is unknown. */
export interface Found {
  /** Path of the attribute, with the block that contains it. */
  steps: readonly string[];
  declared: Json;
  live: Json | undefined;
}
