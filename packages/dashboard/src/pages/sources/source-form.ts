import type { Body } from "../../api/client.ts";
import { backendOf, isOtherBackend, typedOf, type Origin } from "./backends.ts";
import type { Source } from "./place.ts";

/** A source as it stands in its form. */
export interface SourceForm {
  name: string;
  /** Empty: none of its own. */
  accountId: string;
  origin: Origin;
  typed: Record<string, string>;
}

/** What is known of a source, to be changed; a fresh one without. */
export function formOf(source: Source | undefined): SourceForm {
  const { name = "", cloud_account_id: accountId = "", backend } = source ?? {};
  return { name, accountId, origin: backend?.type ?? "push", typed: typedOf(backend) };
}

/** What a new source is made of. */
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

/** What changes of a source; nothing where nothing was changed. */
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
