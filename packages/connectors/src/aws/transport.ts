import { readAnswer } from "@leeway/shared/security/egress/read-answer";
import { NodeHttpHandler } from "@smithy/node-http-handler";

type Request = Parameters<NodeHttpHandler["handle"]>[0];
type Options = NonNullable<Parameters<NodeHttpHandler["handle"]>[1]>;

/** Limits for one call: time until the complete answer, and its max size. */
interface Limits {
  timeoutMs: number;
  maxBytes: number;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * HTTP transport of the AWS clients. The SDK's own timeout covers only
 * headers: a body could trickle for hours, or grow until memory runs out.
 */
export class BoundedTransport extends NodeHttpHandler {
  readonly #limits: Limits;

  constructor(limits: Limits) {
    super({ connectionTimeout: CONNECT_TIMEOUT_MS });
    this.#limits = limits;
  }

  override async handle(request: Request, options: Options = {}): ReturnType<NodeHttpHandler["handle"]> {
    const { timeoutMs, maxBytes } = this.#limits;
    const { abortSignal } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = abortSignal instanceof AbortSignal ? AbortSignal.any([deadline, abortSignal]) : deadline;
    try {
      const { response } = await super.handle(request, { ...options, abortSignal: signal });
      response.body = await readAnswer(response.body, { maxBytes, signal });
      return { response };
    } catch (error) {
      deadline.throwIfAborted();
      throw error;
    }
  }
}
