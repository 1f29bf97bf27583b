import type { Json, JsonObject } from "@leeway/shared/values/json";

import type { Argument, Member } from "./schema.ts";

/** A declared value with a live value that means the same, and one that differs. */
export type Trial = readonly [declared: Json, same: Json, other: Json];

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
  ["internal", "internet-facing"],
];
const documentOf = (action: string): JsonObject => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: action, Resource: "*", Principal: "*" }],
});
const [DOCUMENT, OTHER_DOCUMENT] = [documentOf("s3:GetObject"), documentOf("*")];

/** Returns the trials for a kind of attributes and a member. */
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
          ["key", "value"],
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
