import { isSecret } from "@leeway/shared/security/redaction/secret-names";

import type { Exception } from "./exceptions.ts";
import type { Joined } from "./join.ts";
import type { Kind } from "./kinds.ts";

/** Arguments that Terraform keeps for itself, and tags, which are compared separately. */
const OWN: ReadonlySet<string> = new Set(
  `id name timeouts tags tags_all labels terraform_labels effective_labels pulumi_labels user_labels resource_labels region project
  location resource_group_name name_prefix tag`.split(/\s+/),
);

/** Names of programs and of texts that carry credentials under harmless names. */
const PROGRAM =
  /^(?:user_?data|custom_data|zip_file|code|source_code|script|startup_script|protected_settings|insecure_value|service_ur[il]|commands?|args)$/;
/** Names of maps and documents whose keys belong to a program. */
const OWN_KEYS =
  /(?:env|environment|variables?|parameters?|properties|providers|headers|settings|arguments?|info)$/;

/** Reports whether an argument's value must not be stored or compared. A switch is no secret, whatever its name. */
function isHidden({ attribute, kind }: Joined): boolean {
  const steps = attribute.split(".");
  return (kind === "switch" ? steps.slice(0, -1) : steps).some((step) => isSecret(step));
}

/** Reports whether an argument's value can contain secrets under names that nobody knows. */
export function isOfProgram({ attribute, kind }: Pick<Joined, "attribute" | "kind">): boolean {
  const name = attribute.split(".").at(-1) ?? "";
  const isOpen = kind === "map" || kind === "json";
  return !isBlock(kind) && (PROGRAM.test(name) || (isOpen && OWN_KEYS.test(name)));
}

/**
 * Returns a type's lines in a table.
 * @param secret attributes that the provider's schema marks as sensitive
 */
export function linesOf(type: string, found: readonly Joined[], secret: ReadonlySet<string>): string[] {
  const hidden = [...secret.difference(OWN)].map((attribute) => [type, attribute, "-", "secret"].join("\t"));
  return [...hidden, ...pairLines(type, found, secret)].toSorted();
}

function pairLines(type: string, found: readonly Joined[], secret: ReadonlySet<string>): string[] {
  const kept = found.filter(
    (one) => !OWN.has(firstOf(one)) && !secret.has(firstOf(one)) && !isHidden(one) && !isOfProgram(one),
  );
  const values = kept.filter(({ kind }) => !isBlock(kind));
  return kept
    .filter(
      ({ attribute, kind }) =>
        !isBlock(kind) || values.some((one) => one.attribute.startsWith(`${attribute}.`)),
    )
    .map(({ attribute, live, kind, isFixed }) =>
      [type, attribute, live, kind, isFixed ? "replace" : ""].join("\t").trimEnd(),
    );
}

function isBlock(kind: Kind): boolean {
  return kind === "block" || kind === "blocks";
}

function firstOf({ attribute }: Joined): string {
  return attribute.split(".", 1)[0] ?? "";
}

/** Adds paths that another schema of the same resource has for the same arguments, if they are spelled differently. */
export function withOthers(found: readonly Joined[], others: readonly Joined[]): Joined[] {
  const paths = new Map(others.map(({ attribute, live }) => [attribute, live]));
  const known = new Set(found.map(({ attribute }) => attribute));
  return [
    ...found.map((one) => {
      const other = paths.get(one.attribute);
      const isNew = other !== undefined && !isSpelledAlike(other, one.live);
      return isNew ? { ...one, live: `${one.live} | ${other}` } : one;
    }),
    ...others.filter(({ attribute }) => !known.has(attribute) && isPlaced(attribute, known)),
  ];
}

/** Reports whether the blocks around an attribute are known to the first schema. */
function isPlaced(attribute: string, known: ReadonlySet<string>): boolean {
  const block = attribute.split(".").slice(0, -1).join(".");
  return block === "" || known.has(block);
}

/** Reports whether both paths find the same members: names may start with a lower- or upper-case letter. */
function isSpelledAlike(one: string, other: string): boolean {
  return decapitalized(one) === decapitalized(other);
}

function decapitalized(path: string): string {
  return path.replaceAll(/(^|\.)([A-Z])/g, (all) => all.toLowerCase());
}

/** Replaces what exceptions name, except blocks that they only place; `*` stands for all attributes. */
export function corrected(found: readonly Joined[], exceptions: readonly Exception[] = []): Joined[] {
  const known = new Set(found.map(({ attribute, live }) => `${attribute} ${live}`));
  const others = exceptions.filter(({ attribute, live }) => !known.has(`${attribute} ${live}`));
  const isNamed = ({ attribute }: Joined): boolean =>
    others.some((one) => one.attribute === "*" || isWithin(attribute, one.attribute));
  return [
    ...found.filter((one) => !isNamed(one)),
    ...others.flatMap(({ attribute, live, kind }) =>
      live === undefined ? [] : [{ attribute, live, kind, isFixed: false }],
    ),
  ];
}

function isWithin(attribute: string, block: string): boolean {
  return attribute === block || attribute.startsWith(`${block}.`);
}
