import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toolServer } from "./tool-server";

serveStdio(() => toolServer({}, []));
