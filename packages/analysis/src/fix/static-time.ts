import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Node } from "web-tree-sitter";

import { exampleOf } from "./example.ts";
import { lineEndOf } from "./hcl/edits.ts";
import type { Site } from "./locate.ts";
import { pathsOf, placesOf } from "./places.ts";
import type { Project } from "./project.ts";
import { already, cannot, changed, type Outcome, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Takes the time once, when the resource is made, instead of in each plan. */
export const staticTime: Template = {
  strategy: "normalize",
  apply: (site, noise, project) => apply(site, noise, project),
  explain: (noise) =>
    `${code(noise.path_pattern)} takes its time from a ${code("time_static")} resource, which keeps the moment at which it was made, instead of from ${code("timestamp()")}, which is new in each plan.`,
  risks: () => [
    "The value is the time of the first apply from now on, not of the last one.",
    "The provider hashicorp/time is needed: run `terraform init`.",
  ],
  example: (noise) =>
    `${exampleOf(noise, "time_static.example.rfc3339")}\nresource "time_static" "example" {}\n`,
};

function apply({ file, block }: Site, noise: NoiseGroup, { files }: Project): Outcome {
  const name = block.labels[1] ?? "created";
  const values = pathsOf(noise)
    .flatMap((path) => placesOf(block, path))
    .flatMap(({ attribute }) => attribute?.value ?? []);
  const calls = values.flatMap(timeCalls);
  if (values.some(({ text }) => /\btime_static\./.test(text)) && calls.length === 0)
    return already(`${code(noise.path_pattern)} comes from time_static already`);
  if (calls.length === 0) return cannot(`${code(noise.path_pattern)} holds no call of timestamp()`);
  const edits = calls.map(({ startIndex: start, endIndex: end }) => ({
    start,
    end,
    text: `time_static.${name}.rfc3339`,
  }));
  const isThere = files.some(
    ({ directory, blocks }) =>
      directory === file.directory &&
      blocks.some(({ labels }) => labels[0] === "time_static" && labels[1] === name),
  );
  if (isThere) return changed(file, edits);
  const lineEnd = lineEndOf(file.text);
  const { endIndex } = block.node;
  const added = `${lineEnd}${lineEnd}resource "time_static" "${name}" {}`;
  return changed(file, [...edits, { start: endIndex, end: endIndex, text: added }]);
}

function timeCalls(value: Node): Node[] {
  return value
    .descendantsOfType("function_call")
    .filter((call) => call !== null)
    .filter(({ text }) => /^(?:plan)?timestamp\(\s*\)$/.test(text));
}
