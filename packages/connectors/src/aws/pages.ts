import { AwsFailure } from "./failure.ts";

/** AWS's fields for the token of the next page; empty or absent on the last page. */
interface Page {
  NextToken?: string | undefined;
  PaginationToken?: string | undefined;
}

/** Yields every page; `ask` gets the token of the previous one. @throws {AwsFailure} when AWS repeats a token */
export async function* pagesOf<T extends Page>(
  ask: (token: string | undefined) => Promise<T>,
): AsyncIterable<T> {
  let token: string | undefined;
  do {
    const page = await ask(token);
    yield page;
    const next = page.NextToken || page.PaginationToken || undefined;
    if (next !== undefined && next === token)
      throw new AwsFailure({ code: "internal", message: "AWS returned the same page twice" }, "SameToken");
    token = next;
  } while (token !== undefined);
}
