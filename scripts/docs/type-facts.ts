import { typeFacts } from "@leeway/clouds/type-facts";
import { join } from "node:path";

export const TYPE_FACTS_FILE = join(import.meta.dir, "../../packages/clouds/src/type-facts.gen.ts");

const LINE = 110;

/** Returns a module with the facts of the catalogs that plan analysis uses. */
export function typeFactsText(): string {
  const { losing, cloudControl, resourceManager } = typeFacts();
  const kinds = Object.entries(losing).map(([loss, types]) => `  ${loss}: \`\n${wrapped(types)}\n  \`,\n`);
  return `// Written by \`bun run docs\` from the catalogs. Don't edit it.
import type { TypeFacts } from "./type-facts.ts";

export const TYPE_FACTS: TypeFacts = {
  losing: {
${kinds.join("")}  },
  cloudControl: \`
${cloudControl}
  \`,
  resourceManager: \`
${resourceManager}
  \`,
};
`;
}

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length > LINE) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.join("\n");
}
