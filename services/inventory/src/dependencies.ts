import type { Bodies } from "@leeway/shared/bus/bodies";
import type { Cursors } from "@leeway/shared/security/cursor";
import type { Egress } from "@leeway/shared/security/egress/egress";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Platform } from "@leeway/shared/service/service";
import type { Registry } from "@leeway/connectors/registry";

import type { Installation } from "./accounts/access-policy.ts";
import type { SigningKeys } from "./issuer/signing-keys.ts";

/** Dependencies of the inventory's handlers. */
export interface Dependencies extends Platform {
  ring: KeyRing;
  cursors: Cursors;
  bodies: Bodies;
  egress: Egress;
  clouds: Registry;
  signingKeys: SigningKeys;
  installation: Installation;
}
