import type { Rule } from "../rule.ts";
import { R01 } from "./R01-destroy-stateful.ts";
import { R02 } from "./R02-protection-removed.ts";
import { R03 } from "./R03-destroy-key-material.ts";
import { R04 } from "./R04-destroy-container.ts";
import { R05 } from "./R05-replace-downtime.ts";
import { R06 } from "./R06-replace-no-downtime.ts";
import { R07 } from "./R07-stateful-disruptive-update.ts";
import { R08 } from "./R08-network-policy-change.ts";
import { R09 } from "./R09-internet-exposure.ts";
import { R10 } from "./R10-public-data.ts";
import { R11 } from "./R11-privilege-escalation.ts";
import { R12 } from "./R12-iam-change.ts";
import { R13 } from "./R13-encryption-weakened.ts";
import { R14 } from "./R14-audit-weakened.ts";
import { R15 } from "./R15-traffic-path-change.ts";
import { R16 } from "./R16-capacity-reduction.ts";
import { R17 } from "./R17-destroy-serving.ts";
import { R18 } from "./R18-destroy.ts";
import { R19 } from "./R19-mass-destroy.ts";
import { R20 } from "./R20-create.ts";
import { R21 } from "./R21-cosmetic.ts";
import { R22 } from "./R22-orphaned.ts";
import { R23 } from "./R23-update.ts";
import { R25 } from "./R25-secret-rotation.ts";

/** Every rule. Among findings of one level, those of earlier rules come first: irreversible changes lead. */
export const RULES: readonly Rule[] = [
  R19,
  R01,
  R03,
  R04,
  R11,
  R09,
  R10,
  R02,
  R14,
  R13,
  R05,
  R17,
  R16,
  R07,
  R06,
  R08,
  R12,
  R15,
  R18,
  R22,
  R25,
  R20,
  R23,
  R21,
];
