import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/egress/egress";
import { isObject, member, text, type JsonObject } from "@leeway/shared/json";

import { ConnectorError, type KeptState } from "../../connectors/connector.ts";
import { fetchFrom } from "../../connectors/rest/fetch-from.ts";

const HCP_TERRAFORM = "app.terraform.io";
const JSON_API = "application/vnd.api+json";
/** What says where a state is, and is parsed in one piece. */
const MOST_BYTES = 1 << 20;
const REFUSAL = "its token isn't accepted, or may not read the workspace's state";

/** Where a `remote` backend is asked. */
export function remoteUrl({ hostname = HCP_TERRAFORM }: ShownBackend): string {
  return `https://${hostname}`;
}

/** The current state of a workspace of HCP Terraform, or of what speaks as it does; an edition is a state version. */
export async function fetchFromWorkspace(
  egress: Egress,
  { backend, token }: { backend: ShownBackend; token: string },
  known: string | undefined,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  const { organization = "", workspace = "" } = backend;
  const base = `${remoteUrl(backend)}/api/v2`;
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (path: string): Promise<JsonObject> => {
    const asked = { url: `${base}${path}`, headers: { ...headers, accept: JSON_API }, mostBytes: MOST_BYTES };
    return dataOf(await fetchFrom(egress, { ...asked, refusal: REFUSAL }, undefined, signal));
  };
  const workspaceId = text(await ask(`/organizations/${organization}/workspaces/${workspace}`), "id") ?? "";
  const version = await ask(`/workspaces/${encodeURIComponent(workspaceId)}/current-state-version`);
  const edition = text(version, "id") ?? "";
  if (edition === known) return undefined;
  const url = text(member(version, "attributes"), "hosted-state-download-url") ?? "";
  // Elsewhere the address itself lets in whoever has it; the token is for its own host.
  const isOwn = URL.parse(url)?.origin === new URL(base).origin;
  const place = { url, refusal: REFUSAL, mayMove: true, ...(isOwn && { headers }) };
  const state = await fetchFrom(egress, place, undefined, signal);
  return state && { ...state, edition };
}

function dataOf(answer: KeptState | undefined): JsonObject {
  try {
    const body: unknown = JSON.parse(Buffer.from(answer?.bytes ?? []).toString("utf8"));
    const data = isObject(body) ? body["data"] : undefined;
    if (isObject(data)) return data;
  } catch {
    // Told below.
  }
  throw new ConnectorError({ code: "internal", message: "the answer isn't one of HCP Terraform's API" });
}
