import { expect, test } from "bun:test";

import { sourceNames } from "./project-key.ts";

const repository = "acme/infra";

test.each([
  ["by its name", { name: "network/prod" }, ["network/prod"]],
  ["by its directory", { dir: "network" }, ["network/default", "network"]],
  [
    "by its name, else by its directory",
    { name: "net", dir: "network" },
    ["net", "network/default", "network"],
  ],
  [
    "by another workspace, never by the directory alone",
    { dir: "network", workspace: "prod" },
    ["network/prod"],
  ],
  ["by the repository that it is all of", undefined, [repository]],
  ["by the repository from its root", { dir: "." }, ["./default", ".", repository]],
  ["never by the repository in another workspace", { dir: ".", workspace: "prod" }, ["./prod"]],
])("a project's state is known %s", (_, project, names) => {
  expect(sourceNames({ repository, project })).toEqual(names);
});
