import type { Json } from "@leeway/shared/json";

/** What a provider's attributes are when a configuration leaves them out, by type and path pattern. */
export type Defaults = Readonly<Record<string, Readonly<Record<string, Json>>>>;
