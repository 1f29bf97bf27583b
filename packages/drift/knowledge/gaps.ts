import { join } from "node:path";

import { mapperOf } from "../src/tables.ts";
import { gapLines } from "./gap-lines.ts";
import { knownOf } from "./known.ts";
import { mutate } from "./mutations.ts";
import { PROVIDERS, type Cloud, type Sources } from "./tables.ts";
import { terraformTypes } from "./terraform.ts";

const HEADER = `# Made by \`bun run knowledge\`; do not edit. See packages/drift/README.md.
type\tsettable\treason\tattributes\tnote`;

/** Returns the list of a cloud's attributes that can be set, but aren't compared. It needs the tables of attributes. */
export function gapsOf(cloud: Cloud, sources: Sources): string {
  const types = terraformTypes(join(sources.packages, `@cdktf/provider-${PROVIDERS[cloud]}/lib`));
  const find = knownOf(cloud, sources);
  const lines = [...types].flatMap(([type, args]) => {
    const known = find(type);
    const mirrored = mapperOf(type)?.mirror ? mutate(type, args, known.resources).reported : [];
    return gapLines(type, args, { ...known, mirrored: new Set(mirrored) });
  });
  return `${HEADER}\n${lines.join("\n")}\n`;
}
