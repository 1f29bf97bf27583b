import { isSecret } from "@leeway/shared/security/redaction/secret-names";

import { entriesOf, type Entry } from "../src/derived/table.ts";
import { notCompared } from "../src/mapping.ts";
import { isMirrored } from "../src/projected.ts";
import { mapperOf, type TypeMapper } from "../src/tables.ts";
import type { Exception } from "./exceptions.ts";
import type { Argument } from "./schema.ts";
import { isOfProgram } from "./table.ts";

/** Attributes that name a resource or its place. Another value is another resource, which matching finds. */
const NAMING: ReadonlySet<string> = new Set(
  `id name name_prefix region zone location project resource_group_name tags_all terraform_labels effective_labels`.split(
    /\s+/,
  ),
);
const TAGS = /^(?:tags?|labels|user_labels|resource_labels)$/;

/** Arguments that instruct a provider how to create or delete a resource, and that no cloud stores. */
const PROVIDER_ONLY = new RegExp(
  `^(?:${[
    "timeouts|triggers|keepers|filename|source_hash|overwrite|allow_overwrite|apply_immediately|retain|retain_on_delete",
    "(?:force|skip|wait_for|ignore|prevent|delete)_.*",
    ".*_(?:prefix|on_deletion|on_destroy|on_destruction)",
    "deletion_(?:policy|protection|protection_enabled|window_in_days)|recovery_window_in_days",
    "final_snapshot_.*|endpoint_auto_confirms|confirmation_timeout_in_minutes",
  ].join("|")})$`,
);
/** Why a row by hand compares nothing. Clouds may show such an attribute. */
export const SKIPPED =
  "It has another meaning in the API, changes on its own, or is compared as a resource of its own.";
/** Version of a write-only value, which only the state has. */
const VERSION = /_wo_version$/;
const WRITE_ONLY = /_wo$/;

/** Knowledge about a type besides its arguments. */
export interface Known {
  /** Attributes that the provider's schema marks as sensitive. */
  secret: ReadonlySet<string>;
  exceptions: readonly Exception[];
  /** Whether the cloud publishes a schema of the type. */
  hasSchema: boolean;
  /** Attributes that are compared without a row, because they have the names of members. */
  mirrored: ReadonlySet<string>;
}

/** An attribute, or a block of attributes, that isn't compared. */
interface Gap {
  attribute: string;
  count: number;
  reason: string;
  /** Why an exception excludes it. */
  note: string;
}

/** Returns a type's lines in a cloud's list of attributes that aren't compared. */
export function gapLines(type: string, args: readonly Argument[], known: Known): string[] {
  const counted = args.filter(({ name }) => !NAMING.has(name));
  const settable = leavesIn(counted).length;
  if (settable === 0) return [];
  const found = gapsIn(counted, "", {
    ...known,
    isCompared: comparedIn(type, known.mirrored),
    isSkipped: skippedIn(type),
    isLeftOut: leftOutOf(type),
  });
  const groups = Map.groupBy(found, ({ reason, note }) => `${reason}\t${note}`);
  if (groups.size === 0) return [[type, settable].join("\t")];
  const sorted = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([, group]) => {
    const names = group.map(({ attribute, count }) => (count > 1 ? `${attribute}*${count}` : attribute));
    const [{ reason, note } = { reason: "", note: "" }] = group;
    return [type, settable, reason, names.toSorted().join(" "), note].join("\t").trimEnd();
  });
}

/** An attribute that holds a value, not a block. */
export interface Leaf {
  path: string;
  kind: Argument["kind"];
  /** The blocks around it, and itself. */
  steps: readonly Argument[];
}

/** Returns the settable attributes in arguments. Timeouts count as one, and names aren't counted. */
export function leavesIn(args: readonly Argument[]): Leaf[] {
  return valuesIn(args.filter(({ name }) => !NAMING.has(name)));
}

function valuesIn(args: readonly Argument[], around: readonly Argument[] = []): Leaf[] {
  return args.flatMap((one) => {
    const steps = [...around, one];
    if (!isValue(one)) return valuesIn(one.inner, steps);
    return [{ path: steps.map(({ name }) => name).join("."), kind: one.kind, steps }];
  });
}

function isValue({ name, kind }: Argument): boolean {
  return kind !== "block" || name === "timeouts";
}

interface Scope extends Judged {
  isCompared: (path: string) => boolean;
}

function gapsIn(args: readonly Argument[], within: string, scope: Scope): Gap[] {
  return args.flatMap((one) => {
    const path = within + one.name;
    if (isValue(one)) return valueGap(one, path, scope);
    return folded(path, valuesIn(one.inner).length, gapsIn(one.inner, `${path}.`, scope));
  });
}

/** Returns one gap for a block in which nothing is compared for the same reason. */
function folded(block: string, settable: number, gaps: readonly Gap[]): readonly Gap[] {
  const [first, ...others] = gaps;
  const missed = gaps.reduce((sum, { count }) => sum + count, 0);
  if (first === undefined || missed < settable) return gaps;
  const isSame = others.every(({ reason, note }) => reason === first.reason && note === first.note);
  return isSame ? [{ ...first, attribute: block, count: missed }] : gaps;
}

function valueGap(argument: Argument, path: string, scope: Scope): Gap[] {
  return TAGS.test(path) || scope.isCompared(path)
    ? []
    : [{ attribute: path, count: 1, ...reasonOf(argument, path, scope) }];
}

/** Returns whether an attribute isn't compared for another reason than a missing counterpart. */
export function excludedIn(type: string, known: Omit<Known, "mirrored">): (leaf: Leaf) => boolean {
  const judged = { ...known, isSkipped: skippedIn(type), isLeftOut: leftOutOf(type) };
  return ({ path, steps }) => {
    const argument = steps.at(-1);
    return argument !== undefined && MEANT.has(reasonOf(argument, path, judged).reason);
  };
}

const MEANT: ReadonlySet<string> = new Set(["excluded", "provider_only", "secret"]);

interface Judged extends Omit<Known, "mirrored"> {
  isSkipped: (path: string) => boolean;
  /** Reports whether an attribute isn't compared because of its name. */
  isLeftOut: (name: string) => boolean;
}

function reasonOf(argument: Argument, path: string, scope: Judged): Pick<Gap, "reason" | "note"> {
  if (scope.isSkipped(path)) return { reason: "excluded", note: SKIPPED };
  const exception = scope.exceptions.find(
    ({ attribute, live }) => live === undefined && (attribute === "*" || isWithin(path, attribute)),
  );
  if (exception) return { reason: "excluded", note: exception.reason };
  const [first = ""] = path.split(".");
  if (PROVIDER_ONLY.test(first) || VERSION.test(path)) return { reason: "provider_only", note: "" };
  if (isHidden(argument, path, scope.secret)) return { reason: "secret", note: "" };
  if (scope.isLeftOut(first)) return { reason: "excluded", note: SKIPPED };
  return { reason: scope.hasSchema ? "no_counterpart" : "no_schema", note: "" };
}

function isHidden({ name, kind }: Argument, path: string, secret: ReadonlySet<string>): boolean {
  const steps = path.split(".");
  const isNamed = (kind === "switch" ? steps.slice(0, -1) : steps).some((step) => isSecret(step));
  const isOpen = kind === "map" || kind === "any";
  return (
    isNamed ||
    secret.has(steps[0] ?? "") ||
    WRITE_ONLY.test(name) ||
    isOfProgram({ attribute: path, kind: isOpen ? "map" : "text" })
  );
}

function isWithin(path: string, block: string): boolean {
  return path === block || path.startsWith(`${block}.`);
}

/** Returns whether an attribute of a type is compared. */
export function comparedIn(type: string, mirrored: ReadonlySet<string>): (path: string) => boolean {
  const mapper = mapperOf(type);
  if (mapper === undefined) return () => false;
  const byHand = Object.keys(rowsOf(mapper));
  const [isSkipped, isLeftOut] = [skippedIn(type), leftOutOf(type)];
  const derived = new Set(entriesOf(type).flatMap((entry) => leafPaths(entry, "")));
  return (path) =>
    !isSkipped(path) &&
    !isLeftOut(path.split(".", 1)[0] ?? "") &&
    (derived.has(path) ||
      mirrored.has(path) ||
      byHand.some((row) => isWithin(path, row) || row.startsWith(`${path}.`)));
}

/** Returns whether the nearest row by hand around an attribute compares nothing. */
function skippedIn(type: string): (path: string) => boolean {
  const mapper = mapperOf(type);
  const rows = Object.entries(mapper ? rowsOf(mapper) : {}).toSorted(([a], [b]) => b.length - a.length);
  return (path) => {
    const row = rows.find(([one]) => isWithin(path, one))?.[1];
    return row?.shape === notCompared;
  };
}

/** Returns whether an attribute that could be compared with the member of its name isn't, whatever the type. */
function leftOutOf(type: string): (name: string) => boolean {
  const mapper = mapperOf(type);
  return (name) =>
    mapper?.mirror !== undefined && !Object.hasOwn(mapper.rows, name) && !isMirrored(name, mapper);
}

function rowsOf({ byHand, rows }: TypeMapper): TypeMapper["rows"] {
  return byHand ?? rows;
}

function leafPaths({ name, inner }: Entry, within: string): string[] {
  const path = within + name;
  return inner.length === 0 ? [path] : inner.flatMap((one) => leafPaths(one, `${path}.`));
}
