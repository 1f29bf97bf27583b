import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import type { MatchKey } from "../clouds/cloud.ts";
import { createMatcher, type Declared, type Live, type Pair } from "./matcher.ts";

const declared = (id: string, keys: MatchKey[], more: Partial<Declared> = {}): Declared => ({
  id,
  sourceId: "s",
  region: undefined,
  keys,
  inline: false,
  contested: false,
  ...more,
});
const live = (id: string, keys: MatchKey[], region?: string): Live => ({ id, keys, region });

const fits = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;

const sorted = (pairs: Pair[]): string[] =>
  pairs.map((pair) => `${pair.liveId} ${pair.declared.id} ${pair.level}`).toSorted();

function matched(lives: Live[], all: Declared[]): Record<string, string[]> {
  const matcher = createMatcher(all);
  lives.forEach(matcher.see);
  const pairs = matcher.pairs();
  return Object.fromEntries(
    Object.entries(Object.groupBy(pairs, ({ liveId }) => liveId)).map(([liveId, of = []]) => [
      liveId,
      of.map(({ declared, level }) => `${declared.id}@${level}`),
    ]),
  );
}

describe("a live resource", () => {
  test("is matched by the surest key that it shares", () => {
    expect(matched([live("l", ["2:arn", "3:t|i"])], [declared("d", ["1:x", "2:arn", "3:t|i"])])).toEqual({
      l: ["d@2"],
    });
  });

  test("is not guessed at when two live ones share the key", () => {
    expect(matched([live("a", ["3:t|n"]), live("b", ["3:t|n"])], [declared("d", ["3:t|n"])])).toEqual({});
  });

  test("is not guessed at when a source declares the key twice", () => {
    expect(matched([live("l", ["3:t|n"])], [declared("a", ["3:t|n"]), declared("b", ["3:t|n"])])).toEqual({});
  });

  test("that a source declares at several addresses is matched at each, where its full id says so", () => {
    const twins = [declared("a", ["1:x", "2:arn", "3:t|n"]), declared("b", ["1:x", "2:arn", "3:t|n"])];
    expect(matched([live("l", ["1:x", "2:arn", "3:t|n"])], twins)).toEqual({ l: ["a@2", "b@2"] });
    const borrower = declared("b", ["2:arn", "3:u|n"]);
    expect(matched([live("l", ["2:arn", "3:t|n"])], [declared("a", ["2:arn", "3:t|n"]), borrower])).toEqual({
      l: ["a@3"],
    });
    const crowd = Array.from({ length: 17 }, (_, index) => declared(`d${index}`, ["2:arn"]));
    expect(matched([live("l", ["2:arn"])], crowd)).toEqual({});
  });

  test("falls back to a weaker key when the surer one is not unique", () => {
    const lives = [live("a", ["3:t|n", "4:t|x"]), live("b", ["3:t|n", "4:t|y"])];
    expect(matched(lives, [declared("d", ["3:t|n", "4:t|y"])])).toEqual({ b: ["d@4"] });
  });

  test("is told from its namesake by the region, where both sides name one", () => {
    const lives = [live("west", ["3:f|resize"], "us-west-2"), live("east", ["3:f|resize"], "us-east-1")];
    expect(matched(lives, [declared("d", ["3:f|resize"], { region: "us-east-1" })])).toEqual({
      east: ["d@3"],
    });
    expect(matched(lives, [declared("d", ["3:f|resize"])])).toEqual({});
  });

  test("that two sources declare is in a pair of each", () => {
    const all = [declared("a", ["2:arn"]), declared("b", ["2:arn"], { sourceId: "other" })];
    expect(matched([live("l", ["2:arn"])], all)).toEqual({ l: ["a@2", "b@2"] });
  });

  test("goes to the standalone declaration, not to the copy that another resource holds inline", () => {
    const all = [declared("copy", ["2:arn"], { inline: true }), declared("own", ["3:t|i"])];
    expect(matched([live("l", ["2:arn", "3:t|i"])], all)).toEqual({ l: ["own@3"] });
  });

  test("goes to the standalone declaration of which another resource holds a copy with the same keys", () => {
    const all = [declared("own", ["2:id"]), declared("copy", ["2:id"], { inline: true })];
    expect(matched([live("l", ["2:id"])], all)).toEqual({ l: ["own@2"] });
  });

  test("is not guessed at when two standalone declarations share the key with a copy held inline", () => {
    const all = [
      declared("a", ["3:id"]),
      declared("b", ["3:id"]),
      declared("copy", ["3:id"], { inline: true }),
    ];
    expect(matched([live("l", ["3:id"])], all)).toEqual({});
  });

  test("stays unmatched when its keys of one level lead to two declarations", () => {
    expect(
      matched([live("l", ["3:t|id", "3:t|url"])], [declared("a", ["3:t|id"]), declared("b", ["3:t|url"])]),
    ).toEqual({});
  });
});

const isFullId = (key: MatchKey): boolean => key.startsWith("2:");

describe("whatever is live and declared", () => {
  const KEYS: MatchKey[] = ["1:a", "2:a", "2:b", "3:a", "3:b", "4:a", "4:b"];
  const keys = fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 4 }).map((some) => some.toSorted());
  const region = fc.constantFrom(undefined, "r1", "r2");
  const lives = fc
    .array(fc.record({ keys, region }), { maxLength: 6 })
    .map((rows) => rows.map((row, index) => ({ ...row, id: `l${index}` })));
  const declarations = fc
    .array(fc.record({ keys, region, sourceId: fc.constantFrom("s1", "s2"), inline: fc.boolean() }), {
      maxLength: 6,
    })
    .map((rows) => rows.map((row, index) => ({ ...row, id: `d${index}`, contested: false })));

  test("each declaration has one live resource at most, and each live resource one a source, or ones with its full id", () => {
    fc.assert(
      fc.property(lives, declarations, (someLives, someDeclared) => {
        const matcher = createMatcher(someDeclared);
        someLives.forEach(matcher.see);
        const pairs = matcher.pairs();
        expect(new Set(pairs.map((pair) => pair.declared.id)).size).toBe(pairs.length);
        for (const twins of Map.groupBy(
          pairs,
          (pair) => `${pair.liveId} ${pair.declared.sourceId}`,
        ).values()) {
          const [first, ...others] = twins.map((pair) => pair.declared.keys.filter(isFullId));
          for (const other of others) expect(first?.some((key) => other.includes(key))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("a pair's key is a full id, or one that no other such declaration of the source has; no other live resource has it", () => {
    fc.assert(
      fc.property(lives, declarations, (someLives, someDeclared) => {
        const matcher = createMatcher(someDeclared);
        someLives.forEach(matcher.see);
        for (const { liveId, declared: found, level } of matcher.pairs()) {
          const own = someLives.find(({ id }) => id === liveId);
          const unique = found.keys.filter(
            (key) =>
              key.startsWith(`${level}:`) &&
              own?.keys.includes(key) &&
              someLives.filter((one) => one.keys.includes(key) && fits(one.region, found.region)).length ===
                1 &&
              (level === 2 ||
                someDeclared.filter(
                  (one) =>
                    one.sourceId === found.sourceId &&
                    one.region === found.region &&
                    one.inline === found.inline &&
                    one.keys.includes(key),
                ).length === 1),
          );
          expect(unique).not.toEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("the order in which it is seen doesn't matter", () => {
    fc.assert(
      fc.property(lives, declarations, (someLives, someDeclared) => {
        const forward = createMatcher(someDeclared);
        someLives.forEach(forward.see);
        const backward = createMatcher(someDeclared.toReversed());
        someLives.toReversed().forEach(backward.see);
        expect(sorted(backward.pairs())).toEqual(sorted(forward.pairs()));
      }),
      { numRuns: 500 },
    );
  });

  test("what is told piece by piece is all there is, or is said to be revised", () => {
    fc.assert(
      fc.property(fc.array(lives, { maxLength: 4 }), declarations, (pieces, someDeclared) => {
        const matcher = createMatcher(someDeclared);
        const told = pieces.flatMap((piece, number) => {
          for (const one of piece) matcher.see({ ...one, id: `${number} ${one.id}` });
          return matcher.latest();
        });
        expect(new Set(told.map((pair) => pair.declared.id)).size).toBe(told.length);
        if (!matcher.isRevised()) expect(sorted(told)).toEqual(sorted(matcher.pairs()));
      }),
      { numRuns: 1_000 },
    );
  });

  test("a declaration that only one piece has to do with is not revised", () => {
    const matcher = createMatcher([declared("a", ["2:a"]), declared("b", ["2:b"])]);
    for (const key of ["2:a", "2:b"] as const) {
      matcher.see(live(key, [key]));
      matcher.see(live(`other ${key}`, ["2:c"]));
      expect(matcher.latest().map(({ liveId }) => liveId)).toEqual([key]);
    }
    expect(matcher.isRevised()).toBe(false);
    matcher.see(live("late", ["2:a"]));
    expect(matcher.isRevised()).toBe(true);
  });
});
