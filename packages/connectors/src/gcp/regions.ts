/** Google Cloud's regions, and the multi-regions, which aren't listed separately. */
const REGIONS: ReadonlySet<string> = new Set(
  `africa-south1 asia asia-east1 asia-east2 asia-northeast1 asia-northeast2 asia-northeast3 asia-south1 asia-south2
   asia-southeast1 asia-southeast2 asia-southeast3 australia-southeast1 australia-southeast2 eu europe-central2
   europe-north1 europe-north2 europe-southwest1 europe-west1 europe-west10 europe-west12 europe-west2 europe-west3
   europe-west4 europe-west6 europe-west8 europe-west9 me-central1 me-central2 me-west1 northamerica-northeast1
   northamerica-northeast2 northamerica-south1 southamerica-east1 southamerica-west1 us us-central1 us-central2
   us-east1 us-east4 us-east5 us-east7 us-south1 us-west1 us-west2 us-west3 us-west4 us-west8`.split(/\s+/),
);

/** Reports whether a region is known. A newer region is recognized by its resources. */
export function isRegion(region: string): boolean {
  return REGIONS.has(region);
}
