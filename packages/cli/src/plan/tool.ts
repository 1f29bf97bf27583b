export const TOOLS = ["terraform", "opentofu", "terragrunt", "pulumi"] as const;
type Tool = (typeof TOOLS)[number];

/** How a planner calls the program of OpenTofu. */
const TOFU = "tofu";

/** What planned. @throws {Error} that says what is known. */
export function parseTool(raw: string): Tool {
  const tool = TOOLS.find((known) => known === (raw === TOFU ? "opentofu" : raw));
  if (tool === undefined) throw new Error(`must be one of ${TOOLS.join(", ")}`);
  return tool;
}
