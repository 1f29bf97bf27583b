import type { IacSource } from "../../api/openapi.gen.ts";

export type Source = IacSource;

/** Returns a state's location in URL form: `s3://states/network/prod.tfstate`. */
export function placeOf(backend: NonNullable<Source["backend"]>): string {
  const { bucket, key, storage_account_name: account, container_name: container } = backend;
  switch (backend.type) {
    case "s3":
      return `s3://${bucket}/${key}`;
    case "gcs":
      return `gs://${bucket}/${key}`;
    case "azurerm":
      return `${account}/${container}/${key}`;
    case "http":
      return backend.address ?? "";
    case "remote":
      return `${backend.hostname ?? "app.terraform.io"}/${backend.organization}/${backend.workspace}`;
  }
}
