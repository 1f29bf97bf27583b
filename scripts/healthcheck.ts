/** Ends with 0 when the service of this container is ready, and with 1 when it isn't: what its image asks. */
const { PORT, HEALTH_PORT } = process.env;
const isGateway = process.cwd().endsWith("/gateway");
const port = isGateway ? PORT || "8080" : HEALTH_PORT || "8081";

// A proxy that all containers are given has no way in here.
process.env["no_proxy"] = "127.0.0.1";
const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(ready ? 0 : 1);
