import type { Body } from "../../api/client.ts";
import { backendOf, isOtherBackend, typedOf, type Origin } from "./backends.ts";
import type { Source } from "./place.ts";

/** A source in its form. */
export interface SourceForm {
  name: string;
  /** Account; empty for none. */
  accountId: string;
  origin: Origin;
  typed: Record<string, string>;
}

/** Returns a source's known values for editing, or an empty form. */
export function formOf(source: Source | undefined): SourceForm {
  const { name = "", cloud_account_id: accountId = "", backend } = source ?? {};
  return { name, accountId, origin: backend?.type ?? "push", typed: typedOf(backend) };
}

/** Builds the body of a new source. */
export function newSource({
  name,
  accountId,
  origin,
  typed,
}: SourceForm): Body<"POST /orgs/{id}/iac-sources"> {
  return {
    name: name.trim(),
    ...(accountId !== "" && { cloud_account_id: accountId }),
    ...(origin !== "push" && { backend: backendOf(origin, typed) }),
  };
}

/** Returns the changed members of a source; empty if nothing changed. */
export function changesOf(
  source: Source,
  { name, accountId, origin, typed }: SourceForm,
): Body<"PATCH /orgs/{id}/iac-sources/{source_id}"> {
  return {
    ...(name.trim() !== source.name && { name: name.trim() }),
    ...(accountId !== (source.cloud_account_id ?? "") && { cloud_account_id: accountId || null }),
    ...(isOtherBackend(source.backend, origin, typed) && {
      backend: origin === "push" ? null : backendOf(origin, typed),
    }),
  };
}
