import { once } from "@leeway/shared/values/once";

import { catalog } from "./catalog.ts";
import { grantTypes } from "./iam.ts";

/** Returns the canonical types whose resources declare grants. */
export const allGrantTypes = once(
  (): ReadonlySet<string> =>
    new Set(catalog.entries.flatMap(({ terraform }) => grantTypes(terraform[0] ?? "")?.member ?? [])),
);
