import { isObject, type JsonObject } from "@leeway/shared/values/json";

/** Client of the API, for one caller. */
export interface Api {
  /** Sends a request. @throws {ApiFailure} for every status except 2xx */
  ask(method: string, path: string, body?: object | Blob): Promise<JsonObject>;
}

export class ApiFailure extends Error {
  readonly status: number;

  constructor(request: string, status: number, answer: string) {
    super(`${request} was answered ${status}: ${answer}`);
    this.status = status;
  }
}

const PATIENCE_MS = 60_000;

export function createApi(baseUrl: string, token: string): Api {
  return {
    async ask(method, path, body) {
      const answer = await fetch(baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new ApiFailure(`${method} ${path}`, answer.status, text);
      const parsed: unknown = text === "" ? {} : JSON.parse(text);
      return isObject(parsed) ? parsed : {};
    },
  };
}
