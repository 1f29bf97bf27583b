import { join } from "node:path";

import {
  choicesIn,
  conflictsIn,
  defaultIn,
  documentOf,
  documentsIn,
  type Documents,
  type ProviderDocuments,
} from "./documents.ts";
import { importFormOf, knownForms } from "./import-forms.ts";
import type { Argument } from "./schema.ts";
import { secretAttributes } from "./secrets.ts";
import { cloudTypesOf, PROVIDERS, type Cloud, type Sources } from "./tables.ts";
import { resourceTypes } from "./terraform.ts";

const HEADER = "# Made by `bun run knowledge`; do not edit. See packages/drift/README.md.";

/** Arguments that no import needs. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  "id timeouts tags_all name_prefix terraform_labels effective_labels timeouts".split(" "),
);
/** Attributes with a value that only one resource has. */
const REFERABLE = ["arn", "id", "self_link"];
/** Arguments that stand beside others for the same settings, and that replace the resource. */
const ALTERNATIVES: ReadonlyMap<string, readonly string[]> = new Map([
  ["aws_instance", ["security_groups", "network_interface"]],
]);
const KINDS = { text: "t", number: "n", switch: "s", map: "m", any: "j" } as const;

/** The tables about adopting resources. */
export interface AdoptionTables {
  /** Import ids, for `packages/clouds`. */
  imports: string;
  /** Arguments of the types with an import id. */
  args: string;
}

/** Returns a cloud's tables about adopting resources. */
export function adoptionTables(cloud: Cloud, sources: Sources): AdoptionTables {
  const types = resourceTypes(join(sources.packages, `@cdktf/provider-${PROVIDERS[cloud]}/lib`));
  const documents = documentsIn(join(sources.packages, `@pulumi/${cloud}`));
  const secrets = secretAttributes(join(sources.packages, `@pulumi/${cloud}`));
  const cloudTypes = cloudTypesOf(cloud);
  const known = knownForms();
  const imports: string[] = [];
  const args: string[] = [];
  for (const [type, { args: own, attributes }] of types) {
    const about = documents.types.get(type);
    const form =
      known.get(type) ??
      (about && importFormOf(cloud, { cloudTypes: cloudTypes.get(type) ?? [], ...about.imports }));
    if (form === undefined || about === undefined) continue;
    imports.push([type, form, REFERABLE.filter((one) => attributes.has(one)).join(" ")].join("\t"));
    args.push(
      ...blockLines({ documents, secrets: secrets.get(type) ?? new Set() }, [type], own, about.members),
    );
  }
  return {
    imports: `${HEADER}\ntype\tform\tattributes\n${imports.join("\n")}\n`,
    args: `${HEADER}\ntype\tblock\targuments\n${args.join("\n")}\n`,
  };
}

interface Context {
  documents: ProviderDocuments;
  secrets: ReadonlySet<string>;
}

/** Returns a line for a block and those inside it. @param path the type and the names of the blocks */
function blockLines(
  context: Context,
  path: readonly string[],
  all: readonly Argument[],
  members: Documents | undefined,
): string[] {
  const [type = "", ...block] = path;
  const isLeftOut = ({ name }: Argument): boolean =>
    LEFT_OUT.has(name) || (block.length === 0 && ALTERNATIVES.get(type)?.includes(name) === true);
  const args = all.filter((one) => !isLeftOut(one) && one.isStruct !== true);
  const names = new Set(args.map(({ name }) => name));
  const words = args.map((one) => {
    const { text = "", isAlwaysSet = false, isRequired = false } = documentOf(one, members) ?? {};
    const isTop = block.length === 0;
    const known = {
      ...one,
      isComputed: isAlwaysSet,
      // The provider's schema doesn't say it of attributes that are written like blocks.
      isRequired: one.isRequired === true || (!isTop && isRequired),
    };
    return wordOf(known, text, names, isTop && context.secrets.has(one.name));
  });
  const inner = args.flatMap((one) => {
    if (one.inner.length === 0) return [];
    const within = documentOf(one, members)?.block;
    return blockLines(
      context,
      [...path, one.name],
      one.inner,
      within === undefined ? undefined : context.documents.blocks.get(within),
    );
  });
  return [[type, block.join(".") || "-", words.join(" ")].join("\t"), ...inner];
}

/** Returns an argument with its kind and marks; see `packages/drift/README.md`. */
function wordOf(one: Argument, text: string, names: ReadonlySet<string>, isSecret: boolean): string {
  const others = (mark: string, found: readonly string[]): string => {
    const known = found.filter((name) => name !== one.name && names.has(name));
    return known.length > 0 ? mark + known.join(",") : "";
  };
  const isRequired = one.isRequired === true;
  const initial = one.kind === "block" || isRequired ? undefined : defaultIn(text);
  const named = choicesIn(text);
  return [
    `${one.name}:${kindOf(one)}`,
    isRequired ? "!" : "",
    isSecret ? "*" : "",
    isFromCloud(one, initial) ? "~" : "",
    others("^", conflictsIn(text)),
    // A text about other arguments isn't about this one.
    others("|", named.includes(one.name) ? named : []),
    initial === undefined ? "" : `=${initial}`,
  ].join("");
}

/** Reports whether a state's value comes from the cloud if the argument isn't set. */
function isFromCloud({ isComputed, isRequired }: Argument, initial: string | undefined): boolean {
  return isComputed === true && isRequired !== true && isUnknown(initial);
}

/** Reports whether a default isn't a plain value, so that a state's value comes from the cloud. */
function isUnknown(initial: string | undefined): boolean {
  return initial === undefined || initial === "?";
}

function kindOf({ kind, isMany, isOfNumbers }: Argument): string {
  if (kind === "block") return isMany ? "B" : "b";
  if (kind === "texts") return isOfNumbers === true ? "L" : "l";
  return KINDS[kind];
}
