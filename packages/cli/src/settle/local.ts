import { unfitReason } from "@leeway/analysis/settle/fit";
import { patchOfNewFiles } from "@leeway/analysis/settle/new-files";
import { revert } from "@leeway/analysis/settle/revert";
import { settle, type ChangeToSettle, type Settled } from "@leeway/analysis/settle/settle";
import { replacingIn, settableIn } from "@leeway/drift/settable";
import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";
import type { SettlementWay } from "@leeway/shared/contracts/analyzer/settlements";
import type { Adoption } from "@leeway/shared/contracts/inventory/adoptions";
import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";

import { Failure } from "../failure.ts";
import type { Code } from "./code.ts";
import type { SettledChange, SettleResult } from "./result.ts";

/** A change that files show. */
export interface LocalChange {
  fingerprint: string;
  kind: DriftKind;
  address?: string;
  resource_type: string;
  provider_resource_id?: string;
  attribute_changes: readonly AttributeChange[];
  is_noise: boolean;
}

/** Choice of changes: one by fingerprint or address, or all that fit. */
export interface Wanted {
  change: string | undefined;
  how: SettlementWay;
}

/**
 * Returns the changes to settle.
 * @throws {Failure} if there is none
 */
export function chosen(changes: readonly LocalChange[], { change: name, how }: Wanted): LocalChange[] {
  const found =
    name === undefined
      ? changes.filter(({ kind, is_noise }) => !is_noise && unfitReason(kind, how) === undefined)
      : changes.filter(({ fingerprint, address }) => fingerprint === name || address === name);
  if (found.length > 0) return found;
  if (name === undefined) throw new Failure("refused", `no change can be settled with ${how}`);
  throw new Failure(
    "refused",
    `these files show no change of ${name}; leeway drift --format json lists fingerprints and addresses`,
  );
}

/** Settles changes in code on this machine, as the server does for a source. */
export async function settleLocally(
  changes: readonly LocalChange[],
  how: SettlementWay,
  { code, adopt }: { code: () => Promise<Code>; adopt: (ids: readonly string[]) => Adoption },
): Promise<SettleResult> {
  const [first] = changes.flatMap(({ kind }) => unfitReason(kind, how) ?? []);
  if (first !== undefined) return refusedAll(changes, how, first);
  if (how === "adopt") return adopted(changes, adopt);
  const known = await code();
  if (how === "revert") return reverted(changes, known.dir);
  return inCode(changes, how, known);
}

function refusedAll(changes: readonly LocalChange[], how: SettlementWay, message: string): SettleResult {
  const refused = { code: "not_applicable" as const, message };
  return {
    patch: "",
    files: [],
    changes: changes.map((change) => ({ ...named(change), how, explanation: sentence(message), refused })),
  };
}

function named({
  fingerprint,
  address,
  provider_resource_id: id,
}: LocalChange): Pick<SettledChange, "fingerprint" | "name"> {
  return { fingerprint, name: address ?? id ?? fingerprint };
}

async function inCode(
  changes: readonly LocalChange[],
  how: "accept" | "forget",
  { sources, dir }: Code,
): Promise<SettleResult> {
  const { patch, files, outcomes } = await settle({
    sources,
    dir,
    changes: changes.map((change) => toSettle(change, how)),
  });
  return {
    patch,
    files: files.map(({ path, text: content }) => ({ path, content })),
    changes: changes.flatMap((change, index) => {
      const outcome = outcomes[index];
      return outcome ? [{ ...named(change), how, ...wordsFor(outcome) }] : [];
    }),
  };
}

function toSettle(
  { address = "", resource_type: type, attribute_changes: attributeChanges }: LocalChange,
  how: "accept" | "forget",
): ChangeToSettle {
  const settable = settableIn(
    type,
    attributeChanges.map(({ path }) => path),
  );
  return { how, address, type, attributeChanges, settable };
}

function wordsFor(outcome: Settled): Pick<SettledChange, "explanation" | "refused"> {
  if (outcome.kind !== "refused") return { explanation: sentence(outcome.explanation) };
  return { explanation: sentence(outcome.refusal.message), refused: outcome.refusal };
}

function reverted(changes: readonly LocalChange[], dir: string): SettleResult {
  const all = changes.map((change) => {
    const { address = "", kind, attribute_changes: own, resource_type: type } = change;
    const paths = own.map(({ path }) => path);
    const replacing = replacingIn(type, paths);
    const { commands, expected, explanation } = revert({ address, kind, changes: own, replacing }, dir);
    return {
      ...named(change),
      how: "revert" as const,
      explanation: sentence(explanation),
      commands,
      expected_plan: expected,
    };
  });
  return { patch: "", files: [], changes: all };
}

function adopted(changes: readonly LocalChange[], adopt: (ids: readonly string[]) => Adoption): SettleResult {
  const ids = changes.flatMap(({ provider_resource_id: id }) => id ?? []);
  const { files, resources } = ids.length === 0 ? NOTHING : adopt(ids);
  const byId = new Map(resources.map((one) => [one.resource_id, one]));
  return {
    patch: patchOfNewFiles(files),
    files,
    changes: changes.map((change) => {
      const { address, status, reason } = byId.get(change.provider_resource_id ?? "") ?? NO_RESOURCE;
      const base = { ...named(change), how: "adopt" as const };
      const why = reason === undefined ? "" : `; ${reason}`;
      if (address !== undefined)
        return {
          ...base,
          explanation: `Imports the resource as \`${address}\`${status === "partial" ? why : ""}.`,
        };
      const message = reason ?? NO_RESOURCE.reason;
      return {
        ...base,
        explanation: sentence(message),
        refused: { code: "not_applicable" as const, message },
      };
    }),
  };
}

const NOTHING = { files: [], resources: [] } satisfies Pick<Adoption, "files" | "resources">;
const NO_RESOURCE = {
  address: undefined,
  status: "refused",
  reason: "the change names no live resource, so there is nothing to adopt",
} as const;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
