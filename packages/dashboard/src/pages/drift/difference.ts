import { countOf } from "../../ui/number.ts";
import { pathText } from "../../ui/path-text.ts";
import type { DriftChange } from "./change.tsx";

type Value = DriftChange["attribute_changes"][number];

const MAX_LENGTH = 60;
/** Rule that says only that something is created, which the kind of a change says better. */
const CREATION = "R20";

/** Returns what differs in one line: `retention_in_days 30 → 7`, or else what a rule says of it. */
export function differenceText(
  change: Pick<DriftChange, "kind" | "attribute_changes" | "risk_flags">,
): string {
  const { attribute_changes: values, risk_flags: flags } = change;
  const [first] = values;
  const finding = flags.find(({ rule, message }) => message !== undefined && rule !== CREATION)?.message;
  if (first === undefined) return finding ?? NOTHING_TO_COMPARE[change.kind];
  const text = scalarText(first) ?? finding ?? `${pathText(first.path)} differs`;
  return values.length === 1 ? text : `${text}, and ${countOf(values.length - 1, "more", "more")}`;
}

const NOTHING_TO_COMPARE: Readonly<Record<DriftChange["kind"], string>> = {
  changed: "Differs from the code",
  missing: "Deleted outside the code",
  undeclared: "Not in any code",
  pending: "Declared, but not live",
};

function scalarText({
  path,
  before,
  after,
  before_sensitive,
  after_sensitive,
  unknown,
}: Value): string | undefined {
  const name = path.length === 0 ? "value" : pathText(path);
  if (before_sensitive || after_sensitive) return `${name}: sensitive value differs`;
  const [old, fresh] = [shortText(before), unknown ? "known after apply" : shortText(after)];
  return old === undefined || fresh === undefined ? undefined : `${name} ${old} → ${fresh}`;
}

/** Returns a scalar as text; undefined for other values and long texts. */
function shortText(value: unknown): string | undefined {
  if (value === null || value === undefined) return "none";
  if (typeof value === "object") return undefined;
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  return text.length > MAX_LENGTH || text.includes("\n") ? undefined : text;
}
