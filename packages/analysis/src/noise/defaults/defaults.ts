import type { Json } from "@leeway/shared/values/json";

/** Values that a provider uses for omitted attributes, by type and path pattern. */
export type Defaults = Readonly<Record<string, Readonly<Record<string, Json>>>>;
