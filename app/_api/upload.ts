import { parsed, pathOf } from "./api";
import { answerError, offlineError } from "./api-error";
import { noticePerson, ownHeaders } from "./page-person";
import type { AnswerOf } from "./routes";

export interface UploadOptions {
  readonly contentType: string;
  /** Of a file that is attached. */
  readonly name?: string;
  /** Receives the share sent, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
  /** The first line of an import says what the person accepts. */
  readonly hasChoices?: boolean;
}

/** `fetch` reports no progress. @throws {ApiError} */
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
      // As for every answer: the server builds it from the same wire types.
      if (request.status < 300) return done(body as AnswerOf<Route>);
      const error = answerError(request.status, body);
      noticePerson(error);
      fail(error);
    };
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
