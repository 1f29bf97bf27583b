import type { Scan } from "../../api/openapi.gen.ts";

const PHASES: readonly Scan["phase"][] = ["discover", "match", "drift"];

export interface Step {
  phase: Scan["phase"];
  state: "done" | "now" | "stopped" | "ahead";
}

/** The steps of a scan: what is behind it, where it is or came to an end, and what is ahead. */
export function stepsOf({ status, phase }: Pick<Scan, "status" | "phase">): Step[] {
  const at = PHASES.indexOf(phase);
  return PHASES.map((phase, index) => {
    if (status === "succeeded" || status === "partial" || index < at) return { phase, state: "done" };
    if (index > at || status === "queued") return { phase, state: "ahead" };
    return { phase, state: status === "running" ? "now" : "stopped" };
  });
}
