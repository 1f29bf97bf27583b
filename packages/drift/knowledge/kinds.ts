import type { Place } from "./places.ts";
import type { Argument, Member } from "./schema.ts";
import { isNegated, wordsOf } from "./words.ts";

/** Kinds of values in the tables; see `src/derived/shapes.ts`. */
export type Kind = "text" | "number" | "switch" | "opposite" | "list" | "map" | "json" | "block" | "blocks";

const FITTING: Readonly<Record<Exclude<Argument["kind"], "block">, Partial<Record<Member["kind"], Kind>>>> = {
  text: {
    text: "text",
    number: "text",
    switch: "text",
    json: "json",
    object: "json",
    map: "json",
    any: "text",
  },
  number: { number: "number", text: "number", any: "number" },
  switch: { switch: "switch", text: "switch", any: "switch" },
  texts: { list: "list", any: "list", text: "list" },
  map: { map: "map", json: "map", list: "map", object: "map", any: "map" },
  any: { any: "json", json: "json" },
};

/** Names of texts that hold a document. */
const DOCUMENT =
  /polic(?:y|ies)|document|definition|pattern|content|template|schema|body|json|statement|rules?$/;

/** Returns the kind of value that an argument and a member both have; undefined if they have none in common. */
export function commonKind({ name, kind }: Argument, { member, words, isEach }: Place): Kind | undefined {
  if (kind === "block" || (isEach && !isScalar(member))) return undefined;
  if (isEach) return kind === "texts" ? "list" : undefined;
  const found = FITTING[kind][member.kind];
  if (!canHold(member, { name, kind }, found)) return undefined;
  if (isNegated(wordsOf(name)) === isNegated(words)) return found;
  return found === "switch" ? "opposite" : undefined;
}

/** Reports whether a text can be a document, and whether a list's items are plain values. */
function canHold(
  member: Member,
  { name, kind }: Pick<Argument, "name" | "kind">,
  found: Kind | undefined,
): boolean {
  if (found === "json" && kind === "text") return DOCUMENT.test(name) && !containsDocument(member);
  return found !== "list" || isScalar(member.element?.() ?? { kind: "any" }) || member.kind !== "list";
}

/** Reports whether an object has the document as a member: `ResourcePolicy` has `PolicyDocument`. */
function containsDocument({ members }: Member): boolean {
  return [...(members?.().values() ?? [])].some(({ kind }) => kind === "json");
}

function isScalar({ kind }: Member): boolean {
  return kind === "text" || kind === "number" || kind === "switch" || kind === "any";
}
