import { expect, test } from "bun:test";

import { VARIABLES } from "./config.ts";

test("the README's table names the variables of the code, with their defaults", async () => {
  const readme = await Bun.file(`${import.meta.dir}/../README.md`).text();
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+?) \|$/gm)];
  const documented = rows.map(([, name, fallback]) => [name, fallback?.replaceAll("`", "")]);
  expect(documented).toEqual(Object.entries(VARIABLES).map(([name, { fallback }]) => [name, fallback]));
});
