import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { text as consume } from "node:stream/consumers";

import { PROVIDERS, type Provider } from "@leeway/shared/contracts/quota/llm-config";

/** How the server answers a request; `protocol` knows the words of the provider that was asked. */
export type Answer = (exchange: {
  protocol: Protocol;
  request: IncomingMessage;
  response: ServerResponse;
}) => void;

interface ReceivedRequest {
  provider: Provider;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that speaks the protocol of every provider, each below a path of its own. */
export interface ModelServer {
  /** The `base_url` of a provider. */
  baseUrl(provider: Provider): string;
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  requests: ReceivedRequest[];
  /** The one key that it knows. */
  key: string;
  /** Answers so from now on. */
  answerWith(answer: Answer): void;
  answerAsUsual(): void;
  stop(): Promise<void>;
}

export const TEXT = "The queue is replaced.";
export const USAGE = { input_tokens: 21, output_tokens: 7 };
type Finish = "stop" | "length" | "refused";

interface Protocol {
  /** What is behind the base URL. */
  path: RegExp;
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  said(text: string, finish: Finish): object;
  failure(status: number, message: string): object;
  /** How a key that it doesn't know is turned away. */
  wrongKey: { status: number; message: string };
}

const bearer = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  authorization?.replace(/^Bearer /, "");
const header = (name: string) => (headers: IncomingHttpHeaders) => headers[name]?.toString();

const openai: Protocol = {
  path: /^\/chat\/completions$/,
  keyOf: bearer,
  said: (content, finish) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "m",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content },
        finish_reason: finish === "refused" ? "content_filter" : finish,
      },
    ],
    usage: {
      prompt_tokens: USAGE.input_tokens,
      completion_tokens: USAGE.output_tokens,
      total_tokens: USAGE.input_tokens + USAGE.output_tokens,
    },
  }),
  failure: (status, message) => ({ error: { message, type: "error", param: null, code: String(status) } }),
  wrongKey: { status: 401, message: "Incorrect API key provided" },
};

const PROTOCOLS: Readonly<Record<Provider, Protocol>> = {
  openai,
  openai_compatible: openai,
  azure_openai: {
    ...openai,
    path: /^\/deployments\/[\w.-]+\/chat\/completions\?api-version=2024-10-21$/,
    keyOf: header("api-key"),
  },
  anthropic: {
    path: /^\/messages$/,
    keyOf: header("x-api-key"),
    said: (text, finish) => ({
      type: "message",
      id: "msg_1",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text }],
      stop_reason: { stop: "end_turn", length: "max_tokens", refused: "refusal" }[finish],
      stop_sequence: null,
      usage: USAGE,
    }),
    failure: (status, message) => ({ type: "error", error: { type: `error_${status}`, message } }),
    wrongKey: { status: 401, message: "invalid x-api-key" },
  },
  google: {
    path: /^\/models\/[\w.-]+:generateContent$/,
    keyOf: header("x-goog-api-key"),
    said: (text, finish) => ({
      candidates: [
        {
          content: { role: "model", parts: [{ text }] },
          finishReason: { stop: "STOP", length: "MAX_TOKENS", refused: "SAFETY" }[finish],
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: USAGE.input_tokens,
        candidatesTokenCount: USAGE.output_tokens,
        totalTokenCount: USAGE.input_tokens + USAGE.output_tokens,
      },
    }),
    failure: (code, message) => ({
      error: {
        code,
        message,
        status: "ERROR",
        details: [{ reason: message.startsWith("API key not valid") ? "API_KEY_INVALID" : "OTHER" }],
      },
    }),
    wrongKey: { status: 400, message: "API key not valid. Please pass a valid API key." },
  },
  bedrock: {
    path: /^\/model\/[\w.%-]+\/converse$/,
    keyOf: bearer,
    said: (text, finish) => ({
      output: { message: { role: "assistant", content: [{ text }] } },
      stopReason: { stop: "end_turn", length: "max_tokens", refused: "content_filtered" }[finish],
      usage: {
        inputTokens: USAGE.input_tokens,
        outputTokens: USAGE.output_tokens,
        totalTokens: USAGE.input_tokens + USAGE.output_tokens,
      },
      metrics: { latencyMs: 10 },
    }),
    failure: (_, message) => ({ message }),
    wrongKey: { status: 403, message: "The security token included in the request is invalid." },
  },
};

function reply(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Says something, as the provider says it. */
export const says =
  (text = TEXT, finish: Finish = "stop"): Answer =>
  ({ protocol, response }) =>
    reply(response, 200, protocol.said(text, finish));

/** Fails with a status; the text quotes what was sent, as providers do. */
export const fails =
  (status: number, headers: Record<string, string> = {}, said = "something is wrong"): Answer =>
  ({ protocol, request, response }) => {
    const quoted = `${said}: ${protocol.keyOf(request.headers)}`;
    reply(response, status, protocol.failure(status, quoted), { ...headers, "x-said": quoted });
  };

/** Waits before the first byte. */
export const slowly =
  (ms: number, then: Answer = says()): Answer =>
  (exchange) =>
    void setTimeout(() => then(exchange), ms);

/** Takes the request and says nothing. */
export const hangs: Answer = () => undefined;

/** Breaks the connection in the middle of the answer. */
export const cuts: Answer = ({ protocol, request, response }) => {
  const whole = JSON.stringify(protocol.said(TEXT, "stop"));
  response.writeHead(200, { "content-type": "application/json", "content-length": String(whole.length) });
  response.write(whole.slice(0, whole.length / 2), () => setTimeout(() => request.socket.destroy(), 10));
};

/** Breaks the connection without an answer. */
export const resets: Answer = ({ request }) => void request.socket.destroy();

/** One byte at a time, for ever. */
export const trickles: Answer = ({ response }) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

/** An answer of any text. */
export const answers =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  ({ response }) =>
    void response.writeHead(status, headers).end(body);

export async function startModelServer(key = `key-${crypto.randomUUID()}`): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  let chosen: Answer | undefined;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await consume(request);
    const { url = "", headers } = request;
    const [, name, path = ""] = /^\/(\w+)(\/.*)$/.exec(url) ?? [];
    const provider = PROVIDERS.find((one) => one === name);
    if (!provider || !PROTOCOLS[provider].path.test(path)) return reply(response, 404, { error: "no path" });
    const protocol = PROTOCOLS[provider];
    requests.push({ provider, path, headers, body });
    const { status, message } = protocol.wrongKey;
    if (chosen) chosen({ protocol, request, response });
    else if (protocol.keyOf(headers) === key) says()({ protocol, request, response });
    else reply(response, status, protocol.failure(status, message));
  }

  const server = http.createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    baseUrl: (provider) => `http://${host}/${provider}`,
    host,
    requests,
    key,
    answerWith(answer) {
      chosen = answer;
    },
    answerAsUsual() {
      chosen = undefined;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
