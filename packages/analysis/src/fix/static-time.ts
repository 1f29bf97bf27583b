import { oncePer } from "@leeway/shared/values/once";
import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Node } from "web-tree-sitter";

import { exampleOf } from "./example.ts";
import { lineEndOf } from "./hcl/edits.ts";
import type { Site } from "./locate.ts";
import { pathsOf, placesOf } from "./places.ts";
import type { Project, ProjectFile } from "./project.ts";
import { already, cannot, changed, type Outcome, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Records the time once, when the resource is created, instead of in each plan. */
export const staticTime: Template = {
  strategy: "normalize",
  apply: (site, noise, project) => apply(site, noise, project),
  explain: (noise) =>
    `${code(noise.path_pattern)} takes its time from a ${code("time_static")} resource, which keeps the time of its creation. ${code("timestamp()")} is new in each plan.`,
  risks: () => [
    "The value is now the time of the first apply, not of the latest one.",
    "This needs the provider hashicorp/time: run `terraform init`.",
  ],
  example: (noise) =>
    `${exampleOf(noise, "time_static.example.rfc3339")}\nresource "time_static" "example" {}\n`,
};

function apply({ file, block }: Site, noise: NoiseGroup, project: Project): Outcome {
  const name = block.labels[1] ?? "created";
  const values = pathsOf(noise)
    .flatMap((path) => placesOf(block, path))
    .flatMap(({ attribute }) => attribute?.value ?? []);
  const calls = values.flatMap(timeCalls);
  if (values.some(({ text }) => /\btime_static\./.test(text)) && calls.length === 0)
    return already(`${code(noise.path_pattern)} already comes from time_static`);
  if (calls.length === 0) return cannot(`${code(noise.path_pattern)} doesn't call timestamp()`);
  const edits = calls.map(({ startIndex: start, endIndex: end }) => ({
    start,
    end,
    text: `time_static.${name}.rfc3339`,
  }));
  if (timesOf(project).has(placeOf(file, name))) return changed(file, edits);
  const lineEnd = lineEndOf(file.text);
  const { endIndex } = block.node;
  const added = `${lineEnd}${lineEnd}resource "time_static" "${name}" {}`;
  return changed(file, [...edits, { start: endIndex, end: endIndex, text: added }]);
}

/** Returns the `time_static` resources of a project, by directory and name. Each site asks. */
const timesOf = oncePer(
  (project: Project): ReadonlySet<string> =>
    new Set(
      project.files.flatMap((file) =>
        file.blocks
          .filter(({ labels: [type] }) => type === "time_static")
          .map(({ labels: [, name = ""] }) => placeOf(file, name)),
      ),
    ),
);

const placeOf = ({ directory }: ProjectFile, name: string): string => JSON.stringify([directory, name]);

function timeCalls(value: Node): Node[] {
  return value
    .descendantsOfType("function_call")
    .filter((call) => call !== null)
    .filter(({ text }) => /^(?:plan)?timestamp\(\s*\)$/.test(text));
}
