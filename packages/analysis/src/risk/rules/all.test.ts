import { expect, test } from "bun:test";

import { Glob } from "bun";

import { RULES } from "./all.ts";

const ids = RULES.map(({ id }) => id);

test("every rule file is listed once", () => {
  const files = [...new Glob("R??-*.ts").scanSync(import.meta.dir)].filter(
    (file) => !file.includes(".test."),
  );
  expect(ids.toSorted()).toEqual(files.map((file) => file.slice(0, 3)).toSorted());
});

test("ids have no gap except R24, which plans can't show", () => {
  const all = Array.from({ length: ids.length + 1 }, (_, index) => `R${String(index + 1).padStart(2, "0")}`);
  expect(ids.toSorted()).toEqual(all.filter((id) => id !== "R24"));
});

test("a rule replaces only rules that exist, and never itself", () => {
  for (const { id, replaces } of RULES) {
    for (const replaced of replaces?.rules ?? []) {
      expect(ids).toContain(replaced);
      expect(replaced).not.toBe(id);
    }
  }
});

test("texts of a flag belong to a flag of the same rule", () => {
  for (const { cases, flagTexts = {} } of RULES) {
    const flags = Object.values(cases).map(({ flag }) => flag);
    for (const flag of Object.keys(flagTexts)) expect(flags).toContain(flag);
  }
});
