import { createEgress } from "@leeway/shared/security/egress/egress";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { graceMs } from "@leeway/shared/platform/stop-time";
import type { Platform, Running } from "@leeway/shared/service/service";

import type { KeyDependencies } from "../llm-config/llm-config.ts";
import type { Notices } from "../notices.ts";
import { createModels, type Models } from "./complete.ts";
import type { OpenConnection } from "../model/language-model.ts";
import type { Slots } from "./slots.ts";

export interface ModelSettings {
  ring: KeyRing;
  /** `host:port` pairs that may be private. */
  egressAllow: readonly string[];
  /** The platform's own model, if it offers one. */
  platformModel: OpenConnection | undefined;
  slots: Slots;
  notices: Notices;
}

/** Dependencies of the handlers for models and their keys. */
export interface ModelDependencies extends KeyDependencies {
  models: Models;
  hasPlatformModel: boolean;
}

export function startModels(
  { database, log }: Platform,
  { ring, egressAllow, platformModel, slots, notices }: ModelSettings,
): Running & ModelDependencies {
  const egress = createEgress({ allow: egressAllow });
  const models = createModels({ database, ring, egress, log, slots, notices, platform: platformModel });
  const hasPlatformModel = platformModel !== undefined;
  return { database, ring, egress, models, hasPlatformModel, drain: () => models.drain(graceMs()) };
}
