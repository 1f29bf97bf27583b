import { afterAll, describe, expect, test } from "bun:test";

import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { argumentsOf, type Argument } from "./arguments.ts";
import { planTruths, stateTruths, type Truth } from "./ground-truth.fixture.ts";
import { refusalOf } from "./offered-types.ts";
import { readResource } from "./read-resource.ts";
import { settable } from "./read-attributes.ts";
import { settleArguments } from "./settle-arguments.ts";

/** Numbers of written arguments, of the right ones among them, and of those that the listing shows. */
interface Score {
  written: number;
  right: number;
  shown: number;
  found: number;
  wrong: string[];
}

/** Returns the values in attributes by path. Blocks are sorted, because their order means nothing. */
function valuesIn(args: readonly Argument[], attributes: JsonObject, around = ""): Map<string, Json> {
  const values = new Map<string, Json>();
  for (const { name, inner } of args) {
    const value = attributes[name];
    if (value === undefined) continue;
    if (inner.length === 0) values.set(around + name, value);
    const blocks = inner.length === 0 ? [] : [value].flat().filter(isObject);
    for (const [index, block] of blocks.toSorted(byMeaning).entries()) {
      for (const [path, one] of valuesIn(inner, block, `${around}${name}.${index}.`)) values.set(path, one);
    }
  }
  return values;
}

const byMeaning = (one: Json, other: Json): number => (meaning(one) < meaning(other) ? -1 : 1);

/** Writes a value without its notation: the order of lists, the link of a name, the project, the case. */
function meaning(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(meaning).toSorted().join("\n");
  if (isObject(value))
    return Object.entries(value)
      .map(([key, one]) => `${key} ${meaning(one ?? null)}`)
      .toSorted()
      .join("\n");
  const text = String(value ?? "");
  const document = /^\s*[{[]/.test(text) ? parsed(text) : undefined;
  if (document !== undefined) return meaning(document);
  return text.slice(text.lastIndexOf("/") + 1).toLowerCase();
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a template
  }
}

function judge({ type, declared, live }: Truth, score: Score): void {
  const args = argumentsOf(type);
  const read = readResource(live, type);
  if (read === undefined) return;
  const written = valuesIn(args, settleArguments(type, args, read.attributes, live).attributes);
  const stated = valuesIn(args, settable(args, declared));
  for (const [path, value] of written) {
    if (!stated.has(path) && path === "project") continue;
    score.written += 1;
    if (meaning(stated.get(path)) === meaning(value)) score.right += 1;
    else score.wrong.push(`${type} ${path}`);
  }
  const shown = JSON.stringify(live.properties).toLowerCase();
  for (const [path, value] of stated) {
    const isShown = meaning(value)
      .split("\n")
      .every((one) => shown.includes(one));
    if (!isShown || args.some(({ name, isSecret }) => isSecret && name === path)) continue;
    score.shown += 1;
    if (meaning(written.get(path)) === meaning(value)) score.found += 1;
  }
}

function scoreOf(truths: readonly Truth[]): Map<string, Score> {
  const scores = new Map<string, Score>();
  for (const truth of truths.filter(
    ({ type }) => argumentsOf(type).length > 0 && refusalOf(type) === undefined,
  )) {
    const score = scores.get(truth.type) ?? { written: 0, right: 0, shown: 0, found: 0, wrong: [] };
    scores.set(truth.type, score);
    judge(truth, score);
  }
  return scores;
}

function share(part: number, whole: number): string {
  return whole === 0 ? "" : (part / whole).toFixed(2);
}

describe.skipIf(!hasCorpus)("adopted live resources (skipped without the collection of real data)", () => {
  const lines: string[] = ["type\twritten\tprecision\trecall"];
  const totals = (name: string, truths: readonly Truth[]) => {
    const scores = scoreOf(truths);
    const total = { written: 0, right: 0, shown: 0, found: 0 };
    for (const [type, score] of scores) {
      for (const key of ["written", "right", "shown", "found"] as const) total[key] += score[key];
      lines.push(
        [type, score.written, share(score.right, score.written), share(score.found, score.shown)].join("\t"),
      );
    }
    lines.push(
      [name, total.written, share(total.right, total.written), share(total.found, total.shown)].join("\t"),
    );
    const wrong = [...scores.values()].flatMap((score) => score.wrong);
    return {
      types: scores.size,
      precision: total.right / total.written,
      recall: total.found / total.shown,
      wrong,
    };
  };
  afterAll(() => Bun.write(Bun.stdout, [...lines, ""].join("\n")));

  test("have the arguments of the states that declare them", () => {
    const { types, precision, recall, wrong } = totals("states", stateTruths());
    expect(types).toBeGreaterThanOrEqual(20);
    expect({ precision, recall, wrong }).toEqual({ precision: 1, recall: 1, wrong: [] });
  });

  test("have the ids of their states as import ids", () => {
    const others = stateTruths().flatMap(({ type, declared, live }) => {
      const id = readResource(live, type)?.importId.id;
      return id === undefined || id === declared["id"] ? [] : type;
    });
    // A stack is imported by its name.
    expect(new Set(others)).toEqual(new Set(["aws_cloudformation_stack"]));
  });

  test("have the arguments of the plans that create them", () => {
    const { types, precision, recall, wrong } = totals("plans", planTruths());
    expect(types).toBeGreaterThanOrEqual(20);
    expect({ wrong, isEnough: precision >= 0.98 && recall >= 0.9 }).toMatchObject({ isEnough: true });
  });
});
