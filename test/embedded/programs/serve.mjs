// Stands in for the server and the simulator: listens where it is told and says what it was given.
import { createServer } from "node:http";

const asked = process.argv.indexOf("--port");
const port = Number(asked < 0 ? process.env.YOKE_HTTP_PORT : process.argv[asked + 1]);
createServer((_request, response) => {
  const { DATABASE_URL, TEMPORAL_ADDRESS, YOKE_DATA_DIR, YOKE_API_TOKEN_FILE } = process.env;
  const environment = { DATABASE_URL, TEMPORAL_ADDRESS, YOKE_DATA_DIR, YOKE_API_TOKEN_FILE };
  response.end(JSON.stringify({ pid: process.pid, environment, args: process.argv.slice(2) }));
}).listen(port, "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
