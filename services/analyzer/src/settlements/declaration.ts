import type { Declaration } from "@leeway/shared/contracts/analyzer/places";
import type { SettlementRefusal } from "@leeway/shared/contracts/analyzer/settlements";
import type { DriftFingerprint } from "@leeway/shared/contracts/drift-fingerprint";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";
import type { Static } from "@sinclair/typebox";

import { CODE_HOSTS } from "../reviews/code-hosts.ts";
import { refusalOf, withoutRepository } from "./refusals.ts";
import {
  presentChange,
  readFolder,
  type DeclaredChange,
  type ReadFolder,
  type SettleDependencies,
} from "./source.ts";

interface OfChange {
  org_id: string;
  fingerprint: Static<typeof DriftFingerprint>;
}

/** Returns a change that an account has now. @throws {AppError} `not_found` */
export async function requireChange(
  { bus }: Pick<SettleDependencies, "bus">,
  { org_id: orgId, fingerprint }: OfChange,
): Promise<DeclaredChange> {
  const declared = await presentChange(bus, orgId, fingerprint);
  if (!declared) throw new AppError("not_found", "no account currently has this change");
  return declared;
}

/** Finds where code declares the resource of a change. @throws {AppError} `not_found`, `unavailable` */
export async function findDeclaration(deps: SettleDependencies, input: OfChange): Promise<Declaration> {
  const { org_id: orgId } = input;
  const declared = await requireChange(deps, input);
  const { change, source } = declared;
  const refusal = undeclared(declared);
  if (refusal) return { refused: refusal };
  if (!source?.repository) return { refused: withoutRepository(source?.name) };
  const { repository } = source;
  const folder = await readFolder(deps.bus, orgId, repository);
  if ("refused" in folder) return { refused: { code: "code_unavailable", message: folder.refused } };
  const sources = JSON.stringify(folder.files.map(({ path, text: hcl }) => ({ path, hcl })));
  const found = await deps.reader.locate(orgId, { sources, dir: repository.dir ?? "" }, change.address ?? "");
  const at = { commit: folder.commit, ref: folder.ref };
  if ("refusal" in found) {
    const { path, line } = found.refusal;
    return { ...at, ...present({ path, line, url: pageOf(folder, { path, line }) }), refused: found.refusal };
  }
  const { path, line, endLine: end_line } = found;
  return { ...at, path, line, end_line, ...present({ url: pageOf(folder, { path, line, end_line }) }) };
}

/** Returns why no code declares the resource, if the change itself shows it. */
function undeclared(declared: DeclaredChange): SettlementRefusal | undefined {
  if (declared.change.kind !== "undeclared")
    return refusalOf({ ...declared, change: { ...declared.change, kind: "changed" } }, "accept");
  return { code: "not_applicable", message: "no code declares the resource" };
}

function pageOf(
  { page }: Extract<ReadFolder, { commit: string }>,
  {
    path,
    line,
    end_line: end = line,
  }: { path?: string | undefined; line?: number | undefined; end_line?: number },
): string | undefined {
  if (!page || path === undefined) return undefined;
  const file = path.split("/").map(encodeURIComponent).join("/");
  const lines = line === undefined || end === undefined ? "" : `#${CODE_HOSTS[page.kind].lines(line, end)}`;
  return `${page.url}/${file}${lines}`;
}
