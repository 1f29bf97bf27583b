import type { Json, JsonObject } from "@leeway/shared/values/json";

import { changesOf } from "../src/compare-resource.ts";
import { mapperOf } from "../src/tables.ts";
import { leavesIn, type Leaf } from "./gap-lines.ts";
import { joined, type Joined } from "./join.ts";
import { objectOf } from "./places.ts";
import type { Argument, Member } from "./schema.ts";

/** A declared value with a live value that means the same, and one that differs. */
type Trial = readonly [declared: Json, same: Json, other: Json];

/** Settable attributes of a type: those whose change in the cloud is reported, and the others. */
export interface Outcomes {
  reported: string[];
  /** Attributes that have a counterpart in the cloud's schema. */
  missed: string[];
  /** Attributes without one. */
  unknown: string[];
  /** Attributes of `reported` whose removal is reported, too, once the cloud has shown them. */
  removed: string[];
}

/** Changes the live value of each settable attribute, and asks the comparison whether it reports the change. */
export function mutate(type: string, args: readonly Argument[], resources: readonly Member[]): Outcomes {
  const found: Outcomes = { reported: [], missed: [], unknown: [], removed: [] };
  const known = resources.map((resource) => ({ resource, pairs: pairsOf(type, args, resource) }));
  for (const leaf of leavesIn(args)) {
    const places = known.flatMap(({ resource, pairs }) =>
      pathsTo(leaf, type, pairs).map((path) => ({ resource, steps: stepsOf(path) })),
    );
    const real = places.filter(({ resource, steps }) => memberAt(resource, steps) !== undefined);
    const reports = real.map(({ resource, steps }) => reportsOf(type, leaf, resource, steps));
    const isFound = reports.some(({ changed }) => changed);
    const list = isFound ? found.reported : real.length > 0 ? found.missed : found.unknown;
    list.push(leaf.path);
    if (reports.some(({ removed }) => removed)) found.removed.push(leaf.path);
  }
  return found;
}

export function pairsOf(
  type: string,
  args: readonly Argument[],
  resource: Member,
): ReadonlyMap<string, Joined> {
  return new Map(joined(type, args, resource).map((pair) => [pair.attribute, pair]));
}

/** Returns the possible paths of an attribute's member: that of a row by hand, and that which its name leads to. */
export function pathsTo({ path, steps }: Leaf, type: string, pairs: ReadonlyMap<string, Joined>): string[] {
  const row = mapperOf(type)?.rows[path]?.live.split(" | ") ?? [];
  const pair = pairs.get(path);
  const around = steps.map((_, index) =>
    steps
      .slice(0, index)
      .map(({ name }) => name)
      .join("."),
  );
  const blocks = around.flatMap((block) => pairs.get(block)?.live ?? []);
  return [...row, ...(pair ? [[...blocks, pair.live].join(".")] : [])].filter((one) => one !== "");
}

export function stepsOf(path: string): string[] {
  return path.replaceAll("[]", "").split(".");
}

export function memberAt(resource: Member, [step = "", ...rest]: readonly string[]): Member | undefined {
  const member = memberOf(resource, step);
  if (member === undefined || rest.length === 0) return member;
  const object = objectOf(member);
  return object && memberAt(object, rest);
}

/** Returns a member. Names may start with a lower- or upper-case letter. */
function memberOf({ members }: Member, name: string): Member | undefined {
  const known = members?.();
  const other =
    name.charAt(0) === name.charAt(0).toUpperCase()
      ? name.charAt(0).toLowerCase()
      : name.charAt(0).toUpperCase();
  return known?.get(name) ?? known?.get(other + name.slice(1));
}

/** Reports whether a changed value is reported, and whether a member is that is gone from the block around it. */
function reportsOf(
  type: string,
  leaf: Leaf,
  resource: Member,
  steps: readonly string[],
): { changed: boolean; removed: boolean } {
  const member = memberAt(resource, steps);
  const trials = member ? trialsFor(leaf.kind, member) : [];
  const reports = trials.map(([value, same, other]) => {
    const declared = { id: "x", ...declaredWith(leaf.steps, value) };
    const compared = (live: Json | undefined, seen?: string) => {
      const properties = liveWith(type, resource, steps, live);
      return changesOf({ type, address: "x", declared, live: { properties, seen } });
    };
    const equal = compared(same);
    const isEqual = equal.change === undefined;
    const changed = isEqual && compared(other).change !== undefined;
    return { changed, removed: changed && compared(undefined, equal.seen).change !== undefined };
  });
  return { changed: reports.some(({ changed }) => changed), removed: reports.some(({ removed }) => removed) };
}

function declaredWith([first, ...rest]: readonly Argument[], value: Json): JsonObject {
  if (first === undefined) return {};
  return { [first.name]: rest.length === 0 ? value : [declaredWith(rest, value)] };
}

export function liveWith(
  type: string,
  resource: Member,
  steps: readonly string[],
  value: Json | undefined,
): JsonObject {
  const [first = ""] = steps;
  if (!type.startsWith("azurerm_")) {
    // An answer isn't empty, and its first member shows how it spells the others.
    const beside = /^[A-Z]/.test(first) ? "BesideIt" : "besideIt";
    return { [beside]: "x", ...built(resource, steps, value) };
  }
  if (!first.startsWith("/")) return { properties: built(resource, steps, value) };
  return Object.fromEntries(
    Object.entries(built(resource, steps, value)).map(([name, inner]) => [name.slice(1), inner]),
  );
}

function built(object: Member, [step = "", ...rest]: readonly string[], value: Json | undefined): JsonObject {
  if (rest.length === 0) return value === undefined ? {} : { [step]: value };
  const member = memberOf(object, step);
  const inner = built((member && objectOf(member)) ?? object, rest, value);
  return { [step]: member?.kind === "list" ? [inner] : inner };
}

const WORDS: readonly (readonly [string, string])[] = [
  ["alpha", "beta"],
  ["Enabled", "Disabled"],
  ["3", "4"],
  ["arn:aws:s:::a/1", "arn:aws:s:::a/2"],
  [
    "/subscriptions/1/resourceGroups/g/providers/M.X/y/a",
    "/subscriptions/1/resourceGroups/g/providers/M.X/y/b",
  ],
];
const ON_OFF: readonly (readonly [string, string])[] = [
  ["Enabled", "Disabled"],
  ["ENABLED", "DISABLED"],
  ["enabled", "disabled"],
  ["true", "false"],
  ["on", "off"],
];
const documentOf = (action: string): JsonObject => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: action, Resource: "*", Principal: "*" }],
});
const [DOCUMENT, OTHER_DOCUMENT] = [documentOf("s3:GetObject"), documentOf("*")];

export function trialsFor(kind: Argument["kind"], member: Member): Trial[] {
  switch (kind) {
    case "switch":
      return [[true, true, false], [true, false, true], ...ON_OFF.map(([on, off]): Trial => [true, on, off])];
    case "number":
      return [
        [3, 3, 4],
        [3, "3", "4"],
      ];
    case "texts":
      return listTrials(member);
    case "map":
      return [
        [{ a: "alpha" }, { a: "alpha" }, { a: "beta" }],
        ...[
          ["Key", "Value"],
          ["name", "value"],
          ["ParameterKey", "ParameterValue"],
        ].map(([key = "", of = ""]): Trial => [
          { a: "alpha" },
          [{ [key]: "a", [of]: "alpha" }],
          [{ [key]: "a", [of]: "beta" }],
        ]),
      ];
    case "text":
    case "any":
    case "block":
      return textTrials(member);
  }
}

function textTrials(member: Member): Trial[] {
  const words = WORDS.map(([word, other]): Trial => [word, word, other]);
  if (member.kind === "switch") return ON_OFF.map(([on]): Trial => [on, true, false]);
  if (member.kind === "number") return [["3", 3, 4]];
  if (member.kind === "list") return WORDS.map(([word, other]): Trial => [word, [word], [other]]);
  return [...words, [JSON.stringify(DOCUMENT), DOCUMENT, OTHER_DOCUMENT]];
}

function listTrials(member: Member): Trial[] {
  const item = member.element?.();
  const inItem = (value: string): Json =>
    item?.kind === "object"
      ? Object.fromEntries(
          [...(item.members?.() ?? [])]
            .filter(([, { kind }]) => kind === "text")
            .map(([name]) => [name, value]),
        )
      : value;
  return [
    ...WORDS.flatMap(([word, other]): Trial[] => [
      [[word], [inItem(word)], [inItem(other)]],
      [[word], word, other],
    ]),
    [[3], [3], [4]],
  ];
}
