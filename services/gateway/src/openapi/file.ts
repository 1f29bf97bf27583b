import { ENDPOINTS } from "../endpoints.ts";
import { openApiDocument } from "./document.ts";

/** Path of the document in the repository. */
export const OPENAPI_FILE = `${import.meta.dir}/../../../../docs/openapi.json`;

/** Returns the text of that file: the document as served by a gateway at its default address. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(ENDPOINTS, "http://localhost:8080"), null, 2)}\n`;
}
