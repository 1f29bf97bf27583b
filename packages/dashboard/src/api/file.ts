import { send, unanswered } from "./client.ts";
import { useOrgId, type Listing, type ListOperation } from "./hooks.ts";

/** Reads all rows of a listing as a file. */
export type ReadFile = (type: "text/csv" | "application/x-ndjson") => Promise<Blob>;

/** Returns how to read all rows of a listing as a file. It fails if the answer breaks off, because the file wouldn't be complete. */
export function useFile<K extends ListOperation>(operation: K, { params, query }: Listing<K>): ReadFile {
  const id = useOrgId();
  return async (type) => {
    const response = await send(operation, { params: { id, ...params }, ...(query && { query }) }, type);
    return response.blob().catch(unanswered);
  };
}
