import { expect, test } from "bun:test";

import { join } from "node:path";

import { VERDICTS, type Verdict } from "./verdicts.ts";

const DOCUMENT = join(import.meta.dir, "../../../../docs/rules.md");
const rows = Object.values<Verdict>(VERDICTS);

test("docs/rules.md has every rule as the code has it", async () => {
  const table = [
    "| Rule | Flag | Said of | `baseline` | `strict` | Hidden as noise |",
    "|---|---|---|---|---|---|",
    ...rows.map(
      ({ rule, flag, when, baseline, strict, neverHidden }) =>
        `| ${rule} | \`${flag}\` | ${when} | ${baseline} | ${strict} | ${neverHidden ? "never" : "yes"} |`,
    ),
  ].join("\n");
  expect(await Bun.file(DOCUMENT).text()).toContain(table);
});

test("rules come in order, and all of R01 to R25 but R24 are there", () => {
  const rules = [...new Set(rows.map(({ rule }) => rule))];
  const all = Array.from({ length: 25 }, (_, index) => `R${String(index + 1).padStart(2, "0")}`);
  expect(rules).toEqual(all.filter((rule) => rule !== "R24"));
});
