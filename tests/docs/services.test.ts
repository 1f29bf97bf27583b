import { expect, test } from "bun:test";

import { isObject, type JsonObject, member } from "@leeway/shared/values/json";
import { Glob } from "bun";
import { join } from "node:path";

import { loadContracts, ownerOf } from "../../scripts/docs/contracts.ts";
import { chapter, quoted, read, ROOT } from "./repository.ts";

const SERVICES = [...new Glob("services/*/src/config.ts").scanSync(ROOT)]
  .map((path) => path.split("/")[1] ?? "")
  .toSorted();
const CONTRACTS = await loadContracts();

/** Returns a service's environment variables: name, default and description. */
async function variablesOf(service: string): Promise<unknown[][]> {
  const config: JsonObject = await import(join(ROOT, `services/${service}/src/config.ts`));
  const variables = member(config, "VARIABLES");
  if (!variables) throw new Error("its config.ts has no VARIABLES");
  return Object.entries(variables).map(([name, variable]) =>
    isObject(variable) ? [name, variable["fallback"], variable["describe"]] : [name],
  );
}

/** Returns the tables and views that a service's migrations create, without their schema. */
async function tablesOf(service: string): Promise<string[]> {
  const files = [...new Glob(`services/${service}/migrations/**/*.sql`).scanSync(ROOT)];
  const statements = (await Promise.all(files.map(read))).join("\n");
  const created = statements.matchAll(/^create (?:or replace )?(?:unlogged )?(?:table|view) \w+\.(\w+)/gm);
  return [...new Set([...created].map(([, name = ""]) => name))].toSorted();
}

test.each(SERVICES)(
  "the README of %s lists the variables in its code, with defaults and descriptions",
  async (service) => {
    const readme = await read(`services/${service}/README.md`);
    const rows = [...chapter(readme, "Configuration").matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+?) \|$/gm)];
    const documented: unknown[][] = rows.map(([, name, fallback, describe]) => [
      name,
      fallback?.replaceAll("`", ""),
      describe,
    ]);
    expect(documented).toEqual(await variablesOf(service));
  },
);

test.each(SERVICES)("the README of %s lists its tables and no others", async (service) => {
  const readme = chapter(await read(`services/${service}/README.md`), "Tables");
  const [schema, ...names] = quoted(readme).filter((text) => /^[a-z_]+$/.test(text));
  expect(readme).toContain(`Schema \`${schema}\``);
  expect([...new Set(names)].toSorted()).toEqual(await tablesOf(service));
});

test.each(SERVICES)("the README of %s lists the subjects that it answers and no others", async (service) => {
  const readme = chapter(await read(`services/${service}/README.md`), "Answers on the bus");
  const owned = CONTRACTS.requests.map(({ contract }) => contract.subject);
  expect(quoted(readme).filter(isSubject).toSorted()).toEqual(
    owned.filter((subject) => ownerOf(subject) === service),
  );
});

test.each(SERVICES)(
  "the README of %s lists the events that it publishes, and only events",
  async (service) => {
    const readme = chapter(await read(`services/${service}/README.md`), "Events");
    const named = quoted(readme).filter(isSubject);
    const subjects = CONTRACTS.events.map(({ contract }) => contract.subject);
    expect(subjects).toEqual(expect.arrayContaining(named));
    expect(named).toEqual(expect.arrayContaining(subjects.filter((subject) => ownerOf(subject) === service)));
  },
);

function isSubject(text: string): boolean {
  return /^[a-z]+\.[a-z_]+\.[a-z]+$/.test(text);
}
