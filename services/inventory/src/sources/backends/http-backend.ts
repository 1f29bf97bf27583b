import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/egress/egress";

import type { KeptState } from "../../connectors/connector.ts";
import { fetchFrom } from "../../connectors/rest/fetch-from.ts";

/** A state at an address of one's own, as Terraform's `http` backend keeps it; GitLab does. */
export function fetchOverHttp(
  egress: Egress,
  { backend, password }: { backend: ShownBackend; password: string | undefined },
  known: string | undefined,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  const { address = "", username = "" } = backend;
  const basic = Buffer.from(`${username}:${password ?? ""}`).toString("base64");
  const place = {
    url: address,
    ...((username !== "" || password !== undefined) && { headers: { authorization: `Basic ${basic}` } }),
    refusal: "its user or password isn't accepted, or may not read the state",
  };
  return fetchFrom(egress, place, known, signal);
}
