import { expect, test } from "bun:test";

import { enrichmentStep } from "./enrichment-step.ts";

test.each([
  ["none", true, "fetch"],
  ["failed", true, "fetch"],
  ["enriched", true, "keep"],
  ["n/a", true, "keep"],
  ["none", false, "mark_not_applicable"],
  ["failed", false, "mark_not_applicable"],
  ["enriched", false, "mark_not_applicable"],
  ["n/a", false, "keep"],
] as const)(
  "a resource that is %s, of a provider whose having an enricher is %p: %s",
  (status, has, step) => {
    expect(enrichmentStep(status, has)).toBe(step);
  },
);
