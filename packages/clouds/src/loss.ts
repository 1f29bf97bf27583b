/** Losses caused by deleting a resource, worst first. */
export const LOSSES = [
  "key_material",
  "container",
  "stateful",
  "maybe_stateful",
  "serving",
  "other",
] as const;
export type Loss = (typeof LOSSES)[number];
