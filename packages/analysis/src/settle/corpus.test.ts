import { dirname, resolve } from "node:path";
import { describe, expect, test } from "bun:test";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import type { Json } from "@leeway/shared/values/json";

import { Glob } from "bun";

import { bodyOf, type Block } from "../fix/hcl/body.ts";
import { literalOf } from "../fix/hcl/literal.ts";
import { parseHcl } from "../fix/hcl/parse-hcl.ts";
import type { ChangeToSettle } from "./settle.ts";
import { attribute, settled } from "./settle.fixture.ts";

const TREES = CORPUS;
/** Each change is checked again by `settle` itself; the largest folders aren't settled twice more. */
const MAX_AGAIN = 20;
/** Arguments of each resource. */
const MOST = 2;
const paths = hasCorpus ? [...new Glob("{noise,terraform-plans}/**/*.tf").scanSync(TREES)].toSorted() : [];
const folders = Map.groupBy(paths, dirname);

describe.skipIf(!hasCorpus)("real configurations (skipped where there are none: set LEEWAY_CORPUS)", () => {
  test("each literal argument can be accepted or is refused, and nothing else changes", async () => {
    const counts = { changed: 0, refused: 0, already: 0 };
    for (const [folder, own] of folders) {
      const texts = own.map(async (path) => [path, await Bun.file(resolve(TREES, path)).text()] as const);
      const files = Object.fromEntries(await Promise.all(texts));
      const changes = (await Promise.all(Object.values(files).map(changesOf))).flat();
      const first = await settled(files, changes, folder === "." ? "" : folder);
      for (const { kind } of first.outcomes) counts[kind] += 1;
      const made = changes.filter((_, index) => first.outcomes[index]?.kind === "changed");
      await expectOnly(files, first.files, made);
      if (made.length > MAX_AGAIN) continue;
      const second = await settled(first.files, made, folder);
      expect(second.outcomes.filter(({ kind }) => kind !== "already")).toEqual([]);
      expect(second.patch).toBe("");
    }
    expect(counts.changed).toBeGreaterThan(500);
    expect(counts.already).toBe(0);
  }, 30_000);
});

/** Returns a change for each argument of a file's resources that is a literal text, number or boolean. */
async function changesOf(text: string): Promise<ChangeToSettle[]> {
  const syntax = await parseHcl(text);
  const resources = syntax ? bodyOf(syntax.root).blocks.filter(({ kind }) => kind === "resource") : [];
  const changes = resources.flatMap(({ labels: [type = "", name = ""], node }) =>
    bodyOf(node)
      .attributes.slice(0, MOST)
      .flatMap((argument): ChangeToSettle[] => {
        const before = literalOf(argument.value);
        if (before === undefined || before === null || typeof before === "object") return [];
        const attributeChanges = [attribute([argument.name], before, other(before))];
        return [{ how: "accept", address: `${type}.${name}`, type, attributeChanges, settable: [] }];
      }),
  );
  syntax?.free();
  return changes;
}

function other(value: Json): Json {
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : `${JSON.stringify(value)}\n"\${leeway}`;
}

type Files = Readonly<Record<string, string>>;

async function expectOnly(before: Files, after: Files, made: readonly ChangeToSettle[]): Promise<void> {
  const wanted = new Set(
    made.map(({ address, attributeChanges: [one] }) => `resource.${address}.${one?.path[0]}`),
  );
  for (const [path, text] of Object.entries(before)) {
    if (after[path] === text) continue; // some files are templates and can't be parsed
    const [old, edited] = [await factsOf(text), await factsOf(after[path] ?? "")];
    expect(edited.comments).toEqual(old.comments);
    expect(edited.names).toEqual(old.names);
    const differing = old.names.filter((_, index) => old.values[index] !== edited.values[index]);
    expect(differing.filter((name) => !wanted.has(name))).toEqual([]);
  }
}

interface Facts {
  comments: string[];
  names: string[];
  /** Expressions without spaces, because alignment may change them. */
  values: string[];
}

async function factsOf(text: string): Promise<Facts> {
  const syntax = await parseHcl(text);
  if (!syntax) throw new Error("the file can't be parsed");
  const facts: Facts = { comments: [], names: [], values: [] };
  facts.comments = syntax.root.descendantsOfType("comment").map((comment) => comment?.text ?? "");
  collect("", bodyOf(syntax.root), facts);
  syntax.free();
  return facts;
}

function collect(at: string, { attributes, blocks }: ReturnType<typeof bodyOf>, facts: Facts): void {
  for (const { name, value } of attributes) {
    facts.names.push(`${at}${name}`);
    facts.values.push(value.text.replaceAll(/\s/g, ""));
  }
  for (const block of blocks) collect(`${at}${headOf(block)}.`, bodyOf(block.node), facts);
}

const headOf = ({ kind, labels }: Block): string => [kind, ...labels].join(".");
