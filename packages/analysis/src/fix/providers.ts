import { oncePer } from "@leeway/shared/values/once";

import { attributeNamed, bodyOf, type Block } from "./hcl/body.ts";
import { literalOf } from "./hcl/literal.ts";
import type { Site } from "./locate.ts";
import type { Project, ProjectFile } from "./project.ts";

/** A configuration of the AWS provider. */
export interface Provider {
  file: ProjectFile;
  block: Block;
}

interface Providers {
  /** Providers by directory and alias, and across directories by alias only. */
  byPlace: ReadonlyMap<string, readonly Provider[]>;
  /** Whether a call passes providers under other names to its module. */
  arePassed: boolean;
}

/** Returns the configurations that a site may use. A shared module may be called from any directory. */
export function providersOf(
  { file, isShared }: Site,
  project: Project,
  alias: string | undefined,
): readonly Provider[] {
  return indexOf(project).byPlace.get(placeOf(isShared ? undefined : file.directory, alias)) ?? [];
}

export function passesProviders(project: Project): boolean {
  return indexOf(project).arePassed;
}

/** Returns a project's configurations. Each site asks, but the files are searched once. */
const indexOf = oncePer(({ files }: Project): Providers => {
  const byPlace = new Map<string, Provider[]>();
  let arePassed = false;
  for (const file of files) {
    for (const block of file.blocks) {
      arePassed ||= block.kind === "module" && attributeNamed(bodyOf(block.node), "providers") !== undefined;
      if (block.kind !== "provider" || block.labels[0] !== "aws") continue;
      for (const place of placesOf(file, block)) {
        const there = byPlace.get(place) ?? [];
        byPlace.set(place, there);
        there.push({ file, block });
      }
    }
  }
  return { byPlace, arePassed };
});

function placesOf({ directory }: ProjectFile, block: Block): string[] {
  const alias = aliasOf(block);
  return [placeOf(directory, alias), placeOf(undefined, alias)];
}

function placeOf(directory: string | undefined, alias: string | undefined): string {
  return JSON.stringify([directory ?? null, alias ?? null]);
}

/** Returns the alias that resources use, such as `aws.west`; undefined for the default configuration. */
function aliasOf(provider: Block): string | undefined {
  const alias = attributeNamed(bodyOf(provider.node), "alias");
  const value = alias && literalOf(alias.value);
  return alias && `aws.${typeof value === "string" ? value : ""}`;
}
