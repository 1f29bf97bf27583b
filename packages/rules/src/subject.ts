import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { RuleSubject } from "@leeway/shared/contracts/inventory/rules";

/** A change of a resource, as rules see it. */
export class ChangeFacts {
  kind: RuleSubject = "changed";
  risk_level: RiskLevel = "none";
  fingerprint = "";
  /** Terraform's actions. */
  actions: string[] = [];
  /** Ids and names of the risk rules that flag it. */
  rules: string[] = [];
  flags: string[] = [];
}

/** The resource, as rules see it. Unknown texts are empty. */
export class ResourceFacts {
  type = "";
  provider = "";
  region = "";
  name = "";
  id = "";
  account = "";
  tags: ReadonlyMap<string, string> = new Map();
}

/** The declaration of the resource; empty if there is none. */
export class DeclaredFacts {
  address = "";
  module = "";
  source = "";
}

/** The author of the change according to the cloud's audit log; empty if unknown. */
export class ActorFacts {
  principal = "";
  event = "";
  source = "";
}

/** Everything that a rule's condition can read. */
export interface Subject {
  change: ChangeFacts;
  resource: ResourceFacts;
  declared: DeclaredFacts;
  actor: ActorFacts;
  /** Changed attributes, with dots between their steps. */
  paths: string[];
}

/** The members of a subject that are known. */
export type KnownFacts = {
  change: Partial<ChangeFacts> & Pick<ChangeFacts, "kind" | "risk_level">;
  resource: Partial<ResourceFacts> & Pick<ResourceFacts, "type">;
  declared?: Partial<DeclaredFacts>;
  actor?: Partial<ActorFacts>;
  paths?: readonly (readonly (string | number)[])[];
};

export function subjectOf({ change, resource, declared, actor, paths = [] }: KnownFacts): Subject {
  return {
    change: Object.assign(new ChangeFacts(), change),
    resource: Object.assign(new ResourceFacts(), resource),
    declared: Object.assign(new DeclaredFacts(), declared),
    actor: Object.assign(new ActorFacts(), actor),
    paths: paths.map((path) => path.join(".")),
  };
}
