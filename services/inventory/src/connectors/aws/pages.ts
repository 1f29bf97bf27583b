import { AwsFailure } from "./failure.ts";

/** How AWS's answers call the token of the page after them; empty or absent on the last. */
interface Page {
  NextToken?: string | undefined;
  PaginationToken?: string | undefined;
}

/** Every page that `ask` gets with the token of the page before. @throws {AwsFailure} when they go in a circle */
export async function* pagesOf<T extends Page>(
  ask: (token: string | undefined) => Promise<T>,
): AsyncIterable<T> {
  let token: string | undefined;
  do {
    const page = await ask(token);
    yield page;
    const next = page.NextToken || page.PaginationToken || undefined;
    if (next !== undefined && next === token)
      throw new AwsFailure(
        { code: "internal", message: "AWS gives the same page again and again" },
        "SameToken",
      );
    token = next;
  } while (token !== undefined);
}
