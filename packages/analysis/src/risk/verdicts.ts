import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

/** What a rule comes to: its level in each profile. */
export interface Verdict {
  rule: string;
  flag: string;
  /** Ends the sentence "this is said of …". */
  when: string;
  baseline: RiskLevel;
  strict: RiskLevel;
  /** Whether it stands however surely the change is noise. */
  neverHidden: boolean;
}

function verdict(
  [rule, flag]: readonly [string, string],
  [baseline, strict]: readonly [RiskLevel, RiskLevel],
  when: string,
): Verdict {
  return { rule, flag, when, baseline, strict, neverHidden: false };
}

function standing(...given: Parameters<typeof verdict>): Verdict {
  return { ...verdict(...given), neverHidden: true };
}

/** Every verdict of every rule, in the order of the rules. R24 is left out: see `docs/rules.md`. */
export const VERDICTS = {
  destroyStateful: standing(
    ["R01", "destroy_stateful"],
    ["critical", "critical"],
    "a resource that holds data and is destroyed or replaced",
  ),
  deletedOutside: standing(
    ["R01", "deleted_outside"],
    ["critical", "critical"],
    "a resource that holds data and was deleted outside of the tool (drift)",
  ),
  destroyMaybeStateful: standing(
    ["R01", "maybe_stateful"],
    ["high", "high"],
    "a destroyed or replaced resource whose attributes say that it may hold data: an instance with an instance store or a root volume that goes with it; a type of an unknown provider with attributes for backups, retention, snapshots, storage or protection",
  ),
  destroyRelease: standing(
    ["R01", "maybe_stateful"],
    ["medium", "medium"],
    "a destroyed or replaced Helm release, whose volumes no plan shows",
  ),
  protectionRemoved: standing(
    ["R02", "protection_removed"],
    ["medium", "high"],
    "an update that takes away what protects a resource that holds data: deletion protection, backups, point-in-time recovery, versioning, the final snapshot, or how long it is kept by a lifecycle or a log; or the deletion of what does so beside it, such as its versioning",
  ),
  protectionRemovedWithDestroy: standing(
    ["R02", "protection_removed"],
    ["medium", "critical"],
    "the same, when R01 speaks of something in the same plan",
  ),
  destroyKeyMaterial: standing(
    ["R03", "destroy_key_material"],
    ["critical", "critical"],
    "encryption keys, key vaults, secrets stores and buckets of states that are destroyed, replaced or disabled",
  ),
  destroyContainer: standing(
    ["R04", "destroy_container"],
    ["critical", "critical"],
    "an account, project, resource group, network or DNS zone that is destroyed or replaced",
  ),
  replaceDowntime: standing(
    ["R05", "replace_downtime"],
    ["high", "high"],
    "a serving resource that is destroyed before its replacement is created",
  ),
  replaceNoDowntime: verdict(
    ["R06", "replace_no_downtime"],
    ["medium", "medium"],
    "a serving resource whose replacement is created first",
  ),
  replaceNameConflict: verdict(
    ["R06", "replace_no_downtime"],
    ["medium", "high"],
    "the same, when old and new bear one fixed name (`name` without `name_prefix`)",
  ),
  statefulDisruptiveUpdate: standing(
    ["R07", "stateful_disruptive_update"],
    ["medium", "high"],
    "an update in place that restarts a resource that holds data: instance class, engine or its major version, storage type or encryption, subnet group, parameter group, `apply_immediately`; or another version of Kubernetes for a cluster",
  ),
  networkPolicyChange: verdict(
    ["R08", "network_policy_change"],
    ["medium", "medium"],
    "a security group, firewall, network ACL or a rule of one that is created, updated or deleted, and settings of anything else that say behind which of them it is, or which networks reach it",
  ),
  internetExposure: standing(
    ["R09", "internet_exposure"],
    ["medium", "high"],
    "a new rule that lets the whole internet reach a port other than 80 and 443",
  ),
  internetExposureOfAdmin: standing(
    ["R09", "internet_exposure"],
    ["medium", "critical"],
    "a new rule that lets the whole internet reach SSH, RDP or a database's port, alone or in a range",
  ),
  publicAccess: standing(
    ["R10", "public_data"],
    ["medium", "high"],
    'a resource that becomes public: `Principal: "*"`, `allUsers`, `publicly_accessible`, public ACLs, networks that let everybody in, an address on the internet for what had none',
  ),
  publicData: standing(
    ["R10", "public_data"],
    ["medium", "critical"],
    "the same of a resource that holds data, or of what governs access to one",
  ),
  privilegeEscalation: standing(
    ["R11", "privilege_escalation"],
    ["medium", "critical"],
    "somebody who becomes an administrator, or may make anybody one (`*:*`, `iam:*`, AdministratorAccess, roles/owner, Owner, User Access Administrator, cluster-admin), or a role that newly trusts everybody or another account",
  ),
  iamChange: verdict(
    ["R12", "iam_change"],
    ["medium", "medium"],
    "any other policy, role, binding or assignment that is created, updated or deleted, and settings of anything else that say who may log in, what they may do, or as whom it acts",
  ),
  encryptionWeakened: verdict(
    ["R13", "encryption_weakened"],
    ["medium", "high"],
    "encryption at rest or in transit that is turned off or goes without one's own key, a lower version of TLS, or keys that are no longer rotated",
  ),
  auditWeakened: verdict(
    ["R14", "audit_weakened"],
    ["medium", "high"],
    "trails, flow logs, threat detection or diagnostic settings that are deleted or turned off",
  ),
  trafficPathChange: verdict(
    ["R15", "traffic_path_change"],
    ["medium", "medium"],
    "an update of routes, DNS records, load balancer targets, peerings, VPNs or transit gateways",
  ),
  capacityReduction: verdict(
    ["R16", "capacity_reduction"],
    ["medium", "medium"],
    "capacity that shrinks by more than half, or a node pool that is deleted",
  ),
  capacityToZero: standing(
    ["R16", "capacity_reduction"],
    ["medium", "high"],
    "capacity that goes down to zero (but not a lower bound of it)",
  ),
  destroyServing: standing(
    ["R17", "destroy_serving"],
    ["high", "high"],
    "a serving resource without data that is deleted",
  ),
  destroy: verdict(
    ["R18", "destroy"],
    ["medium", "medium"],
    "anything else that is deleted or replaced, unknown types included, but for R20's new revisions",
  ),
  massDestroy: verdict(
    ["R19", "mass_destroy"],
    ["medium", "critical"],
    "a plan that deletes or replaces at least 25 resources, or at least half of those that exist and more than one",
  ),
  create: verdict(["R20", "create"], ["low", "low"], "anything else that is created"),
  newRevision: verdict(
    ["R20", "new_revision"],
    ["low", "low"],
    "what is never changed, such as a task definition or a secret's version, where a new one takes the place of the one before",
  ),
  cosmetic: verdict(
    ["R21", "cosmetic"],
    ["none", "none"],
    "an update of tags, labels or descriptions alone, of security groups too",
  ),
  orphaned: verdict(["R22", "orphaned"], ["low", "low"], "a resource that stays, but leaves the state"),
  orphanedStateful: verdict(
    ["R22", "orphaned"],
    ["medium", "medium"],
    "the same of a resource that holds data",
  ),
  update: verdict(["R23", "update"], ["low", "low"], "any other update, also one that can't be seen into"),
  secretRotation: verdict(
    ["R25", "secret_rotation"],
    ["low", "low"],
    "an update of a sensitive attribute, whose value is masked, or of the version of a write-only one",
  ),
  masterSecretRotation: verdict(
    ["R25", "secret_rotation"],
    ["medium", "medium"],
    "the same of the master credentials of a database",
  ),
} as const satisfies Record<string, Verdict>;

export type VerdictName = keyof typeof VERDICTS;
