import { readFileSync } from "node:fs";
import { join } from "node:path";

import { importFormOf } from "@leeway/clouds/imports/import-forms";

import { typeLines } from "../src/type-lines.ts";
import { LEAST_SHARE } from "../src/adopt/offered-types.ts";
import { SKIPPED } from "./gap-lines.ts";
import { readings, shareOf, type Readings } from "./readings.ts";
import { resourcesOf } from "./resources.ts";
import { PROVIDERS, type Cloud, type Sources } from "./tables.ts";
import { terraformTypes } from "./terraform.ts";

const HEADER = `# Made by \`bun run knowledge\`; do not edit. See packages/drift/README.md.
type\tshare\tunread`;

/** Returns the attributes that adopting reads, for each type with an import id. */
export function measuredTypes(cloud: Cloud, sources: Sources): ReadonlyMap<string, Readings> {
  const types = terraformTypes(join(sources.packages, `@cdktf/provider-${PROVIDERS[cloud]}/lib`));
  const resources = resourcesOf(cloud, sources);
  const gaps = readFileSync(join(import.meta.dir, "../src/gaps", `${cloud}.tsv`), "utf8");
  const lines = typeLines({ [PROVIDERS[cloud]]: gaps });
  return new Map(
    [...types].flatMap(([type, args]): [string, Readings][] => {
      if (importFormOf(type) === undefined) return [];
      const hidden = unseenIn(lines.of(type));
      const isCounted = (path: string): boolean => !stepsOf(path).some((one) => hidden.has(one));
      return [[type, readings(type, args, resources(type), isCounted)]];
    }),
  );
}

/** Attributes that no cloud shows: secrets, and those that only the provider knows. */
function unseenIn(lines: readonly (readonly string[])[]): ReadonlySet<string> {
  const unseen = lines.filter(
    ([, , reason = "", , note]) =>
      ["provider_only", "secret", "excluded"].includes(reason) && note !== SKIPPED,
  );
  return new Set(
    unseen.flatMap(([, , , names = ""]) => names.split(" ").map((name) => name.replace(/\*\d+$/, ""))),
  );
}

function stepsOf(path: string): string[] {
  const steps = path.split(".");
  return steps.map((_, index) => steps.slice(0, index + 1).join("."));
}

/** Returns a cloud's table of measured types: the share of attributes that are read, and the others. */
export function measuredTable(measured: ReadonlyMap<string, Readings>): string {
  const lines = [...measured].map(([type, found]) => {
    const share = shareOf(found);
    // The share says enough about a type that isn't offered.
    const others = share < LEAST_SHARE ? [] : [...found.unread, ...found.wrong];
    return [type, share.toFixed(2), others.join(" ")].join("\t").trimEnd();
  });
  return `${HEADER}\n${lines.join("\n")}\n`;
}
