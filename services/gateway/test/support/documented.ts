import { isObject, member, type JsonObject } from "@leeway/shared/values/json";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

import { ENDPOINTS } from "../../src/endpoints.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import type { Answered } from "./gateway.ts";

// Serialized as JSON, as clients read it.
const document: JsonObject = JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, "http://localhost")));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "api");
const validators = new Map<string, ValidateFunction>();

/** Every documented endpoint with an organization in its path. */
export const IN_ORGANIZATION: readonly Endpoint[] = ENDPOINTS.filter(({ path }) =>
  path.startsWith("/api/v2/orgs/:id"),
);

/** Returns the difference between an operation's answer and its documentation, or undefined. */
export function undocumented(
  { method, path }: Endpoint,
  { status, headers, text, body }: Answered,
): string | undefined {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  const pointer = [
    "paths",
    path.replaceAll(/:(\w+)/g, "{$1}"),
    method.toLowerCase(),
    "responses",
    String(status),
  ];
  const answer = resolve(pointer);
  if (!answer) return `${method} ${path} isn't documented to answer ${status}: ${text}`;
  const { content } = answer.value;
  if (!isObject(content))
    return text === "" ? undefined : `${status} of ${method} ${path} is documented without a body`;
  if (!(type in content)) return `${method} ${path} answers ${status} as ${type}`;
  const code = unknownCode(content, body);
  if (code !== undefined) return `${method} ${path} isn't documented to answer ${status} ${code}: ${text}`;
  const validate = validatorAt([...answer.pointer, "content", type, "schema"]);
  return validate(body ?? text)
    ? undefined
    : `${method} ${path} ${status} ${text}: ${ajv.errorsText(validate.errors)}`;
}

/** Returns the code of an error that has no documented example. */
function unknownCode(content: JsonObject, body: unknown): string | undefined {
  const examples = member(member(content, "application/json"), "examples");
  const code = isObject(body) ? body["code"] : undefined;
  if (!examples || typeof code !== "string") return undefined;
  const known = Object.keys(examples).map((name) => member(member(examples, name), "value")?.["code"]);
  return known.includes(code) ? undefined : code;
}

interface Found {
  value: JsonObject;
  pointer: string[];
}

function resolve(pointer: string[]): Found | undefined {
  const value = pointer.reduce((at: unknown, step) => (isObject(at) ? at[step] : undefined), document);
  if (!isObject(value)) return undefined;
  const { $ref: reference } = value;
  return typeof reference === "string" ? resolve(reference.slice(2).split("/")) : { value, pointer };
}

function validatorAt(pointer: string[]): ValidateFunction {
  const fragment = pointer
    .map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  const known = validators.get(fragment);
  const validate = known ?? ajv.compile({ $ref: `api#/${fragment}` });
  validators.set(fragment, validate);
  return validate;
}
