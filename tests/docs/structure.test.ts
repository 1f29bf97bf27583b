import { expect, test } from "bun:test";

import { Glob } from "bun";
import { dirname, join } from "node:path";

import { chapter, quoted, read, repositoryFiles, ROOT } from "./repository.ts";

const SOURCES = repositoryFiles().filter(
  (path) =>
    /^(?:packages|services|scripts)\/.*\.tsx?$/.test(path) &&
    !/\/test\/|\.(?:test|fixture|gen)\.|\/testing\//.test(path),
);
const IMPORTS = new Map<string, string[]>();
for (const path of SOURCES) {
  const found = (await read(path)).matchAll(/^(?:import |export |\}).*from "(\.[^"]+)";$/gm);
  const targets = Array.from(found, ([, target = ""]) => join(dirname(path), target));
  // A generator's text contains an import of a file with its own name.
  IMPORTS.set(
    path,
    targets.filter((target) => target !== path),
  );
}

/** Returns the pairs of keys that lead to each other. */
function pairsOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...graph].flatMap(([one, targets]) =>
    [...targets]
      .filter((other) => one < other && graph.get(other)?.has(one))
      .map((other) => `${one} and ${other}`),
  );
}

/** Reports whether one folder is inside the other. A folder may use its subfolders, and they what is beside them. */
function isNested(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** Returns the files that a file imports, directly or not. */
function reachedFrom(path: string): Set<string> {
  const reached = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of IMPORTS.get(next) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

test("no two folders import each other, not even types", () => {
  const folders = new Map<string, Set<string>>();
  for (const [path, targets] of IMPORTS) {
    const folder = dirname(path);
    const others = targets.map(dirname).filter((other) => !isNested(folder, other));
    folders.set(folder, (folders.get(folder) ?? new Set()).union(new Set(others)));
  }
  expect(folders.size).toBeGreaterThan(100);
  expect(pairsOf(folders)).toEqual([]);
});

test("no file imports itself through others, not even for a type", () => {
  expect(SOURCES.filter((path) => reachedFrom(path).has(path))).toEqual([]);
});

test("every file of packages/shared is in a folder", () => {
  expect([...new Glob("packages/shared/src/*.ts").scanSync(ROOT)]).toEqual([]);
});

test("services are divided into features, not into layers", () => {
  expect([...new Glob("services/*/src/{store,domain,usecases,types}/*.ts").scanSync(ROOT)]).toEqual([]);
});

test.each(["main", "config", "schema", "handlers", "bus-parts"])(
  "every service has its %s.ts at its root",
  (name) => {
    const services = [...new Glob("services/*/package.json").scanSync(ROOT)].map(dirname).toSorted();
    const having = [...new Glob(`services/*/src/${name}.ts`).scanSync(ROOT)]
      .map((path) => dirname(dirname(path)))
      .toSorted();
    expect(having).toEqual(services);
  },
);

const ARCHITECTURE = await read("docs/architecture.md");

test("in packages, a folder imports only those that docs/architecture.md names before it", () => {
  const rows = [...chapter(ARCHITECTURE, "Folders").matchAll(/^\| `(packages\/.+\/)` \| (.+) \|$/gm)];
  expect(rows).toHaveLength(2);
  for (const [, root = "", list = ""] of rows) {
    const order = quoted(list);
    const placeOf = (path: string): number =>
      order.findIndex((folder) => path.startsWith(`${root}${folder}/`));
    const wrong = [...IMPORTS].flatMap(([path, targets]) =>
      targets.filter((target) => placeOf(path) >= 0 && placeOf(target) > placeOf(path)),
    );
    expect(wrong).toEqual([]);
    expect(order.filter((folder) => !SOURCES.some((path) => path.startsWith(`${root}${folder}/`)))).toEqual(
      [],
    );
  }
});

test("docs/architecture.md lists the files of five journeys, at most 15 each, and all of them exist", () => {
  const [, ...journeys] = chapter(ARCHITECTURE, "Files of five journeys").split("\n### ");
  expect(journeys).toHaveLength(5);
  for (const journey of journeys) {
    const files = [...journey.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(15);
    expect(files.filter((path) => !SOURCES.includes(path))).toEqual([]);
  }
});
