import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/security/egress/egress";

import type { KeptState } from "../connector.ts";
import { fetchFrom } from "../rest/fetch-from.ts";

/** Fetches a state from the user's own address, as stored by Terraform's `http` backend, for example in GitLab. */
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
    refusal: "the user and password are wrong or may not read the state",
  };
  return fetchFrom(egress, place, known, signal);
}
