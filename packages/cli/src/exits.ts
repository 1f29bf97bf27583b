/** Exit codes of commands. Scripts rely on them. */
export const EXITS = {
  ok: { code: 0, says: "success" },
  failure: { code: 1, says: "failure; the message on standard error says why" },
  usage: {
    code: 64,
    says: "wrong usage: an unknown command or flag, or a missing argument, file or setting",
  },
} as const;

/** Exit codes of a command with a gate. */
export const GATE_EXITS = {
  ok: { code: 0, says: "the gate passed, or there is none" },
  failure: EXITS.failure,
  gate: { code: 2, says: "the gate failed: the risk is at or above --fail-on" },
  usage: EXITS.usage,
} as const;

/** Exit codes of an analysis. The first that applies wins, in the order 64, 1, 2, 3, 0. */
export const ANALYZE_EXITS = {
  ok: { code: 0, says: "the gate passed, or there is none" },
  failure: EXITS.failure,
  gate: { code: 2, says: "the gate failed: the risk is at or above --fail-on, or the plan failed" },
  changes: {
    code: 3,
    says: "only with --detailed-exitcode: the gate passed, and applying the plan would change something",
  },
  usage: EXITS.usage,
} as const;
