/** Images of the test servers. Their digests equal those in `docker-compose.yml`. */
export const POSTGRES_IMAGE =
  "postgres:18.6-alpine@sha256:d3e1620b530c944afa6e887d22eb899824da68e19c52024bf98f5220c88a65b2";
export const NATS_IMAGE =
  "nats:2.12.15-alpine@sha256:b270f5e2428354c0335612694d7dd2fb588148e567a5757fdff325ef9c9332e6";
