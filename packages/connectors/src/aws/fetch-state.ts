import { Readable } from "node:stream";

import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import { AnswerTooLarge, readAnswer } from "@leeway/shared/security/egress/read-answer";

import type { KeptState } from "../connector.ts";
import { digestOf, foreignBackend, MAX_STATE_BYTES, noState, tooLarge } from "../rest/fetch-from.ts";
import type { AwsClients } from "./clients.ts";
import { AwsFailure, awsFailure, statusOf } from "./failure.ts";

const MISSING = /^(?:NoSuchKey|NoSuchBucket|NotFound)$/;
/** S3's errors for a bucket in another region. */
const ELSEWHERE = /^(?:PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/;

/** Reads a state from S3; returns undefined if its edition is still `known`. */
export async function fetchState(
  { s3 }: AwsClients,
  { type, bucket, key, region = "" }: ShownBackend,
  known: string | undefined,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  if (type !== "s3") throw foreignBackend(type);
  const object = { Bucket: bucket, Key: key, ...(known !== undefined && { IfNoneMatch: known }) };
  try {
    const { Body, ETag } = await s3(region).send(new GetObjectCommand(object), { abortSignal: signal });
    if (!(Body instanceof Readable)) throw new Error("the object's body isn't a stream");
    const bytes = await readAnswer(Body, { maxBytes: MAX_STATE_BYTES, signal });
    return { bytes, edition: ETag ?? digestOf(bytes) };
  } catch (error) {
    if (statusOf(error) === 304) return undefined;
    throw failureOf(error, region);
  }
}

function failureOf(error: unknown, region: string): Error {
  const name = error instanceof Error ? error.name : "";
  if (error instanceof AnswerTooLarge) return tooLarge();
  if (MISSING.test(name)) return noState();
  if (!ELSEWHERE.test(name)) return awsFailure(error, { action: "s3:GetObject", region });
  const message = `the bucket isn't in the region ${region}`;
  return new AwsFailure({ code: "internal", message }, name);
}
