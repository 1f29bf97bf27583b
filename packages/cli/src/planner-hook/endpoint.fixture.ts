import { createHmac, randomUUID } from "node:crypto";
import { createServer, type Socket } from "node:net";

import { constantTimeEqual } from "@leeway/shared/values/digest";
import { isObject } from "@leeway/shared/values/json";

/** A secret in Leeway's format, split so that secret scanners don't report it. */
export const SECRET = ["whsec", "0123456789abcdef".repeat(4)].join("_");
export const ORG_ID = "0192e4a0-7c1e-7a33-9d55-6f1f0c2b8a10";
const MAX_BYTES = 5_242_880;

/** Handling of a request: as Leeway does, with a given answer, or with a network failure. */
export type Treatment =
  | "leeway"
  | "reset"
  | "hang"
  | "truncate"
  | { status: number; headers?: string; body?: string };

export interface Request {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** An endpoint for planner webhooks that speaks Leeway's protocol on a socket, so that it can also drop connections. */
export class Endpoint {
  readonly requests: Request[] = [];
  readonly url: string;
  repoPath: string | undefined;
  readonly #deliveries = new Map<string, string>();
  readonly #treatments: Treatment[];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));

  /** Handles requests with the given treatments in order, and all further ones as Leeway does. */
  constructor(...treatments: Treatment[]) {
    this.#treatments = treatments;
    this.#server.listen(0, "127.0.0.1");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    this.url = `http://127.0.0.1:${address.port}/webhooks/planner/${ORG_ID}`;
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  /** Returns the bodies of the requests, parsed as JSON. */
  get events(): Record<string, unknown>[] {
    return this.requests.map(({ body }) => {
      const event: unknown = JSON.parse(body.toString());
      if (!isObject(event)) throw new Error("no event");
      return event;
    });
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const request = parse(received);
      if (!request) return;
      received = Buffer.alloc(0);
      this.requests.push(request);
      this.#treat(socket, request);
    });
  }

  #treat(socket: Socket, request: Request): void {
    const treatment = this.#treatments.shift() ?? "leeway";
    if (treatment === "hang") return;
    if (treatment === "reset") return void socket.resetAndDestroy();
    const {
      status,
      body = "",
      headers = "",
    } = treatment === "leeway" || treatment === "truncate" ? this.#answer(request) : treatment;
    const head = `HTTP/1.1 ${status} Whatever\r\ncontent-length: ${body.length}\r\nconnection: close\r\n${headers}\r\n`;
    socket.end(treatment === "truncate" ? head + body.slice(0, 10) : head + body);
  }

  /** Checks in Leeway's order: provider, size, signature, repository, duplicates. */
  #answer({ path, headers, body }: Request): { status: number; body: string; headers?: string } {
    if (!path.startsWith("/webhooks/planner/")) return refusal(404, "unknown provider");
    if (body.length > MAX_BYTES) return refusal(413, "payload_too_large");
    const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
    const isSigned = constantTimeEqual(headers["x-planner-signature"] ?? "", signature);
    if (!isSigned || path !== `/webhooks/planner/${ORG_ID}`) return refusal(401, "unauthorized");
    const repository = this.events.at(-1)?.["repository"];
    if ((this.repoPath ?? repository) !== repository) return refusal(403, "repository_mismatch");
    return this.#take(signature);
  }

  #take(signature: string): { status: number; body: string } {
    const first = this.#deliveries.get(signature);
    const deliveryId = first ?? randomUUID();
    this.#deliveries.set(signature, deliveryId);
    return {
      status: 202,
      body: JSON.stringify({ status: first ? "duplicate" : "accepted", delivery_id: deliveryId }),
    };
  }
}

function refusal(status: number, error: string): { status: number; body: string } {
  return { status, body: JSON.stringify({ error }) };
}

/** Parses a request once it is complete. */
function parse(received: Buffer): Request | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [start = "", ...lines] = received.subarray(0, end).toString().split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = received.subarray(end + 4);
  if (body.length < Number(headers["content-length"] ?? 0)) return undefined;
  return { path: start.split(" ")[1] ?? "", headers, body: Buffer.from(body) };
}
