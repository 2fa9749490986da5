import { once } from "node:events";
import { createServer } from "node:net";
import { StartError } from "./start-error";
import { addressFor, type StartSettings } from "./start-settings";

/** @throws {StartError} when nobody may listen there: another program does, or the port is reserved. */
export async function assertPortFree({ host, port }: StartSettings): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
  } catch (cause) {
    throw new StartError(sentenceFor(cause, { host, port }), { cause });
  }
  server.close();
  await once(server, "close");
}

function sentenceFor(cause: unknown, place: { host: string; port: number }): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  const other = "Choose another with PORT, for example PORT=3001 npm start.";
  if (code === "EADDRINUSE") {
    return `Port ${place.port} is already in use, perhaps by Grove itself at ${addressFor(place)}. ${other}`;
  }
  if (code === "EACCES") return `This user may not listen on port ${place.port}. ${other}`;
  return `Grove cannot listen at ${addressFor(place)}: ${message}.`;
}
