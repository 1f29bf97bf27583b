import { expect, test } from "bun:test";

import { sourceNames } from "./project-key.ts";

const repository = "acme/infra";

test.each([
  ["by its name", { name: "network/prod" }, ["network/prod"]],
  ["by its directory", { dir: "network" }, ["network/default", "network"]],
  [
    "by its name, otherwise by its directory",
    { name: "net", dir: "network" },
    ["net", "network/default", "network"],
  ],
  [
    "by another workspace, never only by the directory",
    { dir: "network", workspace: "prod" },
    ["network/prod"],
  ],
  ["by the repository when it covers all of it", undefined, [repository]],
  ["by the repository from its root", { dir: "." }, ["./default", ".", repository]],
  ["never by the repository in another workspace", { dir: ".", workspace: "prod" }, ["./prod"]],
])("a project's state is found %s", (_, project, names) => {
  expect(sourceNames({ repository, project })).toEqual(names);
});
