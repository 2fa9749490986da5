import { pathOf, tabId } from "@/app/_api/api";
import { answerError, offlineError } from "@/app/_api/api-error";
import type { FileWire } from "@/lib/chat/wire/files";

export interface UploadOptions {
  readonly name: string;
  /** The share sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** `fetch` reports no progress. @throws {ApiError} */
export function uploadFile(file: Blob, options: UploadOptions): Promise<FileWire> {
  const { name, onProgress, signal } = options;
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", pathOf("POST /api/files", { query: { name } }));
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("X-Grove-Tab", tabId);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => fail(offlineError(new Error("The upload was interrupted.")));
    request.onabort = () => fail(signal.reason);
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status === 201) done(body as FileWire);
      else fail(answerError(request.status, body));
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
