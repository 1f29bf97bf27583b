import { ENDPOINTS } from "../endpoints.ts";
import { openApiDocument } from "./document.ts";

/** Where the document lies in the repository. */
export const OPENAPI_FILE = `${import.meta.dir}/../../../../docs/openapi.json`;

/** The text of that file: the document as a gateway with its default address would serve it. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(ENDPOINTS, "http://localhost:8080"), null, 2)}\n`;
}
