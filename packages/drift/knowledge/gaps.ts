import { join } from "node:path";

import { mapperOf } from "../src/tables.ts";
import { exceptionsOf } from "./exceptions.ts";
import { gapLines } from "./gap-lines.ts";
import { mutate } from "./mutations.ts";
import { RESOURCES } from "./resources.ts";
import { secretAttributes } from "./secrets.ts";
import { cloudTypesOf, PROVIDERS, type Cloud, type Sources } from "./tables.ts";
import { terraformTypes } from "./terraform.ts";

const HEADER = `# Made by \`bun run knowledge\`; do not edit. See packages/drift/README.md.
type\tsettable\treason\tattributes\tnote`;

/** Returns the list of a cloud's attributes that can be set, but aren't compared. It needs the tables of attributes. */
export function gapsOf(cloud: Cloud, sources: Sources): string {
  const types = terraformTypes(join(sources.packages, `@cdktf/provider-${PROVIDERS[cloud]}/lib`));
  const secrets = secretAttributes(join(sources.packages, `@pulumi/${cloud}`));
  const exceptions = exceptionsOf(cloud);
  const cloudTypes = cloudTypesOf(cloud);
  const resources = RESOURCES[cloud](sources);
  const lines = [...types].flatMap(([type, args]) => {
    const found = (cloudTypes.get(type) ?? []).flatMap(resources);
    const mirrored = mapperOf(type)?.mirror ? mutate(type, args, found).reported : [];
    return gapLines(type, args, {
      secret: secrets.get(type) ?? new Set(),
      exceptions: exceptions.get(type) ?? [],
      hasSchema: found.length > 0,
      mirrored: new Set(mirrored),
    });
  });
  return `${HEADER}\n${lines.join("\n")}\n`;
}
