import { parsed, pathOf } from "./api";
import { answerError, offlineError } from "./api-error";
import { noticePerson, ownHeaders } from "./page-person";
import type { AnswerOf } from "./routes";

export interface UploadOptions {
  readonly contentType: string;
  readonly name?: string;
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
  readonly hasChoices?: boolean;
}

/** Uses XMLHttpRequest, because `fetch` reports no progress. */
export function upload<Route extends "POST /api/files" | "POST /api/import">(
  route: Route,
  file: Blob,
  { contentType, name, onProgress, signal, hasChoices }: UploadOptions,
): Promise<AnswerOf<Route>> {
  const path =
    route === "POST /api/files"
      ? pathOf("POST /api/files", { query: { name } })
      : pathOf("POST /api/import", { query: { choices: hasChoices ? "first" : undefined } });
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Content-Type", contentType);
    for (const [name, value] of Object.entries(ownHeaders())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onerror = () => fail(offlineError(new Error("The upload was interrupted.")));
    request.onabort = () => fail(signal?.reason);
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status < 300) return done(body as AnswerOf<Route>);
      const error = answerError(request.status, body);
      noticePerson(error);
      fail(error);
    };
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
