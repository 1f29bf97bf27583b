import { call } from "@leeway/shared/bus/request";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { SourceRepository } from "@leeway/shared/contracts/common";
import type { Output } from "@leeway/shared/contracts/contract";
import { GetDeclaredChange } from "@leeway/shared/contracts/inventory/drift";
import { ReadCode } from "@leeway/shared/contracts/webhooks/code";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";

import type { PlanReader } from "../plan-reader.ts";
import { messageOf, throwForNow } from "./problems.ts";

export interface SettleDependencies extends Platform {
  reader: PlanReader;
  publicBaseUrl: string;
}

export type DeclaredChange = Output<typeof GetDeclaredChange>;

/** A source with known code. */
export interface CodeSource {
  id: string;
  name: string;
  repository: SourceRepository;
}

/** Code of a source at a commit, or the reason why it can't be read. */
export type ReadFolder = Extract<Output<typeof ReadCode>, { done: true }> | { refused: string };

/** Reads the folder of a source. @throws {AppError} `unavailable` */
export async function readFolder(
  bus: BusConnection,
  orgId: string,
  repository: SourceRepository,
): Promise<ReadFolder> {
  const read = await call(bus, ReadCode, { org_id: orgId, repository });
  if (read.done) return read;
  throwForNow(read);
  return { refused: messageOf(read, repository) };
}

/** Returns a change that an account has now; undefined if it is gone. */
export async function presentChange(
  bus: BusConnection,
  orgId: string,
  fingerprint: string,
): Promise<DeclaredChange | undefined> {
  try {
    return await call(bus, GetDeclaredChange, { org_id: orgId, fingerprint });
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}
