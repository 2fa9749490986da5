import { isNestedTooDeeply } from "@/lib/text/json-depth";
import { bodyLimitBytes } from "./guard";

export interface RefusedBody {
  ok: false;
  status: 400 | 408 | 413;
  code: string;
  message: string;
}

export type JsonBody = { ok: true; value: unknown } | RefusedBody;

export interface ReadJsonBodyOptions {
  limitBytes?: number;
  withinMs?: number;
}

export async function readJsonBody(
  request: Request,
  options: ReadJsonBodyOptions = {},
): Promise<JsonBody> {
  const body = await readBody(request, options);
  return body.ok ? parseJsonBody(body.bytes) : body;
}

/** Counts while reading, so that a missing or false length cannot exceed the limit. */
export async function readBody(
  request: Request,
  { limitBytes = bodyLimitBytes, withinMs = 30_000 }: ReadJsonBodyOptions = {},
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer> } | RefusedBody> {
  const bytes = await readBytes(request, { limitBytes, withinMs });
  return bytes instanceof Uint8Array ? { ok: true, bytes } : bytes;
}

export function parseJsonBody(bytes: Uint8Array): JsonBody {
  const text = decode(bytes);
  if (text === null) return invalid("The body is not UTF-8 text.");
  if (isNestedTooDeeply(text)) return invalid("The body is nested too deeply.");
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return invalid("The body is not valid JSON.");
  }
}

async function readBytes(
  request: Request,
  { limitBytes, withinMs }: Required<ReadJsonBodyOptions>,
): Promise<Uint8Array<ArrayBuffer> | RefusedBody> {
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const deadline = deadlineIn(withinMs);
  try {
    while (true) {
      const read = await Promise.race([reader.read(), deadline.passed]);
      if (read === "late") return cancelled(reader, tooSlow);
      if (read.done) return Buffer.concat(chunks);
      size += read.value.byteLength;
      if (size > limitBytes) return cancelled(reader, tooLarge(limitBytes));
      chunks.push(read.value);
    }
  } catch {
    return invalid("The body ended early.");
  } finally {
    deadline.cancel();
  }
}

function deadlineIn(withinMs: number): { passed: Promise<"late">; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<"late">((pass) => {
    timer = setTimeout(pass, withinMs, "late");
  });
  return { passed, cancel: () => clearTimeout(timer) };
}

function cancelled(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  answer: RefusedBody,
): RefusedBody {
  reader.cancel().catch(() => undefined);
  return answer;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function invalid(message: string): RefusedBody {
  return { ok: false, status: 400, code: "invalid-body", message };
}

function tooLarge(limitBytes: number): RefusedBody {
  const message = `The request is larger than ${limitBytes.toLocaleString("en")} bytes.`;
  return { ok: false, status: 413, code: "too-large", message };
}

const tooSlow: RefusedBody = {
  ok: false,
  status: 408,
  code: "too-slow",
  message: "The request did not arrive in time.",
};
