import { expect, test } from "bun:test";

import { growthOf, many, repeated, STEEPEST, wide } from "@leeway/shared/testing/growth.fixture";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { readEvent } from "./read-event.ts";

interface Body {
  source: "planner" | "vcs";
  json: string;
}

/** Reads a body completely and masks the plan in it. */
function readWhole({ source, json }: Body): void {
  const reading = readEvent(source, Buffer.from(json));
  if (reading.wanted) reading.event();
}

function planned(plan: object, more: object = {}): Body {
  const body = {
    event: "plan",
    version: 1,
    event_id: "0198f3b0-0000-7000-8000-000000000000",
    repository: "a/b",
    commit_sha: "a".repeat(40),
    project: { name: "x" },
    status: "success",
    tool: "terraform",
    ...more,
    plan: { format_version: "1.2", ...plan },
  };
  return { source: "planner", json: JSON.stringify(body) };
}

const changed = (before: object): object => ({
  resource_changes: [{ address: "a.b", type: "a", change: { actions: ["update"], before, after: {} } }],
});

function note(text: string): Body {
  const body = {
    object_kind: "note",
    user: { id: 1, username: "u" },
    project: { id: 1, path_with_namespace: "a/b" },
    object_attributes: { id: 1, note: text, noteable_type: "MergeRequest", url: "https://a.example/b" },
    merge_request: { iid: 1, source_branch: "a", target_branch: "b", last_commit: { id: "a".repeat(40) } },
  };
  return { source: "vcs", json: JSON.stringify(body) };
}

const IGNORE = "/leeway ignore pn1_aaaaaaaaaaaaaaaaaaaaaaaaaa";

/** Bodies of a given size, each of which stresses one part of the reader. */
const FAMILIES: Record<string, (size: number) => Body> = {
  "many attributes": (size) => planned(changed(wide(size / 20, "k", String))),
  "many resources": (size) =>
    planned({
      resource_changes: many(size / 60, (n) => ({ address: `a.b${n}`, change: { actions: ["no-op"] } })),
    }),
  "many unused members": (size) => planned({}, wide(size / 20, "k", String)),
  "many numeric members": (size) => planned({}, { x: wide(size / 16, "", (n) => n) }),
  "many projects": (size) => ({
    source: "planner",
    json: JSON.stringify({
      detection_id: "x",
      repository: "a/b",
      projects: many(size / 80, (n) => ({
        project_name: `p${n}`,
        has_drift: true,
        summary: `password=${n}`,
      })),
    }),
  }),
  "nested brackets": (size) => ({
    source: "planner",
    json: `{"event":"plan","x":${"[".repeat(size / 2)}${"]".repeat(size / 2)}}`,
  }),
  "a comment of spaces": (size) => note(`${repeated("\n ", size)}/leeway help`),
  "a comment of options": (size) => note(`${IGNORE} ${repeated("--until=", size)}`),
  "a comment of quotation marks": (size) => note(`${IGNORE} --reason ${repeated('"\\', size)}`),
  "an unsupported event": (size) => ({
    source: "vcs",
    json: JSON.stringify({ object_kind: "push", commits: many(size / 40, (id) => ({ id, message: "m" })) }),
  }),
  ...Object.fromEntries(
    Object.entries(ONCE_QUADRATIC).flatMap(([name, text]): [string, (size: number) => Body][] => [
      [`a value that is ${name}`, (size) => planned(changed({ x: text(size) }))],
      [`a comment that is ${name}`, (size) => note(`/leeway ${text(size)}`)],
    ]),
  ),
};

test.each(Object.entries(FAMILIES))("reading time grows linearly for %s", async (_, make) => {
  expect(await growthOf({ make, work: readWhole, size: 60_000 })).toBeLessThan(STEEPEST);
});
