import type { Bodies } from "@leeway/shared/bus/bodies";
import type { Cursors } from "@leeway/shared/cursor";
import type { Egress } from "@leeway/shared/egress/egress";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Platform } from "@leeway/shared/service";

import type { Installation } from "./access/access-policy.ts";
import type { Registry } from "./connectors/registry.ts";
import type { SigningKeys } from "./issuer/signing-keys.ts";

/** What the inventory works with. */
export interface Dependencies extends Platform {
  ring: KeyRing;
  cursors: Cursors;
  bodies: Bodies;
  egress: Egress;
  clouds: Registry;
  signingKeys: SigningKeys;
  installation: Installation;
}
