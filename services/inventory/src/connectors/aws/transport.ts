import { readAnswer } from "@leeway/shared/egress/read-answer";
import { NodeHttpHandler } from "@smithy/node-http-handler";

type Request = Parameters<NodeHttpHandler["handle"]>[0];
type Options = NonNullable<Parameters<NodeHttpHandler["handle"]>[1]>;

/** Of one call: until the answer is there in full, and the largest that is read. */
interface Limits {
  timeoutMs: number;
  mostBytes: number;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * What AWS's clients send their calls by. Their own waits for headers only: it reads a body that trickles for hours, and
 * one that doesn't end until the process has no memory left.
 */
export class BoundedTransport extends NodeHttpHandler {
  readonly #limits: Limits;

  constructor(limits: Limits) {
    super({ connectionTimeout: CONNECT_TIMEOUT_MS });
    this.#limits = limits;
  }

  override async handle(request: Request, options: Options = {}): ReturnType<NodeHttpHandler["handle"]> {
    const { timeoutMs, mostBytes } = this.#limits;
    const { abortSignal } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = abortSignal instanceof AbortSignal ? AbortSignal.any([deadline, abortSignal]) : deadline;
    try {
      const { response } = await super.handle(request, { ...options, abortSignal: signal });
      response.body = await readAnswer(response.body, { mostBytes, signal });
      return { response };
    } catch (error) {
      deadline.throwIfAborted();
      throw error;
    }
  }
}
