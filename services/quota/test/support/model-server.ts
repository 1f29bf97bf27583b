import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { text as consume } from "node:stream/consumers";

import { PROVIDERS, type Provider } from "@leeway/shared/contracts/quota/llm-config";
import { isObject, member, members, type JsonObject } from "@leeway/shared/values/json";

/** Answers a request; `protocol` is that of the requested provider. */
export type Answer = (exchange: {
  protocol: Protocol;
  request: IncomingMessage;
  /** JSON that was sent. */
  sent: JsonObject;
  response: ServerResponse;
}) => void;

interface ReceivedRequest {
  provider: Provider;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that speaks the protocol of every provider, each at its own path. */
export interface ModelServer {
  /** Returns the `base_url` of a provider. */
  baseUrl(provider: Provider): string;
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  requests: ReceivedRequest[];
  /** The only valid key. */
  key: string;
  /** Sets the answer from now on. */
  answerWith(answer: Answer): void;
  answerAsUsual(): void;
  stop(): Promise<void>;
}

export const TEXT = "The queue is replaced.";
/** Usual answer for the schema of a narrative. */
export const STRUCTURED = JSON.stringify({ summary: TEXT, findings: [] });
export const USAGE = { input_tokens: 21, output_tokens: 7 };
type Finish = "stop" | "length" | "refused";

interface Protocol {
  /** Path after the base URL. */
  path: RegExp;
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  said(text: string, finish: Finish, sent: JsonObject): object;
  /** Returns the schema that a request contains. */
  schemaIn(sent: JsonObject): JsonObject | undefined;
  failure(status: number, message: string): object;
  /** Rejection of an unknown key. */
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
  schemaIn: (sent) => member(member(member(sent, "response_format"), "json_schema"), "schema"),
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
    said(text, finish, sent) {
      const input = members(sent, "tools").length > 0 ? objectIn(text) : undefined;
      return {
        type: "message",
        id: "msg_1",
        role: "assistant",
        model: "m",
        content: [input ? { type: "tool_use", id: "toolu_1", name: "json", input } : { type: "text", text }],
        stop_reason: { stop: input ? "tool_use" : "end_turn", length: "max_tokens", refused: "refusal" }[
          finish
        ],
        stop_sequence: null,
        usage: USAGE,
      };
    },
    schemaIn: (sent) =>
      member(members(sent, "tools")[0], "input_schema") ??
      member(member(member(sent, "output_config"), "format"), "schema"),
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
    schemaIn: (sent) => member(member(sent, "generationConfig"), "responseJsonSchema"),
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
    said(text, finish, sent) {
      const input = member(sent, "toolConfig") ? objectIn(text) : undefined;
      const content = input ? { toolUse: { toolUseId: "t1", name: "json", input } } : { text };
      return {
        output: { message: { role: "assistant", content: [content] } },
        stopReason: {
          stop: input ? "tool_use" : "end_turn",
          length: "max_tokens",
          refused: "content_filtered",
        }[finish],
        usage: {
          inputTokens: USAGE.input_tokens,
          outputTokens: USAGE.output_tokens,
          totalTokens: USAGE.input_tokens + USAGE.output_tokens,
        },
        metrics: { latencyMs: 10 },
      };
    },
    schemaIn: (sent) =>
      member(
        member(member(members(member(sent, "toolConfig"), "tools")[0], "toolSpec"), "inputSchema"),
        "json",
      ),
    failure: (_, message) => ({ message }),
    wrongKey: { status: 403, message: "The security token included in the request is invalid." },
  },
};

/** Parses a tool's input; undefined for other text, which is sent beside the tool. */
function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function reply(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Answers with a text in the provider's format; by default with the kind of text requested. */
export const says =
  (text?: string, finish: Finish = "stop"): Answer =>
  ({ protocol, response, sent }) => {
    const usual = protocol.schemaIn(sent) ? STRUCTURED : TEXT;
    reply(response, 200, protocol.said(text ?? usual, finish, sent));
  };

/** Gives these answers in turn, and repeats the last one. */
export function inTurn(...answers: [Answer, ...Answer[]]): Answer {
  let next = 0;
  return (exchange) => {
    const answer = answers[Math.min(next, answers.length - 1)] ?? answers[0];
    next += 1;
    answer(exchange);
  };
}

/** Rejects a structured request, as models and servers without structured output do. */
export const knowsNoSchema =
  (then: Answer, status = 400): Answer =>
  (exchange) =>
    (exchange.protocol.schemaIn(exchange.sent) ? fails(status) : then)(exchange);

/** Fails with a status; the text quotes the request, as providers do. */
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

/** Accepts the request and never answers. */
export const hangs: Answer = () => undefined;

/** Closes the connection in the middle of the answer. */
export const cuts: Answer = ({ protocol, request, sent, response }) => {
  const whole = JSON.stringify(protocol.said(TEXT, "stop", sent));
  response.writeHead(200, { "content-type": "application/json", "content-length": String(whole.length) });
  response.write(whole.slice(0, whole.length / 2), () => setTimeout(() => request.socket.destroy(), 10));
};

/** Closes the connection without an answer. */
export const resets: Answer = ({ request }) => void request.socket.destroy();

/** Sends one byte at a time, forever. */
export const trickles: Answer = ({ response }) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

/** Answers with any text. */
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
    const exchange = { protocol, request, response, sent: objectIn(body) ?? {} };
    if (chosen) chosen(exchange);
    else if (protocol.keyOf(headers) === key) says()(exchange);
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
