import { countOf } from "./number.ts";

/** A line of a structural comparison. */
export interface DiffLine {
  /** `fold` stands for unchanged lines that are left out. */
  sign: "same" | "old" | "new" | "fold";
  depth: number;
  text: string;
}

/** Number of unchanged lines in a row that are shown. */
const MAX_SAME = 3;

/** Compares two JSON values as trees. Texts that contain JSON, such as policies, are compared as their content. */
export function treeDiff(before: unknown, after: unknown): DiffLine[] {
  return folded(compare(parsed(before), parsed(after), { label: "", depth: 0 }));
}

interface Place {
  /** Name of the member, with its colon. */
  label: string;
  depth: number;
}

function compare(before: unknown, after: unknown, place: Place): DiffLine[] {
  const [old, fresh] = [parsed(before), parsed(after)];
  if (keyOf(old) === keyOf(fresh)) return written(old, place, "same");
  if (Array.isArray(old) && Array.isArray(fresh))
    return inside(place, "[]", itemLines(old, fresh, place.depth + 1));
  if (isRecord(old) && isRecord(fresh)) return inside(place, "{}", memberLines(old, fresh, place.depth + 1));
  return [...written(old, place, "old"), ...written(fresh, place, "new")];
}

function memberLines(old: Fields, fresh: Fields, depth: number): DiffLine[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].toSorted();
  return names.flatMap((name) => {
    const place = { label: `${name}: `, depth };
    if (!(name in fresh)) return written(old[name], place, "old");
    if (!(name in old)) return written(fresh[name], place, "new");
    return compare(old[name], fresh[name], place);
  });
}

/** Pairs equal items, and compares the others one by one, in their order. Gaps (`null`) are left out. */
function itemLines(before: readonly unknown[], after: readonly unknown[], depth: number): DiffLine[] {
  const place = { label: "", depth };
  const [old, fresh] = [before.filter((item) => item !== null), after.filter((item) => item !== null)];
  const same = new Set(fresh.map(keyOf));
  const known = new Set(old.map(keyOf));
  const kept = old.filter((item) => same.has(keyOf(item)));
  const gone = old.filter((item) => !same.has(keyOf(item)));
  const added = fresh.filter((item) => !known.has(keyOf(item)));
  const changed = Array.from({ length: Math.max(gone.length, added.length) }, (_, at) => {
    if (at >= gone.length) return written(added[at], place, "new");
    if (at >= added.length) return written(gone[at], place, "old");
    return compare(gone[at], added[at], place);
  });
  return [...kept.flatMap((item) => written(item, place, "same")), ...changed.flat()];
}

function inside({ label, depth }: Place, [open, close]: string, lines: DiffLine[]): DiffLine[] {
  return [
    { sign: "same", depth, text: `${label}${open}` },
    ...lines,
    { sign: "same", depth, text: close ?? "" },
  ];
}

function written(value: unknown, { label, depth }: Place, sign: DiffLine["sign"]): DiffLine[] {
  const text =
    value === undefined || value === null ? "none" : (JSON.stringify(value, undefined, 2) ?? "none");
  return text.split("\n").map((line, at) => {
    const shown = line.trimStart();
    const deeper = (line.length - shown.length) / 2;
    return { sign, depth: depth + deeper, text: at === 0 ? label + shown : shown };
  });
}

/** Replaces long runs of unchanged lines with their number. */
function folded(lines: readonly DiffLine[]): DiffLine[] {
  const runs: DiffLine[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.[0]?.sign === "same" && line.sign === "same") last.push(line);
    else runs.push([line]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first?.sign !== "same" || run.length <= MAX_SAME) return run;
    const left = run.slice(1, -1);
    const depth = Math.min(...left.map((line) => line.depth));
    return [first, { sign: "fold", depth, text: countOf(left.length, "unchanged line") }, ...run.slice(-1)];
  });
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the content of a text that is a JSON object or array. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Returns a text that is the same for equal values, whatever the order of their members. */
function keyOf(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
