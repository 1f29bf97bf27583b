/** Exits with 0 when the service of this container is ready, otherwise with 1. Images use it as their health check. */
const { HEALTH_PORT } = process.env;
const port = HEALTH_PORT || "8081";

// Docker may set a proxy for all containers, which can't reach this port.
process.env["no_proxy"] = "127.0.0.1";
const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(ready ? 0 : 1);
