import { oneOf } from "../arguments.ts";

export const TOOLS = ["terraform", "opentofu", "terragrunt", "pulumi"] as const;
type Tool = (typeof TOOLS)[number];

/** Planners' name for OpenTofu. */
const TOFU = "tofu";

/**
 * Parses the tool that created a plan.
 * @throws {Error} that lists the known tools
 */
export function parseTool(raw: string): Tool {
  return oneOf(TOOLS, raw === TOFU ? "opentofu" : raw);
}
