import { isDeepStrictEqual } from "node:util";

import { OWNED } from "../confidence.ts";
import { AWS_DEFAULTS } from "../defaults/aws.ts";
import { AZURE_DEFAULTS } from "../defaults/azure.ts";
import type { Defaults } from "../defaults/defaults.ts";
import { GCP_DEFAULTS } from "../defaults/gcp.ts";
import type { LeafRule } from "../detector.ts";
import { lookup } from "../lookup.ts";
import { pathPattern } from "../path-pattern.ts";

const DEFAULTS: Defaults = { ...AWS_DEFAULTS, ...GCP_DEFAULTS, ...AZURE_DEFAULTS };

/** An attribute that is absent on one side and has the provider's default on the other. */
export const materializedDefault: LeafRule = {
  class: "default_materialized",
  judge({ path, before, after }, { change }) {
    if ((before === null) === (after === null) || typeof path.at(-1) === "number") return undefined;
    const value = lookup(lookup(DEFAULTS, change.type) ?? {}, pathPattern(path));
    return value !== undefined && isDeepStrictEqual(before ?? after, value) ? OWNED : undefined;
  },
};
