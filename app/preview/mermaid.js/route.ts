import { readFile } from "node:fs/promises";
import { join } from "node:path";

const file = "node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js";

/** Mermaid is one script here, because a frame can fetch nothing. */
export async function GET(): Promise<Response> {
  const script = await readFile(join(/*turbopackIgnore: true*/ process.cwd(), file));
  return new Response(script, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "private, max-age=86400",
    },
  });
}
