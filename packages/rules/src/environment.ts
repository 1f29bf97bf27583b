import { Environment } from "@marcbachmann/cel-js";

import { findsPattern } from "./patterns.ts";
import { ActorFacts, ChangeFacts, DeclaredFacts, ResourceFacts } from "./subject.ts";

const TEXT = "string";
const TEXTS = "list<string>";

/**
 * Name under which `matches` is called. The library's own uses the runtime's regular expressions, which can take
 * exponential time.
 */
export const LINEAR_MATCHES = "linearMatches";

/** Variables and functions of conditions, and the limits of their syntax. */
export const ENVIRONMENT = new Environment({
  limits: { maxAstNodes: 300, maxDepth: 24, maxListElements: 100, maxMapEntries: 20, maxCallArguments: 3 },
})
  .registerType("Change", {
    ctor: ChangeFacts,
    fields: { kind: TEXT, risk_level: TEXT, fingerprint: TEXT, actions: TEXTS, rules: TEXTS, flags: TEXTS },
  })
  .registerType("Resource", {
    ctor: ResourceFacts,
    fields: {
      type: TEXT,
      provider: TEXT,
      region: TEXT,
      name: TEXT,
      id: TEXT,
      account: TEXT,
      tags: "map<string, string>",
    },
  })
  .registerType("Declared", { ctor: DeclaredFacts, fields: { address: TEXT, module: TEXT, source: TEXT } })
  .registerType("Actor", { ctor: ActorFacts, fields: { principal: TEXT, event: TEXT, source: TEXT } })
  .registerVariable("change", "Change")
  .registerVariable("resource", "Resource")
  .registerVariable("declared", "Declared")
  .registerVariable("actor", "Actor")
  .registerVariable("paths", TEXTS)
  .registerFunction(`string.${LINEAR_MATCHES}(string): bool`, findsPattern);

/** Functions and macros that a condition may call. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  "all",
  "contains",
  "double",
  "endsWith",
  "exists",
  "exists_one",
  "filter",
  "has",
  "int",
  "lowerAscii",
  "map",
  "matches",
  "size",
  "startsWith",
  "string",
  "upperAscii",
]);
