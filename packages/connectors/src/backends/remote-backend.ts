import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { isObject, member, text, type JsonObject } from "@leeway/shared/values/json";

import { ConnectorError, type KeptState } from "../connector.ts";
import { fetchFrom } from "../rest/fetch-from.ts";

const HCP_TERRAFORM = "app.terraform.io";
const JSON_API = "application/vnd.api+json";
/** Limit of an answer that contains a state's address, which is parsed in one piece. */
const MAX_BYTES = 1 << 20;
const REFUSAL = "the token is wrong or may not read the workspace's state";

/** Returns the address of a `remote` backend's API. */
export function remoteUrl({ hostname = HCP_TERRAFORM }: ShownBackend): string {
  return `https://${hostname}`;
}

/**
 * Fetches the current state of a workspace from HCP Terraform or a compatible API. Its edition is the state version's
 * id.
 */
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
    const asked = { url: `${base}${path}`, headers: { ...headers, accept: JSON_API }, maxBytes: MAX_BYTES };
    return dataOf(await fetchFrom(egress, { ...asked, refusal: REFUSAL }, undefined, signal));
  };
  const workspaceId = text(await ask(`/organizations/${organization}/workspaces/${workspace}`), "id") ?? "";
  const version = await ask(`/workspaces/${encodeURIComponent(workspaceId)}/current-state-version`);
  const edition = text(version, "id") ?? "";
  if (edition === known) return undefined;
  const url = text(member(version, "attributes"), "hosted-state-download-url") ?? "";
  // Another host serves the state to any holder of the address. The token is only for the API's own host.
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
    // Thrown below.
  }
  throw new ConnectorError({ code: "internal", message: "the response isn't from HCP Terraform's API" });
}
