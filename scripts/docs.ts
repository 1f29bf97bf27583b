import { OPENAPI_FILE, openApiText } from "../services/gateway/src/openapi/file.ts";
import { CLIENT_TYPES_FILE, clientTypes } from "./docs/client-types.ts";
import { CONTRACTS_FILE, contractsText } from "./docs/contracts.ts";

/** Writes everything that is generated from the code: documents, and the types of the API for the dashboard. */
const openApi = openApiText();
await Bun.write(OPENAPI_FILE, openApi);
await Bun.write(CLIENT_TYPES_FILE, clientTypes(JSON.parse(openApi)));
await Bun.write(CONTRACTS_FILE, await contractsText());
console.log("docs/openapi.json, docs/contracts.md and the types of the dashboard are written");
