import { revert } from "@leeway/analysis/settle/revert";
import type { Input } from "@leeway/shared/contracts/contract";
import type {
  SettleChange,
  Settlement,
  SettlementRefusal,
  SettlementWay,
} from "@leeway/shared/contracts/analyzer/settlements";
import type { Actor } from "@leeway/shared/contracts/common";
import { requireSpeaksFor } from "@leeway/shared/contracts/speaks-for";
import { present } from "@leeway/shared/values/json";

import { audit } from "../audit.ts";
import { adopt } from "./adopt.ts";
import { settleInCode, toSettle, type InCode } from "./in-code.ts";
import { requireChange } from "./declaration.ts";
import { publish } from "./publish.ts";
import { readFolder, type CodeSource, type DeclaredChange, type SettleDependencies } from "./source.ts";
import { refusalOf, withoutRepository } from "./refusals.ts";
import { putSettlement } from "./store.ts";

/**
 * Settles a change of drift in the code of its source.
 * @throws {AppError} `not_found`, `repository_mismatch`, `unavailable`
 */
export async function settleChange(
  deps: SettleDependencies,
  input: Input<typeof SettleChange>,
): Promise<Settlement> {
  const { org_id: orgId, fingerprint, how, open_change_request: opens = false } = input;
  const declared = await requireChange(deps, { org_id: orgId, fingerprint });
  const { source } = declared;
  requireSpeaksFor(input.speaks_for, source?.repository, "the change");
  const refusal = refusalOf(declared, how);
  if (refusal) return refused(how, refusal);
  if (how === "revert") return reverted(declared);
  if (how === "adopt") return adopted(deps, orgId, declared);
  const code = codeSourceOf(declared);
  if (!code) return refused(how, withoutRepository(source?.name));
  return inCode(deps, { orgId, declared, how, code, decidedBy: opens ? input.decided_by : undefined });
}

function codeSourceOf({ source }: DeclaredChange): CodeSource | undefined {
  return source?.repository && { id: source.id, name: source.name, repository: source.repository };
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

function reverted({ change, source }: DeclaredChange): Settlement {
  const { address = "", kind, attribute_changes: changes } = change;
  const { commands, expected, explanation } = revert(
    { address, kind, changes },
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

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

interface Wanted {
  orgId: string;
  declared: DeclaredChange;
  how: InCode;
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
  const { patch, files, outcomes } = await settleInCode(deps, { orgId, source: code, folder }, [
    toSettle(declared, how),
  ]);
  const [outcome] = outcomes;
  if (!outcome) throw new Error("a change has no outcome");
  if (outcome.kind === "refused") return refused(how, outcome.refusal);
  const settlement = {
    how,
    patch,
    files: files.map(({ path, text: content }) => ({ path, content })),
    explanation: sentence(outcome.explanation),
  };
  if (!decidedBy) return settlement;
  const { fingerprint } = declared.change;
  await deps.database.transaction(orgId, async (tx) => {
    await putSettlement(tx, code.id, { fingerprint, how, decidedBy });
    const details = { how, source: code.name, repository: code.repository.path };
    await audit(tx, { action: "drift_change.settle", targetId: fingerprint, actor: decidedBy, details });
  });
  return { ...settlement, ...present({ change_request: await publish(deps, orgId, code) }) };
}
