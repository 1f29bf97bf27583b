import { patchOfNewFiles } from "@leeway/analysis/settle/new-files";
import { revert } from "@leeway/analysis/settle/revert";
import type { Settled } from "@leeway/analysis/settle/settle";
import type { Input } from "@leeway/shared/contracts/contract";
import type {
  RequestedWay,
  SettleChange,
  Settlement,
  SettlementRefusal,
  SettlementWay,
} from "@leeway/shared/contracts/analyzer/settlements";
import type { Actor } from "@leeway/shared/contracts/common";
import { requireSpeaksFor } from "@leeway/shared/contracts/speaks-for";
import type { CodeFile } from "@leeway/shared/contracts/webhooks/code";
import { invalidParameter } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

import { audit } from "../audit.ts";
import { adopt, NO_RESOURCE, sourceToJoin } from "./adopt.ts";
import { adoptInto } from "./adopt-into.ts";
import { settleInCode, toSettle, type CodeAt, type InCode } from "./in-code.ts";
import { requireChange } from "./declaration.ts";
import { publish } from "./publish.ts";
import { readFolder, type CodeSource, type DeclaredChange, type SettleDependencies } from "./source.ts";
import { refusalOf, withoutRepository } from "./refusals.ts";
import { putSettlement, type StoredSettlement } from "./store.ts";

type SettlementRequest = Input<typeof SettleChange>;

/**
 * Settles a change of drift in the code of its source.
 * @throws {AppError} `not_found`, `invalid_parameter`, `repository_mismatch`, `unavailable`
 */
export async function settleChange(deps: SettleDependencies, input: SettlementRequest): Promise<Settlement> {
  const { org_id: orgId, fingerprint, how } = input;
  requireFitting(input);
  const declared = await requireChange(deps, { org_id: orgId, fingerprint });
  const refusal = refusalOf(declared, how);
  const code = refusal ?? (await codeFor(deps, input, declared));
  const repository = "repository" in code ? code.repository : declared.source?.repository;
  requireSpeaksFor(input.speaks_for, repository, "the change");
  if (refusal) return refused(how, refusal);
  if (how === "revert") return reverted(declared);
  if (how === "adopt" && !joins(input)) return adopted(deps, orgId, declared);
  if ("code" in code) return refused(how, code);
  return inCode(deps, { orgId, declared, how, code, decidedBy: authorOf(input) });
}

/** @throws {AppError} `invalid_parameter` */
export function requireFitting({ how, source_id }: Pick<SettlementRequest, "how" | "source_id">): void {
  if (source_id !== undefined && how !== "adopt")
    throw invalidParameter("source_id", "is only for how adopt: other changes have a source");
}

/** Reports whether the code of an adopted resource joins that of a source. */
function joins({ how, open_change_request: opens, source_id }: SettlementRequest): boolean {
  return how === "adopt" && (opens === true || source_id !== undefined);
}

function authorOf({ open_change_request: opens, decided_by }: SettlementRequest): Actor | undefined {
  return opens ? decided_by : undefined;
}

/** Returns the source whose code a settlement changes, or why there is none. */
async function codeFor(
  { bus }: SettleDependencies,
  input: SettlementRequest,
  declared: DeclaredChange,
): Promise<CodeSource | SettlementRefusal> {
  if (joins(input)) return sourceToJoin(bus, input.org_id, input.source_id);
  return codeSourceOf(declared);
}

/** Returns the source that declares a change's resource, or that it has no repository. */
export function codeSourceOf({ source }: DeclaredChange): CodeSource | SettlementRefusal {
  if (!source?.repository) return withoutRepository(source?.name);
  return { id: source.id, name: source.name, repository: source.repository };
}

function refused(how: SettlementWay, refusal: SettlementRefusal): Settlement {
  return { how, patch: "", files: [], explanation: sentence(refusal.message), refused: refusal };
}

async function adopted(
  { bus }: SettleDependencies,
  orgId: string,
  change: DeclaredChange,
): Promise<Settlement> {
  const code = await adopt(bus, orgId, change);
  return "code" in code ? refused("adopt", code) : { how: "adopt", ...code };
}

function reverted({ change, source, replacing = [] }: DeclaredChange): Settlement {
  const { address = "", kind, attribute_changes: changes } = change;
  const { commands, expected, explanation } = revert(
    { address, kind, changes, replacing },
    source?.repository?.dir ?? "",
  );
  return {
    how: "revert",
    patch: "",
    files: [],
    explanation: sentence(explanation),
    commands,
    expected_plan: expected,
  };
}

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

interface Wanted {
  orgId: string;
  declared: DeclaredChange;
  how: RequestedWay;
  code: CodeSource;
  /** Author of the decision, if a change request is wanted. */
  decidedBy: Actor | undefined;
}

async function inCode(
  deps: SettleDependencies,
  { orgId, declared, how, code, decidedBy }: Wanted,
): Promise<Settlement> {
  const folder = await readFolder(deps.bus, orgId, code.repository);
  if ("refused" in folder) return refused(how, { code: "code_unavailable", message: folder.refused });
  const at = { orgId, source: code, folder };
  const { patch, files, outcome } =
    how === "adopt" ? await inNewFile(deps, at, declared) : await inFiles(deps, at, { declared, how });
  if (outcome.kind === "refused") return refused(how, outcome.refusal);
  const settlement = {
    how,
    patch,
    files: files.map(({ path, text: content }) => ({ path, content })),
    explanation: sentence(outcome.explanation),
  };
  if (!decidedBy) return settlement;
  const { fingerprint } = declared.change;
  await storeSettlements(deps, orgId, code, [{ fingerprint, how, decidedBy }]);
  return { ...settlement, ...present({ change_request: await publish(deps, orgId, code) }) };
}

/** Stores decisions about the code of a source, with their audit entries. */
export async function storeSettlements(
  { database }: SettleDependencies,
  orgId: string,
  { id, name, repository }: CodeSource,
  decisions: readonly Omit<StoredSettlement, "decidedAt">[],
): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    for (const { fingerprint, how, decidedBy } of decisions) {
      await putSettlement(tx, id, { fingerprint, how, decidedBy });
      const details = { how, source: name, repository: repository.path };
      await audit(tx, { action: "drift_change.settle", targetId: fingerprint, actor: decidedBy, details });
    }
  });
}

interface Made {
  patch: string;
  files: readonly CodeFile[];
  outcome: Settled;
}

async function inFiles(
  deps: SettleDependencies,
  at: CodeAt,
  { declared, how }: { declared: DeclaredChange; how: InCode },
): Promise<Made> {
  const { patch, files, outcomes } = await settleInCode(deps, at, [toSettle(declared, how)]);
  const [outcome] = outcomes;
  if (!outcome) throw new Error("a change has no outcome");
  return { patch, files, outcome };
}

async function inNewFile(
  { bus }: SettleDependencies,
  at: CodeAt,
  { change: { live_resource_id: id } }: DeclaredChange,
): Promise<Made> {
  const outcome: Settled = {
    kind: "refused",
    refusal: { code: "not_applicable", message: NO_RESOURCE },
  };
  if (id === undefined) return { patch: "", files: [], outcome };
  const { file, outcomes } = await adoptInto(bus, at, [id]);
  const files = file ? [file] : [];
  const patch = patchOfNewFiles(files.map(({ path, text: content }) => ({ path, content })));
  return { patch, files, outcome: outcomes.get(id) ?? outcome };
}
