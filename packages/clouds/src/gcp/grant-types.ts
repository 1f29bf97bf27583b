import { catalog } from "./catalog.ts";
import { grantTypes } from "./iam.ts";

/** Canonical types whose resources declare grants. */
export const GRANT_TYPES: ReadonlySet<string> = new Set(
  catalog.entries.flatMap(({ terraform }) => grantTypes(terraform[0] ?? "")?.member ?? []),
);
