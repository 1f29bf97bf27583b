import type { Scan } from "../../api/openapi.gen.ts";

const PHASES: readonly Scan["phase"][] = ["discover", "match", "drift"];

export interface Step {
  phase: Scan["phase"];
  state: "done" | "now" | "stopped" | "ahead";
}

/** Returns the steps of a scan: those done, the current or last one, and those ahead. */
export function stepsOf({ status, phase }: Pick<Scan, "status" | "phase">): Step[] {
  const at = PHASES.indexOf(phase);
  return PHASES.map((phase, index) => {
    if (status === "succeeded" || status === "partial" || index < at) return { phase, state: "done" };
    if (index > at || status === "queued") return { phase, state: "ahead" };
    return { phase, state: status === "running" ? "now" : "stopped" };
  });
}
