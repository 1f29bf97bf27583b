import { currentContext, withContext } from "@leeway/shared/platform/context";
import { isObject, text } from "@leeway/shared/values/json";
import type { TSchema } from "@sinclair/typebox";

import type { Gateway } from "../gateway.ts";
import { prefers } from "./accepted.ts";
import type { Answer } from "./answer.ts";
import { csvOf } from "./csv.ts";
import type { Call, Endpoint } from "./endpoint.ts";
import { MAX_LIMIT, pathOf } from "./parameters.ts";

/** Time in which a client must have read a list. A slow one would keep others of the organization waiting. */
const LONGEST_MS = 10 * 60_000;

/** A form of a whole list: its header and its lines. */
interface Form {
  header: string;
  line(row: unknown): string;
}

/** Forms in which a list is returned whole, without pages. */
export const WHOLE_FORMS = {
  "text/csv": {
    contentType: "text/csv; charset=utf-8; header=present",
    extension: "csv",
    of: csvOf,
  },
  "application/x-ndjson": {
    contentType: "application/x-ndjson",
    extension: "ndjson",
    of: (): Form => ({ header: "", line: (row) => `${JSON.stringify(row)}\n` }),
  },
} as const;

type MediaType = keyof typeof WHOLE_FORMS;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const MEDIA_TYPES = Object.keys(WHOLE_FORMS) as MediaType[];

/** Returns the schema of a list's rows; undefined if the operation doesn't return a list. */
export function rowOf({ method, success }: Pick<Endpoint, "method" | "success">): TSchema | undefined {
  const data: unknown = success.schema?.["properties"]?.data;
  if (method !== "GET" || !isObject(data)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an array of TypeBox has a schema of its items
  return data["type"] === "array" ? (data["items"] as unknown as TSchema) : undefined;
}

type Handle = (call: Call, gateway: Gateway) => Promise<Answer>;

/** Returns the handler of an operation. If it returns a list, the caller can have all of it as CSV or NDJSON. */
export function handlerOf(
  endpoint: Pick<Endpoint, "method" | "success" | "handle">,
  { longestMs = LONGEST_MS } = {},
): Handle {
  const row = rowOf(endpoint);
  const handle: Handle = (call, gateway) => endpoint.handle(call, gateway);
  if (!row) return handle;
  return async (call, gateway) => {
    const accept = call.request.headers.get("accept");
    const type = MEDIA_TYPES.find((name) => prefers(accept, name));
    return type === undefined
      ? handle(call, gateway)
      : wholeList(handle, { call, gateway, type, row, longestMs });
  };
}

interface Download {
  call: Call;
  gateway: Gateway;
  type: MediaType;
  row: TSchema;
  longestMs: number;
}

/**
 * Answers with a whole list. It holds one page at a time, and reads the next when the client has taken it.
 * @throws {AppError} `rate_limited` if the organization has too many of these under way
 */
function wholeList(handle: Handle, { call, gateway, type, row, longestMs }: Download): Promise<Answer> {
  const { contentType, extension, of } = WHOLE_FORMS[type];
  const { include: _, ...query } = call.query;
  const all: Call = { ...call, query: { ...query, ...("limit" in query && { limit: MAX_LIMIT }) } };
  const ended = Promise.withResolvers<void>();
  const begin = async (): Promise<Answer> => {
    const first = await handle(all, gateway);
    if (first.status !== 200) return first;
    const next = (cursor: string) => handle({ ...all, query: { ...all.query, cursor } }, gateway);
    call.request.signal.addEventListener("abort", () => ended.resolve(), { once: true });
    const name = pathOf(call.request.url).split("/").at(-1) ?? "list";
    return {
      status: 200,
      headers: {
        "content-type": contentType,
        "content-disposition": `attachment; filename="${name}.${extension}"`,
      },
      body: null,
      stream: streamOf(linesOf(first, next, of(row)), AbortSignal.timeout(longestMs), () => ended.resolve()),
    };
  };
  return new Promise((resolve, reject) => {
    const work = async (): Promise<void> => {
      const answer = await begin();
      resolve(answer);
      if (answer.stream) await ended.promise;
    };
    gateway.downloads.within(call.orgId || call.caller.id, work).catch(reject);
  });
}

async function* linesOf(
  first: Answer,
  next: (cursor: string) => Promise<Answer>,
  form: Form,
): AsyncGenerator<string> {
  yield form.header;
  for (let answer = first; ;) {
    const { rows, cursor } = pageIn(answer);
    yield rows.map((row) => form.line(row)).join("");
    if (cursor === undefined) return;
    answer = await next(cursor);
  }
}

function pageIn({ body }: Answer): { rows: readonly unknown[]; cursor: string | undefined } {
  const page: unknown = JSON.parse(
    typeof body === "string" ? body : Buffer.from(body ?? "").toString("utf8"),
  );
  if (!isObject(page) || !Array.isArray(page["data"])) throw new Error("a list without data");
  return { rows: page["data"], cursor: text(page, "next_cursor") };
}

/**
 * Streams texts, in the context of the current request. A failure or the signal breaks the connection, because the
 * status is sent.
 */
function streamOf(
  texts: AsyncGenerator<string>,
  signal: AbortSignal,
  end: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const context = currentContext() ?? { requestId: crypto.randomUUID() };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const giveUp = (): void => {
          end();
          controller.error(signal.reason);
        };
        signal.addEventListener("abort", giveUp, { once: true });
      },
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = await withContext(context, () => texts.next());
            if (done === true) {
              end();
              return controller.close();
            }
            if (value !== "") return controller.enqueue(encoder.encode(value));
          }
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      async cancel() {
        end();
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
