import type { Interference } from "../rest/rest.fixture.ts";
import { Objects } from "../rest/objects.fixture.ts";
import { ACCESS_KEY } from "./aws.fixture.ts";

/** S3 for reading one object: path-style URL, signed for a region. */
export class FakeS3 {
  readonly objects = new Objects();
  interfere: Interference = () => undefined;
  /** Requested regions and access keys. */
  readonly asked: [region: string, accessKeyId: string][] = [];
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 30,
    fetch: (request) => this.#respond(request),
  });

  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  get endpoint(): string {
    return `http://${this.host}`;
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  #respond(request: Request): Response | Promise<Response> {
    const scope = /Credential=(\w+)\/\d{8}\/([\w-]+)\/s3\/aws4_request/.exec(
      request.headers.get("authorization") ?? "",
    );
    const [, accessKeyId = "", region = ""] = scope ?? [];
    this.asked.push([region, accessKeyId]);
    const before = this.interfere(request);
    if (before) return before;
    if (accessKeyId !== ACCESS_KEY.accessKeyId) return s3Error(403, "InvalidAccessKeyId");
    const { pathname } = new URL(request.url);
    return this.objects.answer(request, decodeURIComponent(pathname), () => s3Error(404, "NoSuchKey"));
  }
}

export function s3Error(status: number, code: string): Response {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no</Message></Error>`;
  return new Response(body, { status, headers: { "content-type": "application/xml" } });
}
