import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";
import { counted } from "@leeway/shared/values/counted";

/** A rule of the organization and what it hides in a plan, such as `2 findings`. */
export interface HiddenByRule {
  name: string;
  what: string;
}

/** Returns what the organization's rules hide in a plan, by rule. */
export function hiddenByRules({ hidden_findings: findings = [], noise }: Analysis): HiddenByRule[] {
  const counts = new Map<string, { findings: number; noise: number }>();
  const count = (what: "findings" | "noise", name: string | undefined): void => {
    if (name === undefined) return;
    const known = counts.get(name) ?? { findings: 0, noise: 0 };
    counts.set(name, { ...known, [what]: known[what] + 1 });
  };
  for (const { hidden_by } of findings) count("findings", hidden_by.name);
  for (const { hidden_by } of noise) count("noise", hidden_by?.name);
  return [...counts].map(([name, hidden]) => ({
    name,
    what: [
      ...(hidden.findings > 0 ? [counted(hidden.findings, "finding")] : []),
      ...(hidden.noise > 0 ? [counted(hidden.noise, "kind of noise", "kinds of noise")] : []),
    ].join(" and "),
  }));
}
