import { CLIENT_SCHEMA_FILE, clientSchemaText } from "@leeway/client/generate";

import { OPENAPI_FILE, openApiText } from "../services/gateway/src/openapi/file.ts";
import { RIGHTS_FILE, rightsText } from "./bus/rights.ts";
import { ADOPTION_FILE, withOfferedTypes } from "./docs/adopted-types.ts";
import { CLIENT_TYPES_FILE, clientTypes } from "./docs/client-types.ts";
import { closedSets } from "./docs/closed-sets.ts";
import { COMMANDS_FILE, withCommands } from "./docs/commands.ts";
import { COMPARISON_FILE, withFigures } from "./docs/comparison.ts";
import { CONTRACTS_FILE, contractsText } from "./docs/contracts.ts";
import { RULES_FILE, withRules } from "./docs/rules.ts";
import { TYPE_FACTS_FILE, typeFactsText } from "./docs/type-facts.ts";

/** Writes every file that is generated from the code. */
const openApi = openApiText();
await Bun.write(OPENAPI_FILE, openApi);
await Bun.write(CLIENT_TYPES_FILE, clientTypes(JSON.parse(openApi)));
await Bun.write(CLIENT_SCHEMA_FILE, await clientSchemaText(openApi));
for (const [path, text] of closedSets()) await Bun.write(path, text);
await Bun.write(CONTRACTS_FILE, await contractsText());
await Bun.write(RIGHTS_FILE, await rightsText());
await Bun.write(TYPE_FACTS_FILE, typeFactsText());
await Bun.write(RULES_FILE, withRules(await Bun.file(RULES_FILE).text()));
await Bun.write(COMPARISON_FILE, withFigures(await Bun.file(COMPARISON_FILE).text()));
await Bun.write(COMMANDS_FILE, withCommands(await Bun.file(COMMANDS_FILE).text()));
await Bun.write(ADOPTION_FILE, withOfferedTypes(await Bun.file(ADOPTION_FILE).text()));
console.log(
  "docs/openapi.json, docs/contracts.md, docs/rules.md, docs/comparison.md, docs/adopt.md, docs/cli.md, deploy/nats/rights.json, the type facts, the types of the client and the dashboard and closed sets are written",
);
