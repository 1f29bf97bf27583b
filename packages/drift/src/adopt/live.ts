import type { Cloud } from "@leeway/clouds/cloud";
import type { MatchKey } from "@leeway/clouds/cloud";
import type { JsonObject } from "@leeway/shared/values/json";

/** A live resource to adopt. */
export interface LiveToAdopt {
  /** Id in the answer. */
  id: string;
  cloud: Cloud;
  providerType: string;
  providerResourceId: string;
  region: string | undefined;
  name: string | undefined;
  /** External id of its account. */
  account: string;
  tags: Readonly<Record<string, string>> | undefined;
  /** With redacted secrets; undefined if the listing only shows that the resource exists. */
  properties: JsonObject | undefined;
  /** Sentence that says why it can't be adopted. It names the declaration or the creator. */
  taken: string | undefined;
}

/** A resource in the code that the new code joins. */
export interface DeclaredBeside {
  type: string;
  address: string;
  keys: readonly MatchKey[];
}
