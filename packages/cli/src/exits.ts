/** How commands that ask Leeway can end, and what scripts may rely on. */
export const EXITS = {
  ok: { code: 0, says: "all went well" },
  error: { code: 1, says: "it failed: wrong usage, no answer, or a refusal; the standard error tells which" },
} as const;

/** And an analysis besides. The first that holds counts, in the order 1, 2, 3, 0. */
export const ANALYZE_EXITS = {
  ok: { code: 0, says: "analyzed, and the gate is passed" },
  error: EXITS.error,
  gate: { code: 2, says: "analyzed, and the risk is as high as --fail-on or higher, or the plan failed" },
  changes: {
    code: 3,
    says: "only with --detailed-exitcode: the gate is passed, and applying the plan would change something",
  },
} as const;
