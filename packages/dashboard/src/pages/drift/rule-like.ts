import type { DriftChange } from "./change.tsx";

/** Returns a draft of a rule for changes with the type and attributes of this one. Undefined if rules don't apply to it. */
export function ruleLike({
  kind,
  resource_type: type,
  attribute_changes: values,
}: Pick<DriftChange, "kind" | "resource_type" | "attribute_changes">):
  | { on: Exclude<DriftChange["kind"], "pending">; when: string }
  | undefined {
  if (kind === "pending") return undefined;
  const paths = [...new Set(values.map(({ path }) => path.join(".")))].filter((path) => path !== "");
  const ofType = `resource.type == ${JSON.stringify(type)}`;
  if (paths.length === 0) return { on: kind, when: ofType };
  return { on: kind, when: `${ofType} && paths.all(p, p in ${JSON.stringify(paths)})` };
}
