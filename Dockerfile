# All images. Everything on one machine:       docker build --target trial -t leeway/trial .
# A service:                                     docker build --build-arg SERVICE=gateway -t leeway/gateway .
# What an operator runs (migrations first):      docker build --target tools -t leeway/tools .
# The stages of a service come last, because builders before BuildKit build each stage up to the target.
# Where Docker Hub or npm can't be reached, BASE and RUNTIME are Bun's images and BUN_CONFIG_REGISTRY the registry at a mirror.
ARG BASE=oven/bun:1.4.5-slim
# Services and tools need no shell and no packages: 60 MB less.
ARG RUNTIME=oven/bun:1.4.5-distroless
ARG NATS=nats:2.12.15-alpine@sha256:b270f5e2428354c0335612694d7dd2fb588148e567a5757fdff325ef9c9332e6

FROM ${BASE} AS source
WORKDIR /source
COPY . .

FROM source AS tools-files
ARG BUN_CONFIG_REGISTRY
RUN bun install --frozen-lockfile --production --omit optional --ignore-scripts --filter leeway
RUN set -eu; \
  find node_modules -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" -o -name "*.md" \) \
    ! -iname "licen[cs]e*" ! -iname "notice*" -delete; \
  mkdir -p /app/services /app/packages /app/scripts; \
  cp -a package.json node_modules /app/; \
  cp -a packages/shared /app/packages/; \
  cp scripts/migrate.ts scripts/schemas.ts scripts/rewrap.ts scripts/rewrap-services.ts scripts/service-keys.ts scripts/sealed-columns.ts \
    scripts/dead-letters.ts scripts/backup.ts scripts/restore.ts scripts/backup-tables.ts scripts/lines.ts scripts/within.ts \
    scripts/bus-parts.ts scripts/operator-bus.ts scripts/streams.ts scripts/audit-log.ts /app/scripts/; \
  for schema in services/*/src/schema.ts; do \
    service="${schema%/src/schema.ts}"; \
    mkdir -p "/app/${service}/src"; \
    cp "${schema}" "${service}/src/bus-parts.ts" "/app/${service}/src/"; \
    cp -a "${service}/migrations" "/app/${service}/"; \
    if [ -d "${service}/src/audit" ]; then cp -a "${service}/src/audit" "/app/${service}/src/"; fi; \
  done; \
  chmod -R a+rX /app

FROM ${RUNTIME} AS tools
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="Leeway" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
# Nothing is written to the image's own files: it runs read-only.
ENV NODE_ENV=production BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
ENTRYPOINT []
# By number, so that a cluster can see that it isn't root.
USER 1000:1000
LABEL org.opencontainers.image.title="leeway-tools" \
  org.opencontainers.image.description="Migrations, and what an operator of Leeway runs by hand"
COPY --from=tools-files /app /app
WORKDIR /app
CMD ["bun", "scripts/migrate.ts"]

FROM source AS trial-files
ARG BUN_CONFIG_REGISTRY
RUN bun install --frozen-lockfile --ignore-scripts --filter "@leeway/dashboard" --filter "@leeway/cli" && \
  bun packages/dashboard/build.ts && \
  bun packages/cli/build.ts && \
  rm -rf node_modules packages/*/node_modules packages/dashboard/src packages/cli/src
RUN bun install --frozen-lockfile --production --ignore-scripts --filter leeway --filter "./services/*"
# The links that npm packages can't contain are made here, because the image's user can't write them.
RUN set -eu; \
  bun -e "(await import('./scripts/local/postgres-binaries.ts')).postgresBinaries(undefined)"; \
  rm -rf node_modules/.bun/typescript@* node_modules/.bun/@typescript+*; \
  find node_modules -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" -o -name "*.md" \) \
    ! -iname "licen[cs]e*" ! -iname "notice*" -delete; \
  mkdir -p /app /data; \
  cp -a package.json node_modules packages services scripts examples deploy /app/; \
  chmod -R a+rX /app; \
  chown 1000:1000 /data

FROM ${NATS} AS nats

FROM ${BASE} AS trial
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="leeway-trial" \
  org.opencontainers.image.description="All of Leeway with its own PostgreSQL and NATS, to try it" \
  org.opencontainers.image.vendor="Leeway" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 NATS_SERVER_BIN=/usr/local/bin/nats-server \
  LEEWAY_DATA_DIR=/data LISTEN_ADDRESS=0.0.0.0 PORT=8080
COPY --from=nats /usr/local/bin/nats-server /usr/local/bin/nats-server
COPY --from=trial-files /app /app
COPY --from=trial-files --chown=1000:1000 /data /data
WORKDIR /app
ENTRYPOINT []
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["bun", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["bun", "scripts/up.ts"]

FROM source AS service-files
ARG SERVICE
ARG BUN_CONFIG_REGISTRY
# Dashboard and command line are bundled here, without what only their builds need.
RUN if [ "${SERVICE}" = gateway ]; then \
  bun install --frozen-lockfile --ignore-scripts --filter "@leeway/dashboard" --filter "@leeway/cli" && \
  bun packages/dashboard/build.ts && \
  bun packages/cli/build.ts && \
  rm -rf node_modules packages/*/node_modules packages/dashboard/src packages/cli/src; \
  fi
RUN bun install --frozen-lockfile --production --ignore-scripts --filter "@leeway/${SERVICE}"
# Modules are links into one store: what belongs together is copied together. Elysia brings a compiler that nothing runs, and
# packages bring types, maps and documents that nothing reads.
# A checkout may be its owner's alone (umask 077), and who runs the image is another.
RUN set -eu; \
  rm -rf node_modules/.bun/typescript@* node_modules/.bun/@typescript+*; \
  find node_modules -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" -o -name "*.md" \) \
    ! -iname "licen[cs]e*" ! -iname "notice*" -delete; \
  mkdir -p /app/services /app/packages /app/scripts; \
  cp -a package.json node_modules /app/; \
  cp -a "services/${SERVICE}" /app/services/; \
  for link in services/"${SERVICE}"/node_modules/@leeway/* packages/*/node_modules/@leeway/*; do \
    if [ -e "${link}" ]; then cp -aT "packages/${link##*/}" "/app/packages/${link##*/}"; fi; done; \
  cp scripts/healthcheck.ts /app/scripts/; \
  chmod -R a+rX /app

FROM ${RUNTIME} AS service
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="Leeway" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
# Nothing is written to the image's own files: it runs read-only.
ENV NODE_ENV=production BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
ENTRYPOINT []
# By number, so that a cluster can see that it isn't root.
USER 1000:1000
ARG SERVICE
LABEL org.opencontainers.image.title="leeway-${SERVICE}" \
  org.opencontainers.image.description="The ${SERVICE} service of Leeway"
COPY --from=service-files /app /app
WORKDIR /app/services/${SERVICE}
EXPOSE 8080 8081
# Docker 20 doesn't know --start-interval.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["bun", "/app/scripts/healthcheck.ts"]
CMD ["bun", "src/main.ts"]
