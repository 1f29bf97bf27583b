import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import type { MatchKey } from "../cloud.ts";
import { createMatcher } from "./matcher.ts";
import type { Declared, Live, Pair } from "./model.ts";

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

function ambiguous(lives: Live[], all: Declared[]): string[] {
  const matcher = createMatcher(all);
  lives.forEach(matcher.see);
  matcher.pairs();
  return matcher.ambiguous().toSorted();
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

  test("is distinguished from its namesake by the region if both sides name one", () => {
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

describe("a declaration that is in no pair is ambiguous", () => {
  test("where two live ones have its key that can be in its region", () => {
    const twins = [live("a", ["3:t|n"]), live("b", ["3:t|n"])];
    expect(ambiguous(twins, [declared("d", ["3:t|n"])])).toEqual(["d"]);
    expect(ambiguous(twins, [declared("d", ["3:t|m"])])).toEqual([]);
    const abroad = twins.map((one) => ({ ...one, region: "r1" }));
    expect(ambiguous(abroad, [declared("d", ["3:t|n"], { region: "r2" })])).toEqual([]);
  });

  test("where another of its source has its key, and one live one, in whichever of their regions", () => {
    const all = [declared("a", ["3:t|n"]), declared("b", ["3:t|n"])];
    expect(ambiguous([live("l", ["3:t|n"])], all)).toEqual(["a", "b"]);
    expect(ambiguous([live("l", ["3:t|n"], "r1")], all)).toEqual(["a", "b"]);
    const there = all.map((one) => ({ ...one, region: "r2" }));
    expect(ambiguous([live("l", ["3:t|n"])], there)).toEqual(["a", "b"]);
    expect(ambiguous([live("l", ["3:t|n"], "r2")], there)).toEqual(["a", "b"]);
    expect(ambiguous([live("l", ["3:t|n"], "r1")], there)).toEqual([]);
  });

  test("where its source declares one full id at too many addresses", () => {
    const crowd = Array.from({ length: 17 }, (_, index) => declared(`d${index}`, ["2:arn"]));
    expect(ambiguous([live("l", ["2:arn"])], crowd)).toHaveLength(17);
    expect(ambiguous([live("l", ["2:other"])], crowd)).toEqual([]);
  });

  test("where two of its source have one level's keys of a live one", () => {
    const all = [declared("a", ["3:t|id"]), declared("b", ["3:t|url"])];
    expect(ambiguous([live("l", ["3:t|id", "3:t|url"])], all)).toEqual(["a", "b"]);
  });

  test("but not where all live ones with its key are another of its source", () => {
    const all = [
      declared("gone", ["2:c", "4:t|n"]),
      declared("a", ["2:a", "4:t|n"]),
      declared("b", ["2:b", "4:t|n"]),
    ];
    const lives = [live("la", ["2:a", "4:t|n"]), live("lb", ["2:b", "4:t|n"])];
    expect(ambiguous(lives, all)).toEqual([]);
    expect(ambiguous([...lives, live("lc", ["2:d", "4:t|n"])], all)).toEqual(["gone"]);
    const elsewhere = all.map((one) => (one.id === "gone" ? { ...one, sourceId: "other" } : one));
    expect(ambiguous(lives, elsewhere)).toEqual(["gone"]);
  });

  test("unless another one holds it inline, which leaves what it is to what is declared by itself", () => {
    const copy = declared("copy", ["2:a", "3:t|n"], { inline: true });
    const twins = [declared("a", ["3:t|n"]), declared("b", ["3:t|n"])];
    expect(ambiguous([live("a", ["3:t|n"]), live("b", ["3:t|n"])], [copy])).toEqual([]);
    expect(matched([live("l", ["2:a", "3:t|n"])], [copy, ...twins])).toEqual({ l: ["copy@2"] });
    expect(ambiguous([live("l", ["2:a", "3:t|n"])], [copy, ...twins])).toEqual(["a", "b"]);
  });
});

test("a key of 20,000 declared and as many live ones leaves those ambiguous that have nothing else", () => {
  const count = 20_000;
  const places = Array.from({ length: count }, (_, index) => index);
  const all = places.flatMap((index) => [
    declared(`a${index}`, [`2:${index}`, "4:t|n"], { sourceId: "a" }),
    declared(`b${index}`, ["4:t|n"], { sourceId: "b" }),
    declared(`c${index}`, ["4:t|n"], { sourceId: "a", region: `r${index % 10}` }),
  ]);
  const lives = places.map((index) => live(`l${index}`, [`2:${index}`, "4:t|n"]));
  expect(ambiguous(lives, all)).toHaveLength(count); // all of b
  expect(ambiguous([...lives, live("late", ["4:t|n"], "r7")], all)).toHaveLength(count + count / 10);
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

  test("a declaration is ambiguous that is in no pair and has a key of a live one that is in none of its source", () => {
    fc.assert(
      fc.property(lives, declarations, (someLives, someDeclared) => {
        const matcher = createMatcher(someDeclared);
        someLives.forEach(matcher.see);
        const standalone = matcher.pairs().filter((pair) => !pair.declared.inline);
        const expected = someDeclared.filter(
          (one) =>
            !one.inline &&
            !standalone.some((pair) => pair.declared === one) &&
            someLives.some(
              (other) =>
                fits(one.region, other.region) &&
                one.keys.some((key) => other.keys.includes(key)) &&
                !standalone.some(
                  (pair) => pair.liveId === other.id && pair.declared.sourceId === one.sourceId,
                ),
            ),
        );
        expect(matcher.ambiguous().toSorted()).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 2_000 },
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
        expect(backward.ambiguous().toSorted()).toEqual(forward.ambiguous().toSorted());
      }),
      { numRuns: 500 },
    );
  });

  test("the pairs returned piece by piece are complete, or the matcher reports that it revised them", () => {
    fc.assert(
      fc.property(fc.array(lives, { maxLength: 4 }), declarations, (pieces, someDeclared) => {
        const matcher = createMatcher(someDeclared);
        const found = pieces.flatMap((piece, number) => {
          for (const one of piece) matcher.see({ ...one, id: `${number} ${one.id}` });
          return matcher.latest();
        });
        expect(new Set(found.map((pair) => pair.declared.id)).size).toBe(found.length);
        const once = createMatcher(someDeclared);
        for (const [number, piece] of pieces.entries())
          for (const one of piece) once.see({ ...one, id: `${number} ${one.id}` });
        const all = matcher.isRevised() ? matcher.pairs() : found;
        expect(sorted(all)).toEqual(sorted(once.pairs()));
        expect(matcher.ambiguous()).toEqual(once.ambiguous());
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
